/** Writes the message that `frames serve` prints once it listens. */
import type { Embedded } from '../../core/db/embedded/embedded.js'
import { linesToTry, type DemoKey, type ToTry } from './demo.js'

export const WEB_OFF = 'The web app is off: docs/settings.md says how PUBLIC_URL switches it on.'

type Addresses = { url: string; opsUrl: string; link?: string }

export function welcome(
  { url, opsUrl, link }: Addresses,
  embedded: Embedded | undefined,
  { keys, toTry }: { keys: DemoKey[] | undefined; toTry: ToTry },
): string {
  const lines = [
    ...(link === undefined ? [] : [`Open ${link}`, '  (it signs you in once, within 15 minutes)']),
    `Listening on ${url}`,
    `Documentation of the calls: ${url}/v1/docs`,
    `Probes and metrics on ${opsUrl}: /livez, /readyz, /metrics`,
  ]
  lines.push(...linesToTry(url, keys, toTry))
  if (embedded) {
    const { host, port, user, database } = embedded.target
    lines.push('', 'Look into the database:', `  psql -h '${host}' -p ${port} -U ${user} ${database}`)
  }
  return lines.join('\n')
}
