/** GET /v1/states: every state with its number of frames. */
import type { RequestHandler } from 'express'
import * as statements from '../db/statements.js'
import { unlessCached } from '../http/etag.js'
import { recordedMembers } from '../http/geojson.js'
import { refuseOtherSelectors } from '../http/params.js'
import { sendData } from '../http/send.js'
import type { Services } from '../services.js'

export function statesRoute({ readerForRequest }: Services): RequestHandler {
  return async (req, res) => {
    refuseOtherSelectors(req.asked, [])
    const reader = readerForRequest(req.deadline)
    const rows = await unlessCached({ reader, req, res }, { question: [], read: () => statements.states(reader) })
    if (rows) await sendData(res, rows.map(recordedMembers))
  }
}
