/** Compares answers of the API with openapi.yaml: status, headers and body. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { describeInterface, docsFiles } from '../../src/api/routes/docs.js'
import { brokenHttp, expectationFailed, notAProxy } from '../../src/server/http-server.js'

export type Received = { status: number; headers: Headers; text: string; body: unknown }

type Header = { $ref?: string; required?: boolean; schema: { type: string } }
export type Content = Record<string, { schema: object; examples?: Record<string, { summary: string; value: unknown }> }>
type Response = { $ref?: string; headers: Record<string, Header>; content?: Content }
export type Parameter = {
  name: string
  in: 'query' | 'header'
  required?: boolean
  schema: Record<string, unknown>
  examples?: Record<string, { value: unknown }>
}
export type Operation = {
  operationId: string
  security: { key: string[] }[]
  'x-capability'?: string
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, Response>
}
export type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { headers: Record<string, Header>; responses: Record<string, Response>; schemas: Record<string, object> }
}

const size = { burst: 60, perMinute: 300 }
export const description = describeInterface({ key: size, organisation: size, insight: size }) as unknown as Document

/** The methods of a path. The description leaves out HEAD: a path that takes it says so in its 405. */
export function methodsOf(path: string): string[] {
  const operations = description.paths[path] ?? {}
  const takesHead = operations['get']?.responses['405']?.$ref?.endsWith('/OnlyGetAndHead')
  return [...Object.keys(operations).map((method) => method.toUpperCase()), ...(takesHead ? ['HEAD'] : [])]
}

/** Lists the paths that need a key and take this method. */
export const pathsWithKey = (method: string): string[] =>
  Object.entries(description.paths).flatMap(([path, operations]) =>
    methodsOf(path).includes(method) && Object.values(operations)[0]?.security.length ? [path] : [],
  )

export type Described = { path: string; method: string; operation: Operation }
export const operations: readonly Described[] = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
)

export const queryParameters = ({ parameters = [] }: Operation): Parameter[] =>
  parameters.filter(({ in: place }) => place === 'query')

export const examplesOf = (content: Content | undefined) =>
  Object.entries(content?.['application/json']?.examples ?? {})

/** The calls that the summaries of failures are: `GET /v1/lgas?state=`. */
export const wrongCallsOf = ({ responses }: Operation): { call: string; value: unknown }[] =>
  Object.values(responses)
    .flatMap(({ content }) => examplesOf(content).map(([, { summary, value }]) => ({ call: summary, value })))
    .filter(({ call }) => /^(GET|POST) \//.test(call))

/** Any call may have these answers, declared as its `default`: the server could not read its HTTP to the end. */
const UNREADABLE = [408, 417, 431]
/** The answers to broken HTTP. */
const BROKEN_HTTP = [
  brokenHttp(undefined),
  notAProxy(),
  brokenHttp('ERR_HTTP_REQUEST_TIMEOUT'),
  expectationFailed(),
  brokenHttp('HPE_HEADER_OVERFLOW'),
]
/** HTTP itself adds these headers; the description leaves them out. */
const PLUMBING = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
])

const ajv = new Ajv2020({ strict: true, strictRequired: false })
// The description is no JSON Schema itself: ajv learns its members.
ajv.addVocabulary(Object.keys(description))
ajv.addSchema(description, 'description')
const compiled = new Map<string, ValidateFunction>()

/** The validator of a schema in the description, compiled when it is first needed. */
export function validatorOf(...pointer: string[]): ValidateFunction {
  const path = pointer.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
  const known = compiled.get(path) ?? ajv.compile({ $ref: `description#/${path}` })
  compiled.set(path, known)
  return known
}

/** The place of an answer in the description. */
type Declared = { response: Response; pointer: string[] } | { fault: string }

/** Lists the parts of an answer that the description does not allow. */
export function faultsOf(method: string, path: string, received: Received): string[] {
  const declared = declaredFor(method, path, received.status)
  if ('fault' in declared) return [declared.fault]
  return [
    ...headerFaults(declared.response, received.headers),
    ...(method === 'HEAD'
      ? bodyFaults(undefined, [], received)
      : bodyFaults(declared.response.content, declared.pointer, received)),
    ...methodFaults(path, received),
  ]
}

/** The server refuses broken HTTP before it looks at the path. */
export function brokenFaults(received: Received): string[] {
  if (!BROKEN_HTTP.some(({ status }) => status === received.status))
    return [`status ${received.status} is not one of broken HTTP`]
  const response = component('BrokenHttp')
  return [
    ...headerFaults(response, received.headers),
    ...bodyFaults(response.content, ['components', 'responses', 'BrokenHttp'], received),
  ]
}

const component = (name: string): Response => {
  const found = description.components.responses[name]
  if (!found) throw new Error(`The description has no response ${name}.`)
  return found
}

