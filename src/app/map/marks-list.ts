/** Draws the list of marks of features in the legend: each dataset has a symbol, or dashes, of its own. */
import type { MapData, MapDataset } from './data.js'
import { html, type Html } from '../shell/html.js'

/** Symbols of points, as paths in a square of 16: people tell them apart by their shape, on any colour. */
const SYMBOLS = [
  'M8 3a5 5 0 1 0 0 10a5 5 0 1 0 0-10z',
  'M8 2.5 13.5 12.5h-11z',
  'M3.5 3.5h9v9h-9z',
  'M8 2 14 8 8 14 2 8z',
  'M6 2h4v4h4v4h-4v4h-4v-4h-4v-4h4z',
  'M8 13.5 2.5 3.5h11z',
]
/** Dashes of lines and of the edges of polygons, in widths of the line. */
const DASHES = ['', '3 1.5', '1 1.5', '4 1.5 1 1.5']
const LINE_PATH = 'M1 8h14'
const POLYGON_PATH = 'M2 3h12v10h-12z'

const drawnDatasets = ({ free }: MapData): MapDataset[] => free.filter(({ kind }) => kind !== 'frames')

/** The script of the map reads the marks from here. It shows the list at the zooms that have features. */
export function marksList(data: MapData): Html | false {
  const drawn = drawnDatasets(data)
  const places = new Map<string, number>()
  const nextPlace = (kind: string) => {
    const place = places.get(kind) ?? 0
    places.set(kind, place + 1)
    return place
  }
  return (
    drawn.length > 0 &&
    html`<div class="marks" hidden>
      <p class="quiet">Features: click one for its properties</p>
      <ul class="bare">
        ${drawn.map((dataset) => markItem(dataset, nextPlace(dataset.kind)))}
      </ul>
    </div>`
  )
}

function markItem({ layerId, name, kind }: MapDataset, place: number): Html {
  const path = kind === 'points' ? SYMBOLS[place % SYMBOLS.length] : kind === 'lines' ? LINE_PATH : POLYGON_PATH
  const dash = kind === 'points' ? '' : DASHES[place % DASHES.length]
  const look = kind === 'points' ? html`fill="currentcolor"` : html`fill="none" stroke="currentcolor" stroke-width="2"`
  return html`<li data-dataset="${layerId}" data-kind="${kind}" data-path="${path}" data-dash="${dash}">
    <label class="choice">
      <input type="checkbox" checked />
      <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
        <path d="${path}" ${look} ${dash !== '' && html`stroke-dasharray="${dash}"`}></path>
      </svg>
      <span>${name}</span>
    </label>
  </li>`
}
