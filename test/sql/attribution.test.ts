import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashSecret } from '../../src/access/secret.js'
import { connect, type Database } from '../../src/db/connect.js'
import { projectFolder } from '../../src/db/statement.js'
import * as statements from '../../src/db/statements.js'
import { unsent } from '../cli/calls.js'
import { anotherReader, ids, makeWorld } from '../support/datasets.js'
import type { TestDatabase } from '../support/database.js'
import { description, pathsWithKey } from '../support/description.js'
import { everyQuestion, everyRead } from '../support/every-call.js'
import { until } from '../support/metrics.js'
import { startOnCopy, type PostgresServer } from '../support/postgres-server.js'
import { ask, bearer, startService } from '../support/service.js'
import { templateName, templates } from '../support/templates.js'
import { startWordingServer } from '../support/wording-server.js'

/** The driver sends these of its own: the bounds of a transaction. */
const OF_THE_DRIVER = /^(begin|commit|rollback)$/i
/** Counts of calls carry no name, as docs/metrics.md says. */
const OF_COUNTS = /^(insert into|update) "key_(use|seen)"/

const read = (path: string) => readFileSync(new URL(path, projectFolder), 'utf8')

/** The settings that the page for DBAs has. */
function documentedSettings(): Record<string, string> {
  const [, block = ''] =
    /## Statements that are slow[\s\S]*?```ini\n([\s\S]*?)```/.exec(read('migrations/README.md')) ?? []
  const lines = [...block.matchAll(/^([\w.]+) = '?(.*?)'?$/gm)]
  return Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value]))
}

/** A statement begins with the name of its file in sql/, without the folder, or with its place in TypeScript. */
function placeOf(text: string): string {
  const [, file = '', place = ''] = /^-- ([\w/.-]+): *(\w*)/.exec(text) ?? []
  assert.ok(file, `nothing leads from this statement to its file: ${text}`)
  if (!file.startsWith('src/')) return file
  assert.ok(existsSync(new URL(file, projectFolder)) && place, text)
  return `${file} ${place}`
}

describe('the calls of tests', () => {
  it('have every path and every parameter among them', () => {
    const asked = everyRead.map((path) => new URL(path, 'http://any'))
    assert.deepEqual(new Set(asked.map(({ pathname }) => pathname)), new Set(pathsWithKey('get')))
    for (const path of pathsWithKey('get')) {
      const described = (description.paths[path]?.['get']?.parameters ?? []).filter(
        ({ in: place }) => place === 'query',
      )
      const used = asked.flatMap(({ pathname, searchParams }) => (pathname === path ? [...searchParams.keys()] : []))
      assert.deepEqual(new Set(used), new Set(described.map(({ name }) => name)), path)
    }
  })
})

