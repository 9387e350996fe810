/** GET /v1/lgas: local government areas, of one state or of all. */
import type { RequestHandler } from 'express'
import * as statements from '../db/statements.js'
import { answeredFromCache } from '../http/etag.js'
import { present } from '../http/geojson.js'
import { stateParam } from '../http/params.js'
import { sendData } from '../http/send.js'
import type { Services } from '../services.js'

export function lgas(services: Services): RequestHandler {
  return async (req, res) => {
    const state = stateParam(req.asked)
    if (await answeredFromCache(services, req, res, [state])) return
    const { db } = services
    const rows = state === undefined ? await statements.lgas(db) : await statements.lgasOfState(db, state)
    sendData(res, rows.map(present))
  }
}
