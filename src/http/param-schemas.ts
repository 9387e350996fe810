/** What each parameter takes, as JSON Schema: read by params.ts, and shown in the description of the interface. */
import { QUERY_NUMBER } from '../decimal.js'
import { FRAME_ID_DIGITS } from '../frame-id.js'

export const IDS_MAX = 100
export const DATASETS_MAX = 100
export const FRAMES_MAX = 5000
/** The id of a dataset. */
export const LAYER_ID = 'lyr_[0-9A-Za-z_]+'

/** Something to read, and no NUL, which PostgreSQL keeps in no text. */
export const SAYS_SOMETHING = '^\\s*[^\\s\\u0000][^\\u0000]*$'

export const schemas = {
  lat: { type: 'number', minimum: -90, maximum: 90 },
  lon: { type: 'number', minimum: -180, maximum: 180 },
  bbox: { type: 'string', pattern: `^${QUERY_NUMBER}(,${QUERY_NUMBER}){3}$` },
  ids: { type: 'string', pattern: `^${FRAME_ID_DIGITS}(,${FRAME_ID_DIGITS}){0,${IDS_MAX - 1}}$` },
  datasets: { type: 'string', pattern: `^${LAYER_ID}(,${LAYER_ID}){0,${DATASETS_MAX - 1}}$` },
  price: { type: 'boolean', default: false },
  name: { type: 'string', pattern: SAYS_SOMETHING },
  limit: { type: 'integer', minimum: 1, maximum: FRAMES_MAX, default: FRAMES_MAX },
  frameId: { type: 'string', pattern: `^${FRAME_ID_DIGITS}$` },
} as const
