/** Draws the map, and keeps it, the panel beside it and the address in step. */
import { tilesAhead } from './map-ahead.js'
import { type Areas, openAreas } from './map-areas.js'
import { hasBase } from './map-base.js'
import { drawBoxes } from './map-box.js'
import { openBrush } from './map-brush.js'
import { element, hasWebGl, phone, type LegendId } from './map-browser.js'
import { openCard } from './map-card.js'
import { showLabels } from './map-labels.js'
import { featureAt, openMarks, showMarks, symbolImage } from './map-marks.js'
import { type MapNotes, openNotes } from './map-note.js'
import { drawOnChanges, type ViewChange, foldOnPhone, openParts, type Parts } from './map-parts.js'
import { bindPicture } from './map-picture.js'
import { drawShapes } from './map-shape.js'
import { hatchImage, levelAt, mapStyle } from './map-style.js'
import { openSheet, showSheet } from './map-sheet.js'
import { openValues } from './map-values.js'
import {
  addressCamera,
  cameraFields,
  firstCamera,
  keepFitted,
  pickedCamera,
  roundedTo,
  wholeCamera,
  writeCamera,
} from './map-view.js'
import * as maplibre from './maplibre-gl.mjs'
import type { Map as MapLibreMap, StyleSpecification } from './maplibre-gl.mjs'

async function startMap(area: HTMLElement): Promise<void> {
  await startWorker()
  foldOnPhone()
  phone.addEventListener('change', foldOnPhone)
  const map = drawMap('map', mapStyle())
  const fitted = keepFitted(map)
  const notes = openNotes()
  const colours = openColours(map, area, notes)
  const draw = () => {
    map.setStyle(mapStyle())
    beside.show()
    colours.draw()
  }
  const parts = openParts((change) => {
    draw()
    showLevel(map)
    showChoice()
    showSheet(change.focus && new URLSearchParams(location.search).has('question') ? 'half' : 'value')
    if (change.field !== undefined) document.querySelector<HTMLElement>(`.legend-form [name=${change.field}]`)?.focus()
    moveTo(map, fitted, change)
    // A screen reader tells what came, wherever the focus is.
    element('map-said').textContent = (document.querySelector('#asked .lead') ?? element('panel-title')).textContent
  }, notes)
  const boxes = drawBoxes(map, (box) => parts.open({ box, ...cameraFields(map) }, { isNew: true }))
  const shapes = drawShapes(map, (shape) => parts.open({ shape }, { isNew: true, focus: true }))
  const isDrawing = () => boxes.isDrawing() || shapes.isDrawing()
  const bind = (each: maplibre.Map, names: readonly [card: string, legend: LegendId] = ['map-card', 'legend']) => {
    const areas = colours.of(each, names[1])
    openCard(each, { areas, isDrawing }, names)
    bindPicks(each, parts, { areas, isDrawing })
    showRefusals(each, notes)
    showLabels(each)
    each.on('moveend', () => {
      if (!beside.isFollowing(each)) onStay()
    })
  }
  const onStay = () => {
    notes.hide()
    colours.retry()
    writeCamera(map)
    showLevel(map)
  }
  const beside = openBeside(map, (style) => {
    const second = drawMap('map-beside', style)
    bind(second, ['card-beside', 'legend-beside'])
    return second
  })
  handOutTilesAhead(map)
  map.addControl(new maplibre.ScaleControl({ maxWidth: 120 }), 'bottom-right')
  bind(map)
  drawOnChanges(draw)
  bindForms(map, parts)
  openBrush({ draw: colours.draw, done: (brush) => parts.open(brush, { isNew: true }) })
  showLevel(map)
  openMarks(map, draw)
  beside.show()
}

type Colours = {
  draw: () => void
  /** Draws, and asks again for what was refused. */
  retry: () => void
  of: (map: MapLibreMap, legend: LegendId) => Areas
}

/** The maps share the values that came. */
function openColours(map: MapLibreMap, area: HTMLElement, notes: MapNotes): Colours {
  const { begin } = showLoading(map, area, () => drawing !== undefined || values.isWaiting())
  const areas = new Map<MapLibreMap, Areas>()
  /** Squares come by the hundred: those of one frame of the screen are drawn together. */
  let drawing: number | undefined
  const draw = () => {
    drawing = undefined
    for (const each of areas.values()) each.draw()
  }
  const values = openValues(notes, { onAsk: begin, onCome: () => (drawing ??= requestAnimationFrame(draw)) })
  const retry = () => {
    values.retry()
    draw()
  }
  const of = (each: MapLibreMap, legend: LegendId) => {
    const own = openAreas(each, legend, values)
    areas.set(each, own)
    each.on('remove', () => areas.delete(each))
    return own
  }
  return { draw, retry, of }
}

