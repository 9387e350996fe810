/** Lists every route, and the order of its checks, on one page. */
import express, { type Express, type RequestHandler } from 'express'
import type { ApiCall, Capability } from '../core/access/index.js'
import { requestContext } from './http/request-context.js'
import { admission, type Route } from './http/admit.js'
import { crossOrigin } from './http/cross-origin.js'
import { addFiles } from './files/endpoint.js'
import { addOgc } from './ogc/endpoint.js'
import { mcpRoute } from './mcp/endpoint.js'
import { addTools } from './tool/endpoint.js'
import { toolsOf } from './tool/tools.js'
import { otherMethods, sendError, unknownPath } from './http/send-error.js'
import { docsFiles, docsRoute, openapiRoute, pageRoutes } from './routes/docs.js'
import { framesRoute } from './routes/frames.js'
import { framesAdminRoute } from './routes/frames-admin.js'
import { type FindFrame, frameFinder, framesAtRoute } from './routes/frames-at.js'
import { framesDataRoute } from './routes/frames-data.js'
import { framesInsightRoute } from './routes/frames-insight.js'
import { unitsRoute } from './routes/units.js'
import type { Services } from '../services.js'

/** Adds the pages that people see. They show which of these calls a key opens. */
export type AddPages = (app: Express, calls: readonly ApiCall[]) => void

/** Without `addPages`, makes the API alone. */
export function createApp(services: Services, addPages?: AddPages): Express {
  const app = express()
  app.disable('x-powered-by').disable('etag').set('query parser', false)
  app.enable('case sensitive routing').enable('strict routing')
  app.use(requestContext(services))
  letPagesCall(app, services)

  // Each call is admitted: credential, buckets, capability. Its route then checks parameters and reads data.
  const admit = admission(services)
  const calls: ApiCall[] = []
  const call = (method: ApiCall['method'], path: string, capability: Capability) => {
    calls.push({ method, path, capability })
    return app.route(path)
  }
  const get = (path: string, capability: Capability, route: Route, read?: FindFrame) =>
    call('GET', path, capability)
      .get(admit(capability, route, read))
      .all(otherMethods('GET, HEAD'))
  // HEAD runs the handler of GET, so a call that may charge credits refuses it.
  const getWithoutHead = (path: string, capability: Capability, route: Route) =>
    call('GET', path, capability).head(otherMethods('GET')).get(admit(capability, route)).all(otherMethods('GET'))
  const post = (path: string, capability: Capability, route: Route) =>
    call('POST', path, capability).post(admit(capability, route)).all(otherMethods('POST'))

  post('/v1/frames/insight', 'ask.query', framesInsightRoute(services))

  const findFrame = frameFinder(services)
  get('/v1/frames/at', 'frame.read', framesAtRoute(findFrame), findFrame)
  get('/v1/frames/admin', 'frame.read', framesAdminRoute(services))
  getWithoutHead('/v1/frames/data', 'frame.read', framesDataRoute(services))
  get('/v1/frames', 'frame.read', framesRoute(services))
  for (const level of ['states', 'lgas', 'wards'] as const)
    get(`/v1/${level}`, 'frame.read', unitsRoute(services, level))

  // Agents call the same functions with the same keys, and programs call the tools of agents.
  const tools = toolsOf(services, findFrame)
  app.route('/mcp').post(mcpRoute(services, tools)).all(otherMethods('POST'))
  addTools(app, services, tools, admit)

  // GIS programs call them by OGC API Features, and read whole datasets as files.
  const reads = (route: Route) => admit('frame.read', route)
  addOgc(app, services, reads)
  addFiles(app, services, reads)

  openDescription(app, services)

  addPages?.(app, calls)
  app.use(unknownPath)
  app.use(sendError(services))
  return app
}

/** The headers are those that a page may send. */
function letPagesCall(app: Express, { corsOrigins }: Services): void {
  if (corsOrigins.length === 0) return
  app.use('/v1', crossOrigin(corsOrigins, 'Authorization, Content-Type, Idempotency-Key, If-None-Match'))
  app.use('/ogc', crossOrigin(corsOrigins, 'Authorization, If-None-Match'))
  app.use('/tools', crossOrigin(corsOrigins, 'Authorization, Content-Type, Idempotency-Key', 'X-Charged, X-Left-Out, '))
  app.use(
    '/files',
    crossOrigin(corsOrigins, 'Authorization, If-None-Match, If-Range, Range', 'Accept-Ranges, Content-Range, '),
  )
  app.use('/mcp', crossOrigin(corsOrigins, 'Authorization, Content-Type, Mcp-Protocol-Version, Mcp-Method, Mcp-Name'))
}

/** The description of the interface needs no key. */
function openDescription(app: Express, services: Services): void {
  const open = (path: string, route: RequestHandler) => app.route(path).get(route).all(otherMethods('GET, HEAD'))
  open('/v1/openapi.json', openapiRoute(services))
  open('/v1/docs', docsRoute)
  for (const [name, file] of docsFiles) open(`/v1/docs/${name}`, file)
  for (const [path, page] of pageRoutes()) open(path, page)
}
