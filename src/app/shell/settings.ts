/** Reads the settings of the web app. */
import { urlOfEachHost } from '../../core/db/hosts.js'
import { isPostgresUrl } from '../../core/settings/service.js'
import { readSecret, valueIn, type SettingsSource } from '../../core/settings/source.js'
import { operatorsIn, type Operators } from './operators.js'
import { isLoopback, isPublicUrl } from '../../core/origin.js'
import { openIdSettings, type OpenIdSettings } from '../openid/settings.js'

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
