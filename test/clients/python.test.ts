import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { license } from '../../src/core/access/licences.js'
import { topUp } from '../../src/core/credits/ledger.js'
import { projectFolder } from '../../src/core/db/statement.js'
import { framesAt } from '../../src/core/db/statements.js'
import { blocks, page } from '../docs/curls.js'
import { sample } from '../support/sample.js'
import { mint, newOrganisation, service, startService } from '../support/service.js'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('clients/python', projectFolder))
const maxBuffer = 16 * 1024 * 1024

/** Debian's own: it has the packages of python3-pandas, python3-geopandas and mypy. */
const python = '/usr/bin/python3'

describe('the client for Python', function () {
  this.timeout(180_000)
  let scratch: string
  before(() => {
    scratch = mkdtempSync(join(tmpdir(), 'frames-python-'))
  })
  after(() => rmSync(scratch, { recursive: true, force: true }))

  const env = (url: string, secret: string) => ({
    PATH: process.env['PATH'],
    PYTHONPATH: join(folder, 'src'),
    PYTHONDONTWRITEBYTECODE: '1',
    FRAMES_URL: url,
    FRAMES_KEY: secret,
  })

  async function runText(text: string, url = service().url, secret = service().secret): Promise<string> {
    const file = join(scratch, 'program.py')
    writeFileSync(file, text)
    const { stdout } = await run(python, [file], { env: env(url, secret), cwd: scratch, maxBuffer })
    return stdout
  }

  it('passes its own tests against the service', async () => {
    const words = ['-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests']
    const { url, secret } = service()
    const { stderr } = await run(python, words, { cwd: folder, env: env(url, secret) })
    const [, count = '0'] = /^Ran (\d+) tests/m.exec(stderr) ?? []
    assert.ok(Number(count) >= 20, stderr)
    assert.match(stderr, /^OK$/m)
  })

  it('gives random points the frames that SQL gives them, edges included, in few calls', async () => {
    const stdout = await runText(`
import json, os, random
from frames_client import Client
pick = random.Random(17)
points = [(pick.uniform(-0.8, 1.0), pick.uniform(-0.8, 1.4)) for _ in range(${sample(1800, 9000)})]
points += [(round(pick.uniform(-0.8, 1.0), 2), round(pick.uniform(-0.8, 1.4), 2)) for _ in range(${sample(100, 500)})]
points += [(round(pick.uniform(-0.8, 1.0), 2), pick.uniform(-0.8, 1.4)) for _ in range(${sample(100, 500)})]
client = Client(os.environ['FRAMES_URL'], os.environ['FRAMES_KEY'])
calls = []
call = client._transport.call
client._transport.call = lambda *words, **options: (calls.append(words), call(*words, **options))[1]
print(json.dumps({'points': points, 'located': client.locate(points), 'calls': len(calls)}))
`)
    type Located = { points: [lat: number, lon: number][]; located: (string | null)[]; calls: number }
    const { points, located, calls } = JSON.parse(stdout) as Located
    const expected = points.map((): string | null => null)
    const lons = points.map(([, lon]) => lon)
    const lats = points.map(([lat]) => lat)
    for (const { place, id } of await framesAt(service().db, lons, lats)) expected[place - 1] = id
    assert.deepEqual(located, expected)
    assert.ok(expected.filter((id) => id !== null).length > points.length / 5)
    assert.ok(calls < 100, `${calls} calls`)
  })

  it('prices many ids as the calls are charged, against one balance', async () => {
    const { db } = service()
    const orgId = await newOrganisation(db)
    const { secret } = await mint(db, { org: orgId })
    for (const [layer, price] of [
      ['lyr_market', 2],
      ['lyr_population', 3],
    ] as const)
      await license(db.run, layer, orgId, price)
    await topUp(db, orgId, 13, `test ${orgId}`)
    const stdout = await runText(
      `
import json, os
from frames_client import Client
client = Client(os.environ['FRAMES_URL'], os.environ['FRAMES_KEY'])
ids = [frame.id for frame in client.frames(state='marembe', lga='lakeside')][:350]
asked, real = [client.data(ids, datasets=['lyr_market', 'lyr_population'], price=price) for price in (True, False)]
print(json.dumps([[data.charged, sorted(each.layer_id for each in data.left_out)] for data in (asked, real)]))
print(json.dumps([asked.price.credits, asked.price.balance]))
`,
      service().url,
      secret,
    )
    const [counts = '', sums = ''] = stdout.trim().split('\n')
    const [asked, real] = JSON.parse(counts) as [unknown, unknown]
    assert.deepEqual(asked, real)
    assert.deepEqual(asked, [{ lyr_market: 3, lyr_population: 2 }, ['lyr_market', 'lyr_population']])
    assert.deepEqual(JSON.parse(sums), [12, 13])
  })

  it('waits for a real bucket, and gives what it asked for in the end', async () => {
    const { database } = service()
    const size = { burst: 2, perMinute: 60 }
    const small = await startService(database, { buckets: { key: size, organisation: size, insight: size } })
    const { secret } = await mint(database.db)
    try {
      const text = `
import logging, os
from frames_client import Client
logging.basicConfig(level=logging.INFO, format='%(message)s', stream=__import__('sys').stdout)
client = Client(os.environ['FRAMES_URL'], os.environ['FRAMES_KEY'])
print([client.at(0.105, 0.205).id for _ in range(4)])
`
      const stdout = await runText(text, small.url, secret)
      assert.match(stdout, /^waiting 1 s: /m)
      assert.match(stdout, /^\['324378020', '324378020', '324378020', '324378020'\]$/m)
      assert.ok(!stdout.includes(secret.slice('svc_sk_'.length)))
    } finally {
      await small.stop()
    }
  })

  it('does what the lines of its page say', async () => {
    const program = blocks(page('clients/python/README.md'), 'python').join('\n')
    const stdout = await runText(program.replace("'http://127.0.0.1:3000'", "os.environ['FRAMES_URL']"))
    const said = [...program.matchAll(/^ *print\(.*\) {2}# (.*?)(?:: off the grid)?$/gm)].map(([, text = '']) => text)
    assert.ok(said.length >= 7)
    for (const text of said) assert.ok(stdout.includes(text.replace('...', '')), `${text}: ${stdout}`)
    assert.match(stdout, /^0 +A +0\.105 +0\.205 +324378020$/m)
    assert.match(stdout, /^1 +B +50\.000 +3\.000 +None$/m)
    assert.match(stdout, /^\d+ epsg:4326$/im)
  })

  it('has types that mypy accepts in its strict mode', async () => {
    // Without what it kept of the last run, mypy reads the packages of pandas for ten seconds.
    const kept = fileURLToPath(new URL('node_modules/.cache/mypy', projectFolder))
    const { stdout } = await run(python, ['-m', 'mypy', '--cache-dir', kept], { cwd: folder })
    assert.match(stdout, /^Success: no issues found/)
  })
})
