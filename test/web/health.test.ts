import assert from 'node:assert/strict'
import { readConfig } from '../../src/config.js'
import { connect } from '../../src/db/connect.js'
import type { Check } from '../../src/doctor/check.js'
import { examine } from '../../src/doctor/examine.js'
import { deadlineIn } from '../../src/deadline.js'
import { signIn, type Visitor } from '../support/browse.js'
import { describeOnPostgres, newDatabase, onPostgres, type TestDatabase } from '../support/database.js'
import { ask, bearer, newOrganisation, startService } from '../support/service.js'
import { settledPage } from './health-page.js'
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

describe('the page about health', function () {
  this.timeout(180_000)
  let database: TestDatabase
  let running: Awaited<ReturnType<typeof startService>>
  let operators: string
  let others: string
  let owner: Visitor
  before(async () => {
    database = await newDatabase('empty')
    operators = await newOrganisation(database.db)
    others = await newOrganisation(database.db)
    running = await startService(database, { publicUrl: 'listening', operators: [operators] })
    owner = await signIn(running.url, database.db, { orgId: operators, role: 'owner' })
  })
  after(async () => {
    await running.stop()
    await database.drop()
  })

  const settled = (visitor = owner) => settledPage(visitor)

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

  it('follows the organisation that the session looks at', async () => {
    const visitor = await signIn(running.url, database.db, { orgId: operators, role: 'owner', name: 'Both' })
    await database.db.rows(
      `insert into membership (person_id, org_id, role) select person_id, $1::text, 'owner' from person where name = 'Both'`,
      [others],
    )
    assert.equal((await visitor.get('/app/health')).status, 200)
    await visitor.post('/app/organisation', { organisation: others })
    assert.equal((await visitor.get('/app/health')).status, 403)
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
    assert.match(why.get('functions_changed') ?? '', /^It makes copies to compare with, and this run only reads\.$/)
    const made = cellsOf(page, 'Checks that were made').map(([check]) => check)
    for (const check of ['events_missing', 'people_missing', 'owners_missing', 'sign_ins_ended', 'ledger'])
      assert.ok(made.includes(check), check)
    assert.equal(new Set([...made, ...why.keys()]).size, made.length + why.size)
    assert.match(page, onPostgres ? /frames_owner@HOST/ : />npm run -s frames -- doctor</)
  })

  it('starts no check when it is opened, and says that none has run', async () => {
    const fresh = await startService(database, { publicUrl: 'listening', operators: [operators] })
    try {
      const visitor = await signIn(fresh.url, database.db, { orgId: operators, role: 'owner' })
      for (let i = 0; i < 3; i++) {
        const { text } = await visitor.get('/app/health')
        assert.match(text, /No checks have run since this process started/)
        assert.match(text, />Run the checks</)
        assert.doesNotMatch(text, /under way|Look again|reload\.js/)
      }
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

describeOnPostgres('a bounded run of the doctor', function () {
  this.timeout(60_000)
  let database: TestDatabase
  before(async () => void (database = await newDatabase('empty')))
  after(() => database.drop())

  it('leaves out a check that takes longer than its time, and every check after the time of the run', async () => {
    const checks: Check[] = [sleeping, { ...sleeping, name: 'visibility' }]
    const from = performance.now()
    const bounds = { checkMs: 300, until: deadlineIn(200), onFault: assert.fail }
    const { unchecked, findings } = await examine(database.db, { isEmbedded: false, checks, bounds })
    assert.ok(performance.now() - from < 10_000)
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
    const service = connect(database.target, { connections: 1 })
    const orgId = await newOrganisation(database.db)
    const running = await startService(database, { publicUrl: 'listening', operators: [orgId] })
    try {
      const owner = await signIn(running.url, database.db, { orgId, role: 'owner' })
      const without = (await owner.get('/app/health')).text
      assert.match(without, /There is no pg_stat_statements in this database\./)
      assert.match(without, /<pre id="install-line"[^>]*>[^<]*create extension pg_stat_statements;<\/pre>/)
      await admin.work('create extension pg_stat_statements')
      await ask(`${running.url}/v1/states`, { headers: bearer(running.secret) })
      await service.work(`select 'of others' as hidden_text`)
      await service.work(`alter role frames_service set application_name = 'hidden_text'`)
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
      await service.work('alter role frames_service reset application_name').catch(() => {})
      await Promise.all([admin.close(), service.close()])
    }
  })
})
