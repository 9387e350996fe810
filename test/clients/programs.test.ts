/** The programs of docs/clients.md do the same in each language, and the lines of Python's own page do what they say. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { license } from '../../src/core/access/licences.js'
import { topUp } from '../../src/core/credits/ledger.js'
import { projectFolder } from '../../src/core/db/statement.js'
import { framesAt } from '../../src/core/db/statements.js'
import { blocks, page } from '../docs/curls.js'
import { balanceOf } from '../support/datasets.js'
import { randomNumbers } from '../support/random-numbers.js'
import { mint, newOrganisation, service, type Minted } from '../support/service.js'
import { buildOf, type ClientOf, clients, isInstalled } from './languages.js'

const run = promisify(execFile)
const path = (name: string) => fileURLToPath(new URL(name, projectFolder))
const SHOPS = 1000
const FENCE = { TypeScript: 'ts', Python: 'python', R: 'r' } as const

describe('the programs of docs/clients.md', function () {
  this.timeout(300_000)
  let folder: string
  let shops: { lat: number; lon: number }[]
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'frames-programs-'))
    const pick = randomNumbers(7)
    shops = Array.from({ length: SHOPS }, () => ({ lat: pick() * 0.5, lon: pick() * 0.5 }))
    const lines = shops.map(({ lat, lon }, i) => `shop ${i},${lat},${lon}`)
    writeFileSync(join(folder, 'shops.csv'), `name,lat,lon\n${lines.join('\n')}\n`)
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  async function payer(credits: number): Promise<Minted> {
    const { db } = service()
    const org = await newOrganisation(db)
    await license(db.run, 'lyr_market', org, 2)
    await topUp(db, org, credits, `test ${org}`)
    return await mint(db, { org })
  }

  async function said(client: ClientOf, text: string, secret: string): Promise<string> {
    const env = { ...(await buildOf(client, folder)), FRAMES_KEY: secret }
    const program = text.replaceAll('http://127.0.0.1:3000', service().url)
    const name = `program.${FENCE[client.language]}`
    writeFileSync(join(folder, name), program)
    const file = client.language === 'TypeScript' ? await compiled(name) : name
    return (await run(client.program, [file], { cwd: folder, env })).stdout
  }

  /** Compiles strictly, against the client as npm would link it. */
  async function compiled(name: string): Promise<string> {
    const modules = join(folder, 'node_modules')
    if (!existsSync(modules)) {
      mkdirSync(modules)
      symlinkSync(path('clients/typescript'), join(modules, 'frames-client'))
      symlinkSync(path('node_modules/@types'), join(modules, '@types'))
      writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
    }
    const words = [
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--strict',
      '--noUncheckedIndexedAccess',
      '--types',
      'node',
    ]
    await run(path('node_modules/.bin/tsc'), [...words, name], { cwd: folder }).catch((error: { stdout: string }) => {
      throw new Error(`The program does not compile:\n${error.stdout}`)
    })
    return name.replace('.ts', '.js')
  }

  for (const client of clients)
    it(`join 1,000 shops, pay at most 50 credits, and make a map: ${client.language}`, async function () {
      if (!isInstalled(client)) {
        console.log(`  The program in ${client.language} is not tested: ${client.needs} is not installed.`)
        return this.skip()
      }
      const [text = ''] = blocks(page('docs/clients.md'), FENCE[client.language])
      const key = await payer(100)
      const stdout = await said(client, text, key.secret)
      const [, onFrames, cost] = /^1000 shops, (\d+) on frames, (\d+) credits$/m.exec(stdout) ?? []
      const rows = await framesAt(
        service().db,
        shops.map(({ lon }) => lon),
        shops.map(({ lat }) => lat),
      )
      assert.equal(Number(onFrames), rows.filter(({ id }) => id !== null).length, stdout)
      assert.ok(Number(onFrames) > 100)
      assert.ok(Number(cost) > 0 && Number(cost) <= 50, stdout)
      assert.equal(100 - (await balanceOf(service().db, key.orgId)), Number(cost))
      const [people] = await service().db.rows<{ people: number }>(
        `select sum(pop_demest26::numeric)::int as people from analyst.lyr_population where state = 'MAREMBE'`,
        [],
      )
      assert.match(stdout, new RegExp(`^6474 frames, ${people?.people} people$`, 'm'))
      const joined = readFileSync(
        join(folder, client.language === 'TypeScript' ? 'shops-joined.json' : 'shops-joined.csv'),
        'utf8',
      )
      assert.ok(rows.every(({ id }) => id === null || joined.includes(id)))
      const map = readFileSync(join(folder, client.language === 'TypeScript' ? 'marembe.geojson' : 'marembe.png'))
      assert.ok(map.length > 2000)
      for (const name of ['shops-joined.csv', 'marembe.png']) rmSync(join(folder, name), { force: true })
    })

  it('do not begin where the price is over 50 credits', async function () {
    const python = clients.find(({ language }) => language === 'Python')
    if (!python || !isInstalled(python)) return this.skip()
    const key = await payer(1000)
    await license(service().db.run, 'lyr_market', key.orgId, 60)
    const [text = ''] = blocks(page('docs/clients.md'), 'python')
    await assert.rejects(said(python, text, key.secret), /That would cost \d+ credits\./)
    assert.equal(await balanceOf(service().db, key.orgId), 1000)
  })

  it('of clients/python/README.md do what their lines say', async function () {
    const python = clients.find(({ language }) => language === 'Python')
    if (!python || !isInstalled(python)) return this.skip()
    const [text = ''] = blocks(page('clients/python/README.md'), 'python')
    const stdout = await said(python, text, service().secret)
    const expected = [...text.matchAll(/^ *print\(.*\) {2}# (.*)$/gm)].map(([, line = '']) => line.replace(' ...', ''))
    assert.ok(expected.length >= 4)
    for (const line of expected) assert.ok(stdout.includes(line), `${line}: ${stdout}`)
  })
})
