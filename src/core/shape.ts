/** Reads the shape that a person or a program sends: a polygon as WKT or as GeoJSON, which PostGIS reads and checks. */
import type { Reader } from './db/index.js'
import { shapeRead } from './db/statements.js'
import { ApiError, invalid } from './errors.js'

/** 10,000 vertices with all their digits take half of it. */
const SHAPE_TEXT_MAX = 1_000_000

/** Returns WKT in degrees. A refusal names the place of the fault. */
export async function shapeOf(reader: Pick<Reader, 'rows'>, text: string): Promise<string> {
  if (text.length > SHAPE_TEXT_MAX)
    throw invalid(`shape: a text of ${text.length} characters came, at most ${SHAPE_TEXT_MAX} are accepted.`)
  const shape = text.trimStart().startsWith('{') ? geometryIn(text) : text.trim()
  // PostGIS reads other geometries too, nested to any depth, and its own binary form.
  if (!shape.startsWith('{') && !/^(SRID=\d{1,6};)?\s*(MULTI)?POLYGON/i.test(shape))
    throw invalid('shape: a POLYGON or a MULTIPOLYGON is accepted, as WKT or as GeoJSON.')
  try {
    const [row] = await shapeRead(reader, shape)
    if (row) return row.wkt
  } catch (error) {
    throw shapeRefusal(error as DatabaseError)
  }
  throw new Error('A shape is one row.')
}

type GeoJson = { type?: unknown; coordinates?: unknown; crs?: unknown; geometry?: unknown; features?: unknown }

/** A file may have a feature, or several whose polygons are one shape. */
function geometryIn(text: string): string {
  try {
    const { crs, ...whole } = Object(JSON.parse(text)) as GeoJson
    const features = whole.type === 'FeatureCollection' && Array.isArray(whole.features) ? whole.features : [whole]
    const polygons = features.flatMap((each) => polygonsOfJson(each))
    const geometry =
      polygons.length === 1
        ? { type: 'Polygon', coordinates: polygons[0] }
        : { type: 'MultiPolygon', coordinates: polygons }
    return JSON.stringify({ ...geometry, ...(crs !== undefined && { crs }) })
  } catch (error) {
    if (error instanceof ApiError) throw error
    // JSON.stringify gives up where lists are nested thousands of levels deep.
    throw invalid('shape: this begins as GeoJSON does, and is no JSON that can be read.')
  }
}

function polygonsOfJson(value: unknown): unknown[] {
  const { type, coordinates, geometry } = Object(value) as GeoJson
  if (type === 'Feature') return polygonsOfJson({ ...Object(geometry), geometry: undefined })
  const came = typeof type === 'string' ? type.slice(0, 40) : 'none'
  if (type !== 'Polygon' && type !== 'MultiPolygon')
    throw invalid(`shape: a Polygon or a MultiPolygon of GeoJSON is accepted, a geometry of type ${came} came.`)
  const polygons = type === 'Polygon' ? [coordinates] : listOf(coordinates)
  // PostGIS would read what is no number as 0.
  const isSound = polygons.every((rings) => listOf(rings).every((ring) => listOf(ring).every(isPosition)))
  if (!isSound) throw invalid('shape: a position of GeoJSON is two numbers, or three with a height.')
  return polygons
}

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  throw invalid('shape: coordinates of GeoJSON are lists of positions, one for each ring.')
}

const isPosition = (value: unknown): boolean =>
  Array.isArray(value) && (value.length === 2 || value.length === 3) && value.every((each) => Number.isFinite(each))

/** Errors of PostgreSQL have a hint where PostGIS cannot read a text: it ends with the number of a character. */
type DatabaseError = { code?: string; message: string; hint?: string }
/** Function shape_checked raises the first, and PostGIS the second: of a text that it cannot read or transform. */
const [OF_SHAPE, OF_POSTGIS] = ['22023', 'XX000']

function shapeRefusal(error: DatabaseError): Error {
  if (error.code === OF_SHAPE) return invalid(error.message)
  if (error.code !== OF_POSTGIS) return error as unknown as Error
  const [, place] = /parse error at position (\d+)/.exec(error.hint ?? '') ?? []
  return invalid(`shape: it cannot be read: ${error.message}${place === undefined ? '' : `, at character ${place}`}.`)
}
