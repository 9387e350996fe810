import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../src/server/config.js'
import { connect, type Database } from '../../src/core/db/connect.js'
import type { Check } from '../../src/core/doctor/check.js'
import { examine } from '../../src/core/doctor/examine.js'
import { deadlineIn } from '../../src/core/deadline.js'
import { openCheckUp, type CheckUp, type Run } from '../../src/app/health/check-up.js'
import { signIn, type Visitor } from '../support/browse.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { ask, bearer, newOrganisation, startService } from '../support/service.js'
import { cellsOf } from './pages.js'

describe('the setting OPERATORS', () => {
  const operators = (env: Record<string, string>) => readConfig(env).web?.operators
  const postgres = {
    DATABASE_URL: 'postgres://a/b',
    CONSOLE_DATABASE_URL: 'postgres://c/b',
    PUBLIC_URL: 'https://a.org',
  }

  it('means the demo organisation on the embedded database, and nobody on a server, where it is unset', () => {
    assert.equal(operators({}), 'demo')
    assert.deepEqual(operators(postgres), [])
    assert.deepEqual(operators({ OPERATORS: 'off' }), [])
  })

  it('takes ids of organisations, and says which text is none', () => {
    const two = 'org_0123456789ab, org_AAAAAAAAAAAA'
    assert.deepEqual(operators({ ...postgres, OPERATORS: two }), two.split(', '))
    for (const OPERATORS of ['demo', 'org_1', 'org_0123456789ab;org_0123456789ab', 'org_0123456789ab,', '*'])
      assert.throws(() => readConfig({ OPERATORS }), /OPERATORS has ".*"; ids of organisations are accepted/, OPERATORS)
  })
})

let database: TestDatabase
before(async () => (database = await newDatabase('empty')))
after(() => database.drop())

describe('the page about health', function () {
  this.timeout(60_000)
  let running: Awaited<ReturnType<typeof startService>>
  let operators: string
  let others: string
  let owner: Visitor
  before(async () => {
    operators = await newOrganisation(database.db)
    others = await newOrganisation(database.db)
    running = await startService(database, { publicUrl: 'listening', operators: [operators] })
    owner = await signIn(running.url, database.db, { orgId: operators, role: 'owner' })
  })
  after(() => running.stop())

  /** The page once no check is under way. */
  async function settled(visitor = owner): Promise<string> {
    for (;;) {
      const { status, text } = await visitor.get('/app/health')
      assert.equal(status, 200, text)
      if (!text.includes('Look again')) return text
      await sleep(200)
    }
  }

  it('is for the Owners and Admins of the organisations that the setting names, and is in their navigation', async () => {
    for (const [orgId, role, status] of [
      [operators, 'owner', 200],
      [operators, 'admin', 200],
      [operators, 'member', 403],
      [others, 'owner', 403],
      [others, 'admin', 403],
    ] as const) {
      const visitor = await signIn(running.url, database.db, { orgId, role, name: role })
      const page = await visitor.get('/app/health')
      assert.equal(page.status, status, `${orgId} ${role}`)
      assert.equal((await visitor.post('/app/health')).status, status === 200 ? 303 : 403)
      const isLinked = (await visitor.get('/app/account')).text.includes('href="/app/health"')
      assert.equal(isLinked, status === 200)
      if (status === 403) assert.doesNotMatch(page.text, /pg_stat_statements|checks/)
      if (orgId === others) assert.ok(page.text.includes(`OPERATORS names may open it. Yours is ${others}.`))
    }
  })

  it('shows what is wrong with its fix, as text, and that it is fixed after another run', async () => {
    await settled()
    const index = '<b>by place</b>'
    await database.db.work(`alter table frame set (autovacuum_enabled = off)`)
    await database.db.work(`create index "${index}" on frame using gist (geom)`)
    await owner.post('/app/health')
    const page = await settled()
    assert.match(page, /things? (is|are) wrong: \d+ checks/)
    assert.match(page, /<code>autovacuum<\/code>[\s\S]*alter table frame reset \(autovacuum_enabled\)/)
    assert.ok(!page.includes(index))
    assert.match(page, /&lt;b&gt;by place&lt;\/b&gt;/)
    await database.db.work(`drop index "${index}"`)
    await database.db.work('alter table frame reset (autovacuum_enabled)')
    assert.match(await settled(), /<code>autovacuum<\/code>[\s\S]*alter table frame reset/, 'the report is kept')
    await owner.post('/app/health')
    assert.doesNotMatch(await settled(), /alter table frame reset/)
  })
})

