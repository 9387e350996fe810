/** Servers and services for a campaign of faults: here a single one of each. cluster-scene.ts has several. */
import { connect, type Database } from '../../src/core/db/connect.js'
import { startServe, type Started } from '../support/cli.js'
import { newDatabase, postgresServer, urlOf } from '../support/database.js'
import { startRedis } from '../support/redis-server.js'
import { childrenOf, faultsOf, type Fault } from './faults.js'

const ROOMY = '900000/900000'
export const ROOMY_BUCKETS = {
  BUCKET_KEY: ROOMY,
  BUCKET_ORGANISATION: ROOMY,
  BUCKET_INSIGHT: ROOMY,
  BUCKET_ADDRESS: 'off',
}

/** A process was killed: the calls that it was answering get no answer. */
export type Kill = { url: string; at: number }

export type Scene = {
  /** The processes of the service that a balancer would send calls to. */
  services: () => readonly Started[]
  kills: readonly Kill[]
  /** Opens a connection as the owner, which the caller closes. */
  owner: () => Database
  /** Processes of the tests that change accounts connect here. */
  urls: { service: string; owner: string }
  /** The faults by name; they lock the accounts of these organisations. */
  faults: (orgIds: readonly string[], random: () => number) => Record<string, Fault>
  /** Waits until all servers work again. */
  untilWell: () => Promise<void>
  stop: () => Promise<void>
}

export async function plainScene(): Promise<Scene> {
  const database = await newDatabase('datasets')
  const redis = await startRedis()
  const postgres = await postgresServer()
  const admin = connect(database.adminTarget, { connections: 2, retryMs: 10_000 })
  const service = await startServe({
    DATABASE_URL: urlOf(database.target),
    REDIS_URL: redis.url,
    ...ROOMY_BUCKETS,
    LOG_LEVEL: 'silent',
  })
  return {
    services: () => [service],
    kills: [],
    owner: () => connect(database.ownerTarget, { connections: 4, deadlineMs: 120_000 }),
    urls: { service: urlOf(database.target), owner: urlOf(database.ownerTarget) },
    faults: (orgIds, random) =>
      faultsOf({
        admin,
        postgresPids: async () => [postgres.pid(), ...childrenOf(postgres.pid())],
        restartPostgres: () => postgres.restart(),
        redis: async () => redis,
        orgIds,
        random,
      }),
    untilWell: async () => {},
    stop: async () => {
      await admin.close()
      service.child.kill('SIGKILL')
      await service.ended
      await database.drop()
      await redis.stop()
    },
  }
}
