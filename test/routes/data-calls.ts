/** GET /v1/frames/data on the datasets of makeWorld, for tests of what it answers and what it charges. */
import assert from 'node:assert/strict'
import { ledgerFaults } from '../../src/core/db/statements.js'
import type { TestDatabase } from '../support/database.js'
import { sharedWorld, type World } from '../support/datasets.js'
import { ask, bearer, startService, type Minted, type Service } from '../support/service.js'

type Feature = { type: string; id: string; geometry: { type: string; coordinates: unknown }; properties: object }
type Entry = {
  layerId: string
  name: string
  category: string
  kind: string
  orgId: string
  values?: Record<string, string>
  features?: Feature[]
  truncated?: true
}
export type Frame = { id: string; bbox?: number[]; datasets: Entry[] }
type LeftOut = { layerId: string; name: string; reason: string; price: number }
export type Data = { frames: Frame[]; charged: string[]; leftOut: LeftOut[] }

export type DataCalls = {
  database: TestDatabase
  service: Service
  world: World
  path: (asked: readonly string[]) => string
  data: (key: Minted, asked: readonly string[]) => Promise<Data>
}

/** Starts the service before the tests of a suite. After each test, it holds the ledger to its invariants. */
export function dataCalls(): DataCalls {
  const calls = {} as DataCalls
  let stop = async () => {}

  before(async () => {
    const { database, world } = await sharedWorld()
    const service = await startService(database)
    const path = (asked: readonly string[]) => `${service.url}/v1/frames/data?ids=${asked.join()}`
    const data = async (key: Minted, asked: readonly string[]) => {
      const answer = await ask(path(asked), { headers: bearer(key.secret) })
      assert.equal(answer.status, 200, answer.text)
      return (answer.body as { data: Data }).data
    }
    Object.assign(calls, { database, world, service, path, data })
    stop = service.stop
  })
  after(() => stop())
  afterEach(async () => {
    assert.deepEqual([...(await ledgerFaults(calls.database.db))], [])
  })
  return calls
}

export const layersOf = ({ datasets }: Frame) => datasets.map(({ layerId }) => layerId)

/** Returns the ids of the datasets that an answer shows, sorted. */
export const datasetsIn = ({ frames }: Data) => [...new Set(frames.flatMap(layersOf))].sort((a, b) => (a < b ? -1 : 1))
