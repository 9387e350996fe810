/** The outlines of frames and the shapes of features, as GeoJSON has them. */
import type { Corners } from './place.js'

type ShapeType = 'Point' | 'LineString' | 'Polygon'
/** Positions have two numbers. */
export type Geometry = { type: ShapeType | `Multi${ShapeType}`; coordinates: unknown }
export type Ring = [lon: number, lat: number][]

export const polygonsOf = ({ type, coordinates }: Geometry): Ring[][] =>
  type === 'Polygon' ? [coordinates as Ring[]] : (coordinates as Ring[][])

export function geometryBounds(geometry: Geometry): Corners {
  const numbers: number[] = (geometry.coordinates as number[]).flat(Infinity)
  let [west, south, east, north] = NO_BOUNDS
  for (const [i, number] of numbers.entries()) {
    if (i % 2 === 0) [west, east] = [Math.min(west, number), Math.max(east, number)]
    else [south, north] = [Math.min(south, number), Math.max(north, number)]
  }
  return [west, south, east, north]
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
