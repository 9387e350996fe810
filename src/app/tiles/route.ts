/** GET /app/tiles/{layer}/{z}/{x}/{y}: shapes for the map and, with dataset and attribute, their values. */
import type { RequestHandler, Response } from 'express'
import { hangUpSignal } from '../../api/http/call.js'
import { codingFor, compressed, COMPRESSED_FROM } from '../../api/http/coding.js'
import { unlessCached } from '../../api/http/etag.js'
import { personAuthority } from '../shell/person-authority.js'
import { sessionOf } from '../shell/session.js'
import { tileAddress, refuseTooManyFrames } from './address.js'
import { colourOf } from './colour.js'
import { encodeTile } from './vector-tile.js'
import { featureDatasets, readTileLayers } from './layers.js'
import { areUnchanged } from '../../core/datasets/visible.js'
import type { Services } from '../../services.js'

const TILE_TYPE = 'application/vnd.mapbox-vector-tile'

/**
 * A move of the map asks for twenty tiles at once, of 10 to 30 ms each. With two at a time, the connections that calls
 * of the API share are not all busy with them.
 */
const TILES_AT_ONCE = 2

export function tileRoute(services: Services): RequestHandler {
  const inTurn = turns(TILES_AT_ONCE)
  return async (req, res) => {
    const address = tileAddress(req.params)
    const person = personAuthority(sessionOf(req))
    const reader = services.readerForRequest(req.context.deadline)
    await refuseTooManyFrames(reader, address)
    const isFeatures = address.layer === 'features'
    const colour = isFeatures
      ? undefined
      : await colourOf(services, req.context, reader, { person, layer: address.layer })
    const datasets = isFeatures
      ? await featureDatasets(services, req.context.deadline, reader, person)
      : colour
        ? [colour.dataset, ...(colour.before ? [colour.before.dataset] : [])]
        : []
    const hangUp = hangUpSignal(res)
    const layers = await unlessCached(
      { reader, req, res },
      {
        // An answer that a person has from another organisation is not current.
        question: [
          person.orgId,
          datasets.map(({ layerId, version }) => [layerId, version]),
          colour?.attribute,
          colour?.before?.attribute,
        ],
        // A map that moved on hangs up on the tiles that it no longer needs.
        read: () =>
          inTurn(async () => (hangUp.aborted ? undefined : await readTileLayers(reader, address, colour, datasets))),
        isStill: async () => datasets.length === 0 || (await areUnchanged(reader, datasets)),
      },
    )
    if (layers) await sendTile(res, await encodeTile(layers))
  }
}

/** 204: nothing lies here. */
async function sendTile(res: Response, tile: Buffer): Promise<void> {
  if (tile.length === 0) return void res.status(204).end()
  res.set('Content-Type', TILE_TYPE)
  const coding = tile.length < COMPRESSED_FROM ? 'identity' : codingFor(res.req.headers['accept-encoding'])
  if (coding !== 'identity') res.set('Content-Encoding', coding)
  const body = coding === 'identity' ? tile : Buffer.concat(await compressed(coding, [tile]))
  // Node leaves the body of HEAD out, and would leave out its length, too.
  res.set('Content-Length', String(body.length)).end(body)
}

/** Lets few pieces of work run at once; the others wait in the order in which they came. */
function turns(atOnce: number): <Answer>(work: () => Promise<Answer>) => Promise<Answer> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running < atOnce) running += 1
    else await new Promise<void>((start) => waiting.push(start))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
