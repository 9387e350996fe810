/** Draws a shape on the map corner by corner, and reads one from a file that is opened or dropped on the map. */
import type { GeoJSONSource, LngLat, Map as MapLibreMap } from './maplibre-gl.mjs'
import { element, mapDocument } from './map-browser.js'
import type { PageElement, PageEvent } from './page.js'

type File = { text: () => Promise<string> }
type DroppedFiles = { files?: readonly File[]; dataTransfer?: { files: readonly File[] } }
type FilePosition = readonly number[]
type FileGeoJson = {
  type?: string
  crs?: unknown
  geometry?: FileGeoJson
  features?: FileGeoJson[]
  coordinates?: unknown
}

const roundedDegrees = (degrees: number) => Math.round(degrees * 1e7) / 1e7

type Submit = (shape: string) => void

/** `onShape` gets WKT, or what else was typed: the page reads it. */
export function drawShapes(map: MapLibreMap, onShape: Submit): { isDrawing: () => boolean } {
  const field = element('shape')
  const { maxLength: most } = field as unknown as { maxLength: number }
  const submit: Submit = (shape) => {
    field.value = shape
    if (shape.length <= most) return onShape(shape)
    element('shape-fold').open = true
    say(
      `This shape takes ${shape.length} characters, and an address ${most}. frames export --shape takes 10,000 vertices.`,
    )
  }
  field.closest('form')?.addEventListener('submit', (event) => {
    event.preventDefault()
    if (field.value.trim() !== '') submit(wktOf(field.value))
  })
  takeFiles(submit)
  return openPencil(map, submit)
}

function say(text: string): void {
  element('shape-note').textContent = text
  element('map-said').textContent = text
}

function takeFiles(submit: Submit): void {
  const open = async ([file]: readonly File[]) => file && submit(wktOf(await file.text()))
  const field = element('shape-file')
  field.addEventListener('change', () => void open((field as DroppedFiles).files ?? []))
  const area = element('map')
  area.addEventListener('dragover', (event) => event.preventDefault())
  area.addEventListener('drop', (event) => {
    event.preventDefault()
    void open((event as PageEvent & DroppedFiles).dataTransfer?.files ?? [])
  })
  element('shape-open').hidden = false
}

function openPencil(map: MapLibreMap, submit: Submit): { isDrawing: () => boolean } {
  const canvas = map.getCanvas() as unknown as PageElement
  const button = element('shape-draw')
  let corners: FilePosition[] | undefined
  let hasEnded = false

  const show = () => {
    const line = { type: 'LineString' as const, coordinates: (corners ?? []).map((each) => [...each]) }
    void map.getSource<GeoJSONSource>('picked')?.setData(line)
  }
  const arm = (isOn: boolean) => {
    corners = isOn ? [] : undefined
    button.setAttribute('aria-pressed', String(isOn))
    button.textContent = isOn ? 'Close the shape' : 'Draw on the map'
    map.getCanvasContainer().classList.toggle('is-drawing', isOn)
    map.doubleClickZoom[isOn ? 'disable' : 'enable']()
    if (!isOn) return
    say('Click each corner, or press Enter at the cross. Then close the shape; Escape gives it up.')
    canvas.focus()
  }
  const add = ({ lng, lat }: LngLat) => {
    corners?.push([roundedDegrees(lng), roundedDegrees(lat)])
    show()
    say(`${corners?.length} corners.`)
  }
  const finish = () => {
    const ring = corners ?? []
    if (ring.length < 3) return say('A shape has three corners at least.')
    arm(false)
    // The click that ended it picks nothing.
    hasEnded = true
    setTimeout(() => (hasEnded = false))
    submit(`POLYGON((${[...ring, ring[0] ?? []].map((each) => each.join(' ')).join(',')}))`)
  }

  map.on('click', ({ lngLat }) => corners && add(lngLat))
  map.on('dblclick', () => {
    // Its second click added a corner at the place of the first.
    if (corners?.pop()) finish()
  })
  canvas.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter' && corners) add(map.getCenter())
  })
  mapDocument.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !corners) return
    event.preventDefault()
    corners = []
    show()
    arm(false)
  })
  button.addEventListener('click', () => (corners ? finish() : arm(true)))
  button.hidden = false
  return { isDrawing: () => corners !== undefined || hasEnded }
}

/** WKT takes half of the characters of GeoJSON. What is no GeoJSON in degrees stays as it is. */
function wktOf(text: string): string {
  try {
    const value = JSON.parse(text) as FileGeoJson
    const polygons = value.crs === undefined ? polygonsIn(value) : []
    if (polygons.length > 0) return `MULTIPOLYGON(${polygons.map((rings) => wktList(rings, 2)).join(',')})`
  } catch {
    // The page says what is wrong with it.
  }
  return text.trim()
}

function polygonsIn({ type, features, geometry, coordinates }: FileGeoJson): unknown[] {
  if (features) return features.flatMap(polygonsIn)
  if (geometry) return polygonsIn(geometry)
  if (type === 'MultiPolygon') return coordinates as unknown[]
  return type === 'Polygon' ? [coordinates] : []
}

const wktList = (list: unknown, depth: number): string =>
  depth === 0
    ? (list as FilePosition).slice(0, 2).map(roundedDegrees).join(' ')
    : `(${(list as unknown[]).map((each) => wktList(each, depth - 1)).join(',')})`
