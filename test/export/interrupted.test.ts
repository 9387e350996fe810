import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { projectFolder } from '../../src/core/db/statement.js'
import { exportFrames } from '../../src/tools/export/export.js'
import { startFrames } from '../support/cli.js'
import { urlOf } from '../support/database.js'
import { service } from '../support/service.js'
import { until } from '../support/until.js'
import { changingIndex, databaseSettings, everywhere, exportFolder, idsWhere, IN_UNIT, unit } from './setup.js'

const run = promisify(execFile)

describe('an export that is interrupted', function () {
  this.timeout(120_000)
  const { folder, at, exported, linesOf } = exportFolder()

  let admin: postgres.Sql
  before(() => {
    admin = postgres(urlOf(service().database.adminTarget), { max: 2, onnotice: () => {} })
  })
  after(() => admin.end())

  /** Starts an export, and ends the work once the export has begun its file and waits for the frames. */
  const whileWaiting = (work: (started: Awaited<ReturnType<typeof startFrames>>) => Promise<void>) =>
    admin.begin(async (sql) => {
      await sql`lock table frame in access exclusive mode`
      const started = startFrames(['export', ...unit, at('out.gpkg')], databaseSettings())
      await until(
        async () => (await admin`select from pg_locks where relation = 'frame'::regclass and not granted`).length,
      )
      await work(started)
    })
  const left = () => readdirSync(folder()).filter((name) => name.startsWith('out'))

  it('refuses a second run meanwhile; killed, it leaves no file, and the next run writes it', async () => {
    await whileWaiting(async ({ child, ended }) => {
      const second = await exported('out.gpkg', ...unit)
      assert.equal(second.status, 1)
      assert.match(second.err, new RegExp(`Process ${child.pid} is writing .*out\\.gpkg already`))
      child.kill('SIGKILL')
      await ended
      assert.deepEqual(left(), ['out.gpkg.part', 'out.gpkg.part.lock'])
    })
    const next = await exported('out.gpkg', ...unit)
    assert.equal(next.status, 0, next.err)
    assert.deepEqual(left(), ['out.gpkg'])
  })

  it('by a signal, leaves nothing', () =>
    whileWaiting(async ({ child, ended }) => {
      child.kill('SIGTERM')
      assert.equal((await ended).status, 143)
      assert.deepEqual(left(), [])
    }))

  for (const [name, fault] of [
    ['out.geojsonl', /EFBIG/],
    ['out.gpkg', /cannot be written: disk I\/O error\. Is there room/],
  ] as const)
    it(`by a full disk, leaves nothing of ${name} but the file of an earlier run`, async () => {
      writeFileSync(at(name), 'before\n')
      const program = fileURLToPath(new URL('dist/src/main.js', projectFolder))
      const line = `ulimit -f 40; exec "${process.execPath}" "${program}" export ${everywhere.join(' ')} '${at(name)}'`
      const { PATH } = process.env
      const full = await run('sh', ['-c', line], { env: { PATH, ...databaseSettings() } }).catch(
        (error: { code: number; stderr: string }) => error,
      )
      assert.equal((full as { code?: number }).code, 1)
      assert.match(full.stderr, fault)
      assert.deepEqual(left(), [name])
      assert.equal(readFileSync(at(name), 'utf8'), 'before\n')
    })

  const options = () => ({
    file: at('out.geojsonl'),
    format: 'geojsonl' as const,
    place: { unit: ['marembe', 'lakeside', 'lake island'] },
    units: true,
    guards: true,
    layers: [],
  })

  it('by a new index, begins anew, and never mixes lines of two indexes', async () => {
    const { db, restore } = changingIndex(3)
    const said: string[] = []
    try {
      await exportFrames(db, options(), (step) => said.push(step))
      assert.match(said.join('\n'), /the index or a dataset changed meanwhile: beginning anew/)
      assert.deepEqual(
        linesOf('out.geojsonl').map(({ id }) => id),
        await idsWhere(IN_UNIT),
      )
    } finally {
      await restore()
    }
  })
})
