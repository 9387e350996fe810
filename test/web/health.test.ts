import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../src/server/config.js'
import { connect, type Database } from '../../src/core/db/connect.js'
import type { Check } from '../../src/core/doctor/check.js'
import { CHECKS } from '../../src/core/doctor/checks.js'
import { examine } from '../../src/core/doctor/examine.js'
import { deadlineIn } from '../../src/core/deadline.js'
import { openCheckUp, type CheckUp, type Run } from '../../src/app/health/check-up.js'
import { signIn, type Visitor } from '../support/browse.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { ask, bearer, newOrganisation, service, startService } from '../support/service.js'
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
    assert.match(page, /The checks ended <time[^>]*>(just now|\d+ minutes? ago)<\/time>, and took [\d.]+ seconds\./)
    assert.match(page, /<code>autovacuum<\/code>[\s\S]*alter table frame reset \(autovacuum_enabled\)/)
    assert.ok(!page.includes(index))
    assert.match(page, /&lt;b&gt;by place&lt;\/b&gt;/)
    await database.db.work(`drop index "${index}"`)
    await database.db.work('alter table frame reset (autovacuum_enabled)')
    assert.match(await settled(), /<code>autovacuum<\/code>[\s\S]*alter table frame reset/, 'the report is kept')
    await owner.post('/app/health')
    assert.doesNotMatch(await settled(), /alter table frame reset/)
  })

  it('names the checks that it does not make, and makes those of people as frames_console', async () => {
    const page = await settled()
    const left = cellsOf(page, 'Checks that were not made')
    const why = new Map(left.map(([check = '', , reason = '']) => [check, reason]))
    assert.match(why.get('sequences') ?? '', /^This role may not read the sequences; their owner may\.$/)
    const made = cellsOf(page, 'Checks that were made').map(([check]) => check)
    for (const check of ['schema', 'events_missing', 'people_missing', 'owners_missing', 'sign_ins_ended', 'ledger'])
      assert.ok(made.includes(check), check)
    assert.equal(new Set([...made, ...why.keys()]).size, made.length + why.size)
    assert.match(page, /frames_owner@HOST/)
  })

  it('starts no check when it is opened, and says that none has run', async () => {
    const fresh = await startService(database, { publicUrl: 'listening', operators: [operators] })
    try {
      const visitor = await signIn(fresh.url, database.db, { orgId: operators, role: 'owner' })
      const { text } = await visitor.get('/app/health')
      assert.match(text, /No checks have run since this process started/)
      assert.match(text, />Run the checks</)
      assert.doesNotMatch(text, /under way|Look again|reload\.js/)
      await visitor.post('/app/health')
      const page = (await visitor.get('/app/health')).text
      assert.match(page, /Check \d+ of \d+ is under way/)
      assert.match(page, /reload\.js/, 'the page loads itself again')
      assert.doesNotMatch(await settled(visitor), /reload\.js/)
    } finally {
      await fresh.stop()
    }
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
    // On a slow machine the time of the run is over before the first check.
    const late = 'The time of this run was over.'
    const whys = unchecked.map(({ why }) => why)
    assert.ok([late, 'It took longer than 0.3 seconds.'].includes(whys[0] ?? ''))
    assert.equal(whys[1], late)
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

  it('lets calls and pages be answered while it is under way', async () => {
    const orgId = await newOrganisation(service().db)
    const running = await startService(service().database, { publicUrl: 'listening', operators: [orgId] })
    try {
      const owner = await signIn(running.url, service().db, { orgId, role: 'owner' })
      await owner.post('/app/health')
      const answers = await Promise.all([
        ask(`${running.url}/v1/frames/at?lat=0.105&lon=0.205`, { headers: bearer(running.secret) }),
        owner.get('/app/map'),
        owner.get('/app/tiles/frames/9/256/255'),
      ])
      assert.match((await owner.get('/app/health')).text, /is under way/)
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200],
      )
    } finally {
      await running.stop()
    }
  })

  it('reads smaller samples on the embedded database', async () => {
    const bounds = { checkMs: 5000, until: deadlineIn(60_000), onFault: assert.fail }
    const checks = CHECKS.filter(({ samples }) => samples)
    const { sampled } = await examine(service().db, { isEmbedded: true, checks, bounds })
    assert.deepEqual(sampled, ['frames_overlap', 'classes_kept', 'baseline_totals', 'feature_totals'])
  })

  it('leaves checks of every frame to the command line, where the embedded index is large', async () => {
    const large: Database = {
      ...database.db,
      rows: async (text, ...more) =>
        text.startsWith('-- sizes:') ? [{ frame: 13 * 2 ** 20, feature: 0 } as never] : database.db.rows(text, ...more),
    }
    const bounds = { checkMs: 5000, until: deadlineIn(60_000), onFault: assert.fail }
    const checks = CHECKS.filter(({ name }) => ['stored_text', 'frames_invalid', 'names_unfolded'].includes(name))
    for (const isEmbedded of [true, false]) {
      const { unchecked } = await examine(large, { isEmbedded, checks, bounds })
      const left = unchecked.filter(({ why }) => why.startsWith('It reads every frame'))
      assert.equal(left.length, isEmbedded ? 3 : 0)
    }
  })

  const raw = Object.assign(new Error('write CONNECTION_DESTROYED /tmp/of/this/machine'), {
    code: 'CONNECTION_DESTROYED',
  })
  /** Runs the checks on a database whose connection breaks after so many transactions. */
  const breaksAfter = async (most: number) => {
    const logged: Error[] = []
    let transactions = 0
    const breaking: Database = {
      ...database.db,
      transaction: (work) =>
        (transactions += 1) > most ? Promise.reject(raw) : database.db.transaction(work as () => Promise<never>),
    }
    const checkUp = openCheckUp({ service: breaking, console: undefined }, (_check, error) => void logged.push(error))
    checkUp.begin()
    return { run: await ended(checkUp), logged, transactions: () => transactions }
  }

  it('says in plain words that the database is away, and logs the reason', async () => {
    const { run, logged } = await breaksAfter(0)
    assert.equal(run && 'fault' in run && run.fault, 'The database did not answer.')
    assert.deepEqual(logged, [raw])
  })

  it('makes of a connection that breaks a finding in plain words, and makes no check after it', async () => {
    const { run, logged, transactions } = await breaksAfter(8)
    assert.ok(run && 'report' in run)
    const { findings, unchecked, ok } = run.report
    const found = findings.filter(({ what }) => what.startsWith('The connection to the database ended'))
    assert.deepEqual([found.length, logged, ok], [1, [raw], false])
    assert.doesNotMatch(JSON.stringify(run.report), /CONNECTION_DESTROYED|machine/)
    assert.equal(transactions(), 9)
    assert.ok(unchecked.filter(({ why }) => why === 'The connection to the database ended before it.').length > 20)
  })

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
