/** GET /app/tiles/{layer}/{z}/{x}/{y}: shapes for the map. */
import type { RequestHandler, Response } from 'express'
import { codingFor, compressed, COMPRESSED_FROM } from '../../api/http/coding.js'
import { unlessCached } from '../../api/http/etag.js'
import { personAuthority } from '../shell/person-authority.js'
import { sessionOf } from '../shell/session.js'
import { refuseTooManyFrames, tileAddress } from './address.js'
import { encodeTile } from './vector-tile.js'
import { featureDatasets, readTileLayers } from './layers.js'
import { areUnchanged } from '../../core/datasets/index.js'
import type { Services } from '../../services.js'

export const TILE_TYPE = 'application/vnd.mapbox-vector-tile'

export function tileRoute(services: Services): RequestHandler {
  return async (req, res) => {
    const address = tileAddress(req.params)
    const person = personAuthority(sessionOf(req))
    const reader = services.readerForRequest(req.context.deadline)
    await refuseTooManyFrames(reader, address)
    const isFeatures = address.layer === 'features'
    const datasets = isFeatures ? await featureDatasets(services, req.context.deadline, reader, person) : []
    const layers = await unlessCached(
      { reader, req, res },
      {
        // An answer that a person has from another organisation is not current.
        question: [person.orgId, datasets.map(({ layerId, version }) => [layerId, version])],
        read: () => readTileLayers(reader, address, datasets),
        isStill: async () => datasets.length === 0 || (await areUnchanged(reader, datasets)),
      },
    )
    if (layers) await sendTile(res, await encodeTile(layers))
  }
}

/** 204: nothing lies here. */
async function sendTile(res: Response, tile: Buffer): Promise<void> {
  if (tile.length === 0) return void res.status(204).end()
  await sendCoded(res, TILE_TYPE, tile)
}

export async function sendCoded(res: Response, type: string, plain: Buffer): Promise<void> {
  res.set('Content-Type', type)
  const coding = plain.length < COMPRESSED_FROM ? 'identity' : codingFor(res.req.headers['accept-encoding'])
  if (coding !== 'identity') res.set('Content-Encoding', coding)
  const body = coding === 'identity' ? plain : Buffer.concat(await compressed(coding, [plain]))
  // Node leaves the body of HEAD out, and would leave out its length, too.
  res.set('Content-Length', String(body.length)).end(body)
}
