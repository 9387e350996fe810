/**
 * Shows beside the mouse the value of the area under it, without a call. For the keyboard the area is that at
 * the middle of the map, and for a finger the one that it touches.
 */
import { Point, type Map as MapLibreMap } from './maplibre-gl.mjs'
import { element, type LegendId } from './map-browser.js'
import { placeName } from '../../core/place-name.js'
import { featureAt } from './map-marks.js'
import type { Areas, FoundArea } from './map-areas.js'

/** After a touch the browser tells of a mouse in the same place. */
const TOUCH_MS = 1000
/** The card stands so far from the mouse, in pixels. */
const GAP = 14

export function openCard(
  map: MapLibreMap,
  { areas, isDrawing }: { areas: Areas; isDrawing: () => boolean },
  [cardId, legend]: readonly [card: string, legend: LegendId] = ['map-card', 'legend'],
): void {
  const card = element(cardId)
  const canvas = map.getCanvas()
  const hide = () => void (card.hidden = true)
  let touched = -TOUCH_MS
  map.on('touchstart', () => (touched = performance.now()))
  const showAt = (point: Point): string[] => {
    const lines = isDrawing() ? [] : linesAt(map, point, { areas, legend })
    card.hidden = lines.length === 0
    if (card.hidden) return lines
    card.replaceChildren(...lines.map(lineElement))
    putBeside(card, canvas, { x: point.x, y: point.y, isFinger: performance.now() - touched < TOUCH_MS })
    return lines
  }
  showForMouse(map, showAt, hide)
  showForKeyboard(map, canvas, showAt)
  canvas.addEventListener('blur', hide)
}

type ShowAt = (point: Point) => string[]

/** A mouse moves more often than the screen is drawn. */
function showForMouse(map: MapLibreMap, showAt: ShowAt, hide: () => void): void {
  let waiting: Point | undefined
  map.on('mousemove', ({ point }) => {
    if (waiting === undefined) {
      requestAnimationFrame(() => {
        if (waiting) showAt(waiting)
        waiting = undefined
      })
    }
    waiting = point
  })
  for (const event of ['mouseout', 'movestart'] as const) {
    map.on(event, () => {
      waiting = undefined
      hide()
    })
  }
}

/** These keys move the map. */
const MOVES = /^(?:Arrow|[-+=]$)/

/** A screen reader hears the card after a move by the keyboard. That of the mouse would be read out at every move. */
function showForKeyboard(map: MapLibreMap, canvas: HTMLElement, showAt: ShowAt): void {
  let hasMoved = false
  /** The keyboard came to the map or moved it, and the mouse has not moved since. */
  let isByKeyboard = false
  const show = () => {
    if (!isByKeyboard) return
    const { width, height } = canvas.getBoundingClientRect()
    const lines = showAt(new Point(width / 2, height / 2))
    if (hasMoved) element('map-said').textContent = lines.join(', ')
    hasMoved = false
  }
  canvas.addEventListener('keydown', ({ key }) => {
    if (MOVES.test(key)) hasMoved = isByKeyboard = true
  })
  canvas.addEventListener('focus', () => {
    isByKeyboard = canvas.matches(':focus-visible')
    show()
  })
  map.on('mousemove', () => (isByKeyboard = false))
  map.on('idle', show)
}

/** A number with its unit. */
type AmountText = (number: number) => string

/** None where the map has no frame. */
function linesAt(map: MapLibreMap, point: Point, { areas, legend }: { areas: Areas; legend: LegendId }): string[] {
  const feature = featureAt(map, point)
  if (feature) return [feature.id, feature.name]
  const found = areas.at(point)
  if (!found) return []
  const { dataset, label = '', unit = '', one = '', summary = '', interval } = element(legend).dataset
  if (dataset === undefined) return [cardName(found)]
  const amount: AmountText = (number) => [cardNumber(number), number === 1 ? one : unit].filter(Boolean).join(' ')
  const value = summary === 'change' ? cardChange(found, amount) : cardValue(found, amount, summary)
  const sure = summary === 'change' ? boundsOfChange(found) : interval === undefined ? [] : boundsOf(found, interval)
  return [cardName(found), `${label}: ${value}`, ...sure, ...cardCoverage(found, summary)]
}

