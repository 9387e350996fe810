/** GET /v1/frames/at: the frame that contains a point. */
import type { RequestHandler } from 'express'
import { batch } from '../batch.js'
import type { Reader } from '../db/replicas/reader.js'
import * as statements from '../db/statements.js'
import type { FrameRow } from '../db/statements.js'
import type { Deadline } from '../deadline.js'
import { notFound } from '../errors.js'
import { frameJson } from '../http/geojson.js'
import { pointParam, type Point } from '../http/params.js'
import { sendDataText } from '../http/send.js'
import type { Services } from '../services.js'

type FrameAt = (point: Point, deadline: Deadline) => Promise<FrameRow | undefined>

export function framesAtRoute({ readerForRequest }: Services): RequestHandler {
  const frameAt: FrameAt = batch((points: Point[], deadline) => framesAtPoints(readerForRequest(deadline), points))
  return async (req, res) => {
    const point = pointParam(req.asked)
    const frame = await frameAt(point, req.deadline)
    if (!frame) throw notFound(`No frame contains this point.${await swappedHint(frameAt, point, req.deadline)}`)
    res.setHeader('Cache-Control', 'private, max-age=600')
    await sendDataText(res, frameJson(frame))
  }
}

/** Answers in the order of the points, with undefined for a point off the grid. */
async function framesAtPoints(reader: Reader, points: readonly Point[]): Promise<(FrameRow | undefined)[]> {
  const found: (FrameRow | undefined)[] = points.map(() => undefined)
  const [lons, lats] = [points.map(({ lon }) => lon), points.map(({ lat }) => lat)]
  for (const frame of await statements.framesAt(reader, lons, lats)) found[frame.place - 1] = frame
  return found
}

async function swappedHint(frameAt: FrameAt, { lon, lat }: Point, deadline: Deadline): Promise<string> {
  if (Math.abs(lon) > 90) return ''
  const frame = await frameAt({ lon: lat, lat: lon }, deadline)
  return frame ? ' Those coordinates fall inside the grid when swapped.' : ''
}
