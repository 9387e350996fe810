/** Saves the map as it stands, with its names, its legend and its source, as a picture. */
import type { Map as MapLibreMap } from './maplibre-gl.mjs'
import { cssColour, element, mapDocument } from './map-browser.js'
import type { PageElement } from './page.js'

type CanvasPen = {
  fillStyle: string
  strokeStyle: string
  font: string
  textAlign: 'left' | 'center'
  textBaseline: 'middle'
  lineWidth: number
  scale: (x: number, y: number) => void
  fillRect: (x: number, y: number, width: number, height: number) => void
  strokeRect: (x: number, y: number, width: number, height: number) => void
  fillText: (text: string, x: number, y: number) => void
  strokeText: (text: string, x: number, y: number) => void
  measureText: (text: string) => { width: number }
  drawImage: (picture: unknown, ...box: [x: number, y: number, width: number, height: number]) => void
}
type Sheet = {
  width: number
  height: number
  getContext: (kind: '2d') => CanvasPen
  toBlob: (done: (blob: object | null) => void, type: string) => void
}
type DownloadLink = { href: string; download: string; click: () => void }
type Style = { backgroundColor: string; fill: string; font: string; color: string }
declare const document: { createElement: (name: string) => unknown }
declare const getComputedStyle: (of: PageElement) => Style
declare const URL: { createObjectURL: (blob: object) => string; revokeObjectURL: (url: string) => void }

const PICTURE_PADDING = 12
const LINE_HEIGHT = 20
const SWATCH = { width: 24, height: 14 }

/** MapLibre keeps no picture of what it drew: only while it draws can the canvas be read. */
export function bindPicture(map: MapLibreMap): void {
  const button = element('map-picture')
  button.hidden = false
  button.addEventListener('click', () => {
    void map.once('render', () => save(map))
    map.triggerRepaint()
  })
}

function save(map: MapLibreMap): void {
  const canvas = map.getCanvas() as unknown as PageElement & { width: number; height: number }
  const frame = canvas.getBoundingClientRect()
  const sheet = document.createElement('canvas') as Sheet
  ;[sheet.width, sheet.height] = [canvas.width, canvas.height]
  const pen = sheet.getContext('2d')
  pen.scale(sheet.width / frame.width, sheet.height / frame.height)
  pen.fillStyle = getComputedStyle(element('map')).backgroundColor
  pen.fillRect(0, 0, frame.width, frame.height)
  pen.drawImage(canvas, 0, 0, frame.width, frame.height)
  pen.textBaseline = 'middle'
  drawNames(pen, frame)
  drawLegend(pen, frame)
  sheet.toBlob((blob) => blob && download(blob), 'image/png')
}

type PictureFrame = { left: number; top: number; height: number }

function drawNames(pen: CanvasPen, { left, top }: PictureFrame): void {
  pen.textAlign = 'center'
  pen.lineWidth = 3
  pen.strokeStyle = cssColour('surface')
  for (const name of mapDocument.querySelector('.map-window')?.querySelectorAll('.map-label') ?? []) {
    if (name.hidden) continue
    const style = getComputedStyle(name)
    const box = name.getBoundingClientRect()
    ;[pen.font, pen.fillStyle] = [style.font, style.color]
    const at = [box.left - left + box.width / 2, box.top - top + box.height / 2] as const
    pen.strokeText(name.textContent ?? '', ...at)
    pen.fillText(name.textContent ?? '', ...at)
  }
}

type Line = { text: string; colour?: string }

/** The lines of the legend for the level on view, also of a legend that is folded. */
const legendLines = (): Line[] =>
  [...element('legend').querySelectorAll('h2, p, .swatch')]
    .filter((part) => part.closest('[hidden]') === null)
    .map((part) => {
      const colour = part.querySelector('svg path')
      const text = (part.textContent ?? '').trim().replace(/\s+/g, ' ')
      return { text, ...(colour && { colour: getComputedStyle(colour).fill }) }
    })
    .filter(({ text }) => text !== '')

function drawLegend(pen: CanvasPen, { height }: PictureFrame): void {
  const lines = legendLines()
  pen.textAlign = 'left'
  pen.font = '13px system-ui, sans-serif'
  const indent = (line: Line) => (line.colour === undefined ? 0 : SWATCH.width + 8)
  const wide = Math.max(...lines.map((line) => pen.measureText(line.text).width + indent(line))) + 2 * PICTURE_PADDING
  const high = lines.length * LINE_HEIGHT + 2 * PICTURE_PADDING
  const [x, y] = [8, height - high - 8]
  pen.lineWidth = 1
  pen.strokeStyle = cssColour('line')
  pen.fillStyle = cssColour('surface')
  pen.fillRect(x, y, wide, high)
  pen.strokeRect(x, y, wide, high)
  for (const [i, line] of lines.entries()) {
    const middle = y + PICTURE_PADDING + (i + 0.5) * LINE_HEIGHT
    if (line.colour !== undefined) {
      pen.fillStyle = line.colour
      pen.fillRect(x + PICTURE_PADDING, middle - SWATCH.height / 2, SWATCH.width, SWATCH.height)
      pen.strokeRect(x + PICTURE_PADDING, middle - SWATCH.height / 2, SWATCH.width, SWATCH.height)
    }
    pen.fillStyle = cssColour('text')
    pen.fillText(line.text, x + PICTURE_PADDING + indent(line), middle)
  }
}

function download(blob: object): void {
  const link = document.createElement('a') as DownloadLink
  link.href = URL.createObjectURL(blob)
  link.download = 'map.png'
  link.click()
  URL.revokeObjectURL(link.href)
}
