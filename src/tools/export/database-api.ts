/**
 * Answers the calls of an export and of locate from the database itself, without keys, buckets and charges. Each call
 * runs the statements of the API. A transaction over a whole export would keep imports from switching, and on the
 * embedded database it would keep the API waiting: exports compare the tags before and after instead.
 */
import type { Database } from '../../core/db/connect.js'
import type { Page } from '../../core/db/page.js'
import * as statements from '../../core/db/statements.js'
import type { FrameRow } from '../../core/db/statements.js'
import { isFrameId } from '../../core/frame-id.js'
import { IDS_MAX } from '../../api/http/param-schemas.js'
import { afterParam, boxParam, limitParam, unitParam, type Unit } from '../../api/http/params.js'
import { readQuery, type Query } from '../../api/http/query.js'
import { UNIT_FIELDS } from '../../core/unit-fields.js'
import type { Api, ApiAnswer } from './api.js'

/** A statement for 5,000 frames and six baselines takes a quarter of a second. */
const FRAMES_AT_ONCE = 5000

/** Answers as the data call does for `price=true`. */
export type QuoteData = (ids: string[]) => Promise<unknown>

/**
 * `layers`: the baselines whose values are read; the caller has checked that the organisation may read them. With
 * `quote`, the values are priced, by calls as large as those of the API.
 */
export function databaseApi(db: Database, layers: string[], quote?: QuoteData): Api {
  const answers: Record<string, (query: Query) => Promise<unknown>> = {
    '/v1/frames': (query) => framesAnswer(db, query),
    '/v1/frames/data': (query) => quote?.(idsIn(query)) ?? dataAnswer(db, idsIn(query), layers),
    '/v1/states': () => statements.states(db),
    '/v1/lgas': (query) => statements.lgasOfState(db, unitParam(query)?.state ?? ''),
    '/v1/wards': (query) => {
      const unit = unitParam(query)
      return statements.wardsOfLga(db, unit?.state ?? '', unit?.level === 'lga' ? unit.lga : '')
    },
  }
  const answerTo = async <Data>(path: string, before?: string): Promise<ApiAnswer<Data>> => {
    const [place = '', query] = path.split('?')
    const answer = answers[place]
    if (!answer) throw new Error(`The database does not answer ${path}.`)
    const tag = JSON.stringify([await statements.indexGeneration(db), await statements.datasetsServed(db, layers)])
    if (tag === before) return { unchanged: true }
    return { unchanged: false, data: (await answer(readQuery(query))) as Data, tag }
  }
  return Object.assign(answerTo, { idsAtOnce: quote ? IDS_MAX : FRAMES_AT_ONCE, callsAtOnce: 1 })
}

const idsIn = (query: Query): string[] => query.get('ids')?.[0]?.split(',').filter(isFrameId) ?? []

async function framesAnswer(db: Database, query: Query): Promise<unknown> {
  if (query.has('ids')) {
    const frames = await statements.framesById(db, idsIn(query))
    return frames.map((frame) => ({ id: frame.id, admin: recordedUnits(frame) }))
  }
  const { features, next } = await pageAnswer(db, query)
  const collection = { type: 'FeatureCollection', features: JSON.parse(`[${features.toString()}]`) as unknown[] }
  if (next === undefined) return collection
  return { ...collection, truncated: true, ...(query.has('bbox') ? {} : { next }) }
}

function pageAnswer(db: Database, query: Query): Promise<Page> {
  const limit = limitParam(query)
  const box = boxParam(query)
  if (box) return statements.framesInBox(db, limit, box.minLon, box.minLat, box.maxLon, box.maxLat)
  const unit = unitParam(query)
  if (!unit) throw new Error('A box or a unit is needed.')
  return pageOfUnitAnswer(db, limit, unit, afterParam(query) ?? '-1')
}

function pageOfUnitAnswer(db: Database, limit: number, unit: Unit, after: string): Promise<Page> {
  switch (unit.level) {
    case 'state':
      return statements.framesInState(db, limit, unit.state, after)
    case 'lga':
      return statements.framesInLga(db, limit, unit.state, unit.lga, after)
    case 'ward':
      return statements.framesInWard(db, limit, unit.state, unit.lga, unit.ward, after)
  }
}

/** The units that the index records. */
export const recordedUnits = (frame: FrameRow | statements.LocatedPoint): Record<string, string> =>
  Object.fromEntries(UNIT_FIELDS.flatMap((field) => (frame[field] === null ? [] : [[field, frame[field]]])))

/** Nothing is charged, since the caller refuses datasets that cost something. */
async function dataAnswer(db: Database, ids: string[], layers: string[]): Promise<unknown> {
  const frames = ids.map((id) => ({ id, datasets: [] as object[] }))
  const rows = await statements.recordsOfBaselines(db, ids, layers)
  for (const { place, layer, recorded } of rows) {
    const values = JSON.parse(recorded) as Record<string, string>
    frames[place - 1]?.datasets.push({ layerId: layers[layer - 1], kind: 'frames', values })
  }
  return { frames, charged: [], leftOut: [] }
}
