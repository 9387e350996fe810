/** Makes PostgreSQL or Redis fail, and repairs each fault before the next begins. */
import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../src/core/db/connect.js'
import type { RedisServer } from '../support/redis-server.js'

export type Servers = {
  /** A superuser's connection to the primary. */
  admin: Database
  /** The process ids of PostgreSQL. */
  postgresPids: () => Promise<number[]>
  /** Stops PostgreSQL, which runs again afterwards. */
  restartPostgres: () => Promise<void>
  redis: () => Promise<RedisServer>
  /** Faults lock the accounts of these organisations. */
  orgIds: readonly string[]
  random: () => number
}

/** Starts one fault, waits until it has lasted, and repairs it. */
export type Fault = () => Promise<void>

const BACKENDS = `pg_stat_activity where usename = 'frames_service' and datname = current_database()`

export function faultsOf({ admin, postgresPids, restartPostgres, ...servers }: Servers): Record<string, Fault> {
  const { random, orgIds } = servers
  const between = (least: number, most: number) => least + random() * (most - least)
  const some = (count: number) => `(select pid from ${BACKENDS} order by random() limit ${count}) as chosen`
  return {
    cancel: async () => {
      for (let time = 0; time < 100; time += 1) {
        await admin.rows(`select pg_cancel_backend(pid) from ${some(5)}`, [])
        await sleep(between(0, 15))
      }
    },
    terminate: async () => void (await admin.rows(`select pg_terminate_backend(pid) from ${some(4)}`, [])),
    'cancel what opens': async () => {
      for (let time = 0; time < 10; time += 1) {
        await admin.rows(`select pg_terminate_backend(pid) from ${some(3)}`, [])
        for (let cancel = 0; cancel < 10; cancel += 1) {
          await admin.rows(`select pg_cancel_backend(pid) from ${BACKENDS}`, [])
          await sleep(1)
        }
      }
    },
    statement_timeout: () => shortTimeout(admin, Math.ceil(between(0, 5)), between(500, 3000)),
    'locked account': () =>
      locked(admin, `select from account where org_id = '${pick(orgIds, random)}' for update`, between(500, 12_000)),
    'locked accounts': () =>
      locked(
        admin,
        `select from account where org_id in ('${orgIds.slice(0, 3).join("','")}') for update`,
        between(500, 5000),
      ),
    'locked table': () => locked(admin, 'lock table baseline_row in access exclusive mode', between(200, 3000)),
    'frozen backends': async () => {
      const backends = await admin.rows<{ pid: number }>(`select pid from ${BACKENDS}`, [])
      await frozen(
        backends.filter(() => random() < 0.7).map(({ pid }) => pid),
        between(500, 12_000),
      )
    },
    'frozen server': async () => frozen(await postgresPids(), between(500, 12_000)),
    restart: restartPostgres,
    'Redis gone': async () => {
      const redis = await servers.redis()
      await redis.kill()
      await sleep(between(100, 3000))
      await redis.start()
    },
    'Redis frozen': async () => {
      const redis = await servers.redis()
      redis.freeze()
      await sleep(between(100, 3000)).finally(redis.thaw)
    },
  }
}

export const pick = <Item>(from: readonly Item[], random: () => number) =>
  from[Math.floor(random() * from.length)] as Item

/** A session takes the setting when it begins. */
async function shortTimeout(admin: Database, timeoutMs: number, ms: number): Promise<void> {
  const set = async (to: string) => {
    await admin.rows(`alter role frames_service set statement_timeout = '${to}'`, [])
    await admin.rows(`select pg_terminate_backend(pid) from ${BACKENDS}`, [])
  }
  await set(`${timeoutMs}ms`)
  await sleep(ms)
  await set('0')
}

const locked = (admin: Database, lock: string, ms: number): Promise<void> =>
  admin.transaction(async (run) => {
    await run(lock, [])
    await sleep(ms)
  })

export async function frozen(pids: readonly number[], ms: number): Promise<void> {
  const signal = (name: NodeJS.Signals) => {
    for (const pid of pids) {
      try {
        process.kill(pid, name)
      } catch {
        // The session has ended meanwhile.
      }
    }
  }
  signal('SIGSTOP')
  await sleep(ms).finally(() => signal('SIGCONT'))
}

export function childrenOf(pid: number): number[] {
  const listed = execFileSync('sh', ['-c', `ps -o pid= --ppid ${pid} || true`]).toString()
  return listed.split('\n').map(Number).filter(Boolean)
}
