/** What a request needs, opened and closed in one place. */
import pino, { type Logger } from 'pino'
import { authorityFinder, type FindAuthority } from './access/authority.js'
import type { Config } from './config.js'
import { connect, type Database, type Target } from './db/connect.js'

export type Services = { db: Database; authority: FindAuthority; log: Logger }

export function openServices(config: Pick<Config, 'logLevel'>, target: Target): Services {
  const db = connect(target)
  return { db, authority: authorityFinder(db), log: pino({ level: config.logLevel }) }
}

export const closeServices = ({ db }: Services) => db.close()
