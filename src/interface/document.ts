/** The description of the interface, OpenAPI 3.1, made of the schemas and constants that the checks themselves use. */
import { PRESETS } from '../access/capabilities.js'
import { PREFIX } from '../access/secret.js'
import type { BucketSizes } from '../limits/buckets.js'
import { openOperation, operationsOf } from './call.js'
import { calls } from './calls.js'
import { frameSchemas, unitSchemas } from './frame-schemas.js'
import { introduction } from './introduction.js'
import { recordSchemas } from './record-schemas.js'
import { headers, headersAlways, sharedResponses } from './responses.js'

const PATH = '/v1/openapi.json'
export const PAGE = '/v1/docs'

/** The page runs no script but ours, asks no other host, and is shown in no other page. */
export const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
} as const

export function describeInterface(sizes: BucketSizes) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Spatial Frame Index API',
      version: '1.0.0',
      summary: 'A national grid of frames: places to frames, frames to records, answers about them.',
      description: introduction(sizes),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The server that this description comes from.' }],
    tags: [
      { name: 'Frames', description: 'Cells of the grid, by place, unit or id.' },
      { name: 'Records', description: 'What datasets record on frames.' },
      { name: 'Questions', description: 'Answers in plain English.' },
      { name: 'Units', description: 'Names to choose frames by.' },
      { name: 'Interface', description: 'This description. No key is needed.' },
      { name: 'Headers', description: 'HEAD, where it is answered: the headers of GET without the body.' },
    ],
    paths: { ...Object.fromEntries(calls.map((call) => [call.path, operationsOf(call)])), ...openPaths },
    components: {
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: `${PREFIX} and 36 letters and digits`,
          description: `An API key. The capability that a call needs is listed with it. Presets: ${presets}.`,
        },
      },
      schemas: { ...frameSchemas, ...unitSchemas, ...recordSchemas },
      headers,
      responses: sharedResponses(sizes),
    },
  }
}

const presets = Object.entries(PRESETS)
  .map(([preset, capabilities]) => `\`${preset}\` (${capabilities.join(', ')})`)
  .join('; ')

const openPaths = {
  [PATH]: openOperation(
    {
      path: PATH,
      id: 'description',
      summary: 'This description',
      description: 'OpenAPI 3.1, the same for everybody, and so kept by any cache for ten minutes.',
    },
    {
      'application/json': {
        schema: {
          type: 'object',
          required: ['openapi', 'info', 'paths'],
          properties: {
            openapi: { type: 'string', const: '3.1.0' },
            info: { type: 'object', description: 'Title and version.' },
            paths: { type: 'object', description: 'The calls.' },
          },
        },
      },
    },
  ),
  [PAGE]: openOperation(
    {
      path: PAGE,
      id: 'documentation',
      summary: 'A page to read and try it on',
      description: 'The same description for people, with a console that calls the API with your key.',
    },
    { 'text/html': { schema: { type: 'string' } } },
    headersAlways(PAGE_HEADERS),
  ),
}
