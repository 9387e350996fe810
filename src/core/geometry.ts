/** The outlines of frames, as GeoJSON has them. */

export type Geometry = { type: 'Polygon' | 'MultiPolygon'; coordinates: unknown }
export type Ring = [lon: number, lat: number][]
export type Bounds = [west: number, south: number, east: number, north: number]

export const polygonsOf = ({ type, coordinates }: Geometry): Ring[][] =>
  type === 'Polygon' ? [coordinates as Ring[]] : (coordinates as Ring[][])

export function geometryBounds(geometry: Geometry): Bounds {
  const places = polygonsOf(geometry).flat(2)
  const [lons, lats] = [places.map(([lon]) => lon), places.map(([, lat]) => lat)]
  return [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)]
}

export const union = (one: Bounds, other: Bounds): Bounds => [
  Math.min(one[0], other[0]),
  Math.min(one[1], other[1]),
  Math.max(one[2], other[2]),
  Math.max(one[3], other[3]),
]

/** Any bounds contain it. */
export const NO_BOUNDS: Bounds = [Infinity, Infinity, -Infinity, -Infinity]
