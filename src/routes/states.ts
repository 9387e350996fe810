/** GET /v1/states: every state, with its frames counted. */
import type { RequestHandler } from 'express'
import * as statements from '../db/statements.js'
import { answeredFromCache } from '../http/etag.js'
import { present } from '../http/geojson.js'
import { sendData } from '../http/send.js'
import type { Services } from '../services.js'

export function states({ readsOfCall }: Services): RequestHandler {
  return async (req, res) => {
    const reads = readsOfCall()
    if (await answeredFromCache(reads, req, res, [])) return
    const rows = await statements.states(reads)
    sendData(res, rows.map(present))
  }
}
