/** Limits and patterns of the parameters, as openapi.yaml states them. */
import { numberAt, textAt } from './openapi.js'

const parameter = (path: string, name: string) => ['paths', path, 'get', 'parameters', name, 'schema']
const ids = parameter('/v1/frames', 'ids')
const datasetsSchema = parameter('/v1/frames/data', 'datasets')
const limit = parameter('/v1/frames', 'limit')

export const LAT_MAX = numberAt(...parameter('/v1/frames/at', 'lat'), 'maximum')
export const LON_MAX = numberAt(...parameter('/v1/frames/at', 'lon'), 'maximum')
export const LIMIT_MIN = numberAt(...limit, 'minimum')
export const FRAMES_MAX = numberAt(...limit, 'maximum')
export const IDS_MAX = longestList(ids)
export const DATASETS_MAX = longestList(datasetsSchema)

/** A text that is not blank, without NUL: PostgreSQL stores no NUL in a text. */
export const namePattern = new RegExp(textAt(...parameter('/v1/frames', 'state'), 'pattern'))
export const frameIdPattern = new RegExp(textAt('components', 'schemas', 'FrameId', 'pattern'))
export const idsPattern = new RegExp(textAt(...ids, 'pattern'))
export const layerIdPattern = new RegExp(
  textAt('components', 'schemas', 'DatasetEntry', 'properties', 'layerId', 'pattern'),
)

/** A list is a pattern: one element, then {0,99} more. */
function longestList(schema: string[]): number {
  const pattern = textAt(...schema, 'pattern')
  const [, more] = /\{0,(\d+)\}\$$/.exec(pattern) ?? []
  if (more === undefined) throw new Error(`openapi.yaml: ${schema.join(' > ')} > pattern does not end with {0,99}$`)
  return 1 + Number(more)
}
