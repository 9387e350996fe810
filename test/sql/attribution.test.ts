import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { connect } from '../../src/core/db/connect.js'
import { projectFolder } from '../../src/core/db/statement.js'
import { unsent } from '../cli/calls.js'
import { newDatabase, onPostgres } from '../support/database.js'
import { description, pathsWithKey } from '../support/description.js'
import { everyQuestion, everyRead } from '../support/every-call.js'
import { anotherReader, credit, ids, makeWorld } from '../support/datasets.js'
import { ask, bearer, startService } from '../support/service.js'
import { startWordingServer } from '../support/wording-server.js'

/** The driver sends these of its own: the bounds of a transaction. */
const OF_THE_DRIVER = /^(begin|commit|commit and chain|rollback)$/i

/** A header has the name of its file without the folder. */
const fileNames = new Set(
  readdirSync(new URL('sql/', projectFolder), { recursive: true, encoding: 'utf8' }).map((file) => basename(file)),
)

const read = (path: string) => readFileSync(new URL(path, projectFolder), 'utf8')

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

if (onPostgres) {
  describe('a statement in pg_stat_statements', function () {
    this.timeout(120_000)

    it('begins with the name of its file or its place in TypeScript, if the service sends it', async () => {
      const database = await newDatabase('datasets')
      const admin = connect(database.adminTarget)
      const wording = await startWordingServer()
      await makeWorld(database.db)
      await admin.work('create extension pg_stat_statements')
      const running = await startService(database, { wordingUrl: wording.url, ops: true })
      try {
        const { secret, orgId } = await anotherReader(database.db, 3)
        await database.db.rows(
          `insert into worded_use (org_id, day, by_allowance) values ($1::text, current_date, 100)`,
          [orgId],
        )
        const price = `/v1/frames/data?ids=${ids.slice(3, 6).join()}&price=true`
        const paths = [...everyRead, '/v1/frames/at?lat=80&lon=0', price]
        for (const path of paths) await ask(running.url + path, { headers: bearer(secret) })
        const question = (text: string) =>
          ask(`${running.url}/v1/frames/insight`, {
            method: 'POST',
            headers: { ...bearer(secret), 'content-type': 'application/json' },
            body: JSON.stringify({ frameIds: ids.slice(0, 5), question: text }),
          })
        await credit(database.db, orgId, 200)
        const questions = ['what is told in lyr_open?', 'which frame has most lyr_points?', ...everyQuestion]
        for (const text of questions) {
          assert.equal((await question(text)).status, 200)
        }
        wording.behave({ fail: 500 })
        assert.equal((await question('what is told in lyr_open?')).status, 200)
        for (const path of ['readyz', 'metrics']) assert.equal((await ask(`${running.opsUrl}/${path}`)).status, 200)

        const found = await admin.rows<{ query: string }>(
          `select query from pg_stat_statements as seen
           join pg_database on pg_database.oid = seen.dbid and datname = current_database()
           join pg_roles on pg_roles.oid = seen.userid and rolname = 'frames_service'
           where seen.toplevel`,
          [],
        )
        const [, documented = ''] =
          /## Slow statements[\s\S]*?```sql\n([\s\S]*?)```/.exec(read('docs/metrics.md')) ?? []
        const slowest = await admin.rows<{ statement: string; ms: string }>(documented, [])
        assert.equal(slowest.length, 10)
        for (const { statement, ms } of slowest) assert.ok(statement.length > 0 && Number(ms) >= 0)

        const places = new Set<string>()
        for (const { query } of found) {
          if (OF_THE_DRIVER.test(query)) continue
          const [, file = '', place = ''] = /^-- ([\w/.-]+): *(\w*)/.exec(query) ?? []
          assert.ok(file, `nothing leads from this statement to its file: ${query}`)
          places.add(file.startsWith('src/') ? `${file} ${place}` : file)
          if (file.startsWith('src/')) assert.match(read(file), new RegExp(`(function|const) ${place}\\b`))
          else assert.ok(fileNames.has(`${file}.sql`), file)
        }
        const used = [...read('src/core/db/statements.ts').matchAll(/'(\w+)',?\n?\)/g)].map(([, name = '']) => name)
        const missed = used.filter((name) => !places.has(name))
        assert.deepEqual(missed.toSorted(), unsent)
        assert.deepEqual([...places].filter((place) => place.startsWith('src/')).sort(), [
          'src/core/credits/allowance.ts openHold',
          'src/core/credits/allowance.ts postHold',
          'src/core/credits/allowance.ts releaseHold',
          'src/core/credits/ledger.ts charge',
        ])
      } finally {
        await running.stop()
        await wording.close()
        await admin.close()
        await database.drop()
      }
    })
  })
}
