/** GET /v1/frames/at: the frame that contains a point. */
import { batch } from '../../core/batch.js'
import type { FrameRow, Reader } from '../../core/db/index.js'
import * as statements from '../../core/db/statements.js'
import type { Deadline } from '../../core/deadline.js'
import { notFound } from '../../core/errors.js'
import type { Route } from '../http/admit.js'
import type { Call } from '../http/call.js'
import { frameJson } from '../http/geojson.js'
import { type Point, pointParam } from '../http/params.js'
import { sendDataText } from '../http/send.js'
import type { Services } from '../../services.js'

type FrameAt = (point: Point, deadline: Deadline) => Promise<FrameRow | undefined>
/** Returns the frame as JSON text. */
export type FindFrame = (call: Pick<Call, 'asked' | 'deadline'>) => Promise<string>

export function framesAtRoute(findFrame: FindFrame): Route {
  return async (call, res, early) => {
    const frame = await (early ?? findFrame(call))
    res.setHeader('Cache-Control', 'private, max-age=600')
    await sendDataText(res, frame)
  }
}

/** Calls of all kinds share the batches. */
export function frameFinder({ readerForRequest }: Services): FindFrame {
  const frameAt: FrameAt = batch((points: Point[], deadline) => framesAtPoints(readerForRequest(deadline), points))
  return async ({ asked, deadline }) => {
    const point = pointParam(asked)
    const frame = await frameAt(point, deadline)
    if (!frame) throw notFound(`No frame contains this point.${await swappedHint(frameAt, point, deadline)}`)
    return frameJson(frame)
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
