/** Measures what the processes of a service, PostgreSQL and Redis hold. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../src/core/db/connect.js'
import type { RedisServer } from '../support/redis-server.js'
import type { Bound } from './growth.js'
import type { Held } from './probe.js'
import type { StatementCounter } from './statement-counter.js'
import { until } from '../support/until.js'

export type Measured = {
  /** The process ids of each part of the service, by the name of the part. */
  parts: () => Record<string, number[]>
  /** Where the processes write what they hold. */
  folder: string
  /** Where the processes keep their temporary files. */
  temporary: string
  counter: StatementCounter
  /** A superuser's connection. */
  admin: Database
  redis: RedisServer
}

type Sample = Record<string, number>

/** A process answers the signal within this time, or is gone. */
const HELD_MS = 20_000
const MIB = 1024 * 1024

export async function sampleOf(measured: Measured): Promise<Sample> {
  const sample: Sample = {}
  for (const [part, pids] of Object.entries(measured.parts())) {
    for (const pid of pids) {
      const held = await heldBy(pid, measured.folder)
      const sockets = readdirSync(`/proc/${pid}/fd`).length
      const own = {
        'resident MiB': held.residentBytes / MIB,
        'heap MiB': held.heapBytes / MIB,
        'outside the heap MiB': held.externalBytes / MIB,
        handles: Object.values(held.handles).reduce((sum, count) => sum + count, 0),
        'file descriptors': sockets,
      }
      for (const [name, value] of Object.entries(own))
        sample[`${part}: ${name}`] = (sample[`${part}: ${name}`] ?? 0) + value
    }
  }
  return { ...sample, ...(await inPostgres(measured)), ...(await inRedis(measured.redis)) }
}

async function heldBy(pid: number, folder: string): Promise<Held> {
  const file = join(folder, String(pid))
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  const why = () => `Process ${pid} did not say what it holds`
  await until(() => existsSync(file), { ms: HELD_MS, everyMs: 20, why })
  return JSON.parse(readFileSync(file, 'utf8')) as Held
}

async function inPostgres({ admin, counter, temporary }: Measured): Promise<Sample> {
  const [row] = await admin.rows<{ service: number; others: number; tables: number; files: number }>(
    `select
      (select count(*)::int from pg_stat_activity where usename in ('frames_service', 'frames_console')) as service,
      (select count(*)::int from pg_stat_activity where usename not in ('frames_service', 'frames_console')) as others,
      (select count(*)::int from pg_class where relkind in ('r', 'p', 'm')) as tables,
      (select count(*)::int from pg_ls_tmpdir()) as files`,
    [],
  )
  const { prepared, texts, twice } = counter.counts()
  return {
    'PostgreSQL: connections of the service': row?.service ?? Number.NaN,
    'PostgreSQL: other connections': row?.others ?? Number.NaN,
    'PostgreSQL: prepared statements': prepared,
    'PostgreSQL: texts of prepared statements': texts,
    'PostgreSQL: texts prepared twice on a connection': twice,
    'PostgreSQL: tables': row?.tables ?? Number.NaN,
    'PostgreSQL: temporary files': row?.files ?? Number.NaN,
    'service: temporary files': readdirSync(temporary).length,
  }
}

async function inRedis(redis: RedisServer): Promise<Sample> {
  const clients = await redis.say('CLIENT', 'LIST')
  const keys = await redis.say('DBSIZE')
  return {
    'Redis: connections': clients.split('\n').filter((line) => line.startsWith('id=')).length,
    'Redis: keys': Number(/^:(\d+)/.exec(keys)?.[1] ?? Number.NaN),
  }
}

/** Memory may end a tenth higher, and what is counted by a few. */
export function boundOf(name: string): Bound {
  if (name.endsWith('MiB')) return { share: 0.1, amount: 2 }
  // Each connection prepares a statement when it first needs it: the texts tell whether that ends.
  if (name === 'PostgreSQL: prepared statements') return { share: 0.25, amount: 0 }
  if (/tables|files|twice/.test(name)) return { share: 0, amount: 0 }
  return { share: 0, amount: 4 }
}
