/** /ogc: OGC API Features, over the frames, the units, and the datasets that a key may read. */
import type { Express, Request, RequestHandler, Response } from 'express'
import type { Reader } from '../../core/db/index.js'
import { invalid, notFound, shortened } from '../../core/errors.js'
import { FRAME_ID_MAX, isFrameId } from '../../core/frame-id.js'
import type { Services } from '../../services.js'
import type { Route } from '../http/admit.js'
import type { Call } from '../http/call.js'
import { ogcErrorJson, otherMethods, sendError, unknownPath } from '../http/send-error.js'
import { FRAMES_MAX } from '../../core/parameters.js'
import { cornersOf } from '../../core/place.js'
import { limitParam, priceParam } from '../http/params.js'
import { textParam } from '../http/query.js'
import { sendPiecesAs } from '../http/send.js'
import { type Collection, collectionNamed, collectionsFor, propertiesOf } from './collections.js'
import { compileFilter } from './compile.js'
import { parseText } from './cql2.js'
import { crsParam, systemsOf, uriOf } from './crs.js'
import { describeOgc, LIMIT, PAGE_PARAMETERS } from './description.js'
import * as documents from './documents.js'
import { checkFilter } from './filter.js'
import { EVERYTHING, type ItemsChoice, type OgcCall, priceOfItems, PROBE_MAX, readItems } from './items.js'
import { itemsBoxParam, refuseOtherParameters, refuseOtherTimes, WORLD } from './params.js'
import { wrong } from './shape.js'
import { extent, shapeFault } from './statements.js'

export function addOgc(app: Express, services: Services, admitted: (route: Route) => RequestHandler): void {
  const rootOf = (req: Request) => {
    const known = services.ownAddress(req.socket.localPort ?? 0)
    return `${known ?? `http://${req.headers.host}`}/ogc`
  }
  const publicDocument =
    (type: string, answer: (root: string) => object): RequestHandler =>
    async (req, res) => {
      refuseOtherParameters(req.context.asked, [])
      await sendJson(res, type, answer(rootOf(req)))
    }
  const open = (path: string, type: string, answer: (root: string) => object) =>
    app.route(path).get(publicDocument(type, answer)).all(otherMethods('GET, HEAD'))
  // The standard's paths begin at a slash, and people leave it out.
  open('/ogc', documents.JSON_TYPE, documents.landingPage)
  open('/ogc/', documents.JSON_TYPE, documents.landingPage)
  open('/ogc/conformance', documents.JSON_TYPE, () => ({ conformsTo: documents.CONFORMANCE }))
  open('/ogc/api', documents.OPENAPI, describeOgc)

  const ogcCall = (call: Call, { req }: Response): OgcCall => ({
    ...call,
    services,
    reader: services.readerForRequest(call.deadline),
    root: rootOf(req),
  })
  const get = (path: string, type: string, answer: Answer) =>
    app
      .route(path)
      .get(
        admitted(async (call, res) => {
          refuseOtherParameters(call.asked, [])
          const asking = ogcCall(call, res)
          const document = await answer(asking, res.req)
          const unknown = await call.unlessCached(asking.reader, { question: document, read: async () => document })
          if (unknown) await sendJson(res, type, unknown)
        }),
      )
      .all(otherMethods('GET, HEAD'))
  get('/ogc/collections', documents.JSON_TYPE, listCollections)
  get('/ogc/collections/:collectionId', documents.JSON_TYPE, oneCollection)
  get('/ogc/collections/:collectionId/queryables', documents.SCHEMA_TYPE, listQueryables)

  // HEAD runs the handler of GET, so paths that may charge credits refuse it.
  const items = (path: string, answer: (call: OgcCall, req: Request, res: Response) => Promise<void>) =>
    app
      .route(path)
      .head(otherMethods('GET'))
      .get(admitted((call, res) => answer(ogcCall(call, res), res.req, res)))
      .all(otherMethods('GET'))
  items('/ogc/collections/:collectionId/items', sendItems)
  items('/ogc/collections/:collectionId/items/:itemId', sendItem)
  app.use('/ogc', unknownPath, sendError(services, ogcErrorJson))
}

