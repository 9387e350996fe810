/** The coordinate reference systems of /ogc. SQL knows them by numbers: 84 for CRS84, else the code of EPSG. */
import { invalid, shortened } from '../../core/errors.js'
import { textParam, type Query } from '../http/query.js'
import type { Corners } from '../../core/place.js'

const ROOT = 'http://www.opengis.net/def/crs/'

/** Degrees, the longitude first: what GeoJSON has, and what is stored. */
export const CRS84 = 84
/** Degrees, the latitude first. */
const WGS84 = 4326
const WEB_MERCATOR = 3857
const UTM_NORTH = 32_600
const UTM_SOUTH = 32_700

export const uriOf = (crs: number): string => (crs === CRS84 ? `${ROOT}OGC/1.3/CRS84` : `${ROOT}EPSG/0/${crs}`)

/** The systems of an index: its UTM zones are those that its frames lie in. */
export function systemsOf(extent: Corners | undefined): number[] {
  const systems = [CRS84, WGS84, WEB_MERCATOR]
  if (!extent) return systems
  const [minLon, minLat, maxLon, maxLat] = extent
  const zoneOf = (lon: number) => Math.min(60, Math.floor((lon + 180) / 6) + 1)
  for (let zone = zoneOf(minLon); zone <= zoneOf(maxLon); zone += 1) {
    if (maxLat > 0) systems.push(UTM_NORTH + zone)
    if (minLat < 0) systems.push(UTM_SOUTH + zone)
  }
  return systems
}

export function crsParam(query: Query, name: string, systems: readonly number[]): number {
  const uri = textParam(query, name, invalid)
  if (uri === undefined) return CRS84
  const found = systems.find((crs) => uriOf(crs) === uri)
  if (found !== undefined) return found
  throw invalid(
    `${name}: the URI of a system that the collection lists is accepted, such as ${uriOf(CRS84)}; "${shortened(uri)}" was sent.`,
  )
}

/** The coordinates that a system has a meaning for: [least x, least y, most x, most y]. */
export function domainOf(crs: number): readonly [number, number, number, number] {
  switch (crs) {
    case CRS84:
      return [-180, -90, 180, 90]
    case WGS84:
      return [-90, -180, 90, 180]
    case WEB_MERCATOR:
      return [-20_037_508.342789244, -20_048_966.1, 20_037_508.342789244, 20_048_966.1]
    default: {
      // 30 degrees from the middle of the zone, and 84 from the equator.
      const north = crs > UTM_SOUTH ? 10_000_000 : 0
      return [-3_000_000, north - 9_300_000, 4_000_000, north + 9_300_000]
    }
  }
}

export const isInDegrees = (crs: number): boolean => crs === CRS84 || crs === WGS84
