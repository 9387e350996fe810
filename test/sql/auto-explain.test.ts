import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { hashSecret } from '../../src/core/access/secret.js'
import { connect } from '../../src/core/db/connect.js'
import { projectFolder } from '../../src/core/db/statement.js'
import { describeOnPostgres, type TestDatabase } from '../support/database.js'
import { everyRead } from '../support/every-call.js'
import { until } from '../support/metrics.js'
import { startOnCopy, type PostgresServer } from '../support/postgres-server.js'
import { ask, bearer, startService } from '../support/service.js'
import { templateName, templates } from '../support/templates.js'

const read = (path: string) => readFileSync(new URL(path, projectFolder), 'utf8')
const fileNames = new Set(
  readdirSync(new URL('sql/', projectFolder), { recursive: true, encoding: 'utf8' }).map((file) => basename(file)),
)

/** The settings that the page for DBAs has. */
function documentedSettings(): Record<string, string> {
  const [, block = ''] =
    /## Statements that are slow[\s\S]*?```ini\n([\s\S]*?)```/.exec(read('migrations/README.md')) ?? []
  const lines = [...block.matchAll(/^([\w.]+) = '?(.*?)'?$/gm)]
  return Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value]))
}

describeOnPostgres('a plan in the log of auto_explain', function () {
  this.timeout(120_000)
  let server: PostgresServer
  let database: TestDatabase
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
    const name = templateName('datasets')
    const db = connect(server.url(name, 'frames_owner'), { connections: 1, deadlineMs: 60_000 })
    database = {
      target: server.url(name, 'frames_service'),
      consoleTarget: server.url(name, 'frames_console'),
      ownerTarget: server.url(name, 'frames_owner'),
      adminTarget: server.url(name),
      db,
      drop: () => db.close(),
    }
  })
  after(async () => {
    await database.drop()
    await server.stop()
  })

  const log = () => readFileSync(join(server.data, 'log', 'server.log'), 'utf8')

  it('begins with the name of the file of its statement, and no line has the secret of a key', async () => {
    const running = await startService(database)
    const paths = everyRead
    for (const path of paths) await ask(running.url + path, { headers: bearer(running.secret) })
    const question = { frameIds: ['324378020', '324378021'], question: 'How many people?' }
    const answer = await ask(`${running.url}/v1/frames/insight`, {
      method: 'POST',
      headers: { ...bearer(running.secret), 'content-type': 'application/json' },
      body: JSON.stringify(question),
    })
    assert.equal(answer.status, 200)
    await running.stop()
    // PostgreSQL writes its log by a process of its own.
    await database.db.rows(`select 'the last line' as line`, [])
    await until(async () => log().includes('the last line'))

    const ofService = [
      ...log().matchAll(/^user=frames_service LOG: {2}duration: [\d.]+ ms {2}plan:\n\tQuery Text: (.*)$/gm),
    ]
    const named = new Set<string>()
    for (const [, first = ''] of ofService) {
      // Counts of calls carry no name, as docs/metrics.md says.
      if (/^(insert into|update) "key_(use|seen)"/.test(first)) continue
      const [, file = '', place = ''] = /^-- ([\w/.-]+): *(\w*)/.exec(first) ?? []
      assert.ok(file, `nothing leads from this plan to its file: ${first}`)
      if (file.startsWith('src/')) assert.match(read(file), new RegExp(`(function|const) ${place}\\b`))
      else assert.ok(fileNames.has(`${file}.sql`), file)
      named.add(file)
    }
    for (const file of ['frames_at', 'frames_in_box', 'frames_in_state', 'key_authority', 'records_of_baselines'])
      assert.ok(named.has(file), file)
    assert.match(log(), /\tQuery Text: -- frames_at: [\s\S]*?\n\t[\s\S]*?\n\t +Buffers: shared hit=\d+/)

    // The values of parameters stand in the lines of log_min_duration_statement.
    assert.ok(log().includes(hashSecret(running.secret).toString('hex')), 'the hash of the key')
    assert.ok(!log().includes('svc_sk_'))
    assert.ok(!log().includes(running.secret.slice('svc_sk_'.length)))
  })
})
