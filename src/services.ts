/** What a request needs, opened and closed in one place. */
import pino, { type Logger } from 'pino'
import type { Config } from './config.js'
import { connect, type Database, type Target } from './db/connect.js'

export type Services = { db: Database; log: Logger }

export function openServices(config: Pick<Config, 'logLevel'>, target: Target): Services {
  return { db: connect(target), log: pino({ level: config.logLevel }) }
}

export const closeServices = ({ db }: Services) => db.close()
