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
    '/tools/enrich': { post: enrichOperation },
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
    tags: [{ name: 'Tools', description: 'What a key may call.' }],
    paths,
    components: { securitySchemes: objectAt('components', 'securitySchemes'), ...componentsOf(paths) },
  }
}

const keyOperation = {
  operationId: 'key',
  summary: 'What a key is, and what it has left',
  description: 'Tells a key its organisation, rights and end, and the calls, credits and words that are left.',
  tags: ['Tools'],
  security: [{ key: [] }],
  responses: responsesOf(keySchema, { ...FOR_ALL, 405: 'OnlyGetAndHead' }),
}

const query = (name: string, schema: object, description: string) => ({ name, in: 'query', description, schema })
const places = ['frame', 'lat', 'lon', 'state', 'lga', 'ward']

const enrichOperation = {
  operationId: 'enrich',
  summary: 'A table of places, with columns about them',
  description:
    'Takes up to 100,000 rows, each with a frame, a point or a unit, and sends them back in the same order with the columns asked for. A row that names no place keeps its place, and `reason` says why. A dataset with a price costs its price for each 100 rows on which it records something: all of them are charged, or none. `docs/tables.md` has the rules.',
  security: [{ key: ['frame.read'] }],
  'x-capability': 'frame.read',
  parameters: [
    { $ref: '#/components/parameters/IdempotencyKey' },
    query(
      'columns',
      { type: 'string', default: 'frame,state,lga,ward' },
      'Columns to add, with commas between them: `frame`, `state`, `stateCode`, `lga`, `lgaCode`, `ward`, `wardCode`, `zone`, `zoneCode`; a dataset; an attribute, `lyr_population.pop_demest26`; or its total over the unit around the row, `ward:lyr_population.pop_demest26`.',
    ),
    query(
      'price',
      { type: 'boolean', default: false },
      'true: sends and charges nothing, and says what it would cost.',
    ),
    ...places.map((name) => query(name, { type: 'string' }, `The column of the table that has the ${name}.`)),
  ],
  requestBody: {
    required: true,
    content: {
      'text/csv': { schema: { type: 'string' } },
      'application/json': { schema: { type: 'array', minItems: 1, items: { type: 'object' } } },
    },
  },
  responses: responsesOf(
    {
      type: 'object',
      description: 'The rows; with `price`, their number, how many have a place, and the price.',
      required: ['charged', 'leftOut'],
      properties: {
        rows: { oneOf: [{ type: 'array', items: { type: 'object' } }, { type: 'integer' }] },
        found: { type: 'integer' },
        charged: { type: 'array', items: { type: 'string' } },
        leftOut: { type: 'array', items: { type: 'object' } },
        price: { type: 'object' },
      },
    },
    { ...FOR_ALL, 403: 'Forbidden', 405: 'OnlyPost' },
  ),
}

function operationOf({ name, title, description, capability, annotations, inputSchema, outputSchema }: Tool): object {
  const isForbidden = Object.entries(FORBIDDEN).filter(([needed]) => needed === capability)
  const forbidden = Object.fromEntries(isForbidden.map(([, response]) => [403, response]))
  return {
    operationId: name,
    summary: title,
    description,
    tags: ['Tools'],
    security: [{ key: [] }],
    ...(capability && { 'x-capability': capability }),
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
