import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { projectFolder, sqlText } from '../../src/db/statement.js'
import { onPostgres, urlOf } from '../support/database.js'
import { get, request, service, startService } from '../support/service.js'
import { startWordingServer } from '../support/wording-server.js'

const page = (name: string) => readFileSync(new URL(name, projectFolder), 'utf8')
const blocks = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map((block) => block[1] ?? '')
const run = promisify(execFile)

type Collection = { data: { features: unknown[]; next?: string } }

describe('the README', () => {
  const readme = page('README.md')
  const curls = [
    ...readme.matchAll(/^curl -H "Authorization: Bearer \$KEY" 'http:\/\/127\.0\.0\.1:3000([^']+)'$/gm),
  ].map((line) => line[1] ?? '')

  it('has curl lines for every call', () => {
    const calls = new Set(curls.map((path) => path.replace(/\?.*/, '')))
    assert.deepEqual(
      [...calls].sort((a, b) => a.localeCompare(b)),
      ['/v1/frames', '/v1/frames/admin', '/v1/frames/at', '/v1/frames/data', '/v1/lgas', '/v1/states', '/v1/wards'],
    )
  })

  for (const path of curls) {
    it(`is right that curl ${path} answers with data`, async () => {
      const { status, text } = await get(path)
      assert.equal(status, 200)
      assert.doesNotMatch(text, /"data":\[\]|"features":\[\]|"states":\[\]/)
    })
  }

  it('is right about its question, and shows the headline of the very answer', async () => {
    const [, body = ''] = /-d '([^']+)' 'http:\/\/127\.0\.0\.1:3000\/v1\/frames\/insight'/.exec(readme) ?? []
    const { status, text } = await request('POST', '/v1/frames/insight', { 'content-type': 'application/json' }, body)
    assert.equal(status, 200, text)
    const [, headline = 'none'] = /^"headline": (".*")$/m.exec(readme) ?? []
    assert.ok(text.includes(`"headline":${headline}`), text.slice(0, 200))
  })

  it('shows an answer with words and one without as they come', async () => {
    const [, body = ''] = /-d '([^']+)' 'http:\/\/127\.0\.0\.1:3000\/v1\/frames\/insight'/.exec(readme) ?? []
    const wording = await startWordingServer()
    const worded = await startService(service().database, { wordingUrl: wording.url })
    try {
      const post = async (url: string, secret: string) => {
        const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
        return (await (await fetch(`${url}/v1/frames/insight`, { method: 'POST', headers, body })).text()).replace(
          '{"data":',
          '',
        )
      }
      const members = (name: string) =>
        [...readme.matchAll(new RegExp(`^"${name}": "(.*)"$`, 'gm'))].map((found) => found[1] ?? '')
      const [withWords, without] = [await post(worded.url, worded.secret), await post(service().url, service().secret)]
      const [narrative = 'none'] = members('narrative')
      assert.ok(withWords.includes(`"narrative":"${narrative}`), withWords.slice(0, 300))
      assert.ok(withWords.includes('"engine":"claude"'))
      assert.ok(without.includes(`"notice":"${members('notice')[0]}"`) && without.includes('"engine":"deterministic"'))
      assert.deepEqual(members('engine'), ['claude', 'deterministic'])
    } finally {
      await worded.stop()
      await wording.close()
    }
  })

  it('shows the very answer of its first line', async () => {
    assert.equal(`${(await get(curls[0] ?? '')).text}\n`, blocks(readme, 'json')[0])
  })

  it('counts the frames of the fixture rightly', async () => {
    const { body } = await get('/v1/states')
    const frames = (body as { data: { frames: number }[] }).data.reduce((sum, state) => sum + state.frames, 0)
    assert.ok(readme.includes(`${frames.toLocaleString('en-US')} frames`), String(frames))
  })

  it('names only commands, files and folders that there are', () => {
    const scripts = (JSON.parse(page('package.json')) as { scripts: Record<string, string> }).scripts
    for (const [, name = ''] of readme.matchAll(/npm run (?:-s )?([\w:]+)/g)) assert.ok(scripts[name], name)
    for (const [, path = ''] of readme.matchAll(/\]\(([\w/.-]+)\)/g))
      assert.ok(existsSync(new URL(path, projectFolder)), path)
    for (const [, folder = ''] of readme.matchAll(/^  ?(\w+)\/ +a file|^  (\w+)\/ /gm)) {
      if (folder) assert.ok(existsSync(new URL(`src/${folder}`, projectFolder)), folder)
    }
  })
})

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
    await service().db.transaction(async (ask) => {
      for (const statement of script
        .split(/;\n/)
        .map((part) => part.trim())
        .filter(Boolean)) {
        if (statement.startsWith('set ')) await ask(statement.replace('set ', 'set local '), [])
        else assert.ok((await ask(statement, [])).length > 0 || statement.startsWith('prepare'), statement)
      }
      await ask('deallocate at', [])
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
          const collection: Collection['data'] = ((await (await fetch(url, { headers })).json()) as Collection).data
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
