export { isPostgresUrl, readServiceSettings, SERVICE_SETTINGS, type ServiceSettings } from './service.js'
export { PORT_KIND, readSettings, secondsKind, type Settings, type SettingsSource } from './source.js'