describe('a statement that the service sends', function () {
  this.timeout(120_000)
  let server: PostgresServer
  let admin: Database
  let secret: string

  before(async () => {
    const settings = documentedSettings()
    assert.equal(settings['auto_explain.log_min_duration'], '500ms')
    server = await startOnCopy(await templates(), {
      ...settings,
      'auto_explain.log_min_duration': '0',
      log_min_duration_statement: '0',
      logging_collector: 'on',
      log_directory: 'log',
      log_filename: 'server.log',
      log_line_prefix: 'user=%u ',
    })
    const url = (user?: string) => server.url(templateName('datasets'), user)
    admin = connect(url(), { connections: 1, deadlineMs: 60_000 })
    const db = connect(url('frames_owner'), { connections: 1, deadlineMs: 60_000 })
    await makeWorld(db)
    await admin.work('create extension pg_stat_statements')
    const targets = { ownerTarget: url('frames_owner'), consoleTarget: url('frames_console'), adminTarget: url() }
    const database = { ...targets, target: url('frames_service'), db, drop: () => db.close() }
    secret = await callEverything(database)
    await database.drop()
  })
  after(async () => {
    await admin.close()
    await server.stop()
  })

  it('begins with the name of its file, or its place in TypeScript, in pg_stat_statements', async () => {
    const found = await admin.rows<{ query: string }>(
      `select query from pg_stat_statements as seen
       join pg_database on pg_database.oid = seen.dbid and datname = current_database()
       join pg_roles on pg_roles.oid = seen.userid and rolname = 'frames_service'
       where seen.toplevel`,
      [],
    )
    const queries = found
      .map(({ query }) => query)
      .filter((query) => !OF_THE_DRIVER.test(query) && !OF_COUNTS.test(query))
    const places = new Set(queries.map(placeOf))
    const every = Object.values(statements).map(({ name }) => name)
    assert.deepEqual(every.filter((name) => !places.has(name)).toSorted(), unsent)
    assert.ok(places.has('src/credits/ledger.ts charge'))
  })

  it('is among the slowest by the query of docs/metrics.md', async () => {
    const [, documented = ''] = /## Slow statements[\s\S]*?```sql\n([\s\S]*?)```/.exec(read('docs/metrics.md')) ?? []
    const slowest = await admin.rows<{ statement: string; ms: string }>(documented, [])
    assert.equal(slowest.length, 10)
    for (const { statement, ms } of slowest) assert.ok(statement.length > 0 && Number(ms) >= 0)
  })

  it('begins so in the plans that auto_explain logs, and no line of the log has the secret of a key', async () => {
    const log = () => readFileSync(join(server.data, 'log', 'server.log'), 'utf8')
    // PostgreSQL writes its log by a process of its own.
    await admin.rows(`select 'the last line' as line`, [])
    await until(async () => log().includes('the last line'))
    const plans = [
      ...log().matchAll(/^user=frames_service LOG: {2}duration: [\d.]+ ms {2}plan:\n\tQuery Text: (.*)$/gm),
    ]
    const places = new Set(plans.flatMap(([, first = '']) => (OF_COUNTS.test(first) ? [] : placeOf(first))))
    for (const file of ['frames_at', 'frames_in_box', 'frames_in_state', 'key_authority', 'records_of_baselines'])
      assert.ok(places.has(file), file)
    assert.match(log(), /\tQuery Text: -- frames_at: [\s\S]*?\n\t[\s\S]*?\n\t +Buffers: shared hit=\d+/)

    // The values of parameters stand in the lines of log_min_duration_statement.
    assert.ok(log().includes(hashSecret(secret).toString('hex')), 'the hash of the key')
    assert.ok(!log().includes(secret.slice('svc_sk_'.length)))
    assert.ok(!log().includes('svc_sk_'))
  })
})

/** Asks every call, questions of every kind, and the ports of operators; answers with the secret of the key. */
async function callEverything(database: TestDatabase): Promise<string> {
  const { db } = database
  const wording = await startWordingServer()
  const running = await startService(database, { wordingUrl: wording.url, ops: true })
  const { secret, orgId } = await anotherReader(db, 203)
  await db.rows(`insert into worded_use (org_id, day, by_allowance) values ($1::text, current_date, 100)`, [orgId])
  const price = `/v1/frames/data?ids=${ids.slice(3, 6).join()}&price=true`
  for (const path of [...everyRead, '/v1/frames/at?lat=80&lon=0', price])
    await ask(running.url + path, { headers: bearer(secret) })
  const question = async (text: string) => {
    const body = JSON.stringify({ frameIds: ids.slice(0, 5), question: text })
    const headers = { ...bearer(secret), 'content-type': 'application/json' }
    const { status } = await ask(`${running.url}/v1/frames/insight`, { method: 'POST', headers, body })
    assert.equal(status, 200)
  }
  const ofModel = ['what is told in lyr_open?', 'which frame has most lyr_points?']
  for (const text of [...ofModel, ...everyQuestion]) await question(text)
  wording.behave({ fail: 500 })
  await question('what is told in lyr_open?')
  for (const path of ['readyz', 'metrics']) assert.equal((await ask(`${running.opsUrl}/${path}`)).status, 200)
  await running.stop()
  await wording.close()
  return secret
}
