import assert from 'node:assert/strict'
import postgres from 'postgres'
import { charge, topUp, voidCharge } from '../../src/core/credits/ledger.js'
import { queryRunner } from '../../src/core/db/builder.js'
import type { Database } from '../../src/core/db/connect.js'
import { ledgerFaults } from '../../src/core/db/statements.js'
import { urlOf, type TestDatabase } from '../support/database.js'
import { balanceOf, credit } from '../support/datasets.js'
import { sample } from '../support/sample.js'
import { mint, service } from '../support/service.js'

const PRICE_2 = [{ layerId: 'lyr_two', price: 2 }]
/** A step that takes longer than this waits for a lock. */
const STEP_MS = 12

/** Opens a session whose every statement, and the commit, waits until the test releases it. */
function pacedSession(url: string) {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  let release: (() => void) | undefined
  let arrived: () => void = () => {}
  const gate = () =>
    new Promise<void>((open) => {
      release = open
      arrived()
    })
  const change: Database['change'] = async (place, work) =>
    (await sql.begin(async (transaction) => {
      const stepwise = queryRunner(async (text, args) => {
        await gate()
        return await transaction.unsafe(`-- ${place}\n${text}`, args as postgres.ParameterOrJSON<never>[], {
          prepare: true,
        })
      })
      const answer = await work(stepwise)
      await gate()
      return answer
    })) as never
  return {
    db: { change, write: (place, query) => change(place, (run) => run(query)) } as Database,
    /**
     * Releases one statement. Resolves when the session stands before the next, has ended, or seems to wait for a lock.
     */
    step: async (ended: Promise<unknown>): Promise<void> => {
      const go = release
      if (!go) return
      release = undefined
      const next = new Promise<void>((done) => (arrived = done))
      go()
      await Promise.race([next, ended, new Promise((late) => setTimeout(late, STEP_MS))])
    },
    ready: () => new Promise<void>((done) => (release ? done() : (arrived = done))),
    end: () => sql.end(),
  }
}

/** Lists every order of `first` steps of one session and `second` steps of another. */
function orders(first: number, second: number): string[] {
  if (first === 0) return ['B'.repeat(second)]
  if (second === 0) return ['A'.repeat(first)]
  return [
    ...orders(first - 1, second).map((rest) => `A${rest}`),
    ...orders(first, second - 1).map((rest) => `B${rest}`),
  ]
}

/** Some of the orders, evenly from first to last, or with LONG=1 all of them. */
function someOf(all: string[]): string[] {
  const count = sample(14, all.length)
  return Array.from({ length: count }, (_, i) => all[Math.round((i * (all.length - 1)) / (count - 1))] ?? '')
}

/** Two sessions that do the same have each order twice, once with the sessions exchanged. */
const ordersOfSame = (steps: number) => someOf(orders(steps, steps).filter((order) => order.startsWith('A')))

describe('two sessions at the ledger, in any order of their steps', function () {
  this.timeout(120_000)
  let database: TestDatabase
  let sessions: [ReturnType<typeof pacedSession>, ReturnType<typeof pacedSession>]
  before(() => {
    ;({ database } = service())
    // The second session is the owner's, which may top up.
    sessions = [pacedSession(urlOf(database.target)), pacedSession(urlOf(database.ownerTarget))]
  })
  after(() => Promise.all(sessions.map((session) => session.end())))

  type Key = { orgId: string; keyId: string }
  type Change = (db: Database, key: Key) => Promise<unknown>

  /** Runs both changes in this order, checks the ledger after each step, and returns both results. */
  async function inOrder(order: string, key: Key, changes: [Change, Change]): Promise<unknown[]> {
    const [one, other] = sessions
    const results = [changes[0](one.db, key), changes[1](other.db, key)] as const
    const both = Promise.all(results)
    await Promise.all([one.ready(), other.ready()])
    for (const letter of order) {
      await (letter === 'A' ? one.step(results[0]) : other.step(results[1]))
      assert.deepEqual([...(await ledgerFaults(database.db))], [], `read in ${order}`)
    }
    const ended = { is: false }
    void both.finally(() => (ended.is = true)).catch(() => {})
    while (!ended.is) {
      await one.step(both)
      await other.step(both)
      await new Promise((done) => setTimeout(done, 1))
    }
    return await both
  }

  it('two charges on credits for one: one is charged, the other left out', async () => {
    const seen = new Set<string>()
    for (const order of someOf(orders(2, 2))) {
      const key = await mint(database.db)
      await credit(database.db, key.orgId, 3)
      const answers = await inOrder(order, key, [
        (db) => charge(db, key, 'request one', PRICE_2),
        (db) => charge(db, key, 'request two', PRICE_2),
      ])
      assert.equal(answers.flat().length, 1, order)
      assert.equal(await balanceOf(database.db, key.orgId), 1, order)
      seen.add(JSON.stringify(answers))
    }
    assert.equal(seen.size, 2, 'either was charged in some order')
  })

  it('two charges of one request: one is made, and both return it', async () => {
    for (const order of ordersOfSame(2)) {
      const key = await mint(database.db)
      await credit(database.db, key.orgId, 10)
      const same: Change = (db) => charge(db, key, 'the request', PRICE_2)
      assert.deepEqual(await inOrder(order, key, [same, same]), [['lyr_two'], ['lyr_two']], order)
      assert.equal(await balanceOf(database.db, key.orgId), 8, order)
    }
  })

  it('a charge and a top-up: no credit is lost, and the charge sees the top-up or does not', async () => {
    const seen = new Set<string>()
    for (const order of someOf(orders(2, 3))) {
      const key = await mint(database.db)
      await credit(database.db, key.orgId, 1)
      const [charged] = await inOrder(order, key, [
        (db) => charge(db, key, 'request', PRICE_2),
        (db) => topUp(db, key.orgId, 5, 'top up'),
      ])
      assert.equal(await balanceOf(database.db, key.orgId), JSON.stringify(charged) === '[]' ? 6 : 4, order)
      seen.add(JSON.stringify(charged))
    }
    assert.equal(seen.size, 2)
  })

  it('a charge and the decision that its call failed: the balance is whole in the end, in either order', async () => {
    const seen = new Set<string>()
    for (const order of someOf(orders(2, 2))) {
      const key = await mint(database.db)
      await credit(database.db, key.orgId, 4)
      const [charged] = await inOrder(order, key, [
        (db) => charge(db, key, 'request', PRICE_2).catch((error: Error) => error.message),
        (db) => voidCharge(db, key, 'request'),
      ])
      assert.equal(await balanceOf(database.db, key.orgId), 4, order)
      seen.add(JSON.stringify(charged))
    }
    assert.deepEqual([...seen].sort(), ['"call request has failed and is charged nothing"', '["lyr_two"]'])
  })

  it('two refunds of one charge: one is made', async () => {
    for (const order of ordersOfSame(2)) {
      const key = await mint(database.db)
      await credit(database.db, key.orgId, 4)
      await charge(database.db, key, 'request', PRICE_2)
      const back: Change = (db) => voidCharge(db, key, 'request')
      await inOrder(order, key, [back, back])
      assert.equal(await balanceOf(database.db, key.orgId), 4, order)
    }
  })
})
