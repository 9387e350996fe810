/** Saves the map as it stands, with its names, its legend and its source, as a picture. */
import type { Map as MapLibreMap } from './maplibre-gl.mjs'
import { hasBase } from './map-base.js'
import { cssColour, element, penOf } from './map-browser.js'
import { hatchImage, hatchName, unsureName } from './map-style.js'

const PICTURE_PADDING = 12
const LINE_HEIGHT = 20
const LEGEND_FONT = '13px system-ui, sans-serif'
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
  const canvas = map.getCanvas()
  const frame = canvas.getBoundingClientRect()
  const scale = canvas.width / frame.width
  const sheet = document.createElement('canvas')
  const pen = penOf(sheet)
  const legend = legendBelow(pen, frame)
  ;[sheet.width, sheet.height] = [canvas.width, canvas.height + Math.ceil(legend.high * scale)]
  pen.scale(scale, scale)
  pen.fillStyle = getComputedStyle(element('map')).backgroundColor
  pen.fillRect(0, 0, frame.width, frame.height)
  pen.drawImage(canvas, 0, 0, frame.width, frame.height)
  pen.textBaseline = 'middle'
  drawNames(pen, frame)
  drawLegend(pen, frame, legend)
  sheet.toBlob((blob) => blob && download(blob), 'image/png')
}

type PictureFrame = { left: number; top: number; width: number; height: number }

function drawNames(pen: CanvasRenderingContext2D, { left, top }: PictureFrame): void {
  pen.textAlign = 'center'
  pen.lineWidth = 3
  pen.strokeStyle = cssColour('surface')
  for (const name of document.querySelector('.map-window')?.querySelectorAll<HTMLElement>('.map-label') ?? []) {
    if (name.hidden) continue
    const style = getComputedStyle(name)
    const box = name.getBoundingClientRect()
    ;[pen.font, pen.fillStyle] = [style.font, style.color]
    const at = [box.left - left + box.width / 2, box.top - top + box.height / 2] as const
    pen.strokeText(name.textContent ?? '', ...at)
    pen.fillText(name.textContent ?? '', ...at)
  }
}

const LEGEND_PARTS = '#legend :is(h2, p, .swatch)'

type Line = { text: string; fills?: readonly (string | CanvasPattern)[] }

/** The lines of the legend for the level on view, also of a legend that is folded. */
const legendLines = (pen: CanvasRenderingContext2D): Line[] =>
  [...document.querySelectorAll(hasBase() ? `${LEGEND_PARTS}, .map-credit` : LEGEND_PARTS)]
    .filter((part) => part.closest('[hidden]') === null)
    .map((part) => {
      const colour = part.querySelector('svg')
      const text = (part.textContent ?? '').trim().replace(/\s+/g, ' ')
      return { text, ...(colour && { fills: fillsOf(pen, colour) }) }
    })
    .filter(({ text }) => text !== '')

/** The stripes are those of the map: the page draws those of its legend by CSS, which a canvas does not. */
function fillsOf(pen: CanvasRenderingContext2D, swatch: Element): (string | CanvasPattern)[] {
  const stripes = swatch.matches('.no-value')
    ? hatchName()
    : ([1, 2] as const).filter((degree) => swatch.matches(`.unsure-${degree}`)).map(unsureName)[0]
  if (stripes === undefined) return [...swatch.querySelectorAll('path')].map((path) => getComputedStyle(path).fill)
  const { width, height, data } = hatchImage(stripes)
  const tile = document.createElement('canvas')
  ;[tile.width, tile.height] = [width, height]
  penOf(tile).putImageData(new ImageData(new Uint8ClampedArray(data), width), 0, 0)
  return [...(swatch.matches('.no-value') ? [] : [cssColour('ramp-4')]), pen.createPattern(tile, 'repeat') ?? '']
}

type LegendBelow = { lines: Line[]; wide: number; rows: number; high: number }

/** The legend stands below the map, in columns, and covers nothing of it. */
function legendBelow(pen: CanvasRenderingContext2D, { width }: PictureFrame): LegendBelow {
  pen.font = LEGEND_FONT
  const lines = legendLines(pen)
  const wide = Math.max(...lines.map((line) => pen.measureText(line.text).width + indentOf(line))) + 2 * PICTURE_PADDING
  const rows = Math.ceil(lines.length / Math.max(1, Math.floor(width / wide)))
  return { lines, wide, rows, high: rows * LINE_HEIGHT + 2 * PICTURE_PADDING }
}

const indentOf = ({ fills }: Line) => (fills === undefined ? 0 : SWATCH.width + 8)

function drawLegend(
  pen: CanvasRenderingContext2D,
  { width, height }: PictureFrame,
  { lines, wide, rows, high }: LegendBelow,
): void {
  pen.textAlign = 'left'
  pen.font = LEGEND_FONT
  pen.lineWidth = 1
  pen.strokeStyle = cssColour('line')
  pen.fillStyle = cssColour('surface')
  pen.fillRect(0, height, width, high)
  for (const [i, line] of lines.entries()) {
    const x = PICTURE_PADDING + Math.floor(i / rows) * wide
    const middle = height + PICTURE_PADDING + ((i % rows) + 0.5) * LINE_HEIGHT
    for (const fill of line.fills ?? []) {
      pen.fillStyle = fill
      pen.fillRect(x, middle - SWATCH.height / 2, SWATCH.width, SWATCH.height)
      pen.strokeRect(x, middle - SWATCH.height / 2, SWATCH.width, SWATCH.height)
    }
    pen.fillStyle = cssColour('text')
    pen.fillText(line.text, x + indentOf(line), middle)
  }
}

function download(blob: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = 'map.png'
  link.click()
  URL.revokeObjectURL(link.href)
}
