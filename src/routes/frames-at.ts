/** GET /v1/frames/at: the frame that contains a point. */
import type { RequestHandler } from 'express'
import * as statements from '../db/statements.js'
import { notFound } from '../errors.js'
import { frameJson } from '../http/geojson.js'
import { pointParam, type Point } from '../http/params.js'
import { sendDataText } from '../http/send.js'
import type { Services } from '../services.js'

export function framesAt({ db }: Services): RequestHandler {
  return async (req, res) => {
    const point = pointParam(req.asked)
    const [frame] = await statements.framesAt(db, [point.lon], [point.lat])
    if (!frame) throw notFound(`No frame contains this point.${await swappedHint(db, point)}`)
    res.set('Cache-Control', 'private, max-age=600')
    sendDataText(res, frameJson(frame))
  }
}

async function swappedHint(db: Services['db'], { lon, lat }: Point): Promise<string> {
  if (Math.abs(lon) > 90) return ''
  const [frame] = await statements.framesAt(db, [lat], [lon])
  return frame ? ' Those coordinates fall inside the grid when swapped.' : ''
}
