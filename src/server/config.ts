/** Reads the settings of the process. No other file reads the environment. */
import { readServiceSettings } from '../core/settings/service.js'
import { readMilliseconds, readPort, readText, valueIn, type SettingsSource } from '../core/settings/source.js'
import { readWeb } from '../app/shell/settings.js'

export type Config = ReturnType<typeof readConfig>

/** Reads and checks all settings, and reports every mistake at once. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env) {
  const mistakes: string[] = []
  const source: SettingsSource = { env, mistakes }
  const settings = readServiceSettings(source)
  const host = readText(source, 'HOST', '127.0.0.1')
  const config = Object.freeze({
    ...settings,
    ...readWeb(source, settings.databaseUrl === undefined, host),
    dataDir: readText(source, 'DATA_DIR', '.data'),
    host,
    port: readPort(source, 'PORT', 3000),
    /** `any`: the port moves to a free one where 3001 is taken, so that a second process starts without a setting. */
    ops: {
      port: readPort(source, 'OPS_PORT', 3001),
      otherwise: valueIn(source, 'OPS_PORT') ? ('fail' as const) : ('any' as const),
    },
    /** How long a process still takes calls after it was told to stop. */
    drainMs: readMilliseconds(source, 'DRAIN_SECONDS', { unset: '1', least: 0, most: 99, unit: 'whole seconds' }),
  })
  if (mistakes.length > 0) throw new Error(`The settings are not right: ${mistakes.join('; ')}.`)
  return config
}
