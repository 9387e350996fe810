import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { charge } from '../../src/core/credits/ledger.js'
import { openRefunds, type Refund } from '../../src/core/credits/refunds.js'
import { connect } from '../../src/core/db/connect.js'
import { ledgerFaults } from '../../src/core/db/statements.js'
import { urlOf, type TestDatabase } from '../support/database.js'
import { anotherReader, balanceOf, credit, ids, sharedWorld } from '../support/datasets.js'
import { until } from '../support/until.js'
import { startProxy } from '../support/proxy.js'
import {
  ask,
  bearer,
  mint,
  service as shared,
  startService,
  type Answer,
  type Minted,
  type Service,
} from '../support/service.js'
import { startWordingServer } from '../support/wording-server.js'

const DEADLINE_MS = 1000

/** Makes each commit of the service that changed this table wait until it is let go. */
async function holdCommits(admin: postgres.Sql, table: string) {
  const holder = await admin.reserve()
  await holder.unsafe(`
    select pg_advisory_lock(0, 0);
    create function held_commit() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(0, 0); return null; end $$;
    create constraint trigger held_commit after insert or update on ${table} deferrable initially deferred
      for each row when (session_user = 'frames_service') execute function held_commit()`)
  return {
    letGo: () => holder.unsafe('select pg_advisory_unlock_all()'),
    /** Lets the commits go that wait, and holds those that come after them. */
    letThoseGo: () => holder.unsafe('select pg_advisory_unlock_all(); select pg_advisory_lock(0, 0)'),
    end: async () => {
      await holder.unsafe(`
        select pg_advisory_unlock_all();
        drop trigger held_commit on ${table};
        drop function held_commit()`)
      holder.release()
    },
  }
}

