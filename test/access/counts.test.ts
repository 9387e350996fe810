/** The two tables that calls are counted in by way of memory: the use of keys, and the unknown words of questions. */
import assert from 'node:assert/strict'
import { openKeyUse } from '../../src/core/access/key-use.js'
import { openUnknownWords, WORDS_OF_MONTH } from '../../src/core/access/word-counts.js'
import type { CountEvent, CountingOptions, Counts } from '../../src/core/counts.js'
import { connect, type Database } from '../../src/core/db/connect.js'
import { sample } from '../support/sample.js'
import { mint, newOrganisation, service } from '../support/service.js'
import { useOf } from './use-rows.js'

type On = Pick<Database, 'run'>
/** What a row counts (a call, a word), and of whom: a key or an organisation. */
type Counting = Counts & { count: (of: string, what: string, requestId?: string) => void }
type Kind = {
  open: (on: On, options: CountingOptions) => Counting
  newOwner: () => Promise<string>
  remove: (of: string) => Promise<unknown>
  /** Of each period, what was counted and how often. */
  rowsOf: (of: string) => Promise<[period: string, what: string, times: number][]>
  /** The last instant of a period, and the names of that one and the next. */
  edge: [at: string, period: string, next: string]
}

const db = () => service().db
const KINDS: Record<string, Kind> = {
  'the use of a key': {
    open: (on, options) => {
      const use = openKeyUse(on, options)
      const call = (keyId: string, what: string, requestId = 'request') =>
        use.count({ keyId, call: '/v1/frames/at', outcome: what, bucket: '', requestId })
      return { ...use, count: call }
    },
    newOwner: async () => (await mint(db())).keyId,
    remove: (of) => db().rows('delete from api_key where key_id = $1::text', [of]),
    rowsOf: async (of) => (await useOf(db(), of)).map(({ day, outcome, calls }) => [day, outcome, calls]),
    edge: ['2026-03-01T23:59:59.999Z', '2026-03-01', '2026-03-02'],
  },
  'the unknown words of questions': {
    open: (on, options) => {
      const words = openUnknownWords(on, options)
      return { ...words, count: (of, what) => words.count(of, [what]) }
    },
    newOwner: () => newOrganisation(db()),
    remove: (of) => db().rows('delete from organisation where org_id = $1::text', [of]),
    rowsOf: async (of) =>
      (
        await db().rows<{ month: string; word: string; times: number }>(
          `select to_char(month, 'YYYY-MM-DD') as month, word, times::int as times from unknown_word
           where org_id = $1::text order by month, word`,
          [of],
        )
      ).map(({ month, word, times }) => [month, word, times]),
    edge: ['2026-02-28T23:59:59.999Z', '2026-02-01', '2026-03-01'],
  },
}

let app: Database
/** The counters connect as the service does, and write when they are told to. */
function counter(kind: Kind, options: Partial<CountingOptions> = {}, on: On = app) {
  const events: CountEvent[] = []
  return {
    counts: kind.open(on, { everyMs: 3_600_000, onEvent: (event) => events.push(event), ...options }),
    events,
    kinds: () => events.map((event) => event.kind),
  }
}
const lost = () => Promise.reject(Object.assign(new Error('the connection was lost'), { code: 'ECONNRESET' }))
const wordOf = (i: number) => `word${String(i).padStart(4, '0')}`.replace(/\d/g, (digit) => 'abcdefghij'[+digit] ?? '')
const words = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => wordOf(from + i))

before(() => (app = connect(service().database.target)))
after(() => app.close())

