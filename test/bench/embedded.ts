/** Measures the embedded database as `npm start` runs it. It has no target. */
import { join } from 'node:path'
import { byService, contest, type Machinery } from './contest.js'
import { randomNumbers } from '../support/random-numbers.js'
import { residentMiB } from './processes.js'
import { told, type Row } from './report.js'
import { atAsks } from './rows.js'
import { startService } from './servers.js'

export async function embeddedRow(machinery: Machinery): Promise<Row> {
  const service = await startService({ DATA_DIR: join(machinery.folder, 'embedded') }, machinery.folder)
  try {
    const [, secret = ''] = /full-read +(svc_sk_\w+)/.exec(service.said()) ?? []
    const next = randomNumbers(11)
    // These points lie on the land of the fixture.
    const points = Array.from({ length: 1000 }, () => ({ lon: 0.3 + next() * 0.1, lat: 0.1 + next() * 0.1 }))
    const asks = atAsks({ orgId: '', secrets: [secret] }, points)
    const [measured] = await contest(machinery, [byService(machinery, 'embedded', service, asks, 32)])
    const findings = [told('memory', residentMiB(service.pid), ' MiB')]
    return { key: 'embedded', title: '/at, embedded database', ...(measured ? { measured } : {}), findings }
  } finally {
    await service.stop()
  }
}
