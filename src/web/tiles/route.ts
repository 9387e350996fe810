/** GET /app/tiles/{layer}/{z}/{x}/{y}: shapes for the map and, with dataset and attribute, their values. */
import type { RequestHandler, Response } from 'express'
import { areUnchanged } from '../../datasets/visible.js'
import type { Reader } from '../../db/replicas/reader.js'
import { codingFor, compressed, COMPRESSED_FROM } from '../../http/coding.js'
import { unlessCached } from '../../http/etag.js'
import type { Services } from '../../services.js'
import { personAuthority } from '../person-authority.js'
import { sessionOf } from '../session.js'
import { tileAddress, type TileAddress } from './address.js'
import { colourOf, type Colour } from './colour.js'
import { encodeTile, type Layer } from './encode.js'
import { framesOfAttribute, framesOfFeatures, framesOfTile, type FrameOfTile, type TileNumber } from './statements.js'

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

async function layersOf(reader: Reader, { z, x, y }: TileAddress, colour: Colour | undefined): Promise<Layer[]> {
  const frames = await framesOf(reader, { z, x, y }, colour)
  const features = frames.map(({ id, shape, ...values }) => ({ id, shape, properties: { id, ...values } }))
  return [{ name: 'frames', features }]
}

async function framesOf(reader: Reader, { z, x, y }: TileNumber, colour: Colour | undefined): Promise<FrameOfTile[]> {
  if (!colour) return await framesOfTile(reader, z, x, y)
  const { attribute, dataset } = colour
  return attribute === undefined
    ? await framesOfFeatures(reader, z, x, y, dataset.layerId)
    : await framesOfAttribute(reader, z, x, y, dataset.layerId, attribute)
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
