import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { license } from '../../src/core/access/licences.js'
import { hashSecret } from '../../src/core/access/secret.js'
import { connect, type Database } from '../../src/core/db/connect.js'
import { projectFolder } from '../../src/core/db/statement.js'
import { send } from '../calls/call-rows.js'
import { unsent } from '../cli/calls.js'
import type { TestDatabase } from '../support/database.js'
import { credit, ids } from '../support/datasets.js'
import { everyCall, everyQuestion } from '../support/every-call.js'
import { until } from '../support/until.js'
import { startOnCopy, type PostgresServer } from '../support/postgres-server.js'
import { ask, bearer, mint, startService } from '../support/service.js'
import { templateName, templates } from '../support/templates.js'
import { startWordingServer } from '../support/wording-server.js'

/** The driver sends these of its own: the bounds of a transaction. */
const OF_THE_DRIVER = /^(begin|commit|commit and chain|rollback)$/i
/** Counts of calls carry no name, as docs/metrics.md says. */
const OF_COUNTS = /^(insert into|update) "key_(use|seen)"/

/** A header has the name of its file without the folder. */
const fileNames = new Set(
  readdirSync(new URL('sql/', projectFolder), { recursive: true, encoding: 'utf8' }).map((file) => basename(file)),
)

const read = (path: string) => readFileSync(new URL(path, projectFolder), 'utf8')

/** The settings for auto_explain that the page for DBAs has. */
function documentedSettings(): Record<string, string> {
  const [, block = ''] =
    /## Statements that are slow[\s\S]*?```ini\n([\s\S]*?)```/.exec(read('migrations/README.md')) ?? []
  const lines = [...block.matchAll(/^([\w.]+) = '?(.*?)'?$/gm)]
  return Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value]))
}

/** Returns the file that the first line of a statement names, with the function of a file in TypeScript. */
function sourceOf(statement: string): string {
  const [, file = '', place = ''] = /^-- ([\w/.-]+): *(\w*)/.exec(statement) ?? []
  assert.ok(file, `nothing leads from this statement to its file: ${statement}`)
  if (file.startsWith('src/')) assert.match(read(file), new RegExp(`(function|const) ${place}\\b`))
  else assert.ok(fileNames.has(`${file}.sql`), file)
  return file.startsWith('src/') ? `${file} ${place}` : file
}

describe('a statement that the service sends', function () {
  this.timeout(120_000)
  let server: PostgresServer
  let admin: Database
  let secret: string
  const log = () => readFileSync(join(server.data, 'log', 'server.log'), 'utf8')

  before(async () => {
    const settings = documentedSettings()
    assert.equal(settings['auto_explain.log_min_duration'], '500ms')
    server = await startOnCopy(await templates(), {
      ...settings,
      shared_preload_libraries: `${settings['shared_preload_libraries']},pg_stat_statements`,
      'auto_explain.log_min_duration': '0',
      log_min_duration_statement: '0',
      logging_collector: 'on',
      log_directory: 'log',
      log_filename: 'server.log',
      log_line_prefix: 'user=%u ',
    })
    const name = templateName('datasets')
    admin = connect(server.url(name))
    await admin.work('create extension pg_stat_statements')
    const wording = await startWordingServer()
    const database = { target: server.url(name, 'frames_service'), db: connect(server.url(name, 'frames_owner')) }
    const running = await startService(database as TestDatabase, { wordingUrl: wording.url, ops: true })
    const { db } = database
    const key = await mint(db)
    secret = key.secret
    for (const [layer, price] of Object.entries({ lyr_population: 2, lyr_market: 3 }))
      await license(db.run, layer, key.orgId, price)
    await credit(db, key.orgId, 4)
    await db.rows('insert into worded_use (org_id, day, by_allowance) values ($1::text, current_date, 100)', [
      key.orgId,
    ])
    const headers = bearer(secret)
    const price = `GET /v1/frames/data?ids=${ids.slice(3, 6).join()}&price=true`
    const more = ['GET /v1/frames/at?lat=80&lon=0', price, 'GET /ogc/collections/lyr_market/items?price=true']
    for (const call of [...everyCall.map((known) => known.call), ...more])
      await send(call, { url: running.url, secret })
    await credit(db, key.orgId, 200)
    const question = async (text: string) => {
      const { status } = await ask(`${running.url}/v1/frames/insight`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ frameIds: ids.slice(0, 5), question: text }),
      })
      assert.equal(status, 200)
    }
    for (const text of everyQuestion) await question(text)
    wording.behave({ fail: 500 })
    await question('how many people are there')
    for (const path of ['readyz', 'metrics']) assert.equal((await ask(`${running.opsUrl}/${path}`)).status, 200)
    await Promise.all([running.stop(), wording.close()])
    await db.close()
  })
  after(async () => {
    await admin.close()
    await server.stop()
  })

  it('begins with the name of its file or its place in TypeScript, as pg_stat_statements shows', async () => {
    const found = await admin.rows<{ query: string }>(
      `select query from pg_stat_statements as seen
       join pg_database on pg_database.oid = seen.dbid and datname = current_database()
       join pg_roles on pg_roles.oid = seen.userid and rolname = 'frames_service'
       where seen.toplevel`,
      [],
    )
    const [, documented = ''] = /## Slow statements[\s\S]*?```sql\n([\s\S]*?)```/.exec(read('docs/metrics.md')) ?? []
    const slowest = await admin.rows<{ statement: string; ms: string }>(documented, [])
    assert.equal(slowest.length, 10)
    for (const { statement, ms } of slowest) assert.ok(statement.length > 0 && Number(ms) >= 0)
    const texts = found
      .map(({ query }) => query)
      .filter((query) => !OF_THE_DRIVER.test(query) && !OF_COUNTS.test(query))
    const places = new Set(texts.map(sourceOf))
    const used = [...read('src/core/db/statements.ts').matchAll(/'(\w+)',?\n?\)/g)].map(([, name = '']) => name)
    assert.deepEqual(used.filter((name) => !places.has(name)).toSorted(), unsent)
    assert.deepEqual([...places].filter((place) => place.startsWith('src/')).sort(), [
      'src/core/credits/allowance.ts openHold',
      'src/core/credits/allowance.ts postHold',
      'src/core/credits/allowance.ts releaseHold',
      'src/core/credits/ledger.ts charge',
    ])
  })

  it('begins so in the plans that auto_explain logs, and no line has the secret of a key', async () => {
    // PostgreSQL writes its log by a process of its own.
    await admin.rows(`select 'the last line' as line`, [])
    await until(async () => log().includes('the last line'))
    const plans = log().matchAll(/^user=frames_service LOG: {2}duration: [\d.]+ ms {2}plan:\n\tQuery Text: (.*)$/gm)
    const firstLines = Array.from(plans, ([, first = '']) => first).filter((first) => !OF_COUNTS.test(first))
    const named = new Set(firstLines.map(sourceOf))
    for (const file of ['frames_at', 'frames_in_box', 'frames_in_state', 'key_authority', 'records_of_baselines'])
      assert.ok(named.has(file), file)
    assert.match(log(), /\tQuery Text: -- frames_at: [\s\S]*?\n\t[\s\S]*?\n\t +Buffers: shared hit=\d+/)
    // The values of parameters stand in the lines of log_min_duration_statement.
    assert.ok(log().includes(hashSecret(secret).toString('hex')), 'the hash of the key')
    assert.ok(!log().includes('svc_sk_'))
    assert.ok(!log().includes(secret.slice('svc_sk_'.length)))
  })
})
