/** GET /files/openapi.json: the files of datasets as OpenAPI 3.1. */
import { DATASET_FORMS } from '../../core/frame-file/index.js'
import { descriptionFile, objectAt } from '../../core/openapi.js'
import { componentsOf } from '../tool/openapi.js'

const text = { type: 'string' }
const wholeNumber = { type: 'integer', minimum: 0 }
const version = { type: 'string', pattern: '^\\d{8}T\\d{12}Z$' }
const about = { layerId: text, name: text }
const record = (properties: Record<string, object>, ...optional: string[]) => ({
  type: 'object',
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
})
const list = (items: object) => ({ type: 'array', items })

const DATASET = record(
  {
    ...about,
    category: text,
    kind: { enum: ['frames', 'points', 'lines', 'polygons'] },
    orgId: text,
    vintage: text,
    origin: {
      type: 'object',
      properties: { licence: text, source: text, url: text, citation: text, released: text, flags: list(text) },
    },
    items: wholeNumber,
    version,
    isPaid: { type: 'boolean' },
    price: wholeNumber,
    files: list(record({ path: text, size: wholeNumber, sha256: text }, 'size', 'sha256')),
  },
  'vintage',
  'isPaid',
  'price',
)
const LEFT_OUT = record({ ...about, reason: { const: 'price' }, price: wholeNumber })

const refusals = (responses: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(responses).map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]),
  )
const FOR_ALL = { 401: 'Unauthorized', 403: 'Forbidden', 405: 'OnlyGetAndHead', 429: 'RateLimited', 500: 'Internal' }

const refusal = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})
const operation = (operationId: string, [summary, description]: string[], parameters: object[], responses: object) => ({
  get: {
    operationId,
    summary,
    description,
    tags: ['Files'],
    security: [{ key: [] }],
    'x-capability': 'frame.read',
    parameters,
    responses: { ...responses, ...refusals(FOR_ALL), default: refusal('A refusal, with its code.') },
  },
})
const asked = (name: string, description: string) => ({ name, in: 'query', description, schema: version })
const bytes = { description: 'Its bytes.', content: { 'application/octet-stream': {} } }
const name = {
  name: 'name',
  in: 'path',
  required: true,
  schema: text,
  description: `The id of a dataset, a point, and ${DATASET_FORMS.join(', ')}.`,
}
const PATHS = {
  '/files': operation(
    'listFiles',
    [
      'List the datasets that are files',
      'Lists each dataset that the key may read, with its files. One that costs is a file at its `price`, which an organisation pays once for a version (`isPaid`); `leftOut` has those that are not sold so.',
    ],
    [asked('since', 'Leaves out the datasets that have not changed since this version.')],
    {
      200: {
        description: 'The datasets. A file that nobody asked for yet has no size.',
        content: {
          'application/json': {
            schema: record({ data: record({ datasets: list(DATASET), leftOut: list(LEFT_OUT) }) }),
          },
        },
      },
    },
  ),
  '/files/{name}': operation(
    'readFile',
    [
      'Read a dataset as a file',
      'Answers ranges and conditions, as static files do. The first who asks for a version waits until it is made. A version with a price is charged with its first bytes, and never again; HEAD costs nothing. Credits that do not cover it are 404, and nothing is charged.',
    ],
    [name, asked('version', 'Refuses any other version with 404.')],
    { 200: bytes, 206: bytes, 304: { description: 'The client has it.' }, 404: refusal('No such file.') },
  ),
}
export function filesDescription(): object {
  const { openapi, info, servers } = descriptionFile as Record<string, object>
  return {
    openapi,
    info: {
      ...info,
      title: 'Files of the Spatial Frame Index API',
      summary: 'Datasets as files.',
      description: 'Keys, codes and buckets are those of `/v1`, which `/v1/openapi.json` describes.',
    },
    servers,
    tags: [{ name: 'Files', description: 'Datasets that a key may read.' }],
    paths: PATHS,
    components: { securitySchemes: objectAt('components', 'securitySchemes'), ...componentsOf(PATHS) },
  }
}