const cardName = ({ id, state, lga, ward }: FoundArea): string =>
  state === undefined
    ? `Frame ${id}`
    : [ward, lga, state].flatMap((name) => (name === undefined ? [] : placeName(name))).join(', ')

/** Units have a total, a mean or the commonest class. */
function cardValue({ value, frames, km2 = 0 }: FoundArea, amount: AmountText, summary: string): string {
  if (typeof value === 'string') return frames === undefined ? value : `mostly ${value}`
  if (value === null) return 'no value'
  const isMean = frames !== undefined && (summary === 'mean' || summary === 'weighted_mean')
  const density = ['sum', 'features'].includes(summary) && km2 > 0 ? `, ${cardNumber(value / km2)} per km²` : ''
  return `${amount(value)}${isMean ? ' on average' : density}`
}

function boundsOf({ lower, upper }: FoundArea, kind: string): string[] {
  if (typeof lower !== 'number' || typeof upper !== 'number' || lower === upper) return []
  return [`between ${cardNumber(lower)} and ${cardNumber(upper)}${kind === 'draws' ? ' (95\u00a0%)' : ''}`]
}

/** A change from zero has no percentage. */
function cardChange({ value, before }: FoundArea, amount: AmountText): string {
  if (typeof value !== 'number' || typeof before !== 'number') return 'no value in both'
  if (value === before) return `no change (${amount(value)})`
  const percent = before === 0 ? '' : ` of ${cardNumber(Math.abs((100 * (value - before)) / before))} %`
  return `${value > before ? 'an increase' : 'a decrease'}${percent} (from ${cardNumber(before)} to ${amount(value)})`
}

/** The bounds are those of the later estimate. Where they enclose the earlier value, nobody knows which way it went. */
function boundsOfChange({ before, lower, upper }: FoundArea): string[] {
  if (typeof before !== 'number' || before === 0 || typeof lower !== 'number' || typeof upper !== 'number') return []
  const percent = (bound: number) => {
    const change = (100 * (bound - before)) / Math.abs(before)
    return `${change > 0 ? '+' : change < 0 ? '−' : ''}${cardNumber(Number(Math.abs(change).toPrecision(3)))}\u00a0%`
  }
  const isUnsure = lower <= before && before <= upper
  return [`${isUnsure ? 'within its uncertainty, ' : ''}${percent(lower)} to ${percent(upper)}`]
}

const cardNumber = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) < 1 ? 6 : 2 })

function cardCoverage({ recorded, frames }: FoundArea, summary: string): string[] {
  if (recorded === undefined || frames === undefined) return []
  const verb = summary === 'features' ? 'found' : 'recorded'
  return [`${verb} in ${recorded.toLocaleString('en')} of ${frames.toLocaleString('en')} frames`]
}

/** As the pages cut names: html.ts. */
const TEXT_MOST = 500

function lineElement(text: string): HTMLElement {
  const line = document.createElement('p')
  line.textContent = text.length > TEXT_MOST ? `${text.slice(0, TEXT_MOST)}…` : text
  return line
}

/** The card stays inside the map, and a finger does not cover it. */
function putBeside(card: HTMLElement, canvas: HTMLElement, { x, y, isFinger }: Corner & { isFinger: boolean }): void {
  const [map, { width, height }] = [canvas.getBoundingClientRect(), card.getBoundingClientRect()]
  const right = isFinger ? x - width / 2 : x + GAP
  const left = right + width > map.width ? Math.min(map.width, isFinger ? Infinity : x - GAP) - width : right
  const top = isFinger || y + GAP + height > map.height ? y - (isFinger ? 2 : 1) * GAP - height : y + GAP
  card.style['left'] = `${Math.max(0, left)}px`
  card.style['top'] = `${top < 0 ? y + 2 * GAP : top}px`
}

type Corner = { x: number; y: number }
