/**
 * Writes the names of states, LGAs and wards on the map, each inside the part of its unit that is in view. The shapes
 * are those of the tiles. Names are elements of the page: MapLibre would ask a server for letters.
 */
import { Marker, type Map as MapLibreMap } from './maplibre-gl.mjs'
import { placeName } from '../../core/place-name.js'
import { BASE } from './map-base.js'
import { element } from './map-browser.js'

/** More names would hide the map. */
const LABELS_MOST = 40
/** The layer of each level, the zooms at which its names show, and the width of their letters in pixels, as in map.css. */
const LABEL_LEVELS = [
  { layer: 'states', name: 'state', from: 0, to: 10, letter: 8.5 },
  { layer: 'lgas', name: 'lga', from: 7, to: 24, letter: 7 },
  { layer: 'wards', name: 'ward', from: 10, to: 24, letter: 6.5 },
] as const
const LINE_PIXELS = 16
/** The lines across a unit that are tried for its name, from its northern edge in view to its southern one. */
const ACROSS = [0.5, 0.35, 0.65, 0.2, 0.8]
/** A name takes the middle line, unless another one is so much longer. */
const BETTER = 1.3

type UnitNamesOnMap = Partial<Record<'state' | 'lga' | 'ward', string>>
type PixelRing = readonly [x: number, y: number][]
/** Tiles cut a unit into pieces: each has the rings of one tile, in pixels of the window. */
type LabelledUnit = { names: UnitNamesOnMap; depth: number; isPicked: boolean; pieces: PixelRing[][] }
type Spot = { text: string; wide: number; depth: number; isPicked: boolean; x: number; y: number; size: number }

export function showLabels(map: MapLibreMap): void {
  let shown: Marker[] = []
  const draw = () => {
    for (const marker of shown) marker.remove()
    const size = map.getCanvas().getBoundingClientRect()
    const spots = unitsInView(map).flatMap((unit) => spotOf(size, unit) ?? [])
    shown = roomFor([...spots, ...placesInView(map, size)]).map((spot) => label(map, spot))
  }
  map.on('idle', draw)
}

function unitsInView(map: MapLibreMap): LabelledUnit[] {
  const zoom = map.getZoom()
  const picked = pickedNames()
  const units = new Map<string, LabelledUnit>()
  for (const [depth, { layer, name, from, to }] of LABEL_LEVELS.entries()) {
    const isShown = zoom >= from && zoom < to
    if (!isShown && picked[name] === undefined) continue
    for (const { properties, geometry } of map.querySourceFeatures('units', { sourceLayer: layer })) {
      const names = properties as UnitNamesOnMap
      if (!isShown && !isSame(names, picked)) continue
      const key = `${depth} ${names.state} ${names.lga} ${names.ward}`
      const unit = units.get(key) ?? { names, depth, isPicked: isSame(names, picked), pieces: [] }
      units.set(key, unit)
      unit.pieces.push(...piecesOf(map, geometry))
    }
  }
  return [...units.values()]
}

/** Places take the room that units leave, and large ones come first. A dot stands before each name. */
const PLACE = { depth: LABEL_LEVELS.length, letter: 6, dot: '• ' }

type PlaceOnMap = { name?: string; kind?: string; min_zoom?: number; population_rank?: number }

function placesInView(map: MapLibreMap, { width, height }: Size): Spot[] {
  if (!map.getSource(BASE)) return []
  const places = new Map<string, Spot>()
  for (const { properties, geometry } of map.querySourceFeatures(BASE, { sourceLayer: 'places' })) {
    const { name, kind, min_zoom: from = 0, population_rank: size = 0 } = properties as PlaceOnMap
    if (name === undefined || kind !== 'locality' || from > map.getZoom() || geometry.type !== 'Point') continue
    const [lon = 0, lat = 0] = geometry.coordinates
    const { x, y } = map.project([lon, lat])
    const isInView = x > 0 && x < width && y > 0 && y < height
    const text = PLACE.dot + name
    // Tiles overlap at their edges.
    const key = `${name} ${lon.toFixed(2)} ${lat.toFixed(2)}`
    if (isInView)
      places.set(key, { text, wide: text.length * PLACE.letter, depth: PLACE.depth, isPicked: false, x, y, size })
  }
  return [...places.values()]
}

/** The panel has a null for each level below that of the unit. */
const pickedNames = (): UnitNamesOnMap =>
  Object.fromEntries(
    Object.entries(JSON.parse(element('panel').dataset['unit'] ?? '{}') as object).filter(([, name]) => name !== null),
  )

const isSame = (one: UnitNamesOnMap, other: UnitNamesOnMap): boolean =>
  one.state === other.state && one.lga === other.lga && one.ward === other.ward

