import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { projectFolder, sqlText } from '../../src/db/statement.js'
import { onPostgres, urlOf } from '../support/database.js'
import { ask, service } from '../support/service.js'
import { blocks, page } from './curls.js'

const run = promisify(execFile)

type Collection = { data: { features: unknown[]; next?: string } }

describe('the page for analysts', () => {
  const text = page('sql/README.md')

  it('names every statement', () => {
    for (const file of readdirSync(new URL('sql/', projectFolder))) {
      if (file.endsWith('.sql')) assert.ok(text.includes(file), file)
    }
  })

  const queries = blocks(text, 'sql').filter((block) => block.startsWith('select'))
  for (const query of queries) {
    it(`has a query that finds rows: ${query.split('\n')[0]}`, async () => {
      assert.ok((await service().db.rows(query.trim().replace(/;$/, ''), [])).length > 0)
    })
  }

  const [prepare = '', explain = ''] = blocks(text, 'sql').filter((block) => /^\\set|^set plan/.test(block))

  it('prepares and executes a statement as it says', async () => {
    const script = (prepare + explain)
      .replace(/^\\set .*\n/, '')
      .replace(':text', sqlText(/cat sql\/(\w+)\.sql/.exec(prepare)?.[1] ?? ''))
    await service().db.transaction(async (send) => {
      for (const statement of script
        .split(/;\n/)
        .map((part) => part.trim())
        .filter(Boolean)) {
        if (statement.startsWith('set ')) await send(statement.replace('set ', 'set local '), [])
        else assert.ok((await send(statement, [])).length > 0 || statement.startsWith('prepare'), statement)
      }
      await send('deallocate at', [])
    })
  })

  if (onPostgres) {
    it('prepares and executes a statement in psql, pasted as it stands', async () => {
      const psql = execFile('psql', ['-X', '-v', 'ON_ERROR_STOP=1', '-d', urlOf(service().database.adminTarget)], {
        cwd: projectFolder,
      })
      const said: string[] = []
      for (const stream of [psql.stdout, psql.stderr]) stream?.on('data', (data: string) => said.push(data))
      psql.stdin?.end(prepare + explain)
      const status = await new Promise((done) => psql.once('close', done))
      assert.equal(status, 0, said.join(''))
      assert.match(said.join(''), /324378020[\s\S]*frame_geom_idx/)
    })
  }

  if (onPostgres) {
    it('is right that ogr2ogr reads a state from the API, every frame of it', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'frames-ogr-'))
      try {
        const file = join(folder, 'marembe.gpkg')
        const base = `${service().url}/v1/frames?state=marembe`
        const headers = { authorization: `Bearer ${service().secret}` }
        const env = { ...process.env, GDAL_HTTP_HEADERS: `Authorization: Bearer ${service().secret}` }
        let sent = 0
        for (let next: string | undefined = ''; next !== undefined;) {
          const url: string = next === '' ? base : `${base}&after=${next}`
          const collection: Collection['data'] = ((await ask(url, { headers })).body as Collection).data
          await run(
            'ogr2ogr',
            ['-f', 'GPKG', ...(next === '' ? [] : ['-append', '-update']), file, url, '-nln', 'frames'],
            { env },
          )
          sent += collection.features.length
          next = collection.next
        }
        const { stdout } = await run('ogrinfo', ['-so', file, 'frames'])
        assert.equal(Number(/Feature Count: (\d+)/.exec(stdout)?.[1]), sent)
        const [counted] = await service().db.rows<{ frames: number }>(
          "select frames::int from state where state = 'MAREMBE'",
          [],
        )
        assert.equal(sent, counted?.frames)
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    })
  }
})
