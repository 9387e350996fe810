import assert from 'node:assert/strict'
import { openUnknownWords, WORDS_OF_MONTH } from '../../src/core/access/word-counts.js'
import { connect, type Database } from '../../src/core/db/connect.js'
import type { TestDatabase } from '../support/database.js'
import { sample } from '../support/sample.js'
import { newOrganisation, service } from '../support/service.js'

type Row = { month: string; word: string; times: number }

const wordOf = (i: number) =>
  `word${String(i)
    .padStart(4, '0')
    .replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}`
const words = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => wordOf(from + i))

describe('the unknown words of questions', function () {
  this.timeout(30_000)
  let database: TestDatabase
  /** The counters connect as the service does. */
  let db: Database
  let orgId: string
  before(() => {
    database = service().database
    db = connect(database.target)
  })
  after(() => db.close())
  beforeEach(async () => (orgId = await newOrganisation(database.db)))

  const counter = (options: Partial<Parameters<typeof openUnknownWords>[1]> = {}, on: Pick<Database, 'run'> = db) => {
    const failures: (string | undefined)[] = []
    const counts = openUnknownWords(on, {
      everyMs: 3_600_000,
      onEvent: (event) => event.kind !== 'dropped' && failures.push('reason' in event ? event.reason : undefined),
      ...options,
    })
    return { counts, failures }
  }
  const rowsOf = async (org = orgId): Promise<Row[]> => [
    ...(await database.db.rows<Row>(
      `select to_char(month, 'YYYY-MM-DD') as month, word, times::int as times from unknown_word
       where org_id = $1::text order by month, word`,
      [org],
    )),
  ]
  const timesOf = async (org = orgId) => (await rowsOf(org)).map(({ word, times }) => [word, times])

  it('are counted by organisation and month, UTC', async () => {
    const other = await newOrganisation(database.db)
    let now = Date.parse('2026-02-28T23:59:59.999Z')
    const { counts } = counter({ now: () => now })
    counts.count(orgId, ['dwellings', 'rainfall'])
    counts.count(other, ['dwellings'])
    now += 1
    counts.count(orgId, ['dwellings'])
    await counts.write()
    counts.count(orgId, ['dwellings'])
    await counts.write()
    assert.deepEqual(await rowsOf(), [
      { month: '2026-02-01', word: 'dwellings', times: 1 },
      { month: '2026-02-01', word: 'rainfall', times: 1 },
      { month: '2026-03-01', word: 'dwellings', times: 2 },
    ])
    assert.deepEqual(await rowsOf(other), [{ month: '2026-02-01', word: 'dwellings', times: 1 }])
    assert.equal(counts.waiting(), 0)
  })

  it(`are ${WORDS_OF_MONTH} a month at most, for each organisation: those that are kept are counted on`, async () => {
    const other = await newOrganisation(database.db)
    const { counts } = counter()
    counts.count(orgId, words(0, 400))
    counts.count(other, words(0, WORDS_OF_MONTH + 1))
    await counts.write()
    assert.equal((await rowsOf(other)).length, WORDS_OF_MONTH)
    // The most frequent new words get the places that are left.
    for (let i = 0; i < 3; i += 1) counts.count(orgId, words(800, 850))
    counts.count(orgId, words(350, 700))
    await counts.write()
    counts.count(orgId, [wordOf(0), 'afterwards'])
    await counts.write()
    const kept = new Map((await rowsOf()).map(({ word, times }) => [word, times]))
    assert.equal(kept.size, WORDS_OF_MONTH)
    const expected = (from: number, to: number, times: number) => {
      for (const word of words(from, to)) assert.equal(kept.get(word), times, word)
    }
    expected(0, 1, 2)
    expected(1, 350, 1)
    expected(350, 400, 2)
    expected(400, 450, 1)
    expected(800, 850, 3)
  })

  it('are exact where several processes write the same words at once, in any order', async () => {
    const counters = Array.from({ length: 4 }, () => counter())
    const rounds = sample(5, 50)
    for (let round = 0; round < rounds; round += 1) {
      for (const [i, { counts }] of counters.entries())
        counts.count(orgId, i % 2 === 0 ? words(0, 40) : words(0, 40).toReversed())
      await Promise.all(counters.map(({ counts }) => counts.write()))
    }
    assert.deepEqual(
      counters.flatMap(({ failures }) => failures.filter((failure) => failure !== undefined)),
      [],
    )
    assert.deepEqual(
      await timesOf(),
      words(0, 40).map((word) => [word, 4 * rounds]),
    )
  })

  it('go with their organisation, also where it is gone before they are written', async () => {
    const gone = await newOrganisation(database.db)
    const { counts, failures } = counter()
    for (const org of [orgId, gone]) counts.count(org, ['dwellings'])
    await counts.write()
    for (const org of [orgId, gone]) counts.count(org, ['dwellings'])
    await database.db.rows('delete from organisation where org_id = $1::text', [gone])
    assert.deepEqual(await timesOf(gone), [])
    await counts.write()
    assert.deepEqual(await timesOf(gone), [])
    assert.deepEqual(await timesOf(), [['dwellings', 2]])
    assert.deepEqual(failures, [undefined, undefined])
  })

  it('are removed twelve months later, with the other rows that are old', async () => {
    await database.db.rows(
      `insert into unknown_word (org_id, month, word, times)
       select $1::text, (date_trunc('month', ledger_clock() at time zone 'UTC') - make_interval(months => back))::date, 'dwellings', back + 1
       from unnest('{0,11,12,30}'::int[]) as back`,
      [orgId],
    )
    await db.run({ compile: () => ({ sql: 'select ledger_clean_up()', parameters: [] }) } as never)
    assert.deepEqual(
      (await timesOf()).map(([, times]) => times),
      [12, 1],
    )
  })

  describe('while the primary fails', () => {
    const lost = () => Promise.reject(new Error('the connection was lost'))

    it('wait, with those that come meanwhile', async () => {
      let isAway = true
      const { counts, failures } = counter({}, { run: (query) => (isAway ? lost() : db.run(query)) })
      for (let i = 0; i < 3; i += 1) {
        counts.count(orgId, ['dwellings'])
        await counts.write()
      }
      assert.deepEqual(await timesOf(), [])
      isAway = false
      counts.count(orgId, ['rainfall', 'dwellings'])
      await counts.write()
      assert.deepEqual(await timesOf(), [
        ['dwellings', 4],
        ['rainfall', 1],
      ])
      assert.deepEqual(failures, [...Array.from({ length: 3 }, () => 'the connection was lost'), undefined])
      assert.equal(counts.waiting(), 0)
    })

    it('take a bounded memory', async () => {
      const { counts } = counter({ rowsMax: 700 }, { run: lost })
      for (const org of [orgId, 'org_000000000000']) counts.count(org, words(0, 2000))
      assert.equal(counts.waiting(), 700)
      await counts.write()
      counts.count(orgId, words(0, 2000))
      assert.equal(counts.waiting(), 700)
    })
  })
})