/** The browser starts the worker while the page makes a context of WebGL: one after the other, tiles came 0.2 s later. */
async function startWorker(): Promise<void> {
  // MapLibre's own address for it ends in a version: the browser would not take the file that it fetched ahead.
  maplibre.setWorkerUrl(element('map').dataset['worker'] ?? '')
  maplibre.prewarm()
  await new Promise<void>((done) => setTimeout(done, 0))
}

const AHEAD = 'ahead://'

/** MapLibre's worker reads tiles, and asks the page for those whose address begins with the name of a protocol. */
function handOutTilesAhead(map: MapLibreMap): void {
  maplibre.addProtocol('ahead', async ({ url }) => {
    const tile = url.slice(AHEAD.length)
    // Two maps may ask for one tile.
    const answer = await (tilesAhead.take(tile) ?? fetch(tile))
    if (!answer.ok) throw new maplibre.AJAXError(answer.status, answer.statusText, tile, await answer.blob())
    return { data: await answer.arrayBuffer() }
  })
  void map.once('idle', tilesAhead.forget)
}

function drawMap(container: string, style: maplibre.StyleSpecification): maplibre.Map {
  const map = new maplibre.Map({
    container,
    style,
    ...firstCamera(),
    transformRequest: (url) => ({ url: tilesAhead.has(url) ? AHEAD + url : url }),
    attributionControl: false,
    boxZoom: false,
    dragRotate: false,
    touchPitch: false,
    pitchWithRotate: false,
    renderWorldCopies: false,
    fadeDuration: 0,
    minZoom: 2,
    maxZoom: 16,
  })
  map.touchZoomRotate.disableRotation()
  map.keyboard.disableRotation()
  // Symbols of features, and the stripes where nothing is recorded.
  map.setMissingStyleImageResolver((id) => {
    const symbol = symbolImage(id)
    if (symbol) map.addImage(id, symbol.data, symbol.options)
    else map.addImage(id, hatchImage(id))
  })
  return map
}

/** The address says where the map is; otherwise what was picked does; otherwise the map stays. */
function moveTo(map: maplibre.Map, fitted: ReturnType<typeof keepFitted>, { focus }: ViewChange): void {
  const there = addressCamera()
  const picked = pickedCamera() ?? (new URLSearchParams(location.search).size === 0 ? wholeCamera() : undefined)
  if (there) fitted.moveTo(there)
  else if (picked) map.easeTo({ ...picked, duration: 300 })
  if (focus) (document.querySelector<HTMLElement>('#asked #answer') ?? element('panel-title')).focus()
}

/** Frames are picked by their id, and units by their names. */
function pickAt(map: maplibre.Map, parts: Parts, areas: Areas, point: maplibre.Point): void {
  const camera = cameraFields(map)
  const feature = featureAt(map, point)
  if (feature) {
    const { dataset, no, id } = feature
    return parts.open({ feature: `${dataset} ${no} ${id}`, ...camera }, { isNew: true })
  }
  const found = areas.at(point)
  if (found === null) {
    // The service finds the frame, whose values are under way.
    const { lat, lng } = map.unproject(point)
    return parts.open({ q: [lat, lng].map((each) => roundedTo(each, 1e5)).join(', '), ...camera }, { isNew: true })
  }
  if (!found) return
  const { id, state, lga, ward } = found
  const unit = { state, ...(lga !== undefined && { lga }), ...(ward !== undefined && { ward }) }
  const fields = state === undefined ? { frame: id } : { ...unit, state }
  parts.open({ ...fields, ...camera }, { isNew: true })
}

type Others = { areas: Areas; isDrawing: () => boolean }