for (const [name, kind] of Object.entries(KINDS)) {
  describe(name, function () {
    this.timeout(30_000)
    let of: string
    let other: string
    beforeEach(async () => ([of, other] = await Promise.all([kind.newOwner(), kind.newOwner()])))
    const timesOf = async (whose = of) => (await kind.rowsOf(whose)).map(([, what, times]) => [what, times])

    it('is counted for each owner, and for the period in which it came, UTC', async () => {
      const [at, period, next] = kind.edge
      let now = Date.parse(at)
      const { counts } = counter(kind, { now: () => now })
      for (const [whose, what] of [
        [of, 'dwellings'] as const,
        [of, 'rainfall'] as const,
        [other, 'dwellings'] as const,
      ])
        counts.count(whose, what)
      now += 1
      counts.count(of, 'dwellings')
      await counts.write()
      counts.count(of, 'dwellings')
      await counts.write()
      assert.deepEqual(await kind.rowsOf(of), [
        [period, 'dwellings', 1],
        [period, 'rainfall', 1],
        [next, 'dwellings', 2],
      ])
      assert.deepEqual(await kind.rowsOf(other), [[period, 'dwellings', 1]])
      assert.equal(counts.waiting(), 0)
    })

    it('goes with its owner, also where that is gone before it is written', async () => {
      const { counts, events } = counter(kind)
      for (const whose of [of, other]) counts.count(whose, 'dwellings')
      await counts.write()
      for (const whose of [of, other]) counts.count(whose, 'dwellings')
      await kind.remove(other)
      // The table of uses keeps the rows of a key that is gone.
      const left = await timesOf(other)
      assert.equal(left.length, name.includes('key') ? 1 : 0)
      await counts.write()
      assert.deepEqual([await timesOf(other), await timesOf()], [left, [['dwellings', 2]]])
      assert.deepEqual(events, [
        { kind: 'written', times: 2 },
        { kind: 'written', times: 2 },
      ])
      assert.equal(counts.waiting(), 0)
    })

    it('is exact where several processes write the same rows at once, in any order', async () => {
      const owners = await Promise.all(Array.from({ length: 10 }, kind.newOwner))
      const rows = owners.flatMap((whose) => words(0, 4).map((what) => [whose, what] as const))
      const counters = Array.from({ length: 4 }, () => counter(kind))
      const rounds = sample(5, 50)
      for (let round = 0; round < rounds; round += 1) {
        for (const [i, { counts }] of counters.entries())
          for (const [whose, what] of i % 2 === 0 ? rows : rows.toReversed()) counts.count(whose, what)
        await Promise.all(counters.map(({ counts }) => counts.write()))
      }
      assert.deepEqual(new Set(counters.flatMap(({ kinds }) => kinds())), new Set(['written']))
      const expected = words(0, 4).map((what) => [what, 4 * rounds])
      for (const whose of owners) assert.deepEqual(await timesOf(whose), expected)
    })

    it('is kept while the primary fails, and written once when it is back, with what came meanwhile', async () => {
      let isAway = true
      const { counts, kinds, events } = counter(kind, {}, { run: (query) => (isAway ? lost() : app.run(query)) })
      for (let turn = 0; turn < 3; turn += 1) {
        counts.count(of, 'dwellings')
        await counts.write()
        assert.deepEqual(await timesOf(), [])
      }
      isAway = false
      counts.count(of, 'rainfall')
      counts.count(of, 'dwellings')
      await counts.write()
      assert.deepEqual(await timesOf(), [
        ['dwellings', 4],
        ['rainfall', 1],
      ])
      assert.deepEqual(kinds().slice(0, 4), ['failed', 'failed', 'failed', 'written'])
      assert.deepEqual(events[0], { kind: 'failed', reason: 'the connection was lost' })
      assert.equal(counts.waiting(), 0)
    })

    it('is counted once, whichever of its statements fails', async () => {
      for (const failing of [1, 2, 3]) {
        let sent = 0
        const run: Database['run'] = (query) => ((sent += 1) === failing ? lost() : app.run(query))
        const { counts } = counter(kind, {}, { run })
        counts.count(of, wordOf(failing))
        await counts.write()
        await counts.write()
        assert.equal(counts.waiting(), 0)
      }
      assert.deepEqual(
        await timesOf(),
        words(1, 4).map((word) => [word, 1]),
      )
    })

    it('takes a bounded memory while the primary fails, and says what it left out', async () => {
      const { counts, events } = counter(kind, { rowsMax: 3 }, { run: lost })
      for (const what of words(0, 5)) counts.count(of, what)
      await counts.write()
      counts.count(other, 'another')
      assert.equal(counts.waiting(), 3)
      assert.equal(events.filter((event) => event.kind === 'dropped').length, 3)
      await counts.close(1000)
      assert.deepEqual(events.at(-1), { kind: 'dropped', times: 3 })
    })

    it('does not keep a process that stops', async () => {
      const { counts, events } = counter(kind, {}, { run: () => new Promise(() => {}) })
      counts.count(of, 'dwellings')
      await counts.close(200)
      assert.deepEqual(events, [{ kind: 'dropped', times: 1 }])
    })
  })
}

