/** Draws a box on the map: with Shift and the mouse or, after a press of the button, with one finger too. */
import type { Map as MapLibreMap } from './maplibre-gl.mjs'
import { element } from './map-browser.js'

/** A box smaller than this is a click that slipped. */
const LEAST_PIXELS = 6
const DEGREE_PLACES = 1e5

type Corner = { x: number; y: number }
type BoxDrawing = { from: Corner; outline: HTMLElement }

/** `onBox` gets "west,south,east,north" in degrees. */
export function drawBoxes(map: MapLibreMap, onBox: (corners: string) => void): { isDrawing: () => boolean } {
  const canvas = map.getCanvasContainer()
  let isArmed = false
  let hasEnded = false
  let drawing: BoxDrawing | undefined

  const arm = (isOn: boolean) => {
    isArmed = isOn
    element('box-draw').setAttribute('aria-pressed', String(isOn))
    canvas.classList.toggle('is-drawing', isOn)
    if (isOn) map.dragPan.disable()
    else map.dragPan.enable()
  }
  const begin = (event: PointerEvent) => {
    if (event.button !== 0 || !(isArmed || event.shiftKey)) return
    // MapLibre hears of the mouse after this, and would move the map.
    map.dragPan.disable()
    drawing = { from: cornerAt(canvas, event), outline: outlineOn(canvas) }
    canvas.setPointerCapture(event.pointerId)
    event.preventDefault()
  }
  const cancel = () => {
    drawing?.outline.remove()
    drawing = undefined
    arm(false)
  }
  const finish = (event: PointerEvent) => {
    if (!drawing) return
    const [start, stop] = [drawing.from, cornerAt(canvas, event)]
    cancel()
    // The browser makes a click of it too, which picks nothing.
    hasEnded = true
    setTimeout(() => (hasEnded = false))
    if (Math.abs(stop.x - start.x) < LEAST_PIXELS || Math.abs(stop.y - start.y) < LEAST_PIXELS) return
    onBox(drawnCorners(map, start, stop))
  }

  canvas.addEventListener('pointerdown', begin, { capture: true })
  canvas.addEventListener('pointermove', (event) => drawing && stretch(drawing, cornerAt(canvas, event)))
  canvas.addEventListener('pointerup', finish)
  canvas.addEventListener('pointercancel', cancel)
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !(isArmed || drawing)) return
    // The same key clears what was picked, if no box is being drawn.
    event.preventDefault()
    cancel()
  })
  element('box-draw').addEventListener('click', () => arm(!isArmed))
  return { isDrawing: () => isArmed || hasEnded || drawing !== undefined }
}

function cornerAt(canvas: HTMLElement, { clientX, clientY }: PointerEvent): Corner {
  const { left, top } = canvas.getBoundingClientRect()
  return { x: clientX - left, y: clientY - top }
}

function outlineOn(canvas: HTMLElement): HTMLElement {
  const outline = document.createElement('div')
  outline.className = 'map-box'
  canvas.append(outline)
  return outline
}

function stretch({ from, outline }: BoxDrawing, to: Corner): void {
  outline.style['left'] = `${Math.min(from.x, to.x)}px`
  outline.style['top'] = `${Math.min(from.y, to.y)}px`
  outline.style['width'] = `${Math.abs(from.x - to.x)}px`
  outline.style['height'] = `${Math.abs(from.y - to.y)}px`
}

function drawnCorners(map: MapLibreMap, one: Corner, other: Corner): string {
  const [start, stop] = [map.unproject([one.x, one.y]), map.unproject([other.x, other.y])]
  return [
    Math.min(start.lng, stop.lng),
    Math.min(start.lat, stop.lat),
    Math.max(start.lng, stop.lng),
    Math.max(start.lat, stop.lat),
  ]
    .map((degrees) => Math.round(degrees * DEGREE_PLACES) / DEGREE_PLACES)
    .join(',')
}
