/** A call as the description tells it, and what OpenAPI makes of it. */
import type { Capability } from '../access/capabilities.js'
import type { ApiError } from '../errors.js'
import {
  bodiless,
  caching,
  commonFailures,
  failuresByStatus,
  success,
  type Caching,
  type Response,
  type Responses,
} from './responses.js'
import { object, ref, type Members, type Schema } from './schema.js'

export type Parameter = Readonly<{ schema: Schema; description: string; required?: true }>
/** A request and the answer that it had. */
type Example = Readonly<{
  summary: string
  query?: Readonly<Record<string, string>>
  body?: object
  data: unknown
}>

export type Call = Readonly<{
  path: string
  id: string
  tag: string
  summary: string
  description: string
  capability: Capability
  parameters: Readonly<Record<string, Parameter>>
  /** The schema of a JSON body; the call is a POST then. */
  body?: string
  /** The schema of what is in the envelope. */
  data: Schema
  kept: Caching
  /** Whether HEAD answers, too. */
  head: boolean
  /** Whether it comes with an ETag; a call that changes over to another database midway has none. */
  tagged: 'sometimes' | 'never'
  examples: Readonly<Record<string, Example>>
  /** Requests that are refused, as text after the path, and what is said. */
  refusals: readonly (readonly [sent: string, error: ApiError])[]
}>

type Operation = Readonly<Record<string, unknown>> & { responses: Responses }

const ifNoneMatch: Schema = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of an answer that you have.',
  schema: { type: 'string' },
}

/** The operations of a path. */
export function operationsOf(call: Call): Record<string, Operation> {
  const method = call.body === undefined ? 'get' : 'post'
  const operation = operationOf(call, method)
  return { [method]: operation, ...(call.head ? { head: headOf(operation, call.path) } : {}) }
}

function operationOf(call: Call, method: string): Operation {
  const { path, id, tag, summary, description, capability, body, tagged } = call
  const allowed = body === undefined ? (call.head ? 'GET, HEAD' : 'GET') : 'POST'
  const parameters = [...parametersOf(call), ...(tagged === 'never' ? [] : [ifNoneMatch])]
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `${description}\n\nNeeds \`${capability}\`.`,
    security: [{ key: [capability] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body === undefined ? {} : { requestBody: bodyOf(call, body) }),
    responses: {
      ...success(contentOf(call), call.kept, { metered: true, tagged }),
      ...failuresByStatus(
        call.refusals.map(([sent, error]) => ({ error, call: `${method.toUpperCase()} ${path}${sent}` })),
        true,
      ),
      ...commonFailures(capability, allowed),
    },
  }
}

/** An example carries the same name in the parameters that it sends and in the answer that it had. */
function parametersOf({ parameters, examples }: Call): Schema[] {
  return Object.entries(parameters).map(([name, { schema, description, required }]) => {
    const sent = Object.entries(examples).flatMap(([key, { query }]) =>
      query?.[name] === undefined ? [] : [[key, { value: typed(schema, query[name]) }]],
    )
    return {
      name,
      in: 'query',
      description,
      ...(required ? { required } : {}),
      schema,
      ...(sent.length > 0 ? { examples: Object.fromEntries(sent) as Schema } : {}),
    }
  })
}

const typed = ({ type }: Schema, sent: string) =>
  type === 'string' ? sent : type === 'boolean' ? sent === 'true' : Number(sent)

function bodyOf({ examples }: Call, schema: string): Schema {
  const sent = Object.entries(examples).map(([key, { summary, body }]) => [key, { summary, value: body }])
  return {
    required: true,
    content: { 'application/json': { schema: ref(schema), examples: Object.fromEntries(sent) as Schema } },
  }
}

function contentOf({ data, examples }: Call): Schema {
  const had = Object.entries(examples).map(([key, example]) => [
    key,
    { summary: example.summary, value: { data: example.data } },
  ])
  const schema = object('The envelope of every success.', { data })
  return { 'application/json': { schema, examples: Object.fromEntries(had) as Schema } }
}

/** Answers as GET does, without a body. */
function headOf({ responses, ...get }: Operation, path: string): Operation {
  const {
    operationId,
    summary,
    parameters = [],
  } = get as { operationId: string; summary: string; parameters?: Schema[] }
  return {
    ...get,
    operationId: `head${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`,
    tags: ['Headers'],
    summary: `${summary}: headers alone`,
    description: `Answers as \`GET ${path}\` does, without the body.`,
    parameters: parameters.map(({ examples: _examples, ...parameter }) => parameter),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [status, withoutBody(response)]),
    ),
  }
}

/** Broken HTTP is answered with a body, whatever the method. */
function withoutBody(response: Response | { $ref: string }): Response | { $ref: string } {
  if (!('$ref' in response)) return bodiless(response)
  return response.$ref.endsWith('/BrokenHttp') ? response : { $ref: `${response.$ref}ToHead` }
}

/** What is served to everybody, without a key. */
export function openOperation(
  said: { id: string; path: string; summary: string; description: string },
  content: Schema,
  more: Members = {},
): Record<string, Operation> {
  const operation = {
    operationId: said.id,
    tags: ['Interface'],
    summary: said.summary,
    description: said.description,
    security: [],
    parameters: [ifNoneMatch],
    responses: {
      ...success(content, caching.everyone, { metered: false, tagged: 'always', more }),
      ...commonFailures(undefined, 'GET, HEAD'),
    },
  }
  return { get: operation, head: headOf(operation, said.path) }
}