describe('the use of a key in particular', () => {
  it('keeps the later of two instants and the request id of the last refusal', async () => {
    const { keyId } = await mint(db())
    for (const [requestId, at] of [
      ['one', '2026-03-01T12:00:00Z'] as const,
      ['two', '2026-03-01T11:00:00Z'] as const,
    ]) {
      const { counts } = counter(KINDS['the use of a key'] as Kind, { now: () => Date.parse(at) })
      counts.count(keyId, 'invalid', requestId)
      await counts.write()
    }
    assert.deepEqual(
      (await useOf(db(), keyId)).map(({ calls, last }) => [calls, last]),
      [[2, 'two']],
    )
    const [seen] = await db().rows<{ at: Date }>('select seen_at as at from key_seen where key_id = $1::text', [keyId])
    assert.equal(seen?.at.toISOString(), '2026-03-01T12:00:00.000Z')
  })
})

describe('the unknown words in particular', () => {
  const kind = KINDS['the unknown words of questions'] as Kind

  it(`are ${WORDS_OF_MONTH} a month at most, for each organisation: those that are kept are counted on`, async () => {
    const [orgId, other] = await Promise.all([kind.newOwner(), kind.newOwner()])
    const { counts } = counter(kind)
    const count = (of: string, some: readonly string[]) => some.forEach((word) => counts.count(of, word))
    count(orgId, words(0, 400))
    count(other, words(0, WORDS_OF_MONTH + 1))
    await counts.write()
    assert.equal((await kind.rowsOf(other)).length, WORDS_OF_MONTH)
    // The most frequent new words get the places that are left.
    for (let i = 0; i < 3; i += 1) count(orgId, words(800, 850))
    count(orgId, words(350, 700))
    await counts.write()
    count(orgId, [wordOf(0), 'afterwards'])
    await counts.write()
    const kept = (await kind.rowsOf(orgId)).map(([, word, times]) => [word, times])
    const expected = (from: number, to: number, times: number) => words(from, to).map((word) => [word, times])
    assert.deepEqual(kept, [
      ...expected(0, 1, 2),
      ...expected(1, 350, 1),
      ...expected(350, 400, 2),
      ...expected(400, 450, 1),
      ...expected(800, 850, 3),
    ])
  })

  it('are removed twelve months later, with the other rows that are old', async () => {
    const orgId = await kind.newOwner()
    await db().rows(
      `insert into unknown_word (org_id, month, word, times)
       select $1::text, (date_trunc('month', ledger_clock() at time zone 'UTC') - make_interval(months => back))::date, 'dwellings', back + 1
       from unnest('{0,11,12,30}'::int[]) as back`,
      [orgId],
    )
    await app.run({ compile: () => ({ sql: 'select ledger_clean_up()', parameters: [] }) } as never)
    assert.deepEqual(
      (await kind.rowsOf(orgId)).map(([, , times]) => times),
      [12, 1],
    )
  })
})