describe('a call that fails at its deadline costs nothing, though its transaction commits after that', function () {
  this.timeout(120_000)
  let database: TestDatabase
  let admin: postgres.Sql
  let wording: Awaited<ReturnType<typeof startWordingServer>>
  let service: Service & { stop: () => Promise<void> }

  before(async () => {
    ;({ database } = await sharedWorld())
    admin = postgres(urlOf(database.adminTarget), { max: 3, onnotice: () => {} })
    wording = await startWordingServer()
    service = await startService(database, { wordingUrl: wording.url, queries: { deadlineMs: DEADLINE_MS } })
    // The first call of a service opens connections, and may take as long as the deadline.
    await Promise.all([read(await anotherReader(database.db, 100)), question(await mint(database.db))])
  })
  after(async () => {
    await service.stop()
    await wording.close()
    await admin.end()
  })
  afterEach(async () => {
    assert.deepEqual([...(await ledgerFaults(database.db))], [])
  })

  const read = (key: Minted): Promise<Answer> =>
    ask(`${service.url}/v1/frames/data?ids=${ids[0]}`, { headers: bearer(key.secret) })
  const question = (key: Minted): Promise<Answer> =>
    ask(`${service.url}/v1/frames/insight`, {
      method: 'POST',
      headers: { ...bearer(key.secret), 'content-type': 'application/json' },
      body: JSON.stringify({ frameIds: [ids[9]] }),
    })
  const entriesOf = (orgId: string) =>
    database.db.rows<{ kind: string; credits: number }>(
      `select kind, credits::int as credits from credit_entry where org_id = $1::text and kind <> 'top_up' order by entry_id`,
      [orgId],
    )
  const isVoid = async (orgId: string) => {
    const [row] = await database.db.rows<{ n: number }>(
      'select count(*)::int as n from voided_call where org_id = $1::text',
      [orgId],
    )
    return row?.n === 1
  }
  const isRefunded = async ({ orgId }: Minted) =>
    (await entriesOf(orgId)).map(({ kind, credits }) => `${kind} ${credits}`).join() === 'dataset -2,refund 2'

  it('where the account was locked for longer than the deadline', async () => {
    const key = await anotherReader(database.db, 100)
    const holder = await admin.reserve()
    await holder.unsafe(`begin; select from account where org_id = '${key.orgId}' for update`)
    try {
      assert.equal((await read(key)).status, 500)
    } finally {
      await holder.unsafe('commit')
      holder.release()
    }
    await until(() => isVoid(key.orgId))
    await sleep(200)
    assert.equal(await balanceOf(database.db, key.orgId), 100)
    assert.equal((await read(key)).status, 200, 'the next call is charged as always')
    assert.equal(await balanceOf(database.db, key.orgId), 98)
  })

  it('where the commit itself took longer than the deadline', async () => {
    const key = await anotherReader(database.db, 100)
    const held = await holdCommits(admin, 'credit_entry')
    try {
      assert.equal((await read(key)).status, 500)
    } finally {
      await held.end()
    }
    await until(async () => (await entriesOf(key.orgId)).length > 0)
    await until(() => isRefunded(key))
    assert.equal(await balanceOf(database.db, key.orgId), 100)
  })

  it('where PostgreSQL stopped in the middle of the commit, and went on later', async () => {
    const key = await anotherReader(database.db, 100)
    const held = await holdCommits(admin, 'credit_entry')
    let stopped: number | undefined
    try {
      const answering = read(key)
      stopped = await until(async () => {
        const [row] = await admin<{ pid: number }[]>`
          select pid from pg_stat_activity
          where usename = 'frames_service' and datname = current_database() and wait_event = 'advisory'`
        return row?.pid
      })
      process.kill(stopped, 'SIGSTOP')
      assert.equal((await answering).status, 500)
      await held.letGo()
      await sleep(500)
      assert.deepEqual([...(await entriesOf(key.orgId))], [])
    } finally {
      // The other tests share this PostgreSQL, which waits for each of its processes where a database is dropped.
      if (stopped !== undefined) process.kill(stopped, 'SIGCONT')
      await held.end()
    }
    await until(async () => (await entriesOf(key.orgId)).length > 0)
    await until(() => isRefunded(key))
    assert.equal(await balanceOf(database.db, key.orgId), 100)
  })

  for (const [coveredBy, credits] of [
    ['allowance', 0],
    ['credits', 5],
  ] as const) {
    it(`takes back the count of a worded answer that was counted after the deadline, covered by ${coveredBy}`, async () => {
      const key = await mint(database.db)
      if (credits > 0) {
        await credit(database.db, key.orgId, credits)
        await database.db.rows(
          `insert into worded_use (org_id, day, by_allowance) values ($1::text, date_trunc('month', now() at time zone 'UTC')::date, 100)`,
          [key.orgId],
        )
      }
      const countOf = async () => {
        const [row] = await database.db.rows<{ n: number }>(
          'select sum(by_allowance + by_credits)::int as n from worded_use where org_id = $1::text',
          [key.orgId],
        )
        return (row?.n ?? 0) - (credits > 0 ? 100 : 0)
      }
      const held = await holdCommits(admin, 'worded_use')
      try {
        const answer = await question(key)
        const { engine, notice } = (answer.body as { data: { engine: string; notice?: string } }).data
        assert.equal(engine, 'deterministic')
        assert.match(notice ?? '', /unavailable/)
        assert.equal(await countOf(), 0)
        await held.letThoseGo()
        assert.equal(await countOf(), 1)
      } finally {
        await held.end()
      }
      await until(async () => (await countOf()) === 0)
      assert.equal(await balanceOf(database.db, key.orgId), credits)
    })
  }

  it('also where the process gets SIGTERM meanwhile: it refunds before it ends', async () => {
    const key = await anotherReader(database.db, 100)
    const other = await startService(database, { queries: { deadlineMs: DEADLINE_MS } })
    const held = await holdCommits(admin, 'credit_entry')
    try {
      const answer = await ask(`${other.url}/v1/frames/data?ids=${ids[0]}`, { headers: bearer(key.secret) })
      assert.equal(answer.status, 500)
      const stopping = other.stop()
      await sleep(200)
      await held.letGo()
      await stopping
      assert.ok(await isRefunded(key))
      assert.equal(await balanceOf(database.db, key.orgId), 100)
    } finally {
      await held.end()
    }
  })
})

