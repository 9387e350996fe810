/** GET /app/tiles/{layer}/{z}/{x}/{y}: shapes for the map and, with dataset and attribute, their values. */
import type { RequestHandler, Response } from 'express'
import { areUnchanged } from '../../datasets/visible.js'
import { codingFor, compressed, COMPRESSED_FROM } from '../../http/coding.js'
import { unlessCached } from '../../http/etag.js'
import type { Services } from '../../services.js'
import { personAuthority } from '../person-authority.js'
import { sessionOf } from '../session.js'
import { tileAddress } from './address.js'
import { colourOf } from './colour.js'
import { encodeTile } from './encode.js'
import { layersOf } from './layers.js'

const TYPE = 'application/vnd.mapbox-vector-tile'

export function tileRoute(services: Services): RequestHandler {
  return async (req, res) => {
    const address = tileAddress(req.params)
    const person = personAuthority(sessionOf(req))
    const reader = services.readerForRequest(req.deadline)
    const colour = await colourOf(services, req, reader, person)
    const layers = await unlessCached(
      { reader, req, res },
      {
        // An answer that a person has from another organisation is not current.
        question: [person.orgId, colour?.dataset.layerId, colour?.dataset.version, colour?.attribute],
        read: () => layersOf(reader, address, colour),
        isStill: async () => !colour || (await areUnchanged(reader, [colour.dataset])),
      },
    )
    if (layers) await sendTile(res, await encodeTile(layers))
  }
}

/** 204: nothing lies here. */
async function sendTile(res: Response, tile: Buffer): Promise<void> {
  res.vary('Accept-Encoding')
  if (tile.length === 0) return void res.status(204).end()
  res.set('Content-Type', TYPE)
  const coding = tile.length < COMPRESSED_FROM ? 'identity' : codingFor(res.req.headers['accept-encoding'])
  if (coding === 'identity') return void res.end(tile)
  res.set('Content-Encoding', coding)
  res.end(Buffer.concat(await compressed(coding, [tile])))
}
