import assert from 'node:assert/strict'
import { createOrganisation } from '../../src/core/access/organisations.js'
import { temporaryFolder } from '../load/files.js'
import { importGrid } from '../load/imports.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { commandsOn } from './command-runs.js'

type Dataset = {
  layerId: string
  kind: string
  items: number
  vintage?: string
  licences: { to: string; orgId?: string; price?: number }[]
}

describe('frames import and frames datasets', function () {
  this.timeout(120_000)
  let database: TestDatabase
  const { run, json, refused } = commandsOn(() => database)
  const folder = temporaryFolder()
  const rows = folder.write('rows.csv', 'frame,depth,note\n324378020,12,dry\n324378021,7,\n')

  before(async () => {
    database = await newDatabase()
    await importGrid(database.db)
    for (const name of ['Owner', 'Reader']) await createOrganisation(database.db, name, 'trial')
  })
  after(async () => {
    folder.remove()
    await database.drop()
  })

  const about = (id: string, org = 'Owner') => `--id ${id} --name Wells --category Physical --org ${org}`
  const importing = (id: string, org?: string) => `import baseline '${rows}' ${about(id, org)}`
  const listed = () => json<Dataset[]>('datasets list')

  it('imports a baseline with its catalogue, shows progress, and says what is served', async () => {
    const depth = { name: 'depth', label: 'Depth', unit: 'm', type: 'number', summary: 'mean', synonyms: ['how deep'] }
    const catalogue = folder.write('attributes.json', JSON.stringify([depth]))
    const ran = await run(`${importing('lyr_wells')} --vintage 2025 --attributes '${catalogue}' --json`)
    assert.equal(ran.status, 0, ran.err)
    const made = JSON.parse(ran.out) as Record<string, unknown>
    assert.deepEqual([made['layerId'], made['kind'], made['items']], ['lyr_wells', 'frames', 2])
    assert.match(ran.err, /s {2}putting the new rows in place/)
    const attributes = await database.db.rows<Record<string, unknown>>(
      `select name, label, unit, type, summary, synonyms from attribute where layer_id = 'lyr_wells' order by place`,
      [],
    )
    const note = { name: 'note', label: 'note', unit: null, type: 'category', summary: 'mode', synonyms: [] }
    assert.deepEqual([...attributes], [depth, note])
    const [{ orgId: _org, importedAt: _at, ...dataset } = {} as Record<string, unknown>] =
      await json<Record<string, unknown>[]>('datasets list')
    assert.deepEqual(dataset, {
      layerId: 'lyr_wells',
      name: 'Wells',
      category: 'Physical',
      kind: 'frames',
      vintage: '2025',
      items: 2,
      licences: [],
    })
  })

  it('licenses to one organisation, per query or not, or to everyone, and takes it back', async () => {
    const license = (to: string) => json<object>(`datasets license lyr_wells --to ${to}`)
    const all = await json<{ orgId: string; name: string }[]>('orgs list')
    const { orgId = '' } = all.find(({ name }) => name === 'Reader') ?? {}
    const reader = { to: 'Reader', orgId }
    assert.deepEqual(await license(`${orgId} --per-query 3`), { layerId: 'lyr_wells', ...reader, price: 3 })
    assert.deepEqual(await license('everyone'), { layerId: 'lyr_wells', to: 'everyone' })
    assert.deepEqual((await listed())[0]?.licences, [{ ...reader, price: 3 }, { to: 'everyone' }])
    const list = async (org: string) => (await run(`datasets list --org ${org}`)).out
    assert.match(await list('Reader'), /^lyr_wells .* Wells {2}\(3 credits a call\)$/m, 'its own licence counts')
    assert.match(await list('Owner'), /^lyr_wells .* Wells {2}\(its own\)$/m)
    const [seen] = await json<Dataset[]>('datasets list --org Reader')
    assert.deepEqual(seen?.licences, [{ to: 'Reader', orgId, price: 3 }])
    await license('Reader')
    assert.match(await list('Reader'), /^lyr_wells .* Wells {2}\(free\)$/m)
    assert.deepEqual((await listed())[0]?.licences, [reader, { to: 'everyone' }])
    for (const from of ['Reader', 'everyone']) await json(`datasets unlicense lyr_wells --from ${from}`)
    assert.deepEqual((await listed())[0]?.licences, [])
  })

  it('refuses what cannot be a licence, and says why', async () => {
    for (const [message, line] of [
      [/"lyr_well". Did you mean lyr_wells\?/, 'license lyr_well --to Reader'],
      [/No dataset has the id "lyr_none"\. "datasets list"/, 'license lyr_none --to Reader'],
      [/No organisation has the id or name "Nobody"/, 'license lyr_wells --to Nobody'],
      [/No organisation has the id or name "everyon"\. Did you mean everyone\?/, 'license lyr_wells --to everyon'],
      [/belongs to "Owner", which reads it without a licence/, 'license lyr_wells --to Owner'],
      [/is not licensed to Reader/, 'unlicense lyr_wells --from Reader'],
    ] as const) {
      await refused(message, `datasets ${line}`)
    }
  })

  it('says that features beyond the frames are found by no call, and whether they count in distances', async () => {
    const sites = folder.write('sites.csv', 'id,lon,lat\na,0.205,0.105\nb,9,9\n')
    const importingSites = `import features '${sites}' ${about('lyr_sites')}`
    const said = /^1 of them touches no frame: no call finds it, but it counts in distances\.$/m
    assert.match((await run(importingSites)).out, said)
    assert.match((await run(`${importingSites} --no-distances`)).out, /touches no frame: no call finds it\.$/m)
    assert.equal((await run('datasets remove lyr_sites')).status, 0)
  })

  it('refuses an import that is not well described, or whose file is not there', async () => {
    const described = (text: string) =>
      `${importing('lyr_x')} --attributes '${folder.write(`${text.length}.json`, text)}'`
    for (const [message, line] of [
      [/No organisation has the id or name "Nobody"/, importing('lyr_x', 'Nobody')],
      [/There is no file \/nowhere\.csv\./, `import baseline /nowhere.csv ${about('lyr_x')}`],
      [
        /The catalogue has colour, which is no column: depth, note are/,
        described('[{"name":"colour","label":"Colour","type":"category","summary":"mode"}]'),
      ],
    ] as const) {
      await refused(message, line)
    }
    assert.deepEqual(
      (await listed()).map(({ layerId }) => layerId),
      ['lyr_wells'],
    )
  })
})
