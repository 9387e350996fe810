import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { projectFolder } from '../../src/core/db/statement.js'
import { exportFrames } from '../../src/tools/export/export.js'
import { startFrames } from '../support/cli.js'
import { changingIndex, databaseSettings, everywhere, exportFolder, idsWhere, IN_UNIT, unit } from './setup.js'

const run = promisify(execFile)

describe('an export that is interrupted', function () {
  this.timeout(120_000)
  const { folder, at, exported, linesOf } = exportFolder()

  /** Starts an export that waits at its end for a program in place of ogr2ogr, until the program's pipe is opened. */
  async function startWaiting() {
    mkdirSync(at('bin'))
    await run('mkfifo', [at('gate'), at('reached')])
    const program = `#!/bin/sh\n[ "$1" = --version ] && exit\necho > '${at('reached')}'\ncat '${at('gate')}'\n`
    writeFileSync(at('bin/ogr2ogr'), program, { mode: 0o755 })
    const settings = { ...databaseSettings(), PATH: `${at('bin')}:${process.env['PATH']}` }
    const started = startFrames(['export', ...unit, at('out.gpkg')], settings)
    await run('cat', [at('reached')])
    return {
      ...started,
      /** Lets the program end, which outlives the export. */
      open: () => run('sh', ['-c', `echo > '${at('gate')}'`]),
    }
  }
  const left = () => readdirSync(folder()).filter((name) => name.startsWith('out'))

  it('refuses a second run meanwhile; killed, it leaves no file, and the next run writes it', async () => {
    const waiting = await startWaiting()
    const second = await exported('out.gpkg', ...unit)
    assert.equal(second.status, 1)
    assert.match(second.err, new RegExp(`Process ${waiting.child.pid} is writing .*out\\.gpkg already`))
    waiting.child.kill('SIGKILL')
    await waiting.open()
    await waiting.ended
    assert.deepEqual(left(), ['out.gpkg.part', 'out.gpkg.part.lock'])
    const next = await exported('out.gpkg', ...unit)
    assert.equal(next.status, 0, next.err)
    assert.deepEqual(left(), ['out.gpkg'])
  })

  it('by a signal, leaves nothing', async () => {
    const waiting = await startWaiting()
    waiting.child.kill('SIGTERM')
    await waiting.open()
    assert.equal((await waiting.ended).status, 143)
    assert.deepEqual(left(), [])
  })

  it('by a full disk, leaves nothing but the file of an earlier run', async () => {
    writeFileSync(at('out.geojsonl'), 'before\n')
    const program = fileURLToPath(new URL('dist/src/main.js', projectFolder))
    const line = `ulimit -f 40; exec "${process.execPath}" "${program}" export ${everywhere.join(' ')} '${at('out.geojsonl')}'`
    const { PATH } = process.env
    const full = await run('sh', ['-c', line], { env: { PATH, ...databaseSettings() } }).catch(
      (error: { code: number; stderr: string }) => error,
    )
    assert.equal((full as { code?: number }).code, 1)
    assert.match(full.stderr, /EFBIG/)
    assert.deepEqual(left(), ['out.geojsonl'])
    assert.equal(readFileSync(at('out.geojsonl'), 'utf8'), 'before\n')
  })

  const options = () => ({
    file: at('out.geojsonl'),
    format: 'geojsonl' as const,
    selection: { level: 'ward' as const, state: 'marembe', lga: 'lakeside', ward: 'lake island' },
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
