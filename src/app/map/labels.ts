/** GET /app/map/labels: the places of the names of states and LGAs, the largest units first. */
import type { RequestHandler } from 'express'
import { unlessCached } from '../../api/http/etag.js'
import type { Services } from '../../services.js'
import { unitsPlaced } from './statements.js'

export function mapLabelsRoute({ readerForRequest }: Services): RequestHandler {
  return async (req, res) => {
    const reader = readerForRequest(req.context.deadline)
    const places = await unlessCached({ reader, req, res }, { question: [], read: () => unitsPlaced(reader) })
    if (places) res.json(places.map(({ state, lga, lon, lat }) => [lga ?? state, lga === null ? 0 : 1, lon, lat]))
  }
}
