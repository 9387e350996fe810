/** Reads the settings of the web app. */
import { urlOfEachHost } from '../../core/db/hosts.js'
import { isPostgresUrl } from '../../core/settings/service.js'
import { readSecret, valueIn, type SettingsSource } from '../../core/settings/source.js'
import { isLoopback, isPublicUrl } from '../../core/origin.js'
import { openIdSettings, type OpenIdSettings } from '../openid/settings.js'
import { DEMO_ORGANISATION } from '../../core/access/organisations.js'

export type WebSettings = {
  publicUrl: (port: number) => URL
  /** Undefined for the embedded database, which has one role. */
  databaseUrl: string | undefined
  /** Undefined: people sign in by link only. */
  openId: OpenIdSettings | undefined
  operators: Operators
}

type ReadWeb = {
  /** The address by which browsers know the web app. `port` is the one that the server listens on. */
  publicUrl: ((port: number) => URL) | undefined
  /** Undefined: the web app is off. */
  web: WebSettings | undefined
}

export function readWeb(source: SettingsSource, isEmbedded: boolean, host: string): ReadWeb {
  const { mistakes } = source
  const databaseUrl = readSecret(source, 'CONSOLE_DATABASE_URL')
  const value = valueIn(source, 'PUBLIC_URL')
  const listening = isEmbedded ? loopbackName(host) : undefined
  if (value === 'off' || (value === undefined && listening === undefined))
    return { publicUrl: undefined, web: undefined }
  if (value !== undefined && !isPublicUrl(value))
    mistakes.push(
      `PUBLIC_URL is "${value}"; https:// and a host are accepted, such as https://example.org/geo, or http:// on this machine, or off`,
    )
  if (isEmbedded && databaseUrl) mistakes.push('CONSOLE_DATABASE_URL needs DATABASE_URL beside it')
  if (databaseUrl !== undefined && !urlOfEachHost(databaseUrl).every(isPostgresUrl))
    mistakes.push('CONSOLE_DATABASE_URL must be postgres://user@host:port/database')
  const publicUrl = (port: number) => new URL(value ?? `http://${listening}:${port}`)
  if (!isEmbedded && !databaseUrl) return { publicUrl, web: undefined }
  const operators = operatorsIn(valueIn(source, 'OPERATORS'), isEmbedded, mistakes)
  return { publicUrl, web: { publicUrl, databaseUrl, openId: openIdSettings(source), operators } }
}

/** The name by which browsers on this machine reach the service. Undefined where only other machines do. */
function loopbackName(host: string): string | undefined {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  const name = host.includes(':') ? `[${host}]` : host
  return isLoopback(name) ? name : undefined
}

/**
 * Operators see the health of the service: the Owners and Admins of organisations with these ids; or of the demo
 * organisation, which only the embedded database has.
 */
export type Operators = readonly string[] | 'demo'

/** Adds to the mistakes what no organisation can be meant by. */
function operatorsIn(value: string | undefined, isEmbedded: boolean, mistakes: string[]): Operators {
  if (value === undefined) return isEmbedded ? 'demo' : []
  if (value === 'off') return []
  const ids = value.split(',').map((id) => id.trim())
  const wrong = ids.find((id) => !/^org_[0-9A-Za-z]{12}$/.test(id))
  if (wrong === undefined) return ids
  mistakes.push(
    `OPERATORS has "${wrong}"; ids of organisations are accepted, with commas between them, such as org_0123456789ab, or off`,
  )
  return []
}

/** The name of an organisation is unique, and only the command line gives one. */
export const areOperators = (operators: Operators, { orgId, orgName }: { orgId: string; orgName: string }): boolean =>
  operators === 'demo' ? orgName === DEMO_ORGANISATION : operators.includes(orgId)
