/** Tests how many worded answers a plan covers in a month and a day, and how holds, credits and the calendar count. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Plan } from '../../src/core/access/organisations.js'
import { openHold, postHold, releaseHold, voidHold } from '../../src/core/credits/allowance.js'
import { charge } from '../../src/core/credits/ledger.js'
import { connect, type Database } from '../../src/core/db/connect.js'
import { ledgerFaults } from '../../src/core/db/statements.js'
import { balanceOf, credit } from '../support/datasets.js'
import { mint, newOrganisation, service, startService, type Minted } from '../support/service.js'
import { startWordingServer } from '../support/wording-server.js'
import { insightOf } from './ask.js'

const parallel = <T>(times: number, run: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: times }, (_, i) => run(i)))

describe('the allowance of worded answers', function () {
  this.timeout(120_000)
  /** Connects as the service does. */
  let db: Database

  before(() => (db = connect(service().database.target)))
  after(() => db.close())
  afterEach(async () => {
    await clock('clock_timestamp()')
    assert.deepEqual([...(await ledgerFaults(service().db))], [])
  })

  /** Sets the clock that the database counts days and months by. */
  const clock = (instant: string) =>
    service().db.work(
      `create or replace function ledger_clock() returns timestamptz language sql volatile return ${instant}`,
    )
  const at = (instant: string) => clock(`timestamptz '${instant}'`)

  async function asker(plan: Plan = 'trial', credits = 0): Promise<Minted & { plan: string }> {
    const org = await newOrganisation(service().db, plan)
    if (credits > 0) await credit(service().db, org, credits)
    return { ...(await mint(service().db, { org })), plan }
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
  /** Enters an owner who may spend so many credits a day, and returns the id. */
  async function personIn(orgId: string, dailyCredits: number): Promise<string> {
    const personId = `per_${randomUUID().replaceAll('-', '').slice(0, 12)}`
    await service().db.rows(`insert into person (person_id, name) values ($1::text, 'Ada')`, [personId])
    await join(personId, orgId, dailyCredits)
    return personId
  }
  const join = (personId: string, orgId: string, dailyCredits: number) =>
    service().db.rows(
      `insert into membership (person_id, org_id, role, daily_credits) values ($1::text, $2::text, 'owner', $3::int)`,
      [personId, orgId, dailyCredits],
    )
  const creditsLeft = async (orgId: string, personId: string) => {
    const [row] = await service().db.rows<{ n: number }>('select credits_left_today($1::text, $2::text)::int as n', [
      orgId,
      personId,
    ])
    return row?.n
  }
  const fill = (who: Minted, day: string, byAllowance: number) =>
    service().db.rows('insert into worded_use (org_id, day, by_allowance) values ($1::text, $2::date, $3::int)', [
      who.orgId,
      day,
      byAllowance,
    ])

  it('and then the credits cover parallel questions, and not one more', async () => {
    const wording = await startWordingServer()
    const running = await startService(service().database, { wordingUrl: wording.url })
    try {
      const who = await asker('trial', 2)
      await service().db.rows(
        `insert into worded_use (org_id, day, by_allowance)
         values ($1::text, date_trunc('month', clock_timestamp() at time zone 'UTC')::date, 97)`,
        [who.orgId],
      )
      const request = { url: running.url, secret: who.secret }
      const body = { frameIds: ['322074005'], question: 'how many people live here' }
      const data = await parallel(8, () => insightOf(request, body))
      const worded = data.filter(({ engine }) => engine === 'claude')
      const unworded = data.filter(({ engine }) => engine === 'deterministic')
      assert.deepEqual([worded.length, unworded.length], [5, 3])
      for (const { narrative, notice } of worded) assert.ok(narrative && !notice)
      for (const { narrative, notice } of unworded) {
        assert.ok(!narrative)
        assert.match(notice ?? '', /used up/)
      }
      const [used] = await service().db.rows<{ allowance: number; credits: number }>(
        'select sum(by_allowance)::int as allowance, sum(by_credits)::int as credits from worded_use where org_id = $1::text',
        [who.orgId],
      )
      assert.deepEqual(used, { allowance: 100, credits: 2 })
      assert.equal(await balanceOf(service().db, who.orgId), 0)
    } finally {
      await running.stop()
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
    assert.equal(await balanceOf(service().db, who.orgId), 100)
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
      assert.equal(await wordAnswers(who, 3), 3)
      await fill(who, next.slice(0, 8) + '02', 95)
      assert.equal(await wordAnswers(who, 4), 2)
    })
  }

  it('does not begin again after the 28th of February in a leap year', async () => {
    const who = await asker()
    await at('2028-02-28 23:59:59+00')
    await fill(who, '2028-02-01', 100)
    await at('2028-02-29 00:00:00+00')
    assert.equal(await wordAnswers(who, 1), 0)
  })

  for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    it(`counts by the UTC day, also where the process is in ${zone}`, async () => {
      const own = process.env['TZ']
      process.env['TZ'] = zone
      try {
        assert.equal(Math.abs(new Date().getTimezoneOffset()) >= 660, true)
        const [session] = await db.rows<{ zone: string }>(`select current_setting('timezone') as zone`, [])
        assert.equal(session?.zone, 'UTC')
        const who = await asker()
        await at('2026-11-30 23:30:00+00')
        await fill(who, '2026-11-30', 99)
        assert.equal(await wordAnswers(who, 3), 1)
        const used = await db.rows<{ day: string; n: number }>(
          'select day::text as day, by_allowance as n from worded_use where org_id = $1::text',
          [who.orgId],
        )
        assert.deepEqual([...used], [{ day: '2026-11-30', n: 100 }])
      } finally {
        if (own === undefined) delete process.env['TZ']
        else process.env['TZ'] = own
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
    assert.equal(await balanceOf(service().db, who.orgId), 3, 'no credit is spent before an answer is returned')
  })

  it('holds a person in the app to the credits a day that an owner set, answers under way included', async () => {
    await at('2026-11-21 12:00+00')
    const member = await asker('trial', 50)
    const keyId = await personIn(member.orgId, 3)
    const who = { ...member, keyId }
    await fill(who, '2026-11-02', 100)
    const held = await parallel(8, () => openHold(db, who, randomUUID()))
    assert.equal(held.filter((each) => each === 'held').length, 3)
    await at('2026-11-22 12:00+00')
    assert.equal(await wordAnswers(who, 5), 3, 'the next day')
    assert.equal(await balanceOf(service().db, who.orgId), 47)
    assert.equal(await wordAnswers({ ...who, keyId: member.keyId }, 1), 1, 'a key has no such limit')
  })

  it('holds a person of two organisations in each to what was spent there', async () => {
    const [one, other] = [await asker('trial', 10), await asker('trial', 10)]
    const keyId = await personIn(one.orgId, 3)
    await join(keyId, other.orgId, 3)
    for (const { orgId } of [one, other]) {
      assert.equal(await creditsLeft(orgId, keyId), 3)
      const price = [{ layerId: 'lyr_a', price: 2 }]
      assert.deepEqual(await charge(db, { orgId, keyId }, randomUUID(), price), ['lyr_a'])
      assert.equal(await creditsLeft(orgId, keyId), 1)
    }
  })

  it('is given back to the day that it was counted on', async () => {
    const who = await asker('trial', 5)
    const days = async () =>
      (
        await db.rows<{ day: string; n: number }>(
          `select day::text as day, by_allowance + by_credits as n from worded_use where org_id = $1::text order by day`,
          [who.orgId],
        )
      ).map(({ day, n }) => `${day}: ${n}`)
    await at('2026-11-21 23:59:59+00')
    const last = randomUUID()
    await openHold(db, who, last)
    assert.ok(await postHold(db, who, last))
    await at('2026-11-22 00:00:01+00')
    assert.equal(await wordAnswers(who, 1), 1)
    await voidHold(db, who, last)
    assert.deepEqual(await days(), ['2026-11-21: 0', '2026-11-22: 1'])
  })

  it('counts by the UTC day, also where the session of the database has another time zone', async () => {
    const who = await asker('trial', 5)
    const keyId = await personIn(who.orgId, 3)
    await at('2026-11-30 23:30:00+00')
    const far = (statement: string) =>
      service().db.work(`begin; set local time zone 'Pacific/Kiritimati'; ${statement}; commit`)
    await far(`select hold_open('${who.orgId}', '${keyId}', 'far ${who.orgId}', 100, 1000, 60)`)
    const [held] = await db.rows<{ day: string }>('select day::text as day from worded_hold where org_id = $1::text', [
      who.orgId,
    ])
    assert.deepEqual(held, { day: '2026-11-30' })
    // Three credits of the morning count for the day that ends in half an hour, and not for the next.
    await service().db.rows(
      `insert into credit_entry (org_id, request_id, kind, ref, key_id, credits, entered_at)
       values ($1::text, 'morning', 'dataset', 'lyr_a', $2::text, -3, '2026-11-30 01:00+00')`,
      [who.orgId, keyId],
    )
    await far(
      `do $$ begin assert credits_left_today('${who.orgId}', '${keyId}') = 0, 'the day is that of the session'; end $$`,
    )
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
    await at('2026-11-21 12:00:59+00')
    assert.equal(await openHold(db, who, randomUUID()), 'no_allowance', 'wording may take a minute')
    await at('2026-11-21 12:01:01+00')
    assert.equal(await wordAnswers(who, 2), 1)
    assert.equal(await balanceOf(service().db, who.orgId), 0)
  })

  it('counts an answer once, however often it is posted', async () => {
    const who = await asker('trial', 5)
    await at('2026-11-21 12:00+00')
    await fill(who, '2026-11-02', 100)
    const requestId = randomUUID()
    await parallel(10, () => openHold(db, who, requestId))
    const posted = await parallel(20, () => postHold(db, who, requestId))
    assert.deepEqual(new Set(posted), new Set(['credits']))
    assert.equal(await balanceOf(service().db, who.orgId), 4)
    await releaseHold(db, who.orgId, requestId)
    assert.ok(await postHold(db, who, requestId), 'a posted answer is not given back')
  })
})
