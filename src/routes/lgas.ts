/** GET /v1/lgas: local government areas, of one state or of all. */
import type { RequestHandler } from 'express'
import * as statements from '../db/statements.js'
import { unlessCached } from '../http/etag.js'
import { recordedMembers } from '../http/geojson.js'
import { refuseOtherSelectors, stateParam } from '../http/params.js'
import { sendData } from '../http/send.js'
import type { Services } from '../services.js'

export function lgasRoute({ readerForRequest }: Services): RequestHandler {
  return async (req, res) => {
    refuseOtherSelectors(req.asked, ['state'])
    const state = stateParam(req.asked)
    const reader = readerForRequest(req.deadline)
    const read = () => (state === undefined ? statements.lgas(reader) : statements.lgasOfState(reader, state))
    const rows = await unlessCached({ reader, req, res }, { question: [state], read })
    if (rows) await sendData(res, rows.map(recordedMembers))
  }
}