describe('the charge of a failed call is refunded', function () {
  this.timeout(120_000)
  let database: TestDatabase
  before(() => void ({ database } = shared()))

  const priced = [{ layerId: 'lyr_two', price: 2 }]
  async function charged(): Promise<Refund> {
    const key = await mint(database.db)
    await credit(database.db, key.orgId, 10)
    const requestId = `request of ${key.orgId}`
    await charge(database.db, key, requestId, priced)
    return { caller: key, requestId, part: 'charge' }
  }

  it('after an outage of the database, during which the refund failed several times', async () => {
    const url = new URL(urlOf(database.target))
    const proxy = await startProxy(Number(url.port))
    url.port = String(proxy.port)
    const db = connect(url.toString(), { deadlineMs: 300 })
    const lost: string[] = []
    const refunds = openRefunds(db, {
      onFailure: ({ requestId }) => lost.push(requestId),
      pauseMs: { first: 10, longest: 100 },
    })
    try {
      const failed = [await charged(), await charged(), await charged()]
      proxy.hang()
      proxy.cutAll()
      for (const each of failed) refunds.add(each)
      await sleep(1000)
      assert.equal(refunds.waiting(), 3)
      proxy.wake()
      proxy.cutAll()
      await until(async () => refunds.waiting() === 0)
      for (const { caller } of failed) assert.equal(await balanceOf(database.db, caller.orgId), 10)
      assert.deepEqual(lost, [])
    } finally {
      await refunds.close(0)
      await db.close()
      await proxy.close()
    }
  })

  it('also after an outage of 23 hours; after a day it is reported by its request id', async () => {
    const db = connect(urlOf(database.target), { deadlineMs: 300 })
    const failed = await charged()
    const admin = postgres(urlOf(database.adminTarget), { max: 1 })
    const reported: string[] = []
    let [tries, hours] = [0, 0]
    const counting: typeof db = { ...db, write: (...asked) => ((tries += 1), db.write(...asked)) }
    const refunds = openRefunds(counting, {
      onFailure: ({ requestId }) => reported.push(requestId),
      pauseMs: { first: 5, longest: 5 },
    })
    const clock = performance.now.bind(performance)
    performance.now = () => clock() + hours * 3600 * 1000
    try {
      await admin.begin(async (holding) => {
        await holding.unsafe(`select from account where org_id = '${failed.caller.orgId}' for update`)
        refunds.add(failed)
        for (hours of [0.5, 23]) {
          const before = tries
          await until(async () => tries > before + 2)
          assert.deepEqual(reported, [], `after ${hours} hours`)
        }
        hours = 25
        await until(async () => reported.length === 1)
      })
      assert.deepEqual(reported, [failed.requestId])
    } finally {
      performance.now = clock
      await refunds.close(0)
      await admin.end()
      await db.close()
    }
  })

  it('or reported by its request id if the process ends first', async () => {
    const db = connect(urlOf(database.target), { deadlineMs: 300 })
    const failed = await charged()
    const admin = postgres(urlOf(database.adminTarget), { max: 1 })
    const reported: [string, string][] = []
    const refunds = openRefunds(db, { onFailure: ({ requestId }, reason) => reported.push([requestId, reason]) })
    await admin.begin(async (holding) => {
      await holding.unsafe(`select from account where org_id = '${failed.caller.orgId}' for update`)
      refunds.add(failed)
      await refunds.close(200)
    })
    assert.deepEqual(reported, [[failed.requestId, 'the process ended']])
    await admin.end()
    await db.close()
  })

  it('within a day: the rows that decide it are deleted after that, but for the words of this month', async () => {
    const db = connect(urlOf(database.target))
    const { orgId } = await mint(database.db)
    await database.db.work(`
      insert into voided_call values ('${orgId}', 'old', now() - interval '25 hours'), ('${orgId}', 'new', now() - interval '23 hours');
      insert into worded_hold (request_id, org_id, day, covered_by, expires_at, posted) values
        ('open', '${orgId}', (now() at time zone 'UTC')::date, 'allowance', now() - interval '25 hours', false),
        ('earlier month', '${orgId}', date_trunc('month', now() at time zone 'UTC')::date - 1, 'allowance', now() - interval '25 hours', true),
        ('old', '${orgId}', (now() at time zone 'UTC')::date, 'allowance', now() - interval '25 hours', true),
        ('new', '${orgId}', (now() at time zone 'UTC')::date, 'allowance', now() - interval '23 hours', true)`)
    const refunds = openRefunds(db, { onFailure: () => assert.fail(), cleanUpEveryMs: 50 })
    const left = async () => {
      const rows = await database.db.rows<{ id: string }>(
        `select 'call ' || request_id as id from voided_call where org_id = $1::text
        union all select 'hold ' || request_id from worded_hold where org_id = $1::text order by 1`,
        [orgId],
      )
      return rows.map(({ id }) => id).join()
    }
    try {
      await until(async () => (await left()) === 'call new,hold new,hold old')
      await sleep(100)
      assert.equal(await left(), 'call new,hold new,hold old')
    } finally {
      await refunds.close(0)
      await db.close()
    }
  })

  it('from a queue of bounded length: further refunds are reported by their request ids', async () => {
    const db = connect(urlOf(database.target), { deadlineMs: 300 })
    let lost = 0
    const refunds = openRefunds(db, { onFailure: () => (lost += 1) })
    const caller = await mint(database.db)
    for (let i = 0; i < 10_050; i += 1) refunds.add({ caller, requestId: `request ${i}`, part: 'charge' })
    assert.deepEqual([refunds.waiting(), lost], [10_000, 50])
    await refunds.close(0)
    assert.equal(lost, 10_050)
    await db.close()
  })
})
