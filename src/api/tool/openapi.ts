/** GET /tools/openapi.json: the tools as OpenAPI 3.1, made from their schemas and from openapi.yaml. */
import { descriptionFile, objectAt } from '../../core/openapi.js'
import { keySchema } from './key.js'
import type { JsonObject } from './schemas.js'
import type { Tool } from './tools.js'

const FOR_ALL = { 401: 'Unauthorized', 429: 'RateLimited', 500: 'Internal' }
const FORBIDDEN = { 'frame.read': 'Forbidden', 'ask.query': 'ForbiddenToAsk' }

export function toolsDescription(tools: readonly Tool[]): object {
  const { openapi, info, servers } = descriptionFile as Record<string, JsonObject>
  const paths = {
    '/tools/key': { get: keyOperation },
    ...Object.fromEntries(tools.map((tool) => [`/tools/${tool.name}`, { post: operationOf(tool) }])),
  }
  return {
    openapi,
    info: {
      ...info,
      title: 'Tools of the Spatial Frame Index API',
      summary: 'The tools of agents by plain HTTP.',
      description:
        'A tool takes its arguments as a JSON object, and answers in the envelope of `/v1`. Keys, codes, buckets and prices are those of `/v1`, which `/v1/openapi.json` describes. `GET /tools` lists the tools that a key may call.',
    },
    servers,
    paths,
    components: { securitySchemes: objectAt('components', 'securitySchemes'), ...componentsOf(paths) },
  }
}

const keyOperation = {
  operationId: 'key',
  summary: 'What a key is, and what it has left',
  description: 'Tells a key its organisation, rights and end, and the calls, credits and words that are left.',
  security: [{ key: [] }],
  responses: responsesOf(keySchema, { ...FOR_ALL, 405: 'OnlyGetAndHead' }),
}

function operationOf({ name, title, description, capability, annotations, inputSchema, outputSchema }: Tool): object {
  const isForbidden = Object.entries(FORBIDDEN).filter(([needed]) => needed === capability)
  const forbidden = Object.fromEntries(isForbidden.map(([, response]) => [403, response]))
  return {
    operationId: name,
    summary: title,
    description,
    security: [{ key: capability ? [capability] : [] }],
    ...(!annotations.readOnlyHint && { parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }] }),
    requestBody: { required: true, content: { 'application/json': { schema: withReferences(inputSchema) } } },
    responses: responsesOf(withReferences(outputSchema), { ...FOR_ALL, 405: 'OnlyPost', ...forbidden }),
  }
}

function responsesOf(data: unknown, failures: Record<string, string>): object {
  const answer = { type: 'object', required: ['data'], properties: { data } }
  return {
    200: { description: 'The answer.', content: { 'application/json': { schema: answer } } },
    ...Object.fromEntries(
      Object.entries(failures).map(([status, response]) => [status, { $ref: `#/components/responses/${response}` }]),
    ),
    default: {
      description: 'A refusal, with its code.',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  }
}

/** A schema of a tool stands alone, with copies of the components that it refers to. Here it refers to them. */
function withReferences(schema: unknown): unknown {
  const { $defs: _copies, ...root } = schema as JsonObject
  return JSON.parse(JSON.stringify(root).replaceAll('"#/$defs/', '"#/components/schemas/'))
}

/** All components that the paths refer to, and those to which these refer. */
export function componentsOf(paths: object): Record<string, JsonObject> {
  const found: Record<string, JsonObject> = {}
  const add = (value: object): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(value).matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)) {
      const ofKind = (found[kind] ??= {})
      if (Object.hasOwn(ofKind, name)) continue
      const component = objectAt('components', kind, name)
      ofKind[name] = component
      add(component)
    }
  }
  add(paths)
  return found
}
