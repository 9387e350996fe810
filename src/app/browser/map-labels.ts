/**
 * Writes the names of states and LGAs on the map. They are elements of the page: MapLibre would ask a server for letters.
 */
import { Marker, type Map as MapLibreMap } from './maplibre-gl.mjs'
import { element, page, type PageElement } from './map-browser.js'

type Place = [name: string, depth: 0 | 1, lon: number, lat: number]

/** More names would hide the map. */
const LABELS_MOST = 40
/** The names of LGAs show from this zoom. */
const LGAS_FROM = 7
/** A name takes the room of its letters, in pixels. */
const LETTER_PIXELS = 6.5
const LINE_PIXELS = 20

export async function showLabels(map: MapLibreMap): Promise<void> {
  const response = await fetch(element('map').dataset['labels'] ?? '')
  if (!response.ok) return
  const places = (await response.json()) as Place[]
  let shown: Marker[] = []
  const draw = () => {
    for (const marker of shown) marker.remove()
    shown = roomFor(map, places).map((place) => label(map, place))
  }
  map.on('moveend', draw)
  draw()
}

type Room = { left: number; top: number; right: number; bottom: number }

/** The first names win: states come before LGAs, and large units before small ones. */
function roomFor(map: MapLibreMap, places: readonly Place[]): Place[] {
  const bounds = map.getBounds()
  const hasLgas = map.getZoom() >= LGAS_FROM
  const taken: Room[] = []
  return places.filter((place) => {
    const [name, depth, lon, lat] = place
    if (taken.length >= LABELS_MOST || (depth === 1 && !hasLgas) || !bounds.contains([lon, lat])) return false
    const { x, y } = map.project([lon, lat])
    const half = (name.length * LETTER_PIXELS) / 2 + 4
    const room = { left: x - half, right: x + half, top: y - LINE_PIXELS / 2, bottom: y + LINE_PIXELS / 2 }
    if (taken.some((other) => overlaps(room, other))) return false
    taken.push(room)
    return true
  })
}

const overlaps = (one: Room, other: Room): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

function label(map: MapLibreMap, [name, depth, lon, lat]: Place): Marker {
  const text: PageElement = page.createElement('span')
  text.className = depth === 0 ? 'map-label map-label-state' : 'map-label'
  text.textContent = name
  const marker = new Marker({ element: text as never }).setLngLat([lon, lat]).addTo(map)
  // The tables name every unit: a screen reader need not hear the labels too.
  text.setAttribute('aria-hidden', 'true')
  return marker
}
