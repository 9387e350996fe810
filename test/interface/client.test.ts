import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { projectFolder } from '../../src/core/db/statement.js'
import { ask, mint, service, startService } from '../support/service.js'

const run = promisify(execFile)
const path = (name: string) => fileURLToPath(new URL(name, projectFolder))

/** The consumer's program, as far as it is used here; it is compiled against the client, and not with the tests. */
type Program = {
  clientOf: (url: string, key: string) => object
  frameAt: (client: object, lat: number, lon: number) => Promise<{ frame: { id: string }; ward?: string }>
  idsOfState: (client: object, state: string, limit: number) => Promise<string[]>
  refusalOf: (client: object, lat: number, lon: number) => Promise<string>
}

describe('a client generated from the description', function () {
  this.timeout(120_000)
  let folder: string
  let program: Program
  let client: object

  before(async () => {
    mkdirSync(path('dist'), { recursive: true })
    folder = mkdtempSync(path('dist/client-'))
    writeFileSync(join(folder, 'openapi.json'), (await ask(`${service().url}/v1/openapi.json`)).text)
    cpSync(path('test/interface/consumer'), folder, { recursive: true })
    const words = ['generate', '-p', join(folder, 'openapi.json'), '-o', folder, '-n', 'frames.ts', '--silent']
    await run(path('node_modules/.bin/swagger-typescript-api'), [...words, '--enum-style=union'])
    // The generator tells the compiler to look away; it is to look.
    const generated = readFileSync(join(folder, 'frames.ts'), 'utf8')
    assert.match(generated, /^\/\/ @ts-nocheck$/m)
    writeFileSync(join(folder, 'frames.ts'), generated.replace(/^\/\/ @ts-nocheck$/m, ''))
    await run(path('node_modules/.bin/tsc'), ['-p', folder]).catch((error: { stdout: string }) => {
      throw new Error(`The client does not compile:\n${error.stdout}`)
    })
    program = (await import(pathToFileURL(join(folder, 'calls.js')).href)) as Program
    client = program.clientOf(service().url, service().secret)
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('compiles strictly and finds a frame', async () => {
    const { frame, ward } = await program.frameAt(client, 0.105, 0.205)
    assert.deepEqual([frame.id, ward], ['324378020', 'LAKE ISLAND'])
  })

  it('walks over the pages of a unit, and ends where the index changes between two', async () => {
    const rows = await service().db.rows<{ id: string }>(
      `select frame_id::text as id from frame where state = 'MAREMBE' order by frame_id`,
      [],
    )
    assert.deepEqual(
      await program.idsOfState(client, 'marembe', 1500),
      rows.map(({ id }) => id),
    )
    let pages = 0
    const running = await startService(service().database, {
      watch: async (text) => {
        if (!text.startsWith('-- frames_in_state:')) return
        pages += 1
        if (pages === 2) await service().db.rows('update index_generation set generation = generation + 1', [])
      },
    })
    try {
      const walk = program.idsOfState(program.clientOf(running.url, running.secret), 'marembe', 1500)
      await assert.rejects(walk, /index changed during the walk/)
      assert.equal(pages, 2)
    } finally {
      await service().db.rows('update index_generation set generation = generation - 1', [])
      await running.stop()
    }
  })

  it('tells refusals by their code', async () => {
    assert.equal(await program.refusalOf(client, 95, 0), 'the point is wrong')
    assert.equal(await program.refusalOf(client, 45, 90), 'the point is off the grid')
    const { url, secret, db } = service()
    assert.equal(await program.refusalOf(program.clientOf(url, `${secret}0`), 0, 0), 'the key: invalid_key')
    const lacking = await mint(db, { capabilities: ['stats.read'] })
    assert.equal(await program.refusalOf(program.clientOf(url, lacking.secret), 0, 0), 'the key: insufficient_scope')
  })
})
