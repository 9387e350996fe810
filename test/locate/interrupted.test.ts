import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createWriteStream, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { projectFolder } from '../../src/core/db/statement.js'
import { locatePoints } from '../../src/tools/locate/locate.js'
import { changingIndex, databaseSettings } from '../export/setup.js'
import { frames, startFrames } from '../support/cli.js'

const run = promisify(execFile)
const program = fileURLToPath(new URL('dist/src/main.js', projectFolder))

/** Every tenth row has no usable point. */
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

  it('refuses a second run meanwhile; killed, it leaves no file, and the next run writes both', async () => {
    await run('mkfifo', [at('pipe')])
    const waiting = startFrames(['locate', at('pipe'), at('out.csv')], databaseSettings())
    const points = createWriteStream(at('pipe'))
    points.on('error', () => {})
    // The run opened the pipe, and waits for the rest of its points.
    await new Promise((done) => points.write(`n,lon,lat\n${rowsOf(10)}\n`, done))
    writeFileSync(at('in.csv'), `n,lon,lat\n${rowsOf(40)}\n`)
    const second = await frames(['locate', at('in.csv'), at('out.csv')], databaseSettings())
    assert.equal(second.status, 1)
    assert.match(second.err, new RegExp(`Process ${waiting.child.pid} is writing .*out\\.csv already`))
    waiting.child.kill('SIGKILL')
    await waiting.ended
    points.destroy()
    const parts = ['out.csv.part', 'out.csv.part.lock', 'out.rejected.csv.part', 'out.rejected.csv.part.lock']
    assert.deepEqual(readdirSync(folder).sort(), ['in.csv', ...parts, 'pipe'])
    const next = await frames(['locate', at('in.csv'), at('out.csv')], databaseSettings())
    assert.equal(next.status, 1)
    assert.deepEqual(readdirSync(folder).sort(), ['in.csv', 'out.csv', 'out.rejected.csv', 'pipe'])
    assert.equal(read('out.csv').trimEnd().split('\n').length, 37)
    assert.equal(read('out.rejected.csv').trimEnd().split('\n').length, 5)
  })

  for (const [input, title] of [
    ['a file', 'begins anew when the index changes meanwhile'],
    ['a stream', 'ends with an error when the index changes meanwhile, since a stream is read once'],
  ] as const)
    it(`of ${input} ${title}`, async () => {
      const text = `n,lon,lat\n${rowsOf(40)}\n`
      writeFileSync(at('in.csv'), text)
      const { db, restore } = changingIndex(3)
      const said: string[] = []
      const job = {
        input: input === 'a file' ? at('in.csv') : Readable.from([Buffer.from(text)]),
        output: at('out.csv'),
        rejected: at('rejected.csv'),
        columns: {},
        units: false,
        guards: true,
        layers: [],
      }
      try {
        const located = locatePoints(db, job, (step) => said.push(step))
        if (input === 'a stream') {
          await assert.rejects(located, /The index or a dataset changed while the file was being written/)
          assert.deepEqual(readdirSync(folder), ['in.csv'])
          return
        }
        assert.equal((await located).rows, 40)
        assert.match(said.join('\n'), /the index or a dataset changed meanwhile: beginning anew/)
        assert.equal(read('out.csv').trimEnd().split('\n').length, 37)
        assert.equal(read('rejected.csv').trimEnd().split('\n').length, 5)
      } finally {
        await restore()
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
