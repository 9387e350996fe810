import assert from 'node:assert/strict'
import { builder } from '../../src/core/db/builder.js'
import { connect, type Database, type Target } from '../../src/core/db/connect.js'
import { sqlText } from '../../src/core/db/statement.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { service } from '../support/service.js'

/** A statement that fails after 999 rows. */
const FAILS = '-- fails\nselect 1 / (1000 - i) as part from generate_series(1, 1000) as i where i > $1'
const FOUR = 'select i from generate_series(1, 4) as i where i > $1'
const whole = [{ i: 1 }, { i: 2 }, { i: 3 }, { i: 4 }]
const divided = /division by zero/

/** JSON has null for a hole; deepEqual takes a hole for undefined. */
const assertFour = (rows: unknown[]) => assert.equal(JSON.stringify(rows), JSON.stringify(whole))

async function withConnection(
  work: (db: Database) => Promise<void>,
  target: Target = service().database.target,
): Promise<void> {
  const db = connect(target, { connections: 1, transactions: 1 })
  try {
    await work(db)
  } finally {
    await db.close()
  }
}

describe('a connection that opens', () => {
  it('sends no statement of its own: the types of all arrays are known', async () => {
    const { db } = service()
    const texts = ['plain', 'with "quotes"', 'back\\slash', '{braces}', 'com,ma', ' blank ', 'NULL', '', 'ôé', '\n']
    const [row] = await db.rows<Record<string, unknown>>(
      `select $1::text[] as texts, $2::bigint[] as bigs, $3::float8[] as floats, $4::int[] as ints,
        array[true, false] as bools, array['a', null] as "withNull", '{}'::text[] as none,
        array['x'::varchar] as varchars, array[1.50::numeric] as decimals`,
      [texts, ['9007199254740993'], [0.1, -1e-7], [1, 2]],
    )
    assert.deepEqual(row, {
      texts,
      bigs: ['9007199254740993'],
      floats: [0.1, -1e-7],
      ints: [1, 2],
      bools: [true, false],
      withNull: ['a', null],
      none: [],
      varchars: ['x'],
      decimals: ['1.50'],
    })
  })
})

describe('a session', () => {
  it('has the settings of sql/session/settings.sql', async () => {
    const { db } = service()
    const [now] = await db.rows(
      `select current_setting('plan_cache_mode') as plan_cache_mode, current_setting('jit') as jit,
        current_setting('TimeZone') as time_zone`,
      [],
    )
    const [asked] = await db.rows(sqlText('session/settings'), [])
    assert.deepEqual(now, asked)
  })
})

describe('a statement that fails after some of its rows', () => {
  it('leaves the next statement its own rows, and no holes before them', () =>
    withConnection(async (db) => {
      for (let time = 0; time < 3; time += 1) {
        await assert.rejects(db.rows(FAILS, [0]), divided)
        assertFour(await db.rows(FOUR, [0]))
      }
    }))

  it('leaves the statements behind it their own rows', () =>
    withConnection(async (db) => {
      await db.rows(FOUR, [0])
      const asked = [db.rows(FAILS, [0]), ...Array.from({ length: 20 }, () => db.rows(FOUR, [0]))]
      const [failed, ...others] = await Promise.allSettled(asked)
      assert.equal(failed?.status, 'rejected')
      for (const other of others) assertFour(other.status === 'fulfilled' ? other.value : [other.reason])
    }))

  it('leaves each statement behind it its own answer', () =>
    withConnection(async (db) => {
      const own = (i: number) => db.rows<{ own: number }>('select $1::int as own', [i])
      await own(0)
      const numbers = Array.from({ length: 20 }, (_, i) => i)
      for (const fails of [FAILS, 'select nothing where $1 = 0']) {
        const failing = assert.rejects(db.rows(fails, [0]))
        const answers = await Promise.all(numbers.map(own))
        assert.deepEqual(
          answers.map(([row]) => row?.own),
          numbers,
        )
        await failing
      }
    }))

  it('leaves the bytes of a page as they are', () =>
    withConnection(async (db) => {
      await assert.rejects(db.rows(FAILS, [0], 'bytes'), divided)
      const rows = await db.rows<[Buffer]>(FOUR, [0], 'bytes')
      assert.equal(rows.map(([bytes]) => bytes.toString()).join(), '1,2,3,4')
    }))

  it('leaves the next transaction, the next change and the next background work their rows', () =>
    withConnection(async (db) => {
      const four = builder.selectFrom('dataset').select('layer_id').orderBy('layer_id').limit(4)
      const change = () => db.change('test/db/rows.test.ts', (run) => run(four))
      const before = await change()
      const inTransaction = (text: string) => db.transaction((run) => run(text, [0]))
      await assert.rejects(inTransaction(FAILS), divided)
      assertFour(await inTransaction(FOUR))
      await assert.rejects(db.work('select 1 / (3 - i) from generate_series(1, 9) as i'), divided)
      assertFour(await inTransaction(FOUR))
      assert.equal(before.length, 4)
      assert.deepEqual(await change(), before)
      assert.deepEqual(await db.run(four), before)
    }))

  it('is the last statement of its connection', () =>
    withConnection(async (db) => {
      const pid = async () => (await db.rows<{ pid: number }>('select pg_backend_pid() as pid', []))[0]?.pid
      const first = await pid()
      assert.equal(typeof first, 'number')
      await assert.rejects(db.rows('select nothing', []), /does not exist/)
      assert.equal(await pid(), first)
      await assert.rejects(db.rows(FAILS, [0]), divided)
      const next = await pid()
      assert.equal(typeof next, 'number')
      // All connections to the embedded database are one session.
      if (typeof service().database.target === 'string') assert.notEqual(next, first)
    }))
})

describe('a prepared statement that PostgreSQL refuses', () => {
  // The embedded database is one session: "deallocate all" would take the statements of the shared service.
  let database: TestDatabase
  before(async () => (database = await newDatabase()))
  after(() => database.drop())

  /** PostgreSQL refuses the statements that were prepared before; the new ones wait until it has described them. */
  async function assertEachItsOwn(db: Database): Promise<void> {
    const own = (i: number, name: string) =>
      db.rows<Record<string, number>>(`select $1::int as ${name} from generate_series(1, 2)`, [i])
    const asked = Array.from({ length: 30 }, (_, i) => ({ i, name: i % 3 === 0 ? `new_${i}` : `known_${i % 3}` }))
    await Promise.all([own(0, 'known_1'), own(0, 'known_2')])
    await db.rows('deallocate all', [])
    const answers = await Promise.allSettled(asked.map(({ i, name }) => own(i, name)))
    for (const [place, answer] of answers.entries()) {
      const { i, name } = asked[place] ?? { i: -1, name: '' }
      if (answer.status === 'fulfilled') assert.deepEqual([...answer.value], [{ [name]: i }, { [name]: i }])
      else assert.match(String(answer.reason), /prepared statement .* does not exist/)
    }
  }

  it('leaves each statement that was sent with it its own answer', () =>
    withConnection(async (db) => {
      for (let time = 0; time < 2; time += 1) await assertEachItsOwn(db)
    }, database.target))

  it('is retried on another connection, like a read whose connection was lost', async () => {
    const db = connect(database.target, { connections: 1, transactions: 1, retryMs: 2500 })
    try {
      assertFour(await db.rows(FOUR, [0]))
      await db.rows('deallocate all', [])
      const answers = await Promise.all(Array.from({ length: 20 }, () => db.rows(FOUR, [0])))
      for (const rows of answers) assertFour(rows)
    } finally {
      await db.close()
    }
  })
})
