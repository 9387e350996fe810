/** The web app needs these things besides the services of the API. */
import type { RequestHandler } from 'express'
import { clientAddress } from '../../core/client-address.js'
import { CONSOLE_POOL, type Database, INSPECTION_POOL, withDeadline } from '../../core/db/index.js'
import { deadlineIn } from '../../core/deadline.js'
import type { Services } from '../../services.js'
import type { Notices } from './notice.js'
import type { Operators, WebSettings } from './settings.js'
import { originOf, type ServedAt } from '../../core/origin.js'
import { IDLE_HOURS } from './session-life.js'
import { openProvider, type Provider } from '../openid/provider.js'
import { type Basemap, openBasemap } from '../basemap/tile-file.js'
import { sessionsUnderWay } from './statements.js'

export type Web = {
  /**
   * The app reads and writes the primary as frames_console. While the primary is away, and within the grace, `rows` reads
   * from a replica.
   */
  db: Database
  /** Dry runs and plans of calls run here, as frames_service, so that they take no connection of the API's calls. */
  inspection: Pick<Database, 'transaction' | 'release'>
  /** Whether the primary is known to be away. Pages say so then, and forms are refused. */
  isPrimaryAway: () => boolean
  /** Undefined where no OpenID provider is configured. */
  openId: Provider | undefined
  operators: Operators
  basemap: Promise<Basemap>
  /** The embedded database has one role for all. */
  isEmbedded: boolean
  /** `port` is the one that the server listens on: without PUBLIC_URL it is part of the app's address. */
  placeAt: (port: number) => ServedAt
  /** Fails where the app cannot read its tables. */
  check: () => Promise<void>
  /** Sessions that have not ended, for the metrics. Undefined while the database does not answer. */
  countSessions: () => Promise<number | undefined>
  reconnect: () => void
  close: () => Promise<void>
}

/** Prometheus waits for this count. */
const COUNT_MS = 2000

export function openWeb(
  { publicUrl, databaseUrl, openId, operators, basemapFile }: WebSettings,
  { hosts, replicas, standInUrls, openPool }: Services,
): Web {
  const { target, withLoginOf } = hosts
  const primary = openPool(databaseUrl === undefined ? target : withLoginOf(databaseUrl), CONSOLE_POOL)
  const standIns = standInUrls.map((url) => openPool(replicaWithLoginOf(databaseUrl ?? '', url), CONSOLE_POOL))
  const inspection = openPool(target, INSPECTION_POOL)
  const pools = [primary, inspection, ...standIns]
  const basemap = openBasemap(basemapFile)
  const db = { ...primary, rows: replicas.readerWithGrace(primary, standIns).rows }
  return {
    db,
    inspection,
    isPrimaryAway: replicas.isPrimaryAway,
    openId: openId && openProvider(openId),
    operators,
    basemap,
    isEmbedded: databaseUrl === undefined,
    placeAt: (port) => originOf(publicUrl(port)),
    check: async () => void (await sessionsUnderWay(db, IDLE_HOURS)),
    countSessions: async () => {
      const [counted] = await sessionsUnderWay(withDeadline(db, deadlineIn(COUNT_MS)), IDLE_HOURS).catch(() => [])
      return counted?.sessions
    },
    reconnect: () => {
      for (const pool of pools) pool.reconnect()
    },
    close: async () => {
      const { file } = await basemap
      await Promise.all([...pools.map((pool) => pool.close()), file?.close()])
    },
  }
}

/** A replica has the roles and passwords of its primary: the app reads it with its own login. */
function replicaWithLoginOf(loginUrl: string, url: string): string {
  const LOGIN = /^(\w+:\/\/)([^@/]*@)?/
  const [, , login = ''] = LOGIN.exec(loginUrl) ?? []
  return url.replace(LOGIN, (_all, scheme: string) => scheme + login)
}

/** The port of the connection is that of the server, also where the operator asked for any free one. */
export function beginVisit({ trustedHeader }: Services, web: Web, notices: Notices): RequestHandler {
  const { db, placeAt, isPrimaryAway, isEmbedded } = web
  return (req, _res, next) => {
    req.visit = {
      place: placeAt(req.socket.localPort ?? 0),
      isReadOnly: isPrimaryAway(),
      isEmbedded,
      operators: web.operators,
      notices,
      db: {
        // The deadline of the moment: `findSession` adds the person to it.
        rows: (text, args, as) => db.rows(text, args, as, req.context.deadline),
        change: (caller, work) => db.change(caller, work, { deadline: req.context.deadline }),
      },
      address: clientAddress(req, trustedHeader),
      panels: [],
    }
    next()
  }
}

/** GET /: the app is what a browser that knows only the host looks for. */
export const leadToApp =
  ({ placeAt }: Web): RequestHandler =>
  (req, res) =>
    void res
      .status(302)
      .set('Location', placeAt(req.socket.localPort ?? 0).app)
      .end()
