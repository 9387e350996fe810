import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { projectFolder } from '../../src/db/statement.js'
import { onPostgres } from '../support/database.js'
import { ask, service } from '../support/service.js'
import { page } from './curls.js'

const run = promisify(execFile)

type Collection = { data: { features: unknown[]; next?: string } }

describe('the page for analysts', () => {
  const text = page('sql/README.md')

  it('names every statement', () => {
    for (const file of readdirSync(new URL('sql/', projectFolder))) {
      if (file.endsWith('.sql')) assert.ok(text.includes(file), `sql/README.md does not name ${file}`)
    }
  })

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
