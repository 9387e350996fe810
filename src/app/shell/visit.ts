/** All that the handlers of the app find out about a request, besides what those of the API do. */
import type { Database } from '../../core/db/index.js'
import type { Purse, Session } from './rows.js'
import type { ServedAt } from '../../core/origin.js'
import type { Notices } from './notice.js'
import type { Operators } from './settings.js'
import type { AnsweredPanel } from './show-sql.js'

export type Visit = {
  /** The address by which browsers know the app. */
  readonly place: ServedAt
  /** The primary is away, and a replica answers for it. */
  readonly isReadOnly: boolean
  /** The service runs on the embedded database. */
  readonly isEmbedded: boolean
  readonly operators: Operators
  /** Sentences by name: the page that a change leads to shows its sentence once. */
  readonly notices: Notices
  /** The tables of the app, within the time of this request. */
  readonly db: Pick<Database, 'rows' | 'change'>
  /** The client's address. Undefined behind a proxy whose headers are not trusted. */
  readonly address: string | undefined
  /** The page adds each panel that it draws. */
  readonly panels: AnsweredPanel[]
  /** The page is drawn for one of its panels alone, and is not sent. */
  isForPanel?: boolean
  /** Set for a request whose cookie holds the token of a session. */
  session?: Session
  /** The person can spend this. It is set where a page may offer to. */
  purse?: Purse | undefined
  /** Set for a POST. */
  form?: URLSearchParams
  /** A script asks, and not a person: refusals are one line of text, and none leads to the sign-in page. */
  isFromScript?: boolean
  /** Set from the moment at which the request may have changed something. */
  mayHaveChanged?: boolean
}

declare module 'express-serve-static-core' {
  interface Request {
    /** Set for every request under /app. */
    visit: Visit
  }
}
