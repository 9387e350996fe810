/** Reads the place that a tool is asked about: a unit, a box or a shape. */
import type { Reader } from '../../core/db/replicas/reader.js'
import { framesInAreaPage } from '../../core/db/statements.js'
import { invalid } from '../../core/errors.js'
import { framesOfArea, setOfPlace, type Place } from '../../core/insight/figures/frame-set.js'
import { readsOf, type Total } from '../../core/insight/figures/reads.js'
import { visibleDatasets } from '../../core/datasets/visible.js'
import { withDeadline } from '../../core/db/connect.js'
import { shapeOf } from '../../core/shape.js'
import type { Services } from '../../services.js'
import type { Call } from '../http/call.js'
import { collectionJson, recordedMembers } from '../http/geojson.js'
import { afterParam, boxParam, limitParam, unitParam } from '../http/params.js'
import type { Pieces } from '../http/send.js'
import { BEFORE_ALL } from '../http/unit-pages.js'
import { queryOf } from './arguments.js'
import type { JsonObject } from './schemas.js'
import * as texts from './texts.js'
import type { ToolAnswer } from './tool.js'

const PLACES = ['state', 'lga', 'ward', 'bbox', 'shape'] as const
const ONE_WAY = 'One way of choosing frames is accepted: ids, a unit (state, lga, ward), bbox or shape.'

/** `place` is undefined where the arguments name none; `rest` has the others. */
export async function placeIn(given: JsonObject, reader: Reader): Promise<{ place?: Place; rest: JsonObject }> {
  const named = PLACES.filter((name) => given[name] !== undefined)
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !named.some((each) => each === name)))
  if (named.length === 0) return { rest }
  const isArea = named.includes('bbox') || named.includes('shape')
  if (rest['frameIds'] !== undefined || rest['ids'] !== undefined || (isArea && named.length > 1))
    throw invalid(ONE_WAY)
  if (named.includes('shape')) return { place: { shape: await shapeOf(reader, shapeText(given['shape'])) }, rest }
  const query = queryOf(Object.fromEntries(named.map((name) => [name, given[name]])), PLACES)
  const box = boxParam(query)
  if (box) return { place: { box: [box.minLon, box.minLat, box.maxLon, box.maxLat] }, rest }
  const unit = unitParam(query)
  const names = unit && [unit.state, ...('lga' in unit ? [unit.lga] : []), ...('ward' in unit ? [unit.ward] : [])]
  return { place: { unit: (names ?? []).map((name) => name.toUpperCase()) }, rest }
}

/** Models write GeoJSON as an object or as its text. */
function shapeText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return JSON.stringify(value)
  throw invalid('shape: a text of WKT or GeoJSON is accepted, or an object of GeoJSON.')
}

/** A page of the frames that touch a shape, in the order of their ids. */
export async function framesInShape({ readerForRequest }: Services, call: Call, shape: unknown): Promise<Pieces> {
  const { asked } = call
  if (['bbox', 'ids', 'state', 'lga', 'ward'].some((name) => asked.has(name))) throw invalid(ONE_WAY)
  const [limit, after] = [limitParam(asked), afterParam(asked) ?? BEFORE_ALL]
  const reader = readerForRequest(call.deadline)
  const area = framesOfArea({ shape: await shapeOf(reader, shapeText(shape)) })
  const { features, next } = await framesInAreaPage(reader, limit, area, after)
  return {
    pieces: collectionJson(features, { truncated: next !== undefined, next }),
    release: () => reader.release(features),
  }
}

/** The totals that imports keep for units, and those of a box or a shape over whole frames and by area. */
export async function totalsIn(services: Services, call: Call, given: JsonObject): Promise<ToolAnswer> {
  const { deadline, caller } = call
  const reader = services.readerForRequest(deadline)
  const { place = { unit: [] } } = await placeIn(given, reader)
  const datasets = await visibleDatasets(withDeadline(services.authorityReader, deadline), reader, caller)
  const found = await readsOf(reader, datasets).totalsOf(setOfPlace(place, 0))
  const { frames = 0, km2 = '0', km2Inside, totals = [] } = found ?? {}
  const data = {
    frames,
    km2,
    ...(km2Inside !== undefined && { km2Inside }),
    totals: totals.filter(({ summary }) => summary !== 'none').map(totalMembers),
    notRead: datasets.filter(({ price }) => price !== null).map(({ layerId }) => layerId),
  }
  return { data, text: texts.totalsText(data) }
}

const totalMembers = ({ dataset, attribute, label, unit, summary, number, byArea, ...more }: Total): texts.Total =>
  recordedMembers({
    layerId: dataset.layerId,
    attribute,
    label,
    unit,
    summary,
    total: number,
    byArea,
    lower: more.lower,
    upper: more.upper,
    class: more.class,
    classFrames: more.classFrames,
    recorded: more.recorded,
  }) as texts.Total
