/** The description of /ogc: OpenAPI 3.0, which the standard's clients and its suite read. */
import { version } from '../../core/version.js'
import { FRAMES_MAX, LIMIT_MIN } from '../../core/parameters.js'
import { GEOJSON, OPENAPI, SCHEMA_TYPE } from './documents.js'

/** Items of a page, where a call names no limit. */
export const LIMIT = 1000

const inPath = (name: string, description: string) => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string' },
})
const inQuery = (name: string, description: string, schema: object) => ({
  name,
  in: 'query',
  required: false,
  style: 'form',
  explode: false,
  description,
  schema,
})
const uri = { type: 'string', format: 'uri' }

const PARAMETERS = {
  collectionId: inPath('collectionId', 'frames, states, lgas, wards, or the id of a dataset.'),
  featureId: inPath('featureId', 'The id of an item.'),
  limit: inQuery('limit', 'Items of a page, at most.', {
    type: 'integer',
    minimum: LIMIT_MIN,
    maximum: FRAMES_MAX,
    default: LIMIT,
  }),
  bbox: inQuery('bbox', 'Items that touch the box: its least and its greatest corner, with or without heights.', {
    type: 'array',
    items: { type: 'number' },
    minItems: 4,
    maxItems: 6,
  }),
  datetime: inQuery('datetime', 'An instant or an interval. No item has a time, so every item passes.', {
    type: 'string',
  }),
  crs: inQuery('crs', 'The system of the answer, by its URI. Without it, CRS84.', uri),
  'bbox-crs': inQuery('bbox-crs', 'The system of bbox, by its URI. Without it, CRS84.', uri),
  filter: inQuery('filter', 'A condition that items pass, in CQL2, over the properties that queryables lists.', {
    type: 'string',
  }),
  'filter-lang': inQuery('filter-lang', 'The form of filter.', {
    type: 'string',
    enum: ['cql2-text'],
  }),
  'filter-crs': inQuery('filter-crs', 'The system of the shape in filter, by its URI. Without it, CRS84.', uri),
  after: inQuery('after', 'The item that the page comes after, as the next link has it.', { type: 'string' }),
  price: inQuery('price', 'true: reads nothing, and says what the request would be charged.', { type: 'boolean' }),
  f: inQuery('f', 'The form of the answer.', { type: 'string', enum: ['json'] }),
}

const refTo = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })
const failures = Object.fromEntries(
  [400, 401, 403, 404, 405, 429, 500].map((status) => [String(status), refTo('responses', 'Failure')]),
)

type DescribedPage = {
  parameters?: (keyof typeof PARAMETERS)[]
  type?: string
  schema?: object
  /** The page needs no key. */
  isOpen?: true
}

function describedPage(summary: string, operationId: string, page: DescribedPage) {
  const { parameters = [], type = 'application/json', schema = { type: 'object' }, isOpen } = page
  return {
    get: {
      summary,
      description: `${summary}.`,
      operationId,
      tags: ['Features'],
      ...(isOpen && { security: [] }),
      parameters: [...parameters, 'f' as const].map((name) => refTo('parameters', name)),
      responses: { '200': { description: summary, content: { [type]: { schema } } }, ...failures },
    },
  }
}

const object = (required: string[], properties: object) => ({ type: 'object', required, properties })
const textSchema = { type: 'string' }
const arraySchema = (items: object) => ({ type: 'array', items })
const schemaRef = (name: string) => refTo('schemas', name)

