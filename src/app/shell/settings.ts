/** Reads the settings of the web app. */
import { urlOfEachHost } from '../../core/db/index.js'
import { isPostgresUrl, readSettings, type Settings, type SettingsSource } from '../../core/settings/index.js'
import { isLoopback, isPublicUrl } from '../../core/origin.js'
import { openIdSettings, type OpenIdSettings } from '../openid/settings.js'
import { DEMO_ORGANISATION } from '../../core/access/index.js'

export type WebSettings = {
  publicUrl: (port: number) => URL
  /** Undefined for the embedded database, which has one role. */
  databaseUrl: string | undefined
  /** Undefined: people sign in by link only. */
  openId: OpenIdSettings | undefined
  operators: Operators
  /** A PMTiles file. */
  basemapFile: string | undefined
}

type ReadWeb = {
  /** The address by which browsers know the web app. `port` is the one that the server listens on. */
  publicUrl: ((port: number) => URL) | undefined
  /** Undefined: the web app is off. */
  web: WebSettings | undefined
}

export const WEB_SETTINGS = {
  PUBLIC_URL: {
    meaning:
      'the address by which browsers know the service, with its path behind a proxy; `off` switches the web app off',
    unset: 'embedded: the address of `HOST` and `PORT`; with `DATABASE_URL`: `off`',
    canBeOff: true,
    accepts: 'https:// and a host are accepted, such as https://example.org/geo, or http:// on this machine, or off',
    read: (text) => (isPublicUrl(text) ? text : undefined),
  },
  CONSOLE_DATABASE_URL: {
    meaning: 'the same database as `DATABASE_URL`, as role `frames_console`',
    unset: '`serve` needs it where `DATABASE_URL` and `PUBLIC_URL` are set',
    isSecret: true,
    accepts: 'must be postgres://user@host:port/database',
    read: (text) => (urlOfEachHost(text).every(isPostgresUrl) ? text : undefined),
  },
  OPERATORS: {
    meaning:
      'ids of the organisations whose Owners and Admins see the page [Health](web-app.md#health), with commas between them; `off` for none',
    unset: 'embedded: the organisation `demo`; with `DATABASE_URL`: `off`',
    canBeOff: true,
    between: ',',
    accepts: 'ids of organisations are accepted, with commas between them, such as org_0123456789ab, or off',
    read: (id) => (/^org_[0-9A-Za-z]{12}$/.test(id) ? id : undefined),
  },
  BASEMAP_FILE: {
    meaning: 'a PMTiles file with the waters, roads and places that the map draws: [a base map](web-app.md#a-base-map)',
    unset: 'the map has no base map',
  },
} as const satisfies Settings

export function readWeb(source: SettingsSource, isEmbedded: boolean, host: string): ReadWeb {
  const read = readSettings(WEB_SETTINGS, source)
  const { PUBLIC_URL: url, CONSOLE_DATABASE_URL: databaseUrl, OPERATORS: ids } = read
  const listening = isEmbedded ? loopbackName(host) : undefined
  if (url === null || (url === undefined && listening === undefined)) return { publicUrl: undefined, web: undefined }
  if (isEmbedded && databaseUrl) source.mistakes.push('CONSOLE_DATABASE_URL needs DATABASE_URL beside it')
  const publicUrl = (port: number) => new URL(url ?? `http://${listening}:${port}`)
  if (!isEmbedded && !databaseUrl) return { publicUrl, web: undefined }
  const operators = ids ?? (isEmbedded && ids === undefined ? 'demo' : [])
  const openId = openIdSettings(source)
  return { publicUrl, web: { publicUrl, databaseUrl, openId, operators, basemapFile: read.BASEMAP_FILE } }
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

/** The name of an organisation is unique, and only the command line gives one. */
export const areOperators = (operators: Operators, { orgId, orgName }: { orgId: string; orgName: string }): boolean =>
  operators === 'demo' ? orgName === DEMO_ORGANISATION : operators.includes(orgId)
