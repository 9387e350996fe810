/** Draws features with the marks of the legend: symbols of points, lines, and edges of polygons. */
import type { FilterSpecification, LayerSpecification, Map as MapLibreMap, Point } from './maplibre-gl.mjs'
import { cssColour, element, newPicture } from './map-browser.js'

/** Tiles of features begin here: src/app/tiles/location.ts. */
export const FEATURES_FROM = 11
const SOURCE = 'features'
/** A symbol is so many pixels wide, drawn twice as large for screens of fine pixels. */
const SYMBOL_PIXELS = 16
const FINE = 2
/** A click or a finger may miss a symbol by so many pixels. */
const CLICK_PIXELS = 4

type FeatureMark = { dataset: string; name: string; kind: string; path: string; dash: number[] }

/** A person took these out. The legend comes anew with each panel. */
const takenOut = new Set<string>()

const items = (): HTMLElement[] => [...element('legend').querySelectorAll<HTMLElement>('.marks li')]

const marks = (): FeatureMark[] =>
  items().map((item) => {
    const { dataset = '', kind = '', path = '', dash = '' } = item.dataset
    const name = item.querySelector('span')?.textContent ?? ''
    return { dataset, name, kind, path, dash: dash === '' ? [] : dash.split(' ').map(Number) }
  })

export const hasFeatures = (): boolean => items().length > 0

/** Areas lie below lines, and lines below points. */
const MARK_ORDER = ['polygons', 'lines', 'points']

export function markLayers(): LayerSpecification[] {
  const shown = marks().filter(({ dataset }) => !takenOut.has(dataset))
  return MARK_ORDER.flatMap((kind) => shown.filter((mark) => mark.kind === kind)).flatMap(layersOfMark)
}

function layersOfMark({ dataset, kind, path, dash }: FeatureMark): LayerSpecification[] {
  const filter = ['==', ['get', 'dataset'], dataset] as unknown as FilterSpecification
  const common = { source: SOURCE, 'source-layer': 'features', minzoom: FEATURES_FROM, filter }
  const [ink, halo] = [cssColour('label'), cssColour('picked-halo')]
  if (kind === 'points') {
    const layout = { 'icon-image': `mark ${ink} ${halo} ${path}`, 'icon-allow-overlap': true }
    return [{ ...common, id: `mark-${dataset}`, type: 'symbol', layout }]
  }
  const line = (id: string, paint: object): LayerSpecification => ({ ...common, id, type: 'line', paint })
  return [
    ...(kind === 'polygons'
      ? [
          {
            ...common,
            id: `mark-${dataset}`,
            type: 'fill',
            paint: { 'fill-color': ink, 'fill-opacity': 0.15 },
          } as const,
        ]
      : []),
    line(`mark-${dataset}-halo`, { 'line-color': halo, 'line-width': 4, 'line-opacity': 0.8 }),
    line(kind === 'polygons' ? `mark-${dataset}-edge` : `mark-${dataset}`, {
      'line-color': ink,
      'line-width': 2,
      ...(dash.length > 0 && { 'line-dasharray': dash }),
    }),
  ]
}

/** Undefined for a picture that is no symbol. */
export function symbolImage(id: string) {
  const [, ink, halo, path] = /^mark (#\S+) (#\S+) (.+)$/.exec(id) ?? []
  if (ink === undefined || halo === undefined || path === undefined) return undefined
  const data = newPicture(SYMBOL_PIXELS * FINE, FINE, { path, ink, halo })
  return { data, options: { pixelRatio: FINE } }
}

export type FoundFeature = { dataset: string; no: number; id: string; name: string }

/** Finds the feature that is drawn last at a point, which is the one that people see. */
export function featureAt(map: MapLibreMap, { x, y }: Point): FoundFeature | undefined {
  const known = marks()
  const layers = known.map(({ dataset }) => `mark-${dataset}`).filter((id) => map.getLayer(id))
  if (layers.length === 0 || map.getZoom() < FEATURES_FROM) return undefined
  const [found] = map.queryRenderedFeatures(
    [
      [x - CLICK_PIXELS, y - CLICK_PIXELS],
      [x + CLICK_PIXELS, y + CLICK_PIXELS],
    ],
    { layers },
  )
  if (!found) return undefined
  const feature = found.properties as Omit<FoundFeature, 'name'>
  return { ...feature, name: known.find(({ dataset }) => dataset === feature.dataset)?.name ?? '' }
}

/** The list shows where features are drawn, and keeps what a person took out. */
export function showMarks(map: MapLibreMap): void {
  const list = document.querySelector<HTMLElement>('#legend .marks')
  if (list) list.hidden = map.getZoom() < FEATURES_FROM
  for (const item of items()) {
    const box = item.querySelector('input')
    if (box) box.checked = !takenOut.has(item.dataset['dataset'] ?? '')
  }
}

/** `draw` draws the map anew. */
export function openMarks(map: MapLibreMap, draw: () => void): void {
  document.addEventListener('change', ({ target }) => {
    const box = target as HTMLInputElement
    const dataset = box.closest<HTMLElement>('.marks li')?.dataset['dataset']
    if (dataset === undefined) return
    if (box.checked) takenOut.delete(dataset)
    else takenOut.add(dataset)
    draw()
  })
  const note = element('map-cut')
  map.on('idle', () => {
    const isCut =
      map.getZoom() >= FEATURES_FROM &&
      map.getSource(SOURCE) !== undefined &&
      map
        .querySourceFeatures(SOURCE, {
          sourceLayer: 'features',
          filter: ['has', 'cut'] as unknown as FilterSpecification,
        })
        .some(({ properties }) => !takenOut.has(String(properties['dataset'])))
    note.hidden = !isCut
    note.textContent = isCut ? 'More features lie here than the map draws. Zoom in.' : ''
  })
}
