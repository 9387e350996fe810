/** Works out what the map shows: from the address, or from what was picked, or the whole index. */
import type { ValuesAsked } from '../map/classes.js'
import type { Map as MapLibreMap } from './maplibre-gl.mjs'
import { element } from './map-browser.js'

export type MapCamera = { center: [lon: number, lat: number]; zoom: number }
/** The south-west corner of a square of 1 degree. */
export type Square = readonly [lon: number, lat: number]
export type MapBounds = [west: number, south: number, east: number, north: number]

const VIEW_PADDING = 32
/** A single frame fills no window: its neighbours show where it lies. */
const FIT_ZOOM_MAX = 12.5
/** The earth is so many pixels wide at zoom 0. */
export const WORLD_PIXELS = 512

const boundsOfText = (text: string | undefined): MapBounds | undefined => {
  const corners = (text ?? '').split(',').map(Number)
  return corners.length === 4 && corners.every((corner) => Number.isFinite(corner)) && text !== ''
    ? (corners as MapBounds)
    : undefined
}

export function addressCamera(): MapCamera | undefined {
  const query = new URLSearchParams(location.search)
  const [lat, lon, zoom] = ['lat', 'lon', 'z'].map((name) => (query.has(name) ? Number(query.get(name)) : NaN))
  return Number.isFinite(lat) && Number.isFinite(lon) && Number.isFinite(zoom)
    ? { center: [lon ?? 0, lat ?? 0], zoom: zoom ?? 0 }
    : undefined
}

/** No tile outside of these corners has anything. */
export const wholeBounds = (): MapBounds | undefined => boundsOfText(element('map').dataset['extent'])

const fittingCamera = (bounds: MapBounds | undefined) => bounds && fitting(bounds)

export const pickedCamera = (): MapCamera | undefined =>
  fittingCamera(boundsOfText(element('panel').dataset['corners']))
export const wholeCamera = (): MapCamera | undefined => fittingCamera(wholeBounds())
export const firstCamera = (): MapCamera => addressCamera() ?? fittedCamera() ?? { center: [0, 0], zoom: 2 }

/** Pixels at zoom 0, to the east and to the south of 0, 0. */
export const eastOf = (lon: number): number => (lon / 360) * WORLD_PIXELS
export const southOf = (lat: number): number =>
  (-Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * WORLD_PIXELS
const latOf = (south: number): number => (Math.atan(Math.sinh((-south / WORLD_PIXELS) * 2 * Math.PI)) * 180) / Math.PI

/** The corners of a window around a place, in degrees. */
export function boundsAround({ center: [lon, lat], zoom }: MapCamera, { width, height }: Size): MapBounds {
  const half = 0.5 / 2 ** zoom
  const [east, south] = [eastOf(lon), southOf(lat)]
  const lonOf = (pixels: number) => (pixels / WORLD_PIXELS) * 360
  return [
    lonOf(east - width * half),
    latOf(south + height * half),
    lonOf(east + width * half),
    latOf(south - height * half),
  ]
}

type Size = { width: number; height: number }

/** The squares that a window shows, as far as there are frames. */
export function squaresIn([west, south, east, north]: MapBounds): Square[] {
  const [least, lowest, most, highest] = wholeBounds() ?? [0, 0, 0, 0]
  const between = (from: number, to: number) =>
    Array.from({ length: Math.max(0, Math.ceil(to) - Math.floor(from)) }, (_, i) => Math.floor(from) + i)
  return between(Math.max(west, least), Math.min(east, most)).flatMap((lon) =>
    between(Math.max(south, lowest), Math.min(north, highest)).map((lat): Square => [lon, lat]),
  )
}

export const appAddress = (): string => location.origin + (element('map').dataset['app'] ?? '')

/** The address of values: of a square or of a level of units. */
export function valuesAddress(path: string, asked: ValuesAsked | undefined): string {
  const query = asked ? `?${new URLSearchParams(asked).toString()}` : ''
  return `${appAddress()}/values/${path}${query}`
}

function fitting([west, south, east, north]: MapBounds): MapCamera {
  const size = element('map').getBoundingClientRect()
  const [width, height] = [size.width - 2 * VIEW_PADDING, size.height - 2 * VIEW_PADDING]
  const [wide, high] = [eastOf(east) - eastOf(west), southOf(south) - southOf(north)]
  const scale = Math.min(width / wide, height / high, 2 ** FIT_ZOOM_MAX)
  const middle = (southOf(south) + southOf(north)) / 2
  return { center: [(west + east) / 2, latOf(middle)], zoom: Math.max(0, Math.log2(scale)) }
}

/** Returns what the map fits into its window: what was picked, or the whole index. */
const fittedCamera = (): MapCamera | undefined => pickedCamera() ?? wholeCamera()

/** A window that changes its size, as beside a second map, shows again the whole of what it was fitted to. */
export function keepFitted(map: MapLibreMap): void {
  let fitted: MapCamera | undefined
  const note = () => {
    const fit = fittedCamera()
    fitted = fit && isAt(map, fit) ? fit : undefined
  }
  note()
  map.on('moveend', note)
  map.on('resize', () => {
    const fit = fitted && fittedCamera()
    if (fit) map.jumpTo(fit)
  })
}

/** The address rounds the place of the map. */
function isAt(map: MapLibreMap, { center: [lon, lat], zoom }: MapCamera): boolean {
  const now = map.getCenter()
  const pixels = Math.hypot(eastOf(now.lng) - eastOf(lon), southOf(now.lat) - southOf(lat)) * 2 ** zoom
  return Math.abs(map.getZoom() - zoom) < 0.02 && pixels < 4
}
