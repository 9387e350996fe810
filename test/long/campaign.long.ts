/**
 * Sends calls of all kinds to the real service while PostgreSQL and Redis fail at random: `npm run test:long`.
 * It runs for LONG_SECONDS (180). LONG_SEED repeats the faults of an earlier run in the same order.
 */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { ledgerFaults } from '../../src/db/statements.js'
import { seeded } from '../faults/seeded.js'
import { startServe, type Started } from '../support/cli.js'
import { newDatabase, postgresServer, urlOf, type TestDatabase } from '../support/database.js'
import { startRedis, type RedisServer } from '../support/redis-server.js'
import { mint } from '../support/service.js'
import { callsOf, madeBy, make, newPayers, pageCalls, wrongness, type Call, type Made } from './calls.js'
import { faultsOf, pick } from './faults.js'
import { differencesFrom } from './settled.js'

const SECONDS = Number(process.env['LONG_SECONDS'] ?? 180)
const SEED = Number(process.env['LONG_SEED'] ?? Math.floor(Math.random() * 1e9))
const CLIENTS = 12
/** A refund in the background may take this long. */
const SETTLED_MS = 90_000
const ROOMY = '900000/900000'

describe(`the service under ${SECONDS} seconds of faults`, function () {
  this.timeout((SECONDS + 300) * 1000)
  let database: TestDatabase
  let redis: RedisServer
  let serve: Started
  let calls: Call[]
  let orgIds: string[]
  const made: Made[] = []
  const wrong: string[] = []
  const outcomes = new Map<string, number>()

  before(async () => {
    database = await newDatabase('datasets')
    redis = await startRedis()
    serve = await startServe({
      DATABASE_URL: urlOf(database.target),
      REDIS_URL: redis.url,
      BUCKET_KEY: ROOMY,
      BUCKET_ORGANISATION: ROOMY,
      BUCKET_INSIGHT: ROOMY,
      BUCKET_ADDRESS: 'off',
      LOG_LEVEL: 'silent',
    })
    const payers = await newPayers(database.db, 6)
    orgIds = payers.map(({ orgId }) => orgId)
    const { secret } = await mint(database.db)
    calls = callsOf(
      secret,
      payers.map((payer) => payer.secret),
    )
    calls.push(...(await pageCalls(serve.url, secret)))
    for (const call of calls) {
      call.right = await make(serve.url, call)
      made.push(madeBy(call.right))
    }
  })
  after(async () => {
    serve.child.kill('SIGKILL')
    await serve.ended
    await database.drop()
    await redis.stop()
  })

  async function once(call: Call): Promise<void> {
    const from = performance.now()
    try {
      const answer = await make(serve.url, call)
      const fault = wrongness(call, answer, performance.now() - from)
      if (fault !== undefined) wrong.push(fault)
      made.push(madeBy(answer))
      const outcome = String(answer.status)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    } catch (error) {
      wrong.push(`${call.name}: no answer: ${String(error)}`)
    }
  }

  it('it stays the same process, and every answer is right, or a 500 in time', async () => {
    console.log(`      seed ${SEED}`)
    const random = seeded(SEED)
    const faults = faultsOf({ database, postgres: await postgresServer(), redis, orgIds, random })
    const working = { on: true }
    const choice = seeded(SEED + 1)
    const clients = Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (working.on && serve.child.exitCode === null) await once(pick(calls, choice))
      }),
    )
    const brought = new Map<string, number>()
    const until = performance.now() + SECONDS * 1000
    // Each fault comes once before any comes again, so that a short campaign has them all.
    const turn = [...faults.names].sort(() => random() - 0.5)
    while (performance.now() < until && serve.child.exitCode === null) {
      const name = turn.pop() ?? pick(faults.names, random)
      await faults.bring(name)
      brought.set(name, (brought.get(name) ?? 0) + 1)
      await sleep(200 + random() * 800)
    }
    working.on = false
    await clients
    await faults.close()
    console.log(`      faults ${JSON.stringify(Object.fromEntries(brought))}`)
    console.log(`      answers ${JSON.stringify(Object.fromEntries(outcomes))}`)
    assert.equal(serve.child.exitCode, null, `the process ended: ${serve.stderr()}`)
    assert.deepEqual(wrong, [])
    assert.ok((outcomes.get('200') ?? 0) > 2 * SECONDS, 'there were too few right answers to tell')
  })

  it('it answers all calls rightly when the faults are over', async () => {
    await sleep(5000)
    for (const call of calls) {
      const answer = await make(serve.url, call)
      made.push(madeBy(answer))
      assert.deepEqual([answer.status, answer.text], [call.right?.status, call.right?.text], call.name)
    }
  })

  it('its ledger has no fault, and says what callers were told: failed calls cost nothing', async () => {
    let differences = await differencesFrom(made, database.db, orgIds)
    for (const until = performance.now() + SETTLED_MS; differences.length > 0 && performance.now() < until;) {
      await sleep(2000)
      differences = await differencesFrom(made, database.db, orgIds)
    }
    assert.deepEqual(differences, [])
    assert.deepEqual([...(await ledgerFaults(database.db))], [])
  })
})