type Answer = (call: OgcCall, req: Request) => Promise<object>

const sendJson = (res: Response, type: string, document: object) =>
  sendPiecesAs(res, type, { pieces: [JSON.stringify(document)] })

const collectionAsked = (call: OgcCall, { params }: Request): Promise<Collection> =>
  collectionNamed(call.services, call, call.reader, String(params['collectionId']))

const listCollections: Answer = async (call) =>
  documents.collectionsDocument(
    call.root,
    await collectionsFor(call.services, call, call.reader),
    await servedExtent(call.reader),
  )

const oneCollection: Answer = async (call, req) =>
  documents.collectionDocument(call.root, await collectionAsked(call, req), await servedExtent(call.reader))

const listQueryables: Answer = async (call, req) => {
  const collection = await collectionAsked(call, req)
  return documents.queryablesDocument(call.root, collection, await propertiesOf(collection, call.reader))
}

async function servedExtent(reader: Reader): Promise<documents.ServedExtent> {
  const [row] = await extent(reader)
  const corners = cornersOf(row)
  return { systems: systemsOf(corners), extent: corners }
}

async function sendItems(call: OgcCall, req: Request, res: Response): Promise<void> {
  const { asked, reader, root } = call
  refuseOtherParameters(asked, PAGE_PARAMETERS)
  refuseOtherTimes(asked)
  const asksPrice = priceParam(asked)
  const limit = limitParam(asked, LIMIT)
  const collection = await collectionAsked(call, req)
  const { systems } = await servedExtent(reader)
  const crs = crsParam(asked, 'crs', systems)
  const area = itemsBoxParam(asked, crsParam(asked, 'bbox-crs', systems))
  const filter = await filterParam(call, collection, systems)
  const choice: ItemsChoice = { area, filter, crs, limit, after: startParam(call, collection) }
  const links = (after?: string) =>
    itemsLinks(
      `${root}/collections/${collection.id}`,
      req,
      after === undefined ? {} : { after, ...grownLimit(collection, limit) },
    )
  if (asksPrice) {
    const quote = await priceOfItems({ ...call, collection, choice })
    const body = { type: 'FeatureCollection', features: [], numberReturned: 0, links: links(), ...quote }
    return await sendJson(res, documents.GEOJSON, body)
  }
  const answer = await readItems({ ...call, collection, choice })
  if (!answer) return
  if (answer.isUnique) res.removeHeader('ETag')
  res.setHeader('Content-Crs', `<${uriOf(crs)}>`)
  const { features, shown, hasMore, lastShown, odd } = answer.page
  const end = JSON.stringify({
    ...(typeof answer.number === 'number' && { numberMatched: answer.number }),
    numberReturned: shown,
    ...(odd > 0 && { notNumbers: odd }),
    links: links(hasMore ? lastShown : undefined),
  })
  await sendPiecesAs(res, documents.GEOJSON, {
    pieces: ['{"type":"FeatureCollection","features":[', ...withCommas(features), `],${end.slice(1)}`],
    release: () => features.forEach(reader.release),
  })
}

const withCommas = (features: readonly Buffer[]) => features.flatMap((each, i) => (i === 0 ? [each] : [',', each]))

