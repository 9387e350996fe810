/** Opens all that one process serves: the API and, where it is switched on, the web app. */
import { createApp } from '../api/app.js'
import type { Target } from '../core/db/index.js'
import { openServices } from '../services.js'
import { consoleOf } from '../app/console.js'
import { openWeb } from '../app/shell/web.js'
import type { Config } from './config.js'

export type Site = ReturnType<typeof openSite>

type SiteSettings = Parameters<typeof openServices>[0] & Pick<Config, 'web'>
type SiteOverrides = Parameters<typeof openServices>[2]

export function openSite(config: SiteSettings, target: Target, overrides?: SiteOverrides) {
  const ownOrigin = (port: number) => config.web?.publicUrl(port).origin
  const ownAddress = (port: number) => config.web?.publicUrl(port).href.replace(/\/+$/, '')
  const services = openServices({ ...config, ownOrigin, ownAddress }, target, overrides)
  const web = config.web && openWeb(config.web, services)
  return {
    services,
    /** Undefined where the web app is off. */
    web,
    app: createApp(services, web && consoleOf(services, web)),
    close: async (ms?: number) => void (await Promise.all([services.close(ms), web?.close()])),
  }
}
