/** Works out what the map shows: from the address, or from what was picked, or the whole index. */
import type { ValuesAsked } from '../map/classes.js'
import type { Map as MapLibreMap } from './maplibre-gl.mjs'
import { element, phone } from './map-browser.js'

export type MapCamera = { center: [lon: number, lat: number]; zoom: number }
/** The south-west corner of a square of 1 degree. */
export type Square = readonly [lon: number, lat: number]
export type MapBounds = [west: number, south: number, east: number, north: number]

/** Around what is fitted, in pixels. */
const MARGIN = { wide: 32, phone: 12 }
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
const lonOf = (east: number): number => (east / WORLD_PIXELS) * 360
const latOf = (south: number): number => (Math.atan(Math.sinh((-south / WORLD_PIXELS) * 2 * Math.PI)) * 180) / Math.PI

/** The corners of a window around a place, in degrees. */
export function boundsAround({ center: [lon, lat], zoom }: MapCamera, { width, height }: Size): MapBounds {
  const half = 0.5 / 2 ** zoom
  const [east, south] = [eastOf(lon), southOf(lat)]
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
  const { left, top, right, bottom, middle } = freePart()
  const margin = 2 * MARGIN[phone.matches ? 'phone' : 'wide']
  const [wide, high] = [eastOf(east) - eastOf(west), southOf(south) - southOf(north)]
  const scale = Math.max(1, Math.min((right - left - margin) / wide, (bottom - top - margin) / high, 2 ** FIT_ZOOM_MAX))
  const lon = (west + east) / 2 + lonOf((middle.x - (left + right) / 2) / scale)
  const down = (southOf(south) + southOf(north)) / 2 + (middle.y - (top + bottom) / 2) / scale
  return { center: [lon, latOf(down)], zoom: Math.log2(scale) }
}

/** A place is fitted into at least this part of the height of the map, though the sheet of a phone covers more. */
const LEAST_PART = 0.3

/** The part of the map that its key and the sheet of a phone leave free, in pixels of the map. */
function freePart() {
  const map = element('map').getBoundingClientRect()
  const free = { left: 0, top: 0, right: map.width, bottom: map.height }
  for (const cover of document.querySelectorAll('.map-key, .map-side')) {
    const { left, top, right, bottom, width } = cover.getBoundingClientRect()
    if (left >= map.right || right <= map.left || top >= map.bottom || bottom <= map.top) continue
    if (width < map.width / 2) free.left = right - map.left
    else if (cover.matches('.map-key')) free.top = bottom - map.top
    else free.bottom = top - map.top
  }
  if (free.bottom - free.top < LEAST_PART * map.height) Object.assign(free, { top: 0, bottom: map.height })
  return { ...free, middle: { x: map.width / 2, y: map.height / 2 } }
}

/** Returns what the map fits into its window: what was picked, or the whole index. */
const fittedCamera = (): MapCamera | undefined => pickedCamera() ?? wholeCamera()

/**
 * A window that changes its size, as beside a second map or on a phone that turns, shows again the whole of what it was
 * fitted to. `moveTo` leaves the map where it is, unless something new covers a part of it.
 */
export function keepFitted(map: MapLibreMap): { moveTo: (camera: MapCamera) => void } {
  let fittedTo: string | undefined
  const target = () => element('panel').dataset['corners'] ?? ''
  const note = () => {
    const fit = fittedCamera()
    fittedTo = fit && isAt(map, fit) ? target() : undefined
  }
  const again = () => {
    const fit = fittedTo === target() ? fittedCamera() : undefined
    if (fit) map.jumpTo(fit)
  }
  note()
  map.on('moveend', note)
  map.on('resize', again)
  return { moveTo: (camera) => (isAt(map, camera) ? again() : void map.jumpTo(camera)) }
}

/** The address rounds the place of the map. */
function isAt(map: MapLibreMap, { center: [lon, lat], zoom }: MapCamera): boolean {
  const now = map.getCenter()
  const pixels = Math.hypot(eastOf(now.lng) - eastOf(lon), southOf(now.lat) - southOf(lat)) * 2 ** zoom
  return Math.abs(map.getZoom() - zoom) < 0.02 && pixels < 4
}

export const roundedTo = (value: number, places: number): string => String(Math.round(value * places) / places)

export function cameraFields(map: MapLibreMap): Record<string, string> {
  const { lat, lng } = map.getCenter()
  return { lat: roundedTo(lat, 1e5), lon: roundedTo(lng, 1e5), z: roundedTo(map.getZoom(), 100) }
}

export function writeCamera(map: MapLibreMap): void {
  const here = new URL(location.href)
  for (const [name, value] of Object.entries(cameraFields(map))) here.searchParams.set(name, value)
  if (here.href !== location.href) history.replaceState(null, '', here.href)
}