const SCHEMAS = {
  Failure: object(['code', 'description'], { code: textSchema, description: textSchema }),
  Link: object(['href', 'rel'], { href: textSchema, rel: textSchema, type: textSchema, title: textSchema }),
  Landing: object(['links'], {
    title: textSchema,
    description: textSchema,
    links: arraySchema(schemaRef('Link')),
  }),
  Conformance: object(['conformsTo'], { conformsTo: arraySchema(textSchema) }),
  Collection: object(['id', 'links'], {
    id: textSchema,
    title: textSchema,
    description: textSchema,
    itemType: textSchema,
    extent: { type: 'object' },
    crs: arraySchema(textSchema),
    storageCrs: textSchema,
    links: arraySchema(schemaRef('Link')),
  }),
  Collections: object(['links', 'collections'], {
    links: arraySchema(schemaRef('Link')),
    crs: arraySchema(textSchema),
    collections: arraySchema(schemaRef('Collection')),
  }),
  Feature: object(['type', 'id', 'geometry', 'properties'], {
    type: { type: 'string', enum: ['Feature'] },
    id: textSchema,
    geometry: object(['type', 'coordinates'], { type: textSchema, coordinates: arraySchema({}) }),
    properties: { type: 'object' },
    links: arraySchema(schemaRef('Link')),
  }),
  Features: object(['type', 'features', 'numberReturned', 'links'], {
    type: { type: 'string', enum: ['FeatureCollection'] },
    features: arraySchema(schemaRef('Feature')),
    numberMatched: {
      type: 'integer',
      minimum: 0,
      description: 'All items of the collection. Absent beside bbox or filter.',
    },
    numberReturned: { type: 'integer', minimum: 0 },
    notNumbers: {
      type: 'integer',
      description: 'Values that the filter compares with a number and that are none. They pass no comparison.',
    },
    links: arraySchema(schemaRef('Link')),
    price: { type: 'object', description: 'With price=true: the credits that the request would cost.' },
    charged: arraySchema(textSchema),
    leftOut: arraySchema({ type: 'object' }),
  }),
}

/** The parameters of a page of items. */
export const PAGE_PARAMETERS: (keyof typeof PARAMETERS)[] = [
  'limit',
  'bbox',
  'bbox-crs',
  'crs',
  'datetime',
  'filter',
  'filter-lang',
  'filter-crs',
  'after',
  'price',
]

const PATHS = {
  '/': describedPage('The landing page', 'landing', { schema: schemaRef('Landing'), isOpen: true }),
  '/api': describedPage('This description', 'api', { type: OPENAPI, isOpen: true }),
  '/conformance': describedPage('The parts of the standard that this follows', 'conformance', {
    schema: schemaRef('Conformance'),
    isOpen: true,
  }),
  '/collections': describedPage('The collections that the key may read', 'collections', {
    schema: schemaRef('Collections'),
  }),
  '/collections/{collectionId}': describedPage('One collection', 'collection', {
    parameters: ['collectionId'],
    schema: schemaRef('Collection'),
  }),
  '/collections/{collectionId}/queryables': describedPage(
    'The properties that a filter may name, as a JSON Schema',
    'queryables',
    { parameters: ['collectionId'], type: SCHEMA_TYPE },
  ),
  '/collections/{collectionId}/items': describedPage('A page of items, in the order of their ids', 'items', {
    parameters: ['collectionId', ...PAGE_PARAMETERS],
    type: GEOJSON,
    schema: schemaRef('Features'),
  }),
  '/collections/{collectionId}/items/{featureId}': describedPage('One item', 'item', {
    parameters: ['collectionId', 'featureId', 'crs'],
    type: GEOJSON,
    schema: schemaRef('Feature'),
  }),
}

export const describeOgc = (root: string): object => ({
  openapi: '3.0.3',
  info: {
    title: 'Spatial Frame Index, OGC API Features',
    version,
    contact: { name: 'The operator of this service' },
    description:
      'A national grid of frames, its units, and the datasets that a key may read, for GIS programs. The calls of /v1 are described at /v1/openapi.json.',
  },
  servers: [{ url: root }],
  tags: [{ name: 'Features', description: 'Collections and their items.' }],
  security: [{ key: [] }],
  paths: PATHS,
  components: {
    securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'A key that begins with svc_sk_.' } },
    parameters: PARAMETERS,
    schemas: SCHEMAS,
    responses: {
      Failure: {
        description: 'The call failed. The codes are those of /v1, insufficient_credits and key_cap.',
        content: { 'application/json': { schema: schemaRef('Failure') } },
      },
    },
  },
})
