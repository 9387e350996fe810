/** Reads the shape of an address: a polygon as WKT, which the page writes in one form. */
import type { Reader } from '../../core/db/index.js'
import { ApiError } from '../../core/errors.js'
import { shapeOf } from '../../core/shape.js'
import type { Corners } from '../../core/place.js'
import type { MapView, Misread } from './view.js'

/** The index has as many: a centimetre. */
const SHAPE_PLACES = 7

/** Returns the view with its shape as the address has it, or says what is wrong with the shape. */
export async function withShape(reader: Reader, view: MapView): Promise<{ view: MapView; misread?: Misread }> {
  const typed = shapeOfView(view)
  if (typed === undefined) return { view }
  try {
    const wkt = await shapeOf(reader, typed)
    const shape = await roundedShape(reader, wkt)
    return { view: { ...view, pick: { shape } } }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const misread = { fault: error.message, shape: typed, question: view.question }
    return { view: { ...view, pick: undefined, question: undefined }, misread }
  }
}

/** A sliver may have a fault once it is rounded: it stays as it is. */
async function roundedShape(reader: Reader, wkt: string): Promise<string> {
  const short = wkt.replaceAll(/-?\d+\.\d+(e-?\d+)?/g, (number) => String(Number(Number(number).toFixed(SHAPE_PLACES))))
  if (short === wkt) return wkt
  return await shapeOf(reader, short).catch(() => wkt)
}

/** GeoJSON, metres and more digits lead to the address in that form. */
export const isShapeWrittenOtherwise = (typed: MapView, read: MapView): boolean =>
  read.pick !== undefined && shapeOfView(typed) !== shapeOfView(read)

const shapeOfView = ({ pick }: MapView) => (pick && 'shape' in pick ? pick.shape : undefined)

/** GeoJSON of a shape in that form. */
export function shapeOutline(wkt: string): string {
  const lists = wkt
    .replace(/^\w+/, '')
    .replaceAll(/(-?[\d.e-]+) (-?[\d.e-]+)/g, '[$1,$2]')
    .replaceAll('(', '[')
    .replaceAll(')', ']')
  const type = wkt.startsWith('MULTI') ? 'MultiPolygon' : 'Polygon'
  return JSON.stringify({ type, coordinates: JSON.parse(lists) as unknown })
}

export function cornersOfShape(wkt: string): Corners {
  const numbers = Array.from(wkt.matchAll(/-?\d[\d.e-]*/g), ([number]) => Number(number))
  const [lons, lats] = [numbers.filter((_, i) => i % 2 === 0), numbers.filter((_, i) => i % 2 === 1)]
  return [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)]
}