function piecesOf(map: MapLibreMap, geometry: GeoJSON.Geometry): PixelRing[][] {
  const polygons =
    geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.type === 'MultiPolygon' ? geometry.coordinates : []
  return polygons.map((rings) =>
    rings.map((ring) =>
      ring.map(([lon = 0, lat = 0]): [number, number] => {
        const { x, y } = map.project([lon, lat])
        return [x, y]
      }),
    ),
  )
}

type Size = { width: number; height: number }
type LabelSpan = [left: number, right: number]

/** The middle of the longest line across the unit. Undefined where the name has no room, or no part is in view. */
function spotOf({ width, height }: Size, { names, depth, isPicked, pieces }: LabelledUnit): Spot | undefined {
  let [top, bottom] = [height, 0]
  for (const [, y] of pieces.flat(2)) [top, bottom] = [Math.min(top, y), Math.max(bottom, y)]
  ;[top, bottom] = [Math.max(top, 0), Math.min(bottom, height)]
  const text = placeName(names.ward ?? names.lga ?? names.state ?? '')
  const wide = text.length * (LABEL_LEVELS[depth]?.letter ?? 0)
  let best: { span: LabelSpan; y: number } | undefined
  for (const part of ACROSS) {
    const y = top + (bottom - top) * part
    const span = longest(spansAt(pieces, y, width))
    if (span && (!best || lengthOf(span) > BETTER * lengthOf(best.span))) best = { span, y }
  }
  if (!best || bottom <= top) return undefined
  const size = lengthOf(best.span) * (bottom - top)
  const hasRoom = lengthOf(best.span) > wide / 2 && bottom - top > LINE_PIXELS / 2
  return hasRoom || isPicked
    ? { text, wide, depth, isPicked, x: (best.span[0] + best.span[1]) / 2, y: best.y, size }
    : undefined
}

/** The parts of a line across the window that lie in the unit. Those of neighbouring tiles touch. */
function spansAt(pieces: readonly PixelRing[][], y: number, width: number): LabelSpan[] {
  const spans = pieces.flatMap((rings) => {
    const crossings = rings.flatMap((ring) => crossingsOf(ring, y)).toSorted((one, other) => one - other)
    return crossings.flatMap((left, i): LabelSpan[] => (i % 2 === 0 ? [[left, crossings[i + 1] ?? left]] : []))
  })
  const joined: LabelSpan[] = []
  for (const [left, right] of spans.toSorted(([one], [other]) => one - other)) {
    const last = joined.at(-1)
    if (last && left <= last[1] + 1) last[1] = Math.max(last[1], right)
    else joined.push([left, right])
  }
  return joined
    .map(([left, right]): LabelSpan => [Math.max(0, left), Math.min(width, right)])
    .filter(([left, right]) => right > left)
}

const crossingsOf = (ring: PixelRing, y: number): number[] =>
  ring.flatMap(([x1, y1], i) => {
    const [x2, y2] = ring[(i + 1) % ring.length] ?? [x1, y1]
    return y1 > y === y2 > y ? [] : [x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)]
  })

const lengthOf = ([left, right]: LabelSpan): number => right - left

const longest = (spans: readonly LabelSpan[]): LabelSpan | undefined =>
  spans.toSorted((one, other) => lengthOf(other) - lengthOf(one))[0]

type Room = { left: number; top: number; right: number; bottom: number }

/** The picked unit comes first, then states, LGAs and wards, and large units before small ones. */
function roomFor(spots: readonly Spot[]): Spot[] {
  const taken: Room[] = []
  return spots
    .toSorted(
      (one, other) => Number(other.isPicked) - Number(one.isPicked) || one.depth - other.depth || other.size - one.size,
    )
    .filter(({ wide, x, y, isPicked }) => {
      const half = wide / 2 + 4
      const room = { left: x - half, right: x + half, top: y - LINE_PIXELS / 2, bottom: y + LINE_PIXELS / 2 }
      if (!isPicked && (taken.length >= LABELS_MOST || taken.some((other) => overlaps(room, other)))) return false
      taken.push(room)
      return true
    })
}

const overlaps = (one: Room, other: Room): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

function label(map: MapLibreMap, { text, depth, isPicked, x, y }: Spot): Marker {
  const name = document.createElement('span')
  name.className = `map-label map-label-${LABEL_LEVELS[depth]?.name ?? 'place'}${isPicked ? ' map-label-picked' : ''}`
  name.textContent = text
  const marker = new Marker({ element: name }).setLngLat(map.unproject([x, y])).addTo(map)
  // The tables name every unit: a screen reader need not hear the labels too.
  name.setAttribute('aria-hidden', 'true')
  return marker
}
