/** GET /v1/wards: the wards of a state, or of one of its local government areas. */
import type { RequestHandler } from 'express'
import * as statements from '../db/statements.js'
import { invalid } from '../errors.js'
import { unlessCached } from '../http/etag.js'
import { recordedMembers } from '../http/geojson.js'
import { lgaParam, refuseOtherSelectors, stateParam } from '../http/params.js'
import { sendData } from '../http/send.js'
import type { Services } from '../services.js'

export function wardsRoute({ readerForRequest }: Services): RequestHandler {
  return async (req, res) => {
    refuseOtherSelectors(req.asked, ['state', 'lga'])
    const state = stateParam(req.asked)
    const lga = lgaParam(req.asked)
    if (state === undefined) throw invalid('state: missing; wards are listed for a named state.')
    const reader = readerForRequest(req.deadline)
    const read = () =>
      lga === undefined ? statements.wardsOfState(reader, state) : statements.wardsOfLga(reader, state, lga)
    const rows = await unlessCached({ reader, req, res }, { question: [state, lga], read })
    if (rows) await sendData(res, rows.map(recordedMembers))
  }
}
