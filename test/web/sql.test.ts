import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { explainSteps } from '../../src/api/inspect/explanation.js'
import { connect } from '../../src/core/db/connect.js'
import { deadlineIn, DeadlinePassed } from '../../src/core/deadline.js'
import { parseCall } from '../../src/tools/cli/asked-call.js'
import { signIn, type Visitor } from '../support/browse.js'
import type { TestDatabase } from '../support/database.js'
import { ids, sharedWorld, type World } from '../support/datasets.js'
import { ask, bearer, service, startService } from '../support/service.js'
import { psqlAs, sampleCalls, shownText, shownTexts } from './shown-sql.js'

const runAside = promisify(execFile)

describe('the page /app/sql', () => {
  let database: TestDatabase
  let running: Awaited<ReturnType<typeof startService>>
  let world: World
  let reader: Visitor
  let owner: ReturnType<typeof psqlAs>
  before(async () => {
    ;({ database, world } = await sharedWorld())
    owner = psqlAs(database.target)
    running = await startService(database, { publicUrl: 'listening' })
    reader = await signIn(running.url, database.db, { orgId: world.reader, role: 'member' })
  })
  after(async () => {
    owner.end()
    await running.stop()
  })

  const open = (call: string, view = 'sql', visitor = reader) =>
    visitor.get(`/app/sql?show=${view}&call=${encodeURIComponent(call)}`)
  const money = () =>
    database.db.rows(
      `select (select json_agg(account order by org_id) from account), (select json_agg(credit_entry) from credit_entry),
        (select json_agg(worded_use) from worded_use), (select json_agg(worded_hold) from worded_hold)`,
      [],
    )

  /** The API's answer to a call that the reader makes. */
  const answerTo = async (call: string) => {
    const { method, path, body } = parseCall(call)
    const headers = {
      ...bearer(world.readerKey.secret),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    return await ask(new URL(path, running.url).href, { method, headers, ...(body !== undefined && { body }) })
  }

  const pasted = (text: string) => owner.run(text)

  it('show statements that run as they are copied, with equal rows in both forms, and the plan of each', async () => {
    for (const call of sampleCalls(ids)) {
      const { status, text: page } = await open(call)
      assert.equal(status, 200, page)
      const filled = shownTexts(page, 'sql')
      const prepared = shownTexts(page, 'prepared')
      assert.ok(filled.length > 0)
      assert.equal(filled.length, prepared.length)
      for (const [i, statement] of filled.entries())
        assert.equal(await pasted(statement), await pasted(prepared[i] ?? ''), statement)
      const plan = await open(call, 'plan')
      assert.equal(plan.status, 200, plan.text)
      const tables = [...plan.text.matchAll(/Cost of (\w+)/g)].map(([, name]) => name)
      const names = filled.map((text) => /^-- (\w+):/.exec(text)?.[1])
      assert.deepEqual(tables, names, call)
      assert.equal([...plan.text.matchAll(/Execution Time: [\d.]+ ms/g)].length, names.length)
      assert.match(plan.text, /Within its budget:|no limit/)
      assert.doesNotMatch(plan.text, /rows? read,|executed in/, 'the table has the cost, and nothing says it again')
    }
  })

  it('show a line for curl that makes the call from a shell', async () => {
    const calls = [
      `GET /v1/frames?ids=${ids.slice(0, 2).join()}`,
      "GET /v1/frames?state=O'Brien [a]{b} $HOME `id` \\&limit=3",
      `GET /ogc/collections/lyr_open/items?limit=2&filter={"op":"=","args":[{"property":"state"},"O'Brien"]}`,
      `POST /v1/frames/insight ${JSON.stringify({ frameIds: [ids[0]], question: "it's @ $HOME `id` \\ how many frames?" })}`,
    ]
    for (const call of calls) {
      const line = shownText((await open(call, 'curl')).text, 'curl-line')
      assert.ok(!line.includes('svc_sk_'))
      // The service of this process answers, so that waiting must not block it.
      const { stdout } = await runAside('sh', ['-c', `${line} -s -w '\n%{http_code}'`], {
        env: { ...process.env, FRAMES_KEY: world.readerKey.secret },
      })
      const answer = await answerTo(call)
      assert.equal(stdout, `${answer.text}\n${answer.status}`, line)
    }
  })

  it('ask no other host', async () => {
    const heard: string[] = []
    const other = createServer((req, res) => {
      heard.push(req.url ?? '')
      res.end('{}')
    })
    await new Promise<void>((done) => void other.listen(0, '127.0.0.1', done))
    const host = `127.0.0.1:${(other.address() as AddressInfo).port}`
    for (const call of [
      `GET http://${host}/v1/states`,
      `GET //${host}/v1/states`,
      `GET /\\${host}/v1/states`,
      `GET ${running.url}@${host}/v1/states`,
      'x'.repeat(4001),
    ]) {
      for (const page of ['sql', 'plan']) {
        const answer = await open(call, page)
        assert.equal(answer.status, 400, `${page} ${call.slice(0, 80)}: ${answer.text}`)
        assert.deepEqual(shownTexts(answer.text, 'sql'), [])
      }
    }
    const long = await open('x'.repeat(100_000))
    assert.ok(long.status >= 400 && long.status < 500, String(long.status))
    other.closeAllConnections()
    await new Promise((done) => other.close(done))
    assert.deepEqual(heard, [])
  })

  it('ask as the organisation of the session, whatever the address says', async () => {
    const call = `GET /v1/frames/data?ids=${ids.slice(0, 5).join()}`
    const others = await signIn(running.url, database.db, { orgId: world.outsider })
    const own = (await open(call)).text
    const theirs = (await others.get(`/app/sql?call=${encodeURIComponent(call)}&org=${world.reader}`)).text
    for (const layer of ['lyr_licensed', 'lyr_query_a', 'lyr_open']) assert.ok(own.includes(layer), layer)
    assert.ok(theirs.includes('lyr_theirs') && theirs.includes('lyr_open'))
    for (const layer of ['lyr_licensed', 'lyr_query_a', 'lyr_private', world.reader]) assert.ok(!theirs.includes(layer))
    for (const hidden of ['lyr_theirs', 'lyr_private', world.outsider, 'svc_sk_']) assert.ok(!own.includes(hidden))
  })

  it('change nothing, and say which writes they leave out', async () => {
    const before = await money()
    const calls = [
      `GET /v1/frames/data?ids=${ids.slice(0, 5).join()}`,
      `POST /v1/frames/insight ${JSON.stringify({ frameIds: ids.slice(0, 5), question: 'lyr_query_a' })}`,
    ]
    for (const call of calls) for (const page of ['sql', 'plan']) assert.equal((await open(call, page)).status, 200)
    assert.deepEqual(await money(), before)
  })

  it('show what answers a panel now, as the organisation of the session, in a drawer too', async () => {
    const path = `/app/map?frame=${ids[0]}`
    const link = `${path}&show=sql&of=panel`
    const shown = await reader.get(link)
    assert.equal(shown.status, 200)
    assert.match(shown.text, new RegExp(`<h1>Frame ${ids[0]}</h1>`))
    assert.match(shown.text, new RegExp(`href="/app/map\\?frame=${ids[0]}">Back to the page`))
    const drawer = (await reader.get(`${link}&part=drawer`)).text
    assert.match(drawer, /^<header class="row apart">/)
    assert.deepEqual(shownTexts(drawer, 'sql'), shownTexts(shown.text, 'sql'))
    const others = await signIn(running.url, database.db, { orgId: world.outsider })
    const theirs = (await others.get(link)).text
    assert.ok(shown.text.includes('lyr_licensed') && !theirs.includes('lyr_licensed'))
    // No statement travels in an address.
    for (const forged of ['&show=sql', '&show=sql&of=key', '&show=sql&of=panel&statements=x'])
      assert.equal((await reader.get(path + forged)).status, forged.includes('statements') ? 200 : 404, forged)
    assert.match((await reader.get(`${path}&show=nothing`)).text, /<h2 id="panel-title"/)
  })
})

// The embedded database has no timers, and so no limit for a statement.
describe('the limits of the page of plans', () => {
  it('stop a statement, show its plan unmeasured, and leave no prepared statement', async () => {
    const db = connect(service().database.target, { connections: 1 })
    const slow = {
      name: 'slow',
      file: 'sql/slow.sql',
      text: '-- slow: nothing, after a while.\nselect pg_sleep(6)',
      args: [],
    }
    const quick = { ...slow, name: 'quick', text: '-- quick: one.\nselect 1' }
    const limits = { statementMs: 1000, deadline: deadlineIn(20_000) }
    const [first, between, last] = await explainSteps(db, [slow, quick, slow], limits)
    for (const stopped of [first, last]) {
      assert.equal(stopped?.measured, undefined)
      assert.match(stopped?.planText ?? '', /^Result /)
      assert.match(stopped?.sentences.join() ?? '', /was stopped: it may take 1 s at most/)
    }
    assert.ok(between?.measured)
    const left = await db.transaction((run) =>
      run<object>(`select name from pg_prepared_statements where name ~ '^explained'`, []),
    )
    assert.equal(left.length, 0)
    await assert.rejects(explainSteps(db, [quick], { ...limits, deadline: deadlineIn(-1) }), DeadlinePassed)
    await db.close()
  })
})