function declaredFor(method: string, path: string, status: number): Declared {
  const known = description.paths[path]
  // A path that nothing is at has the 404 of a point off the grid.
  if (!known)
    return status === 404 || UNREADABLE.includes(status)
      ? at('/v1/frames/at', 'get', status)
      : { fault: `status ${status} at a path that is not described` }
  const [any = ''] = Object.keys(known)
  if (methodsOf(path).includes(method)) return at(path, method === 'HEAD' ? 'get' : method.toLowerCase(), status)
  return status === 405 || UNREADABLE.includes(status)
    ? at(path, any, status)
    : { fault: `status ${status} for a method that is not described` }
}

function at(path: string, method: string, status: number): Declared {
  const responses = description.paths[path]?.[method]?.responses ?? {}
  const key = responses[status] ? String(status) : UNREADABLE.includes(status) ? 'default' : ''
  const response = responses[key]
  if (!response) return { fault: `status ${status} is not declared` }
  const name = response.$ref?.split('/').at(-1)
  if (name !== undefined) return { response: component(name), pointer: ['components', 'responses', name] }
  return { response, pointer: ['paths', path, method, 'responses', key] }
}

function headerFaults({ headers: declared }: Response, headers: Headers): string[] {
  const faults: string[] = []
  for (const [name, header] of Object.entries(declared)) {
    const { required, schema } = resolved(header)
    const value = headers.get(name)
    if (value === null) {
      if (required) faults.push(`header ${name} is missing`)
    } else if (!validate(schema, schema.type === 'integer' ? Number(value) : value)) {
      faults.push(`header ${name}: "${value}" is not as described`)
    }
  }
  const names = new Set(Object.keys(declared).map((name) => name.toLowerCase()))
  for (const [name] of headers) {
    if (!names.has(name) && !PLUMBING.has(name)) faults.push(`header ${name} is not declared`)
  }
  return faults
}

function resolved(header: Header): Header {
  const name = header.$ref?.split('/').at(-1)
  return (name === undefined ? undefined : description.components.headers[name]) ?? header
}

const small = new Map<object, ValidateFunction>()
function validate(schema: object, value: unknown): boolean {
  const known = small.get(schema) ?? ajv.compile(schema)
  small.set(schema, known)
  return known(value)
}

function bodyFaults(content: Content | undefined, pointer: string[], { headers, text, body }: Received): string[] {
  if (!content) return text === '' ? [] : ['a body came where none is declared']
  const [type = ''] = Object.keys(content)
  const came = headers.get('content-type') ?? 'none'
  if (came !== `${type}; charset=utf-8`) return [`content type ${came} instead of ${type}`]
  if (type !== 'application/json') return []
  if (body === undefined) return ['the body is not JSON']
  const check = validatorOf(...pointer, 'content', type, 'schema')
  if (check(body)) return []
  return (check.errors ?? []).map(
    ({ instancePath, message, params }) => `body${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

/** Allow names exactly the methods that the path takes. */
function methodFaults(path: string, { status, headers }: Received): string[] {
  if (status !== 405) return []
  const methods = methodsOf(path).join(', ')
  const allowed = headers.get('allow')
  return allowed === methods ? [] : [`Allow says ${allowed}, described are ${methods}`]
}

/** The documentation page asks for these files; they are no calls. */
const pageFiles = new Set(docsFiles.map(([name]) => `/v1/docs/${name}`))
/** The Model Context Protocol describes /mcp; /tools and /files have descriptions of their own, which test/mcp/ and test/files/ hold them to; the others are texts. */
const isForAgents = (path: string) => /^\/(mcp|llms\.txt|(tools|files)(\/.*)?|docs\/.*)$/.test(path)

/** The addresses of the API. openapi.yaml does not describe the other servers that tests call. */
const servers = new Set<string>()

/** Returns a function to call when the API has stopped: another server may get its port. */
export function describedAt(url: string): () => void {
  const { origin } = new URL(url)
  servers.add(origin)
  return () => void servers.delete(origin)
}

/** /ogc has a description of its own, which test/ogc/ holds it to. Its failures have the members of its standard. */
function ogcFaults({ status, headers, text, body }: Received): string[] {
  if (status < 400 || text === '') return []
  const names = Object.keys(body ?? {}).join()
  const type = headers.get('content-type') ?? 'none'
  return names === 'code,description' && type.startsWith('application/json') ? [] : [`${type} with ${names}`]
}

/** Fails the test whose call had an answer that the description does not allow. */
export function holdToDescription(method: string, url: string, received: Received): void {
  const { origin, pathname } = new URL(url)
  if (/^\/ogc(\/|$)/.test(pathname)) complain(`${method} ${url}`, received, ogcFaults(received))
  else if (servers.has(origin) && !pageFiles.has(pathname) && !isForAgents(pathname))
    complain(`${method} ${url}`, received, faultsOf(method, pathname, received))
}

export function complain(call: string, { status, text }: Received, faults: string[]): void {
  if (faults.length === 0) return
  throw new Error(
    `${call.slice(0, 120)} answered ${status} other than described: ${faults.join('; ')}\n${text.slice(0, 500)}`,
  )
}
