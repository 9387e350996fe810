/** GET /v1/lgas: local government areas, of one state or of all. */
import type { RequestHandler } from 'express'
import * as statements from '../db/statements.js'
import { answeredFromCache } from '../http/etag.js'
import { present } from '../http/geojson.js'
import { stateParam } from '../http/params.js'
import { sendData } from '../http/send.js'
import type { Services } from '../services.js'

export function lgas({ readsOfCall }: Services): RequestHandler {
  return async (req, res) => {
    const state = stateParam(req.asked)
    const reads = readsOfCall()
    if (await answeredFromCache(reads, req, res, [state])) return
    const rows = state === undefined ? await statements.lgas(reads) : await statements.lgasOfState(reads, state)
    sendData(res, rows.map(present))
  }
}
