/** The outlines of frames, as GeoJSON has them. */
import type { Corners } from './place.js'

export type Geometry = { type: 'Polygon' | 'MultiPolygon'; coordinates: unknown }
export type Ring = [lon: number, lat: number][]

export const polygonsOf = ({ type, coordinates }: Geometry): Ring[][] =>
  type === 'Polygon' ? [coordinates as Ring[]] : (coordinates as Ring[][])

export function geometryBounds(geometry: Geometry): Corners {
  const places = polygonsOf(geometry).flat(2)
  const [lons, lats] = [places.map(([lon]) => lon), places.map(([, lat]) => lat)]
  return [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)]
}

export const union = (one: Corners, other: Corners): Corners => [
  Math.min(one[0], other[0]),
  Math.min(one[1], other[1]),
  Math.max(one[2], other[2]),
  Math.max(one[3], other[3]),
]

/** Any bounds contain it. */
export const NO_BOUNDS: Corners = [Infinity, Infinity, -Infinity, -Infinity]

/** The ring around a box, counterclockwise. */
export const ringOf = ([west, south, east, north]: Corners): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
]
