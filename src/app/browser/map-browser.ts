/** Gives the scripts of the map the elements, the colours and the canvases that they share. */

import type { Brush, Paint, ValuesAsked } from '../map/classes.js'

/** Each map has a legend. */
export type LegendId = 'legend' | 'legend-beside'

export type Colouring = { values: ValuesAsked; paint: Paint; brush: Brush | undefined }

/** Reads what the server wrote into the legend. Undefined where the map is not coloured. */
export function colouringOf(legend: LegendId): Colouring | undefined {
  const { dataset, attribute, version = '', paint, from = '', to = '' } = element(legend).dataset
  if (dataset === undefined || attribute === undefined || paint === undefined) return undefined
  const brush = {
    from: from === '' ? -Infinity : Number(from),
    to: to === '' ? Infinity : Number(to),
  }
  return {
    values: { dataset, attribute, version },
    paint: JSON.parse(paint) as Paint,
    brush: from === '' && to === '' ? undefined : brush,
  }
}

/** Draws a path in a square, with a halo around it. */
export function newPicture(size: number, scale: number, { path, ink, halo }: Record<'path' | 'ink' | 'halo', string>) {
  const canvas = document.createElement('canvas')
  canvas.width = size
  canvas.height = size
  const pencil = penOf(canvas)
  const shape = new Path2D(path)
  pencil.scale(scale, scale)
  Object.assign(pencil, { lineWidth: 3, lineJoin: 'round', strokeStyle: halo, fillStyle: ink })
  for (const paint of ['stroke', 'fill'] as const) pencil[paint](shape)
  return pencil.getImageData(0, 0, size, size)
}

/** A canvas that has drawn nothing else gives a pen of this kind. */
export const penOf = (canvas: HTMLCanvasElement): CanvasRenderingContext2D =>
  canvas.getContext('2d') as CanvasRenderingContext2D

/** MapLibre draws with WebGL 2. */
export const hasWebGl = (): boolean => document.createElement('canvas').getContext('webgl2') !== null
export const darkScheme = matchMedia('(prefers-color-scheme: dark)')
/** The panel is a sheet over the map, as in map.css. */
export const phone = matchMedia('(max-width: 640px), (max-width: 900px) and (orientation: portrait)')

/** The page has each of these elements: src/app/pages/map.ts draws them. */
export function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`The page has no element "${id}".`)
  return found
}

/** Red, green, blue and alpha from 0 to 1, of a colour as CSS writes it. */
export function colourParts(colour: string): number[] {
  const pen = penOf(document.createElement('canvas'))
  pen.fillStyle = colour
  pen.fillRect(0, 0, 1, 1)
  return Array.from(pen.getImageData(0, 0, 1, 1).data, (part) => part / 255)
}

/** Reads a colour of map.css as red, green and blue: `light-dark` has one for each scheme. */
export function cssColour(name: string): string {
  const { style } = element('map')
  style.color = `var(--${name})`
  const { color } = getComputedStyle(element('map'))
  style.color = ''
  return color
}
