/** GET /v1/wards: the wards of a state, or of one of its local government areas. */
import type { RequestHandler } from 'express'
import * as statements from '../db/statements.js'
import { invalid } from '../errors.js'
import { answeredFromCache } from '../http/etag.js'
import { present } from '../http/geojson.js'
import { lgaParam, stateParam } from '../http/params.js'
import { sendData } from '../http/send.js'
import type { Services } from '../services.js'

export function wards({ readsOfCall }: Services): RequestHandler {
  return async (req, res) => {
    const state = stateParam(req.asked)
    const lga = lgaParam(req.asked)
    if (state === undefined) throw invalid('state: missing; wards are listed for a named state.')
    const reads = readsOfCall()
    if (await answeredFromCache(reads, req, res, [state, lga])) return
    const rows =
      lga === undefined ? await statements.wardsOfState(reads, state) : await statements.wardsOfLga(reads, state, lga)
    sendData(res, rows.map(present))
  }
}