function bindPicks(map: maplibre.Map, parts: Parts, { areas, isDrawing }: Others): void {
  map.on('click', ({ point }) => {
    if (!isDrawing()) pickAt(map, parts, areas, point)
  })
  // The Enter key on the map picks what is under its middle, which a cross marks.
  const canvas = map.getCanvas()
  canvas.addEventListener('keydown', ({ key }) => {
    if (key !== 'Enter' || isDrawing()) return
    const { width, height } = canvas.getBoundingClientRect()
    pickAt(map, parts, areas, new maplibre.Point(width / 2, height / 2))
  })
}

/** Each legend has classes for each level: those of this zoom show. */
function showLevel(map: maplibre.Map): void {
  const level = levelAt(map.getZoom())
  for (const classes of document.querySelectorAll<HTMLElement>('.legend .classes'))
    classes.hidden = classes.dataset['level'] !== level && classes.dataset['level'] !== 'all'
  showMarks(map)
}

function showChoice(): void {
  const { dataset, attribute } = element('legend').dataset
  const choice = document.querySelector<HTMLSelectElement>('#colour')
  if (choice && dataset !== undefined) choice.value = `${dataset} ${attribute}`
  const beside = document.querySelector<HTMLSelectElement>('#with')
  const query = new URLSearchParams(location.search)
  if (beside) beside.value = query.get('with') ?? ''
  const base = document.querySelector<HTMLInputElement>('#base')
  if (base) base.checked = hasBase()
  element('ask-label').textContent = element('panel').dataset['ask'] ?? ''
  ;(element('ask') as HTMLInputElement).value = query.get('q') ?? query.get('question') ?? ''
}

function bindForms(map: maplibre.Map, parts: Parts): void {
  openSheet()
  const field = element('ask') as HTMLInputElement
  field.form?.addEventListener('submit', (event) => {
    event.preventDefault()
    const q = field.value.trim()
    if (q !== '') parts.open({ q, ...cameraFields(map) }, { isNew: true, focus: true })
  })
  const choice = document.querySelector<HTMLSelectElement>('#colour')
  choice?.addEventListener('change', () => {
    const [dataset = '', ...attribute] = choice.value.split(' ')
    parts.open({ dataset, attribute: attribute.join(' ') }, { isNew: true })
  })
  const beside = document.querySelector<HTMLSelectElement>('#with')
  beside?.addEventListener('change', () => parts.open({ with: beside.value }, { isNew: true }))
  const base = document.querySelector<HTMLInputElement>('#base')
  base?.addEventListener('change', () => parts.open({ base: base.checked ? '' : 'off' }, { isNew: true }))
  // The panel and the legend come anew, and their forms with them.
  document.addEventListener('change', ({ target }) => {
    const { form, name, value } = target as HTMLSelectElement
    if (form?.matches('.legend-form')) parts.open({ [name]: value }, { isNew: true, field: name })
  })
  document.addEventListener('keydown', (event) => {
    const isWriting = (event.target as Element).closest('input, select, textarea, .menu') !== null
    if (event.key === 'Escape' && !event.defaultPrevented && !isWriting) parts.clear()
  })
  // The link that skips to the map leads to the element that takes the keys.
  element('map').addEventListener('focus', () => map.getCanvas().focus())
  bindBoxForm(map, parts)
  bindPicture(map)
  element('zoom-in').addEventListener('click', () => map.zoomIn())
  element('zoom-out').addEventListener('click', () => map.zoomOut())
  element('zoom-all').addEventListener('click', () => {
    const whole = wholeCamera()
    if (whole) map.easeTo({ ...whole, duration: 300 })
  })
}

function bindBoxForm(map: maplibre.Map, parts: Parts): void {
  const box = element('box') as HTMLInputElement
  const submit = () => parts.open({ box: box.value.replaceAll(' ', '') }, { isNew: true, focus: true })
  box.closest('form')?.addEventListener('submit', (event) => {
    event.preventDefault()
    if (box.value.trim() !== '') submit()
  })
  const view = element('box-view')
  view.hidden = false
  element('box-draw').hidden = false
  view.addEventListener('click', () => {
    const { _sw: southWest, _ne: northEast } = map.getBounds()
    box.value = [southWest.lng, southWest.lat, northEast.lng, northEast.lat]
      .map((each) => roundedTo(each, 1e5))
      .join(',')
    submit()
  })
}

type FailedTile = { z: number; x: number; y: number }
type TileError = { error: Error; sourceId?: string; tile?: { tileID: { canonical: FailedTile } } }

