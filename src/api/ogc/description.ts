/** The description of /ogc: OpenAPI 3.0, which the standard's clients and its suite read. */
import { version } from '../../core/version.js'
import { FRAMES_MAX, LIMIT_MIN } from '../http/param-schemas.js'
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
  bboxCrs: inQuery('bbox-crs', 'The system of bbox, by its URI. Without it, CRS84.', uri),
  filter: inQuery('filter', 'A condition that items pass, in CQL2, over the properties that queryables lists.', {
    type: 'string',
  }),
  filterLang: inQuery('filter-lang', 'The form of filter. Without it, JSON where filter begins with a brace.', {
    type: 'string',
    enum: ['cql2-text', 'cql2-json'],
  }),
  filterCrs: inQuery('filter-crs', 'The system of the shape in filter, by its URI. Without it, CRS84.', uri),
  after: inQuery('after', 'The item that the page comes after, as the next link has it.', { type: 'string' }),
  price: inQuery('price', 'true: reads nothing, and says what the request would be charged.', { type: 'boolean' }),
  f: inQuery('f', 'The form of the answer.', { type: 'string', enum: ['json'] }),
}

const refTo = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })
const failures = Object.fromEntries(
  [400, 401, 403, 404, 405, 429, 500].map((status) => [String(status), refTo('responses', 'Failure')]),
)

type DescribedPage = {
  summary: string
  id: string
  parameters?: (keyof typeof PARAMETERS)[]
  type?: string
  schema?: object
  isOpen?: boolean
}

function describedPage({
  summary,
  id,
  parameters = [],
  type = 'application/json',
  schema,
  isOpen = false,
}: DescribedPage) {
  const content = { [type]: { schema: schema ?? { type: 'object' } } }
  return {
    get: {
      summary,
      operationId: id,
      ...(isOpen && { security: [] }),
      parameters: [...parameters, 'f' as const].map((name) => refTo('parameters', name)),
      responses: { '200': { description: summary, content }, ...failures },
    },
  }
}

const object = (required: string[], properties: object) => ({ type: 'object', required, properties })
const textSchema = { type: 'string' }
const arraySchema = (items: object) => ({ type: 'array', items })

const SCHEMAS = {
  Failure: object(['code', 'description'], { code: textSchema, description: textSchema }),
  Link: object(['href', 'rel'], { href: textSchema, rel: textSchema, type: textSchema, title: textSchema }),
  Landing: object(['links'], {
    title: textSchema,
    description: textSchema,
    links: arraySchema(refTo('schemas', 'Link')),
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
    links: arraySchema(refTo('schemas', 'Link')),
  }),
  Collections: object(['links', 'collections'], {
    links: arraySchema(refTo('schemas', 'Link')),
    crs: arraySchema(textSchema),
    collections: arraySchema(refTo('schemas', 'Collection')),
  }),
  Feature: object(['type', 'id', 'geometry', 'properties'], {
    type: { type: 'string', enum: ['Feature'] },
    id: textSchema,
    geometry: object(['type', 'coordinates'], { type: textSchema, coordinates: arraySchema({}) }),
    properties: { type: 'object' },
    links: arraySchema(refTo('schemas', 'Link')),
  }),
  Features: object(['type', 'features', 'numberReturned', 'links'], {
    type: { type: 'string', enum: ['FeatureCollection'] },
    features: arraySchema(refTo('schemas', 'Feature')),
    numberReturned: { type: 'integer', minimum: 0 },
    notNumbers: {
      type: 'integer',
      description: 'Values that the filter compares with a number and that are none. They pass no comparison.',
    },
    links: arraySchema(refTo('schemas', 'Link')),
    price: { type: 'object', description: 'With price=true: the credits that the request would cost.' },
    charged: arraySchema(textSchema),
    leftOut: arraySchema({ type: 'object' }),
  }),
}

const PATHS = {
  '/': describedPage({ summary: 'The landing page', id: 'landing', schema: refTo('schemas', 'Landing'), isOpen: true }),
  '/api': describedPage({ summary: 'This description', id: 'api', type: OPENAPI, isOpen: true }),
  '/conformance': describedPage({
    summary: 'The parts of the standard that this follows',
    id: 'conformance',
    schema: refTo('schemas', 'Conformance'),
    isOpen: true,
  }),
  '/collections': describedPage({
    summary: 'The collections that the key may read',
    id: 'collections',
    schema: refTo('schemas', 'Collections'),
  }),
  '/collections/{collectionId}': describedPage({
    summary: 'One collection',
    id: 'collection',
    parameters: ['collectionId'],
    schema: refTo('schemas', 'Collection'),
  }),
  '/collections/{collectionId}/queryables': describedPage({
    summary: 'The properties that a filter may name, as a JSON Schema',
    id: 'queryables',
    parameters: ['collectionId'],
    type: SCHEMA_TYPE,
  }),
  '/collections/{collectionId}/items': describedPage({
    summary: 'A page of items, in the order of their ids',
    id: 'items',
    parameters: [
      'collectionId',
      'limit',
      'bbox',
      'datetime',
      'crs',
      'bboxCrs',
      'filter',
      'filterLang',
      'filterCrs',
      'after',
      'price',
    ],
    type: GEOJSON,
    schema: refTo('schemas', 'Features'),
  }),
  '/collections/{collectionId}/items/{featureId}': describedPage({
    summary: 'One item',
    id: 'item',
    parameters: ['collectionId', 'featureId', 'crs'],
    type: GEOJSON,
    schema: refTo('schemas', 'Feature'),
  }),
}

export const describeOgc = (root: string): object => ({
  openapi: '3.0.3',
  info: {
    title: 'Spatial Frame Index, OGC API Features',
    version,
    description:
      'A national grid of frames, its units, and the datasets that a key may read, for GIS programs. The calls of /v1 are described at /v1/openapi.json.',
  },
  servers: [{ url: root }],
  security: [{ key: [] }],
  paths: PATHS,
  components: {
    securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'A key that begins with svc_sk_.' } },
    parameters: PARAMETERS,
    schemas: SCHEMAS,
    responses: {
      Failure: {
        description: 'The call failed. The codes are those of /v1, and insufficient_credits.',
        content: { 'application/json': { schema: refTo('schemas', 'Failure') } },
      },
    },
  },
})
