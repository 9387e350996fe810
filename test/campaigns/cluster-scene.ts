/**
 * Four processes of the service on three PostgreSQL under Patroni, with their buckets in a Redis that Sentinels watch.
 * Two of them ask by way of PgBouncer and HAProxy, the others by way of HAProxy alone.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../src/core/db/connect.js'
import { startServe, type Started } from '../support/cli.js'
import { ROLE_SETTINGS, startPgbouncer } from '../support/pgbouncer.js'
import { startSentinelGroup } from '../support/redis-sentinel.js'
import { freePort } from '../support/postgres-server.js'
import { templates } from '../support/templates.js'
import { startWordingServer } from '../support/wording-server.js'
import { clusterFaults, type Cluster } from './cluster-faults.js'
import { startHaproxy } from './haproxy.js'
import { startPatroni } from './patroni.js'
import { ROOMY_BUCKETS, type Kill, type Scene } from './scene.js'
import { until } from '../support/until.js'

const DATABASE = 'template_datasets'
/** On a busy machine a node that failed takes minutes to follow again. */
const WHOLE_MS = 600_000
/** HAProxy asks Patroni once a second. */
const BALANCER_MS = 2500

export async function clusterScene(): Promise<Scene> {
  const patroni = await startPatroni(await templates(), WHOLE_MS)
  await patroni.untilWhole()
  const haproxy = await startHaproxy(patroni.nodes)
  const at = (hosts: string, user: string) => `postgres://${user}@${hosts}/${DATABASE}`
  const primary = (user: string) => at(`127.0.0.1:${haproxy.port}`, user)
  const pgbouncer = await startPgbouncer(haproxy.port, { mode: 'transaction' })
  const admin = connect(primary('postgres'), { connections: 2, retryMs: 20_000, deadlineMs: 60_000 })
  for (const [name, value] of Object.entries(ROLE_SETTINGS))
    await admin.rows(`alter role frames_service in database ${DATABASE} set ${name} = '${value}'`, [])
  const sentinels = await startSentinelGroup()
  const wording = await startWordingServer()
  const env = {
    REDIS_URL: sentinels.url,
    READ_DATABASE_URL: at(patroni.nodes.map(({ port }) => `127.0.0.1:${port}`).join(), 'frames_service'),
    AUTHORITY_GRACE: '300',
    ANTHROPIC_API_KEY: 'test-key',
    ANTHROPIC_BASE_URL: wording.url,
    ...ROOMY_BUCKETS,
    LOG_LEVEL: 'warn',
  }
  const bounced = `${pgbouncer.urlOf(primary('frames_service'))}?prepare=false`
  await answers(bounced)
  const settings: Record<string, string>[] = []
  for (const DATABASE_URL of [bounced, bounced, primary('frames_service'), primary('frames_service')])
    settings.push({ ...env, DATABASE_URL, PORT: String(await freePort()) })
  const all: Started[] = []
  for (const each of settings) all.push(await startPatiently(each))
  const [kills, away]: [Kill[], Set<Started>] = [[], new Set()]
  const services = () => all.filter((service) => !away.has(service))
  const restart = async (service: Started, signal: 'SIGKILL' | 'SIGTERM') => {
    away.add(service)
    service.child.kill(signal)
    if (signal === 'SIGKILL') kills.push({ url: service.url, at: Date.now() })
    await service.ended
    const place = all.indexOf(service)
    all[place] = await startPatiently(settings[place] ?? {})
  }
  const cluster: Cluster = { patroni, pgbouncer, sentinels, services, restart }
  return {
    services,
    kills,
    owner: () => connect(primary('frames_owner'), { connections: 2, retryMs: 20_000, deadlineMs: 120_000 }),
    urls: { service: primary('frames_service'), owner: primary('frames_owner') },
    faults: (orgIds, random) => clusterFaults(cluster, { admin, orgIds, random }),
    untilWell: async () => {
      await patroni.untilWhole()
      await sleep(BALANCER_MS)
    },
    stop: async () => {
      for (const { child, ended } of all) {
        child.kill('SIGKILL')
        await ended
      }
      await Promise.all([admin.close(), wording.close(), pgbouncer.stop(), haproxy.stop()])
      await sentinels.stop()
      await patroni.stop()
    },
  }
}

/** The service does not start where the database takes three seconds to answer, as on a machine that is very busy. */
async function startPatiently(env: Record<string, string>): Promise<Started> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await startServe(env)
    } catch (error) {
      if (tries === 5) throw error
    }
  }
}

/** Waits until a pooler has a connection to the primary: at first it may still wait for HAProxy. */
async function answers(url: string): Promise<void> {
  const db = connect(url, { connections: 1, deadlineMs: 2000 })
  await until(() => db.rows('select 1', []).catch(() => undefined), { ms: 90_000, everyMs: 1000 })
  await db.close()
}
