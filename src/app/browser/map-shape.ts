/** Draws a shape on the map corner by corner, and reads one from a file that is opened or dropped on the map. */
import type { GeoJSONSource, LngLat, Map as MapLibreMap } from './maplibre-gl.mjs'
import { cssColour, element } from './map-browser.js'

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
  const field = element('shape') as HTMLTextAreaElement
  const fold = element('shape-fold') as HTMLDetailsElement
  const { maxLength: most } = field
  const submit: Submit = (shape) => {
    field.value = shape
    if (shape.length <= most) return onShape(shape)
    fold.open = true
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
  // A screen reader hears it once.
  for (const id of ['shape-note', 'shape-count', 'map-said']) element(id).textContent = text
}

function takeFiles(submit: Submit): void {
  const open = async ([file]: Iterable<File>) => file && submit(wktOf(await file.text()))
  const field = element('shape-file') as HTMLInputElement
  field.addEventListener('change', () => void open(field.files ?? []))
  const area = element('map')
  area.addEventListener('dragover', (event) => event.preventDefault())
  area.addEventListener('drop', (event) => {
    event.preventDefault()
    void open(event.dataTransfer?.files ?? [])
  })
  element('shape-open').hidden = false
}

function openPencil(map: MapLibreMap, submit: Submit): { isDrawing: () => boolean } {
  const canvas = map.getCanvas()
  const button = element('shape-draw')
  const hint = element('shape-note').textContent
  let corners: FilePosition[] | undefined
  let hasEnded = false

  const arm = (isOn: boolean) => {
    corners = isOn ? [] : undefined
    showArmed(map, isOn)
    element('shape-note').textContent = hint
    if (!isOn) return
    say('Click each corner, or press Enter at the cross. Then close the shape; Escape gives it up.')
    canvas.focus()
  }
  const add = ({ lng, lat }: LngLat) => {
    if (!corners) return
    corners.push([roundedDegrees(lng), roundedDegrees(lat)])
    showCorners(map, corners)
    say(`${corners.length} corners.`)
  }
  const giveUp = () => {
    arm(false)
    showCorners(map, [])
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

  map.on('click', ({ lngLat }) => add(lngLat))
  // A style without the corners took the place of theirs: another colour was chosen, or another scheme.
  map.on('styledata', () => corners && showCorners(map, corners))
  map.on('dblclick', () => {
    // Its second click added a corner at the place of the first.
    if (corners?.pop()) finish()
  })
  canvas.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') add(map.getCenter())
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !corners) return
    event.preventDefault()
    giveUp()
  })
  element('shape-close').addEventListener('click', finish)
  element('shape-leave').addEventListener('click', giveUp)
  button.addEventListener('click', () => (corners ? finish() : arm(true)))
  button.hidden = false
  return { isDrawing: () => corners !== undefined || hasEnded }
}

function showArmed(map: MapLibreMap, isOn: boolean): void {
  const button = element('shape-draw')
  button.setAttribute('aria-pressed', String(isOn))
  button.textContent = isOn ? 'Close the shape' : 'Draw on the map'
  element('shape-bar').hidden = !isOn
  map.getCanvasContainer().classList.toggle('is-drawing', isOn)
  map.doubleClickZoom[isOn ? 'disable' : 'enable']()
}

const DRAWN = 'drawn'

/** The map keeps them until its style changes: so does the outline of what was picked, which takes their place. */
function showCorners(map: MapLibreMap, corners: readonly FilePosition[]): void {
  const coordinates = corners.map((each) => [...each])
  const data: GeoJSON.GeometryCollection = {
    type: 'GeometryCollection',
    geometries: [
      { type: 'MultiPoint', coordinates },
      ...(corners.length > 1 ? [{ type: 'LineString' as const, coordinates }] : []),
    ],
  }
  const source = map.getSource<GeoJSONSource>(DRAWN)
  if (source) return void source.setData(data)
  const [halo, core] = [cssColour('picked-halo'), cssColour('picked-core')]
  map.addSource(DRAWN, { type: 'geojson', data })
  const line = { type: 'line', source: DRAWN } as const
  map.addLayer({ ...line, id: 'drawn-halo', paint: { 'line-color': halo, 'line-width': 5 } })
  map.addLayer({ ...line, id: 'drawn-core', paint: { 'line-color': core, 'line-width': 2.5 } })
  map.addLayer({
    id: 'drawn-corners',
    type: 'circle',
    source: DRAWN,
    paint: { 'circle-radius': 4, 'circle-color': core, 'circle-stroke-color': halo, 'circle-stroke-width': 2 },
  })
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
