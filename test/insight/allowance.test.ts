/** Tests how many worded answers a plan covers in a month and a day, and how holds, credits and the calendar count. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { openHold, postHold, releaseHold } from '../../src/credits/allowance.js'
import { connect, type Database } from '../../src/db/connect.js'
import { ledgerFaults } from '../../src/db/statements.js'
import { startServe } from '../support/cli.js'
import { newDatabase, onPostgres, urlOf, type TestDatabase } from '../support/database.js'
import { balanceOf, credit, ids } from '../support/datasets.js'
import { mint, newOrganisation, startService, type Minted } from '../support/service.js'
import { startWordingServer } from '../support/wording-server.js'
import { insightOf } from './ask.js'

const parallel = <T>(times: number, run: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: times }, (_, i) => run(i)))

describe('the allowance of worded answers', function () {
  this.timeout(120_000)
  let database: TestDatabase
  let db: Database

  before(async () => {
    database = await newDatabase('frames')
    db = connect(database.target)
  })
  after(async () => {
    await db.close()
    await database.drop()
  })
  afterEach(async () => {
    await clock('clock_timestamp()')
    assert.deepEqual([...(await ledgerFaults(database.db))], [])
  })

  /** Sets the clock that the database counts days and months by. */
  const clock = (instant: string) =>
    database.db.work(
      `create or replace function ledger_clock() returns timestamptz language sql volatile return ${instant}`,
    )
  const at = (instant: string) => clock(`timestamptz '${instant}'`)

  async function asker(plan = 'trial', credits = 0): Promise<Minted & { plan: string }> {
    const org = await newOrganisation(database.db, plan)
    if (credits > 0) await credit(database.db, org, credits)
    return { ...(await mint(database.db, { org })), plan }
  }
  /** Words so many answers, and returns how many of them the allowance or the credits cover. */
  async function wordAnswers(who: Minted & { plan: string }, times: number): Promise<number> {
    let covered = 0
    for (let i = 0; i < times; i += 1) {
      const requestId = randomUUID()
      if ((await openHold(db, who, requestId)) !== 'held') continue
      assert.ok(await postHold(db, who, requestId))
      covered += 1
    }
    return covered
  }
  const fill = (who: Minted, day: string, byAllowance: number) =>
    database.db.rows('insert into worded_use (org_id, day, by_allowance) values ($1::text, $2::date, $3::int)', [
      who.orgId,
      day,
      byAllowance,
    ])

  it('is 100 a month on trial, and 50 credits pay for 50 more of 200 parallel questions', async () => {
    const wording = await startWordingServer()
    const service = await startService(database, { wordingUrl: wording.url })
    try {
      const who = await asker('trial', 50)
      const request = { url: service.url, secret: who.secret }
      const data = await parallel(200, () => insightOf(request, { frameIds: [ids[0]] }))
      const worded = data.filter(({ engine }) => engine === 'claude')
      const unworded = data.filter(({ engine }) => engine === 'deterministic')
      assert.deepEqual([worded.length, unworded.length], [150, 50])
      for (const { narrative, notice } of worded) assert.ok(narrative && !notice)
      for (const { narrative, notice } of unworded) assert.ok(!narrative && /used up/.test(notice ?? ''))
      const [used] = await database.db.rows<{ allowance: number; credits: number }>(
        'select sum(by_allowance)::int as allowance, sum(by_credits)::int as credits from worded_use where org_id = $1::text',
        [who.orgId],
      )
      assert.deepEqual(used, { allowance: 100, credits: 50 })
      assert.equal(await balanceOf(database.db, who.orgId), 0)
    } finally {
      await service.stop()
      await wording.close()
    }
  })

  for (const [plan, monthly] of [
    ['trial', 100],
    ['pro', 2000],
    ['scale', 20_000],
  ] as const) {
    it(`is ${monthly} a month on ${plan}`, async () => {
      await at('2026-11-21 12:00+00')
      const who = await asker(plan)
      await fill(who, '2026-11-01', monthly - 3)
      assert.equal(await wordAnswers(who, 6), 3)
    })
  }

  it('is at most 1,000 a day, also with credits', async () => {
    await at('2026-11-21 12:00+00')
    const who = await asker('scale', 100)
    await fill(who, '2026-11-21', 998)
    assert.equal(await wordAnswers(who, 5), 2)
    assert.equal(await openHold(db, who, randomUUID()), 'daily_ceiling')
    assert.equal(await balanceOf(database.db, who.orgId), 100)
    await at('2026-11-22 00:00:00+00')
    assert.equal(await wordAnswers(who, 1), 1)
  })

  for (const [period, last, next] of [
    ['a month', '2026-11-30 23:59:59.999+00', '2026-12-01 00:00:00+00'],
    ['a year', '2026-12-31 23:59:59.999+00', '2027-01-01 00:00:00+00'],
    ['February', '2027-02-28 23:59:59.999+00', '2027-03-01 00:00:00+00'],
    ['February of a leap year', '2028-02-29 23:59:59.999+00', '2028-03-01 00:00:00+00'],
  ] as const) {
    it(`is whole again at the first instant after ${period}, UTC`, async () => {
      const who = await asker()
      await at(last)
      await fill(who, last.slice(0, 8) + '01', 98)
      assert.equal(await wordAnswers(who, 4), 2)
      await at(next)
      assert.equal(await wordAnswers(who, 101), 100)
    })
  }

  it('does not begin again after the 28th of February in a leap year', async () => {
    const who = await asker()
    await at('2028-02-28 23:59:59+00')
    await fill(who, '2028-02-01', 100)
    await at('2028-02-29 00:00:00+00')
    assert.equal(await wordAnswers(who, 1), 0)
  })

  it('counts by the UTC day, whatever the time zone of the session', async () => {
    const who = await asker()
    await at('2026-11-30 23:30:00+00')
    await fill(who, '2026-11-30', 99)
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const [row] = await database.db.transaction(async (run) => {
        await run(`set local time zone '${zone}'`, [])
        return await run<{ day: string }>(`select ((ledger_clock() at time zone 'UTC')::date)::text as day`, [])
      })
      assert.equal(row?.day, '2026-11-30')
    }
    assert.equal(await wordAnswers(who, 3), 1)
    const [row] = await database.db.rows<{ n: number }>(
      `select by_allowance as n from worded_use where org_id = $1::text and day = '2026-11-30'`,
      [who.orgId],
    )
    assert.equal(row?.n, 100)
  })

  if (onPostgres) {
    it('counts by the UTC day, from two servers in time zones a day apart', async () => {
      const wording = await startWordingServer()
      const start = (TZ: string) =>
        startServe({
          TZ,
          DATABASE_URL: urlOf(database.target),
          ANTHROPIC_API_KEY: 'any',
          ANTHROPIC_BASE_URL: wording.url,
        })
      const servers = await Promise.all([start('Pacific/Kiritimati'), start('Pacific/Pago_Pago')])
      try {
        await at('2026-11-30 23:30:00+00')
        const who = await asker()
        await fill(who, '2026-11-30', 97)
        const engines: string[] = []
        for (let i = 0; i < 5; i += 1) {
          const request = { url: servers[i % 2]?.url ?? '', secret: who.secret }
          engines.push((await insightOf(request, { frameIds: [ids[0]] })).engine)
        }
        assert.deepEqual(engines, ['claude', 'claude', 'claude', 'deterministic', 'deterministic'])
        const used = await database.db.rows<{ day: string; n: number }>(
          'select day::text as day, by_allowance as n from worded_use where org_id = $1::text',
          [who.orgId],
        )
        assert.deepEqual([...used], [{ day: '2026-11-30', n: 100 }])
      } finally {
        for (const server of servers) server.child.kill('SIGKILL')
        await Promise.all(servers.map(({ ended }) => ended))
        await wording.close()
      }
    })
  }

  it('counts answers under way: they hold their places, and no more than the allowance pass', async () => {
    const who = await asker('trial', 3)
    await at('2026-11-21 12:00+00')
    await fill(who, '2026-11-02', 95)
    const requests = Array.from({ length: 20 }, () => randomUUID())
    const held = (await parallel(20, (i) => openHold(db, who, requests[i] ?? ''))).filter(
      (each) => each === 'held',
    ).length
    assert.equal(held, 5 + 3)
    assert.equal(await balanceOf(database.db, who.orgId), 3, 'no credit is spent before an answer is returned')
  })

  it('has room again after a hold is given back', async () => {
    const who = await asker()
    await at('2026-11-21 12:00+00')
    await fill(who, '2026-11-02', 99)
    const first = randomUUID()
    assert.equal(await openHold(db, who, first), 'held')
    assert.equal(await openHold(db, who, randomUUID()), 'no_allowance')
    await releaseHold(db, who.orgId, first)
    assert.equal(await postHold(db, who, first), undefined, 'a hold that was given back cannot be posted')
    assert.equal(await wordAnswers(who, 2), 1)
  })

  it('has room again after the hold of a dead process expires', async () => {
    const who = await asker('trial', 1)
    await at('2026-11-21 12:00:00+00')
    await fill(who, '2026-11-02', 100)
    assert.equal(await openHold(db, who, 'request of a process that was killed'), 'held')
    assert.equal(await openHold(db, who, randomUUID()), 'no_allowance')
    await at('2026-11-21 12:01:01+00')
    assert.equal(await wordAnswers(who, 2), 1)
    assert.equal(await balanceOf(database.db, who.orgId), 0)
  })

  it('counts an answer once, however often it is posted', async () => {
    const who = await asker('trial', 5)
    await at('2026-11-21 12:00+00')
    await fill(who, '2026-11-02', 100)
    const requestId = randomUUID()
    await parallel(10, () => openHold(db, who, requestId))
    const posted = await parallel(20, () => postHold(db, who, requestId))
    assert.deepEqual(new Set(posted), new Set(['credits']))
    assert.equal(await balanceOf(database.db, who.orgId), 4)
    await releaseHold(db, who.orgId, requestId)
    assert.ok(await postHold(db, who, requestId), 'a posted answer is not given back')
  })
})
