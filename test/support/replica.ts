/** Starts a primary with a streaming replica, both copies of the server of the test process. */
import postgres from 'postgres'
import { connect, type Database } from '../../src/core/db/connect.js'
import type { Replicas } from '../../src/core/db/replicas/replicas.js'
import { postgresServer, type TestDatabase } from './database.js'
import { copyPostgres, type PostgresServer } from './postgres-server.js'
import { until } from './until.js'

/** PostgreSQL ends a statement, or its whole connection, when it conflicts with recovery. */
const IN_THE_WAY = ['40001', '57P01', 'ECONNRESET', 'CONNECTION_CLOSED']

export type Pair = {
  primary: PostgresServer
  replica: PostgresServer
  /** The primary's database has the fixture's frames and datasets. */
  database: TestDatabase
  db: Database
  /** The URL at which the service reads from the replica; with a port, by way of a proxy. */
  readUrl: (port?: number) => string
  /** Waits until the replica has replayed all that the primary has. */
  caughtUp: () => Promise<void>
  pauseReplay: () => Promise<void>
  resumeReplay: () => Promise<void>
  /** Pauses the replay during `work`; then lets the replica catch up. */
  whilePaused: (work: () => Promise<void>) => Promise<void>
  stop: () => Promise<void>
}

export async function startPair(): Promise<Pair> {
  const primary = await copyPostgres(await postgresServer(), 'own')
  const replica = await copyPostgres(primary, 'replica')
  const name = 'template_datasets'
  const owner = primary.url(name, 'frames_owner')
  const db = connect(owner, { connections: 4, deadlineMs: 120_000 })
  const onReplica = postgres(replica.url(name), { max: 1 })
  /** The replay ends any statement that is in its way; it is safe to send these few again. */
  const askReplica = async (text: string, args: string[] = []): Promise<Record<string, unknown> | undefined> => {
    for (;;) {
      try {
        const [row] = await onReplica.unsafe(text, args)
        return row
      } catch (error) {
        if (!IN_THE_WAY.includes((error as { code?: string }).code ?? '')) throw error
      }
    }
  }
  const database: TestDatabase = {
    target: primary.url(name, 'frames_service'),
    consoleTarget: primary.url(name, 'frames_console'),
    ownerTarget: owner,
    adminTarget: primary.url(name),
    db,
    drop: async () => {},
  }
  const caughtUp = async () => {
    const [ours] = await db.rows<{ lsn: string }>('select pg_current_wal_insert_lsn()::text as lsn', [])
    const isThere = async () =>
      (await askReplica('select pg_last_wal_replay_lsn() >= $1::pg_lsn as replayed', [ours?.lsn ?? '']))?.['replayed']
    await until(isThere, { ms: 30_000, everyMs: 20, why: () => 'The replica did not catch up' })
  }
  const pauseReplay = async () => {
    await askReplica('select pg_wal_replay_pause()')
    // PostgreSQL pauses some time after the request.
    const state = async () => (await askReplica('select pg_get_wal_replay_pause_state() as state'))?.['state']
    await until(async () => (await state()) === 'paused', { everyMs: 20 })
  }
  const resumeReplay = async () => void (await askReplica('select pg_wal_replay_resume()'))
  return {
    primary,
    replica,
    database,
    db,
    readUrl: (port = replica.port) => `postgres://frames_service@127.0.0.1:${port}/${name}`,
    caughtUp,
    pauseReplay,
    resumeReplay,
    whilePaused: async (work) => {
      await caughtUp()
      await pauseReplay()
      try {
        await work()
      } finally {
        await resumeReplay()
      }
      await caughtUp()
    },
    stop: async () => {
      await Promise.all([db.close(), onReplica.end({ timeout: 1 })])
      await replica.stop()
      await primary.stop()
    },
  }
}

export const untilInUse = (replicas: Pick<Replicas, 'states'>, inUse = true) =>
  until(() => replicas.states().every((state) => state.inUse === inUse))
