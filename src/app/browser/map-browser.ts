/** Gives the scripts of the map the parts of the browser and of the page that they use. */
import type { PageDocument, PageElement } from './page.js'

type Scheme = { matches: boolean; addEventListener: (type: 'change', listener: () => void) => void }

declare const document: PageDocument
declare const location: { href: string; search: string; pathname: string; origin: string; assign: (to: string) => void }
declare const history: { pushState: ChangeAddress; replaceState: ChangeAddress }
declare const getComputedStyle: (element: PageElement) => { getPropertyValue: (name: string) => string }
declare const matchMedia: (query: string) => Scheme
declare const addEventListener: (type: 'popstate', listener: () => void) => void
declare const requestAnimationFrame: (draw: () => void) => void
declare class DOMParser {
  parseFromString(text: string, type: 'text/html'): { getElementById: (id: string) => PageElement | null }
}

type ChangeAddress = (state: null, title: string, address: string) => void

type Pencil = {
  scale: (x: number, y: number) => void
  fill: (path: object) => void
  stroke: (path: object) => void
  getImageData: (
    x: number,
    y: number,
    width: number,
    height: number,
  ) => { width: number; height: number; data: Uint8ClampedArray }
} & Record<'fillStyle' | 'strokeStyle' | 'lineJoin', string> & { lineWidth: number }
declare const Path2D: new (path: string) => object

/** Draws a path in a square, with a halo around it. */
export function newPicture(size: number, scale: number, { path, ink, halo }: Record<'path' | 'ink' | 'halo', string>) {
  const canvas = document.createElement('canvas') as unknown as {
    width: number
    height: number
    getContext: (kind: '2d') => Pencil
  }
  canvas.width = size
  canvas.height = size
  const pencil = canvas.getContext('2d')
  const shape = new Path2D(path)
  pencil.scale(scale, scale)
  Object.assign(pencil, { lineWidth: 3, lineJoin: 'round', strokeStyle: halo, fillStyle: ink })
  for (const paint of ['stroke', 'fill'] as const) pencil[paint](shape)
  return pencil.getImageData(0, 0, size, size)
}

export const mapDocument = document
/** MapLibre draws with WebGL 2. */
export const hasWebGl = (): boolean =>
  (document.createElement('canvas') as unknown as { getContext: (kind: string) => unknown }).getContext('webgl2') !==
  null
export const address = location
export const pages = history
export const onBack = (listener: () => void): void => addEventListener('popstate', listener)
export const onNextDraw = (draw: () => void): void => requestAnimationFrame(draw)
export const parsedMarkup = (markup: string) => new DOMParser().parseFromString(markup, 'text/html')
export const darkScheme = matchMedia('(prefers-color-scheme: dark)')
/** An open legend of ten classes is 220 pixels wide and 250 high: it hides an eighth of a map that is 600 pixels wide. */
export const isSmallWindow = (width = 1100): boolean =>
  matchMedia(`(max-width: ${width}px), (max-height: 700px)`).matches

/** The page has each of these elements: src/app/pages/map.ts draws them. */
export function element(id: string): PageElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`The page has no element "${id}".`)
  return found
}

/** Reads a colour of map.css, which has one for each scheme. */
export const cssColour = (name: string): string => getComputedStyle(element('map')).getPropertyValue(`--${name}`).trim()
