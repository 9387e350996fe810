import assert from 'node:assert/strict'
import { connect, type Database, type Target } from '../../src/core/db/connect.js'
import { sqlText } from '../../src/core/db/statement.js'
import type { Check } from '../../src/core/doctor/check.js'
import { examine } from '../../src/core/doctor/examine.js'
import { deadlineIn } from '../../src/core/deadline.js'
import { openCheckUp } from '../../src/app/pages/health.js'
import { signIn, type Visitor } from '../support/browse.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { ask, bearer, newOrganisation, startService } from '../support/service.js'
import { until } from '../support/until.js'
import { cellsOf } from './pages.js'

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
    owner = await signIn(running.url, database.db, { orgId: operators })
  })
  after(() => running.stop())

  /** The page once no check is under way. */
  const settled = () =>
    until(async () => {
      const { status, text } = await owner.get('/app/health')
      assert.equal(status, 200, text)
      return text.includes('Look again') ? undefined : text
    })

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
    const rule = '<b>at most</b>'
    await database.db.work(`alter table account add constraint "${rule}" check (balance < 1000000000)`)
    await owner.post('/app/health')
    const page = await settled()
    assert.match(page, /things? (is|are) wrong: \d+ checks/)
    assert.match(page, /The checks ended <time[^>]*>(just now|\d+ minutes? ago)<\/time>, and took [\d.]+ seconds\./)
    const fix = /<code>schema<\/code>[\s\S]*alter table account drop constraint/
    assert.match(page, fix)
    assert.ok(!page.includes(rule))
    assert.match(page, /&lt;b&gt;at most&lt;\/b&gt;/)
    await database.db.work(`alter table account drop constraint "${rule}"`)
    assert.match(await settled(), fix, 'the report is kept')
    await owner.post('/app/health')
    assert.doesNotMatch(await settled(), fix)
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
    const run = (checks: Check[], ms: number) =>
      examine(database.db, {
        isEmbedded: false,
        checks,
        bounds: { checkMs: 300, until: deadlineIn(ms), onFault: assert.fail },
      })
    const { unchecked, findings } = await run([sleeping, { ...sleeping, name: 'sequences' }], 200)
    assert.deepEqual(findings, [])
    assert.equal(unchecked[1]?.why, 'The time of this run was over.')
    const alone = await run([sleeping], 5000)
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
      const lines = cellsOf(page, 'Statements that took the most time').map((cells) => cells.slice(0, 3).join())
      assert.ok(lines.includes('sql/states.sql,frames_service,1'), lines.join('\n'))
      assert.ok(lines.some((line) => line.startsWith('sql/web/session_holder.sql,frames_console,')))
      assert.doesNotMatch(page, /hidden_text/)
    } finally {
      await running.stop()
      await asService.work('alter role frames_service reset application_name').catch(() => {})
      await Promise.all([admin.close(), asService.close()])
    }
  })
})

describe('the lines that install pg_stat_statements', () => {
  const setting = (column: string) => `(select ${column} from pg_settings where name = 'shared_preload_libraries')`
  const loaded: Change[] = [
    [setting('setting'), `'auto_explain, pg_prewarm'::text`],
    [setting('source'), `'default'::text`],
  ]
  const notLoaded: Change = [`name = 'pg_stat_statements.max'`, `name = 'nothing'`]
  const noPackage: Change = ['from pg_available_extensions', 'from pg_available_extensions join pg_class on false']

  type Change = [from: string, to: string]
  async function linesFor(target: Target, ...changes: Change[]): Promise<string> {
    const db = connect(target, { connections: 1 })
    const text = changes.reduce((all, [from, to]) => {
      assert.ok(all.includes(from), from)
      return all.replace(from, to)
    }, sqlText('inspect/statements_install'))
    const [row] = await db.rows<{ lines: string }>(text, []).finally(() => db.close())
    return row?.lines ?? ''
  }

  it('say what this server lacks, and who can add it', async () => {
    const { adminTarget, ownerTarget } = database
    const lines: readonly [target: Target, changes: Change[], said: RegExp][] = [
      // It is loaded on this server.
      [adminTarget, [], /^create extension pg_stat_statements;$/],
      [ownerTarget, [], /^-- A superuser does this:\ncreate extension/],
      [
        ownerTarget,
        [notLoaded],
        /^-- A superuser does this:\n-- Add pg_stat_statements to what "show shared_preload_libraries" lists/,
      ],
      [adminTarget, [notLoaded], /^-- Where the server is started, set shared_preload_libraries to /],
      [adminTarget, [noPackage], /^-- Install the package .* on the server first\.$/],
    ]
    for (const [target, changes, said] of lines) assert.match(await linesFor(target, ...changes), said)
  })

  it('keep the libraries that are loaded already', async () => {
    const lines = await linesFor(database.adminTarget, notLoaded, ...loaded)
    const [alter = '', ...others] = lines.split('\n')
    assert.deepEqual(others, ['-- start PostgreSQL again, then', 'create extension pg_stat_statements;'])
    const admin = connect(database.adminTarget, { connections: 1 })
    try {
      await admin.work(alter)
      // In one text, PostgreSQL would look for one library of that long name, and not start.
      const [written] = await admin.rows<{ setting: string }>(
        `select setting from pg_file_settings where name = 'shared_preload_libraries'`,
        [],
      )
      assert.equal(written?.setting, 'auto_explain, pg_prewarm, pg_stat_statements')
    } finally {
      await admin.work('alter system reset shared_preload_libraries')
      await admin.close()
    }
  })
})

describe('a run of the checks on the page about health', function () {
  this.timeout(60_000)

  it('is one at a time, and its report is kept', async () => {
    let [transactions, atOnce, most] = [0, 0, 0]
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
    await until(() => !checkUp.progress())
    const [first, once] = [checkUp.last(), transactions]
    assert.equal(most, 1)
    assert.ok(once > 20)
    assert.ok(first)
    assert.equal(checkUp.last(), first)
    assert.equal(transactions, once)
  })
})