/** MapLibre asks for a refused tile no more, so each is asked for again when the service lets it. */
function showRefusals(map: maplibre.Map, notes: MapNotes): void {
  map.on('error', (event) => void showRefusal(event as unknown as TileError))

  async function showRefusal({ error, sourceId, tile }: TileError): Promise<void> {
    const { status = 500, body } = error as Error & { status?: number; body?: { text: () => Promise<string> } }
    // A tile's refusal is a line of text that ends in the time.
    const seconds = status === 429 ? Number(/in (\d+) s\.\s*$/.exec((await body?.text()) ?? '')?.[1] ?? 0) : 0
    const { z, x, y } = tile?.tileID.canonical ?? {}
    notes.show({ status, ...(seconds > 0 && { seconds }) }, () => {
      // The second map may have gone meanwhile.
      const isKnown = sourceId !== undefined && !map._removed && map.getSource(sourceId) !== undefined
      if (isKnown && z !== undefined && x !== undefined && y !== undefined) map.refreshTiles(sourceId, [{ z, x, y }])
    })
  }
}

/** Most moves of the map are whole sooner: a sign that flickers would disturb more than it tells. */
const QUIET_MS = 300

/** `isWaiting`: values are under way, which the map knows nothing of. */
function showLoading(map: MapLibreMap, area: HTMLElement, isWaiting: () => boolean): { begin: () => void } {
  const sign = element('map-loading')
  let timer: ReturnType<typeof setTimeout> | undefined
  const begin = () => {
    // Tests read this attribute, as screen readers do.
    area.setAttribute('aria-busy', 'true')
    timer ??= setTimeout(() => (sign.textContent = 'Loading …'), QUIET_MS)
  }
  map.on('dataloading', begin)
  const skeleton = document.querySelector('#map-skeleton')
  const uncover = () => skeleton?.remove()
  map.on('sourcedata', ({ tile }) => tile && uncover())
  map.on('idle', () => {
    if (isWaiting()) return
    uncover()
    area.setAttribute('aria-busy', 'false')
    clearTimeout(timer)
    timer = undefined
    sign.textContent = ''
  })
  return { begin }
}

type Beside = {
  /** Draws, changes or removes the second map, as the page now has it. */
  show: () => void
  /** The other map takes this one along. */
  isFollowing: (map: MapLibreMap) => boolean
}

function openBeside(first: MapLibreMap, draw: (style: StyleSpecification) => MapLibreMap): Beside {
  let second: MapLibreMap | undefined
  let leader: MapLibreMap | undefined

  const lead = (one: MapLibreMap, other: () => MapLibreMap | undefined) =>
    one.on('move', () => {
      // The other one tells of its move, too.
      if (leader) return
      leader = one
      other()?.jumpTo(cameraNow(one))
      leader = undefined
    })
  lead(first, () => second)

  const start = (): MapLibreMap => {
    const map = draw(mapStyle('legend-beside'))
    map.jumpTo(cameraNow(first))
    lead(map, () => first)
    const window = element('window-beside')
    map.on('dataloading', () => window.setAttribute('aria-busy', 'true'))
    map.on('idle', () => window.setAttribute('aria-busy', 'false'))
    return map
  }
  const show = () => {
    const isWanted = !element('legend-beside').hidden
    element('window-beside').hidden = !isWanted
    if (!isWanted) {
      second?.remove()
      second = undefined
    } else if (second) second.setStyle(mapStyle('legend-beside'))
    else second = start()
    // A screen reader tells two maps apart by what colours them.
    name(first, second ? `Map, ${legendLabel('legend')}` : 'Map')
    if (second) name(second, `Second map, ${legendLabel('legend-beside')}`)
  }
  return { show, isFollowing: (map) => leader !== undefined && leader !== map }
}

const cameraNow = (map: MapLibreMap) => ({ center: map.getCenter(), zoom: map.getZoom() })

const legendLabel = (legend: string): string => element(legend).dataset['label'] ?? 'not coloured'

const name = (map: MapLibreMap, text: string): void => map.getCanvas().setAttribute('aria-label', text)

const mapArea = document.querySelector<HTMLElement>('.map-area')
if (mapArea) {
  try {
    await startMap(mapArea)
  } catch (error) {
    mapArea.hidden = true
    element('map-missing').hidden = false
    // A context of WebGL takes up to 150 ms: only a failure is worth one to ask.
    if (hasWebGl()) throw error
  }
}
