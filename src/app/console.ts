/** Lists every page of the web app, and the order of its checks, on one page. actions.ts lists the changes. */
import express, { Router, type RequestHandler } from 'express'
import type { ApiCall, Role } from '../core/access/index.js'
import type { AddPages } from '../api/app.js'
import { otherMethods as otherMethodsOfApi } from '../api/http/send-error.js'
import type { Services } from '../services.js'
import { actionsOf, noticesOf } from './actions.js'
import { assetRoutes } from './shell/assets.js'
import { forScripts, otherMethodsOfPage, sendErrorPage, unknownPage } from './shell/errors.js'
import { refuseCrossSite } from './shell/csrf.js'
import { knownParameters, needPrimary, readForm } from './shell/form.js'
import { accountRoute, addPasskeyRoute, offerPasskeyRoute } from './pages/account.js'
import { askAndPayRoute, askRoute } from './pages/ask.js'
import { creditsCsvRoute, creditsRoute } from './pages/credits.js'
import { datasetRoute } from './pages/dataset.js'
import { datasetsRoute } from './pages/datasets.js'
import { eventsCsvRoute, eventsRoute } from './pages/events.js'
import { healthRoute, openCheckUp, runChecksRoute } from './pages/health.js'
import { findRoute } from './pages/find.js'
import { homeRoute, signInRoute } from './pages/sign-in.js'
import { keyRoute } from './pages/key.js'
import { keysRoute } from './pages/keys.js'
import { newKeyRoute } from './pages/new-key.js'
import { linkRoute, spendLinkRoute } from './pages/link.js'
import { mapCsvRoute } from './map/twin.js'
import { meterMap } from './ask/question.js'
import { mapRoute } from './pages/map.js'
import { membersRoute } from './pages/members.js'
import { placeRoute } from './pages/place.js'
import { sqlRoute, withPanels } from './pages/sql.js'
import { tableFileRoute, tableRoute } from './pages/table.js'
import { takeFileRoute, takeRoute } from './pages/take.js'
import { usageCsvRoute, usageRoute } from './pages/usage.js'
import { offerSignInRoute, passkeySignInRoute } from './sign-in/passkey.js'
import { beginOpenIdRoute, finishOpenIdRoute } from './sign-in/openid.js'
import { leadToPage, pageHeaders } from './shell/send-page.js'
import { meterPerson, readPurse } from './shell/person-authority.js'
import { allow, findSession, forOperators } from './shell/session.js'
import { signOutRoute } from './shell/sign-out.js'
import { baseTileRoute } from './tiles/base.js'
import { tileRoute } from './tiles/route.js'
import { squareRoute, unitValuesRoute } from './tiles/values.js'
import { beginVisit, leadToApp, type Web } from './shell/web.js'

/** Cookies count under /app only, and keys under /v1 and /mcp only. */
export const consoleOf =
  (services: Services, web: Web): AddPages =>
  (app, calls) => {
    app.route('/').get(leadToApp(web)).all(otherMethodsOfApi('GET, HEAD'))
    app.use('/app', createConsole(services, web, calls))
  }

function createConsole(services: Services, web: Web, calls: readonly ApiCall[]): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  const actions = actionsOf(calls, services)
  router.use(pageHeaders, beginVisit(services, web, noticesOf(actions)))
  for (const [path, route] of assetRoutes) router.route(path).get(route).all(otherMethodsOfPage('GET, HEAD'))

  router.use(['/tiles', '/values'], forScripts)
  const session = findSession(services, web)
  const lists = listOn(router, { session, primary: needPrimary(web) })
  const { page, form, refuseOtherMethods } = lists
  page('/', 'member', homeRoute)
  page('/sign-in', 'anyone', signInRoute(web))
  page('/sign-in/openid', 'anyone', beginOpenIdRoute(services, web))
  page('/sign-in/openid/callback', 'anyone', finishOpenIdRoute(services, web))
  form('/sign-in/passkey/options', 'anyone', offerSignInRoute(services))
  form('/sign-in/passkey', 'anyone', passkeySignInRoute(services))
  form('/sign-out', 'anyone', signOutRoute)
  page('/link', 'anyone', linkRoute(services, web))
  form('/link', 'anyone', spendLinkRoute(services))

  listReads(lists, { services, web, calls })

  page('/account', 'member', accountRoute)
  form('/account/passkeys/options', 'member', offerPasskeyRoute)
  form('/account/passkeys', 'member', addPasskeyRoute)

  page('/keys', 'admin', keysRoute)
  page('/keys/new', 'admin', newKeyRoute(calls))
  page('/keys/:keyId', 'admin', keyRoute)
  page('/events', 'admin', knownParameters('before'), eventsRoute)
  page('/events.csv', 'admin', knownParameters(), eventsCsvRoute(web))

  listUse(lists, web)

  page('/members', 'owner', membersRoute)

  listHealth(lists, services, web)
  for (const { path, least, route } of actions) form(path, least, route)

  refuseOtherMethods()
  // Files and tiles have one address each: only that of a page may end in a slash.
  router.get(/^\/(?!assets\/|tiles\/|values\/)([\w-]+\/)+$/, leadToPage)
  router.use(session, unknownPage)
  router.use(sendErrorPage(services))
  return router
}

