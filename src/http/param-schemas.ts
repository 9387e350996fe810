/** What each parameter takes, as JSON Schema: read by params.ts, and shown in the description of the interface. */

const number = '[+-]?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?'
const digits = '[0-9]+'

export const IDS_MAX = 100
export const DATASETS_MAX = 100
export const FRAMES_MAX = 5000
/** The id of a dataset. */
export const LAYER_ID = 'lyr_[0-9A-Za-z_]+'

/** Something to read, and no NUL, which PostgreSQL keeps in no text. */
export const SAYS_SOMETHING = '^\\s*[^\\s\\u0000][^\\u0000]*$'

/** A number in a query string. */
export const decimal = new RegExp(`^${number}$`)

export const schemas = {
  lat: { type: 'number', minimum: -90, maximum: 90 },
  lon: { type: 'number', minimum: -180, maximum: 180 },
  bbox: { type: 'string', pattern: `^${number}(,${number}){3}$` },
  ids: { type: 'string', pattern: `^${digits}(,${digits}){0,${IDS_MAX - 1}}$` },
  datasets: { type: 'string', pattern: `^${LAYER_ID}(,${LAYER_ID}){0,${DATASETS_MAX - 1}}$` },
  price: { type: 'boolean', default: false },
  name: { type: 'string', pattern: SAYS_SOMETHING },
  limit: { type: 'integer', minimum: 1, maximum: FRAMES_MAX, default: FRAMES_MAX },
  frameId: { type: 'string', pattern: `^${digits}$` },
} as const