const sleeping: Check = {
  name: 'versions_left',
  looksAt: 'nothing, for a long time',
  text: `select 'wrong' as severity, 'slept' as what, pg_sleep(20)::text as fix`,
}

describe('a bounded run of the doctor', function () {
  this.timeout(60_000)

  it('leaves out a check that takes longer than its time, and every check after the time of the run', async () => {
    const checks: Check[] = [sleeping, { ...sleeping, name: 'visibility' }]
    const bounds = { checkMs: 300, until: deadlineIn(200), onFault: assert.fail }
    const { unchecked, findings } = await examine(database.db, { isEmbedded: false, checks, bounds })
    assert.deepEqual(findings, [])
    assert.equal(unchecked[1]?.why, 'The time of this run was over.')
    const alone = await examine(database.db, {
      isEmbedded: false,
      checks: [sleeping],
      bounds: { checkMs: 300, until: deadlineIn(5000), onFault: assert.fail },
    })
    assert.deepEqual(alone.unchecked, [{ check: 'versions_left', why: 'It took longer than 0.3 seconds.' }])
  })

  it('beside it the page names the statements of both roles by their files, and shows no text of others', async () => {
    const admin = connect(database.adminTarget, { connections: 1 })
    const asService = connect(database.target, { connections: 1 })
    const orgId = await newOrganisation(database.db)
    const running = await startService(database, { publicUrl: 'listening', operators: [orgId] })
    try {
      const owner = await signIn(running.url, database.db, { orgId, role: 'owner' })
      const without = (await owner.get('/app/health')).text
      assert.match(without, /There is no pg_stat_statements in this database\./)
      assert.match(without, /<pre id="install-line"[^>]*>[^<]*create extension pg_stat_statements;<\/pre>/)
      await admin.work('create extension pg_stat_statements')
      await ask(`${running.url}/v1/states`, { headers: bearer(running.secret) })
      await asService.work(`select 'of others' as hidden_text`)
      await asService.work(`alter role frames_service set application_name = 'hidden_text'`)
      await owner.get('/app/account')
      const page = (await owner.get('/app/health')).text
      const rows = cellsOf(page, 'Statements that took the most time').map(([place, role, calls]) => [
        place,
        role,
        calls,
      ])
      assert.ok(
        rows.some((row) => row.join() === 'sql/states.sql,frames_service,1'),
        JSON.stringify(rows),
      )
      assert.ok(rows.some(([place, role]) => place === 'sql/web/session_holder.sql' && role === 'frames_console'))
      assert.doesNotMatch(page, /hidden_text/)
    } finally {
      await running.stop()
      await asService.work('alter role frames_service reset application_name').catch(() => {})
      await Promise.all([admin.close(), asService.close()])
    }
  })
})

/** Waits until no run is under way. */
async function ended({ progress, last }: CheckUp): Promise<Run | undefined> {
  while (progress()) await sleep(20)
  return last()
}

describe('a run of the checks on the page about health', function () {
  this.timeout(60_000)

  it('makes one run at a time, and keeps its report', async () => {
    let transactions = 0
    let atOnce = 0
    let most = 0
    const counting: Database = {
      ...database.db,
      transaction: async (work) => {
        transactions += 1
        most = Math.max(most, (atOnce += 1))
        return await database.db.transaction(work).finally(() => (atOnce -= 1))
      },
    }
    const checkUp = openCheckUp({ service: counting, console: undefined }, assert.fail)
    checkUp.begin()
    checkUp.begin()
    const first = await ended(checkUp)
    assert.equal(most, 1)
    const once = transactions
    assert.ok(once > 20)
    assert.equal(checkUp.last(), first)
    assert.equal(transactions, once)
  })
})
