/** GET /v1/frames: frames by box, by administrative unit or by id. */
import { listOf, pageOf } from '../../core/db/page.js'
import * as statements from '../../core/db/statements.js'
import type { Reader } from '../../core/db/replicas/reader.js'
import { invalid, invalidBox } from '../../core/errors.js'
import { isFrameId } from '../../core/frame-id.js'
import type { Route } from '../http/admit.js'
import type { Call } from '../http/call.js'
import { collectionJson } from '../http/geojson.js'
import { afterParam, boxParam, idsParam, limitParam, unitParam, type Box, type Unit } from '../http/params.js'
import type { Query } from '../http/query.js'
import { sendDataPieces, type Pieces } from '../http/send.js'
import { BEFORE_ALL, pageInUnit } from '../http/unit-pages.js'
import type { Services } from '../../services.js'

type PageChoice =
  | { by: 'box'; box: Box; limit: number }
  | { by: 'unit'; unit: Unit; after: string | undefined; limit: number }
type FramesChoice = { by: 'ids'; ids: string[] } | PageChoice

export function framesRoute(services: Services): Route {
  return async (call, res) => {
    const data = await chooseFrames(services, call)
    if (data) await sendDataPieces(res, data)
  }
}

/** Returns a collection of features, or for ids a list of frames, as JSON text. */
export async function chooseFrames({ readerForRequest }: Services, call: Call): Promise<Pieces | undefined> {
  const choice = choiceParam(call.asked)
  const reader = readerForRequest(call.deadline)
  if (choice.by !== 'ids')
    return await call.unlessCached(reader, { question: choice, read: () => pageOfChoice(reader, choice) })
  const list = await call.unlessCached(reader, {
    question: choice,
    read: () => listOf(statements.framesListed, reader, choice.ids),
    indexOf: ({ index }) => index,
  })
  return list && { pieces: ['[', list.frames, ']'], release: () => reader.release(list.frames) }
}

function choiceParam(query: Query): FramesChoice {
  const ids = idsParam(query)?.filter(isFrameId)
  const box = boxParam(query)
  const unit = unitParam(query)
  const after = afterParam(query)
  const limit = limitParam(query)
  const ways = [ids && 'ids', box && 'bbox', unit && 'a unit'].filter((way) => way !== undefined)
  if (ways.length > 1) throw invalid(`${ways.join(' and ')}: one way of choosing frames is accepted, not more.`)
  if (after !== undefined && !unit) throw invalid('after: only with state, lga or ward; boxes and ids have no pages.')
  if (ids) return { by: 'ids', ids }
  if (box) return { by: 'box', box, limit }
  if (unit) return { by: 'unit', unit, after, limit }
  throw invalidBox('One of bbox, ids or state (with lga and ward) is needed.')
}

async function pageOfChoice(reader: Reader, choice: PageChoice): Promise<Pieces> {
  const page =
    choice.by === 'box'
      ? await pageInBox(reader, choice.box, choice.limit)
      : await pageInUnit(reader, choice.unit, choice.after ?? BEFORE_ALL, choice.limit)
  const { features, next } = page
  const truncated = next !== undefined
  const pieces = collectionJson(features, choice.by === 'unit' ? { truncated, next } : { truncated })
  return { pieces, release: () => reader.release(features) }
}

const pageInBox = (reader: Reader, { minLon, minLat, maxLon, maxLat }: Box, limit: number) =>
  pageOf(statements.framesInBox, reader, minLon, minLat, maxLon, maxLat, limit)
