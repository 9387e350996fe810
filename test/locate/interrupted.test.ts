import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { projectFolder } from '../../src/core/db/statement.js'
import { databaseSettings } from '../export/setup.js'
import { frames, startFrames } from '../support/cli.js'
import { startRelay } from '../support/relay.js'
import { sample } from '../support/sample.js'
import { service } from '../support/service.js'

const run = promisify(execFile)
const program = fileURLToPath(new URL('dist/src/main.js', projectFolder))

/** Rows are sent 200 at a time: the run is killed within the second 200. Every tenth row has no usable point. */
const [ROWS, KILLED_AT] = [sample(260, 900), sample(220, 300)]

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    i % 10 === 9 ? `${i},x,1` : `${i},${(-0.4 + (i % 90) / 100).toFixed(3)},${(-0.4 + (i % 83) / 101).toFixed(4)}`,
  ).join('\n')

describe('a run of frames locate', function () {
  this.timeout(120_000)
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'frames-locate-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  const at = (name: string) => join(folder, name)
  const read = (name: string) => readFileSync(at(name), 'utf8')

  for (const data of [['--data', 'lyr_population'], []].slice(0, sample(1, 2))) {
    it(`gives the same bytes when it is killed and run again ${data.join(' ')}`, async () => {
      writeFileSync(at('in.csv'), `n,lon,lat\n${rowsOf(ROWS)}\n`)
      const env = { FRAMES_KEY: service().secret }
      const words = (url: string, file: string) => ['locate', at('in.csv'), at(file), '--url', url, ...data]
      assert.equal((await frames(words(service().url, 'whole.csv'), env)).status, 1)
      let stopAt = KILLED_AT
      let reached = () => {}
      const waiting = new Promise<void>((done) => (reached = done))
      const cut = await startRelay(service().url, (call) => {
        if (call >= stopAt) reached()
        return call < stopAt
      })
      try {
        const killed = startFrames(words(cut.url, 'cut.csv'), env)
        await waiting
        killed.child.kill('SIGKILL')
        await killed.ended
        assert.ok(!existsSync(at('cut.csv')))
        // A crash may leave a line after the last notes.
        writeFileSync(at('cut.csv.part'), `${read('cut.csv.part')}half a li`)
        const before = cut.calls().length
        stopAt = Infinity
        const ran = await frames(words(cut.url, 'cut.csv'), env)
        assert.equal(ran.status, 1)
        assert.match(ran.err, /going on after \d+ rows/)
        assert.ok(cut.calls().length - before < 0.9 * ROWS)
        assert.equal(read('cut.csv'), read('whole.csv'))
        assert.equal(read('cut.rejected.csv'), read('whole.rejected.csv'))
        assert.deepEqual(
          readdirSync(folder).sort().join(' '),
          'cut.csv cut.rejected.csv in.csv whole.csv whole.rejected.csv',
        )
      } finally {
        await cut.close()
      }
    })
  }

  it('begins anew when the index changes meanwhile', async () => {
    writeFileSync(at('in.csv'), `n,lon,lat\n${rowsOf(40)}\n`)
    const change = (by: number) =>
      service().db.rows('update index_generation set generation = generation + $1::int', [by])
    const through = await startRelay(service().url, async (call) => {
      if (call === 10) await change(1)
      return true
    })
    try {
      const words = ['locate', at('in.csv'), at('out.csv'), '--url', through.url]
      const ran = await frames(words, { FRAMES_KEY: service().secret })
      assert.match(ran.err, /the index or a dataset changed meanwhile: beginning anew/)
      assert.equal(read('out.csv').trimEnd().split('\n').length, 37)
    } finally {
      await change(-1)
      await through.close()
    }
  })

  it('reads standard input and writes standard output, with its messages beside them', async () => {
    const settings = databaseSettings()
    writeFileSync(at('in.csv'), 'lon,lat\n0.205,0.105\nx,1\n')
    const shell = (line: string) =>
      run('sh', ['-c', line], { cwd: folder, env: { PATH: process.env['PATH'], ...settings } }).then(
        ({ stdout, stderr }) => ({ stdout, stderr, code: 0 }),
        (error: { stdout: string; stderr: string; code: number }) => error,
      )
    const ran = await shell(`'${process.execPath}' '${program}' locate - - < in.csv`)
    assert.equal(ran.stdout, 'lon,lat,frame_id\n0.205,0.105,324378020\n')
    assert.equal(ran.code, 1)
    assert.match(ran.stderr, /2 rows, 1 located, 0 off the grid, 1 rejected[\s\S]*see rejected\.csv/)
    assert.equal(
      read('rejected.csv'),
      'line,reason,lon,lat\n3,"lon: a number such as 9.05 is accepted, ""x"" came",x,1\n',
    )
    const refused = await shell(`'${process.execPath}' '${program}' locate in.csv - --json`)
    assert.equal(refused.code, 2)
    assert.match(refused.stderr, /--json: standard output gets the rows already/)
  })
})
