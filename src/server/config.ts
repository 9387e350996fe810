/** Reads the settings of the process. No other file reads the environment. */
import {
  PORT_KIND,
  readServiceSettings,
  readSettings,
  secondsKind,
  SERVICE_SETTINGS,
  type Settings,
  type SettingsSource,
} from '../core/settings/index.js'
import { readWeb, WEB_SETTINGS } from '../app/shell/settings.js'
import { OPENID_SETTINGS } from '../app/openid/settings.js'

export type Config = ReturnType<typeof readConfig>

const PROCESS_SETTINGS = {
  DATA_DIR: { meaning: 'where the embedded database is kept', value: '.data' },
  HOST: { meaning: 'the address for callers', value: '127.0.0.1' },
  PORT: { meaning: 'the port for callers; 0 takes any free port', value: '3000', ...PORT_KIND },
  OPS_PORT: { meaning: 'the port of probes and metrics; 0 takes any free port', unset: '`3001`', ...PORT_KIND },
  DRAIN_SECONDS: {
    meaning: 'for how many seconds a stopping process still takes calls',
    value: '1',
    ...secondsKind(0, 99, 'whole seconds'),
  },
} as const satisfies Settings

/** docs/settings.md has a row for each. */
export const ALL_SETTINGS: Settings = { ...SERVICE_SETTINGS, ...WEB_SETTINGS, ...OPENID_SETTINGS, ...PROCESS_SETTINGS }

/** Reads and checks all settings, and reports every mistake at once. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env) {
  const mistakes: string[] = []
  const source: SettingsSource = { env, mistakes, given: new Set() }
  const settings = readServiceSettings(source)
  const read = readSettings(PROCESS_SETTINGS, source)
  const config = Object.freeze({
    ...settings,
    ...readWeb(source, !source.given.has('DATABASE_URL'), read.HOST),
    dataDir: read.DATA_DIR,
    host: read.HOST,
    port: read.PORT,
    /** `any`: the port moves to a free one where 3001 is taken, so that a second process starts without a setting. */
    ops: {
      port: read.OPS_PORT ?? 3001,
      otherwise: read.OPS_PORT === undefined ? ('any' as const) : ('fail' as const),
    },
    /** How long a process still takes calls after it was told to stop. */
    drainMs: read.DRAIN_SECONDS,
  })
  if (mistakes.length > 0) throw new Error(`The settings are not right: ${mistakes.join('; ')}.`)
  return config
}