/** These pages read frames and datasets, as calls of the API do, and are metered as calls are. */
function listReads(
  { page, form }: Lists,
  { services, web, calls }: { services: Services; web: Web; calls: readonly ApiCall[] },
): void {
  const [read, drawing] = [meterPerson(services, 'read'), meterPerson(services, 'map')]
  page('/map', 'member', meterMap(services), readPurse, withPanels(web, mapRoute(services, web)))
  page('/map.csv', 'member', read, mapCsvRoute(services))
  page('/tiles/base/:z/:x/:y', 'member', drawing, baseTileRoute(web))
  page('/tiles/:layer/:z/:x/:y', 'member', drawing, tileRoute(services))
  page('/values/:level', 'member', drawing, unitValuesRoute(services))
  page('/values/:lon/:lat', 'member', drawing, squareRoute(services))
  page('/place', 'member', read, withPanels(web, placeRoute(services)))
  page('/ask', 'member', readPurse, withPanels(web, askRoute(services)))
  form('/ask', 'member', readPurse, askAndPayRoute(services))
  page('/take', 'member', read, readPurse, takeRoute(services))
  form('/take', 'member', read, readPurse, takeFileRoute(services))
  page('/table', 'member', read, tableRoute(services))
  form('/table', 'member', read, readPurse, tableFileRoute(services))
  page('/find', 'member', read, knownParameters('q'), findRoute(services))
  page('/datasets', 'member', read, withPanels(web, datasetsRoute(services)))
  page('/datasets/:layerId', 'member', read, withPanels(web, datasetRoute(services)))
  page('/sql', 'member', read, sqlRoute(services, web, calls))
}

function listUse({ page }: Lists, web: Web): void {
  page('/usage', 'admin', knownParameters('period', 'key'), usageRoute)
  page('/usage.csv', 'admin', knownParameters('period', 'key'), usageCsvRoute(web))
  page('/credits', 'admin', knownParameters('period', 'before'), creditsRoute)
  page('/credits.csv', 'admin', knownParameters('period'), creditsCsvRoute(web))
}

function listHealth({ page, form }: Lists, services: Services, web: Web): void {
  const databases = { service: services.primary, console: web.isEmbedded ? undefined : web.db }
  const checkUp = openCheckUp(databases, (check, { message: reason }) =>
    services.log.warn({ check, reason }, 'the checks of the page Health ended early'),
  )
  page('/health', 'admin', forOperators(healthRoute(services, web, checkUp)))
  form('/health', 'admin', forOperators(runChecksRoute(checkUp)))
}

/** Their routes read these forms: each brings a file. */
const WITH_FILE = ['/table']

type Lists = ReturnType<typeof listOn>

/**
 * Each page checks in this order: session, role. A form first checks that a page of this app sent it, and last that the
 * primary is there.
 */
function listOn(router: Router, { session, primary }: Record<'session' | 'primary', RequestHandler>) {
  const methods = new Map<string, string[]>()
  const allowing = (path: string, ...allowed: string[]) => methods.set(path, [...(methods.get(path) ?? []), ...allowed])
  return {
    page: (path: string, least: Role | 'anyone', ...routes: RequestHandler[]) => {
      router.get(path, session, allow(least), ...routes)
      allowing(path, 'GET', 'HEAD')
    },
    form: (path: string, least: Role | 'anyone', ...routes: RequestHandler[]) => {
      const read = WITH_FILE.includes(path) ? [] : readForm
      router.post(path, refuseCrossSite, session, allow(least), primary, ...read, ...routes)
      allowing(path, 'POST')
    },
    refuseOtherMethods: () => {
      for (const [path, allowed] of methods) router.all(path, otherMethodsOfPage(allowed.join(', ')))
    },
  }
}
