/** GET /v1/frames: frames by box, by administrative unit or by id. */
import { listOf } from '../../core/db/index.js'
import * as statements from '../../core/db/statements.js'
import { invalid, invalidBox } from '../../core/errors.js'
import { isFrameId } from '../../core/frame-id.js'
import { type Place, UNIT_LEVELS } from '../../core/place.js'
import { pageInPlace } from '../../core/place-reads.js'
import type { Route } from '../http/admit.js'
import type { Call } from '../http/call.js'
import { collectionJson } from '../http/geojson.js'
import { afterParam, limitParam, placesParam } from '../http/params.js'
import type { Query } from '../http/query.js'
import { type Pieces, sendDataPieces } from '../http/send.js'
import type { Services } from '../../services.js'

export function framesRoute(services: Services): Route {
  return async (call, res) => {
    const data = await chooseFrames(services, call)
    if (!data) return
    if (data.next !== undefined) res.setHeader('Link', `<?${pageAfter(call.asked, data.next)}>; rel="next"`)
    await sendDataPieces(res, data)
  }
}

/** The query of the next page. The address before it is the client's, who may call by way of a proxy. */
function pageAfter(asked: Query, next: string): URLSearchParams {
  const { place, limit } = choiceParam(asked)
  const names = 'unit' in place ? place.unit.map((name, i) => [UNIT_LEVELS[i] ?? '', name]) : []
  return new URLSearchParams([...names, ...(asked.has('limit') ? [['limit', String(limit)]] : []), ['after', next]])
}

type FramesChoice = { place: Place; after: string | undefined; limit: number }

/** Returns a collection of features, or for ids a list of frames, as JSON text. A tool takes a shape, too. */
export async function chooseFrames(
  { readerForRequest }: Services,
  call: Call,
  question: FramesChoice = choiceParam(call.asked),
): Promise<(Pieces & { next?: string | undefined }) | undefined> {
  const { place, after, limit } = question
  const reader = readerForRequest(call.deadline)
  if (!('frames' in place)) {
    const page = await call.unlessCached(reader, { question, read: () => pageInPlace(reader, place, limit, after) })
    if (!page) return undefined
    const truncated = page.next !== undefined
    const next = 'box' in place ? undefined : page.next
    const pieces = collectionJson(page.features, next === undefined ? { truncated } : { truncated, next })
    return { pieces, next, release: () => reader.release(page.features) }
  }
  const list = await call.unlessCached(reader, {
    question,
    read: () => listOf(statements.framesListed, reader, place.frames.filter(isFrameId)),
    indexOf: ({ index }) => index,
  })
  return list && { pieces: ['[', list.frames, ']'], release: () => reader.release(list.frames) }
}

function choiceParam(query: Query): FramesChoice {
  const [place, ...more] = placesParam(query)
  const after = afterParam(query)
  const limit = limitParam(query)
  if (place && more.length > 0)
    throw invalid(`${[place, ...more].map(wayOf).join(' and ')}: one way of choosing frames is accepted, not more.`)
  if (after !== undefined && !(place && 'unit' in place))
    throw invalid('after: only with state, lga or ward; boxes and ids have no pages.')
  if (!place) throw invalidBox('One of bbox, ids or state (with lga and ward) is needed.')
  return { place, after, limit }
}

const wayOf = (place: Place): string => ('frames' in place ? 'ids' : 'unit' in place ? 'a unit' : 'bbox')