async function sendItem(call: OgcCall, req: Request, res: Response): Promise<void> {
  const { asked, reader, root } = call
  refuseOtherParameters(asked, ['crs'])
  const collection = await collectionAsked(call, req)
  const { systems } = await servedExtent(reader)
  const crs = crsParam(asked, 'crs', systems)
  const id = String(req.params['itemId'])
  const noItem = () => notFound(`There is no item ${shortened(id)} in collection ${collection.id}.`)
  if (collection.kind === 'features' ? id.includes('\0') : !isFrameId(id)) throw noItem()
  const choice: ItemsChoice = { area: WORLD, filter: EVERYTHING, crs, limit: 1, only: id }
  const answer = await readItems({ ...call, collection, choice })
  if (!answer) return
  if (answer.isUnique) res.removeHeader('ETag')
  const [feature] = answer.page.features
  if (!feature) throw noItem()
  res.setHeader('Content-Crs', `<${uriOf(crs)}>`)
  const href = `${root}/collections/${collection.id}`
  const links: documents.Link[] = [
    { href: `${href}/items/${encodeURIComponent(id)}`, rel: 'self', type: documents.GEOJSON },
    { href, rel: 'collection', type: documents.JSON_TYPE },
  ]
  const withoutBrace = feature.subarray(0, feature.length - 1)
  await sendPiecesAs(res, documents.GEOJSON, {
    pieces: [withoutBrace, `,"links":${JSON.stringify(links)}}`],
    release: () => reader.release(feature),
  })
}

/** JSON for the statements. Its shape is held to PostGIS, which says where a polygon crosses itself. */
async function filterParam(
  { asked, reader }: OgcCall,
  collection: Collection,
  systems: readonly number[],
): Promise<string> {
  const text = textParam(asked, 'filter', invalid)
  const lang = textParam(asked, 'filter-lang', invalid) ?? 'cql2-text'
  if (lang !== 'cql2-text') throw invalid(`filter-lang: cql2-text is accepted, "${shortened(lang)}" was sent.`)
  const crs = crsParam(asked, 'filter-crs', systems)
  if (text === undefined) return EVERYTHING
  const filter = parseText(text)
  const properties = await propertiesOf(collection, reader)
  checkFilter(filter, properties)
  const compiled = compileFilter(filter, {
    properties,
    crs,
    areFrames: collection.kind === 'frames' || collection.kind === 'baseline',
  })
  const { shape } = JSON.parse(compiled) as { shape?: { wkt: string } }
  const [{ fault } = { fault: null }] = shape ? await shapeFault(reader, shape.wkt, crs) : []
  if (fault !== null) throw wrong(fault)
  return compiled
}

/** Ids of features are texts, and all others are numbers. */
function startParam({ asked }: Pick<Call, 'asked'>, { kind }: Collection): string | undefined {
  const text = textParam(asked, 'after', invalid)
  if (text === undefined || kind === 'features') return text
  if (!/^\d{1,40}$/.test(text))
    throw invalid(`after: the next link of the page before has it, "${shortened(text)}" came.`)
  return BigInt(text) > BigInt(FRAME_ID_MAX) ? FRAME_ID_MAX : text
}

/**
 * A program that asks for a few items and follows the link to more wants all of them: in pages as small, it would spend
 * its bucket on a few hundred. Units and features may have large shapes.
 */
const grownLimit = ({ kind }: Collection, limit: number) =>
  limit > PROBE_MAX ? {} : { limit: String(kind === 'frames' || kind === 'baseline' ? FRAMES_MAX : LIMIT) }

/** The next link has the parameters of this page, but for those in `next`, so that a client follows it as it is. */
function itemsLinks(href: string, req: Request, next: Record<string, string>): documents.Link[] {
  const query = new URLSearchParams(req.url.split('?')[1] ?? '')
  const at = () => (query.size === 0 ? `${href}/items` : `${href}/items?${query.toString()}`)
  const links: documents.Link[] = [
    { href: at(), rel: 'self', type: documents.GEOJSON },
    { href, rel: 'collection', type: documents.JSON_TYPE },
  ]
  if (Object.keys(next).length === 0) return links
  for (const [name, value] of Object.entries(next)) query.set(name, value)
  return [...links, { href: at(), rel: 'next', type: documents.GEOJSON, title: 'The next page' }]
}
