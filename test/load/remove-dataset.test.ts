import assert from 'node:assert/strict'
import { license } from '../../src/core/access/licences.js'
import { topUp } from '../../src/core/credits/ledger.js'
import { importBaseline } from '../../src/tools/load/import-baseline.js'
import { importFeatures } from '../../src/tools/load/import-features.js'
import { removeDataset } from '../../src/tools/load/remove-dataset.js'
import { frames } from '../support/cli.js'
import { newDatabase, urlOf, type TestDatabase } from '../support/database.js'
import { ask, bearer, mint, newOrganisation, startService, type Service } from '../support/service.js'
import { collection, feature, quiet, rectangle, temporaryFolder } from './files.js'
import { first, importGrid, second } from './imports.js'

const sites = collection([
  feature('a', { type: 'Point', coordinates: [0.2031, 0.1042] }),
  feature('b', { type: 'Point', coordinates: [0.2131, 0.1042] }),
])

describe('removing a dataset', function () {
  this.timeout(120_000)
  const folder = temporaryFolder()
  let database: TestDatabase
  let service: Service & { stop: () => Promise<void> }
  let owner: string
  let reader: string
  before(async () => {
    database = await newDatabase()
    await importGrid(database.db)
    service = await startService(database)
    owner = await newOrganisation(database.db)
    reader = await newOrganisation(database.db)
    await topUp(database.db, reader, 10, 'test')
  })
  after(() => service.stop())

  const entry = (layerId: string) => ({ layerId, orgId: owner, name: layerId.slice(4), category: 'Tests' })
  const takeSites = (text = sites) =>
    importFeatures(database.db, folder.write('sites.geojson', text), entry('lyr_sites'), quiet)
  const draws = `"${[...Array(40).keys()].join()}"`
  const takeRows = (layerId: string) =>
    importBaseline(
      database.db,
      folder.write('rows.csv', `frame_id,x,draws\n${first},1,${draws}\n${second},2,${draws}\n`),
      { ...entry(layerId), catalogue: [{ name: 'x', label: 'X', type: 'number', summary: 'sum', draws: 'draws' }] },
      quiet,
    )
  const rows = <Row>(text: string) => database.db.rows<Row>(text, [])
  /** Each table that has versions, with the versions that no dataset has. */
  const left = async () => {
    const tables = await rows<{ name: string }>(
      `select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid
      where relnamespace = 'public'::regnamespace and relkind = 'r' and attname = 'version' and relname <> 'dataset' order by 1`,
    )
    assert.ok(tables.length >= 9, tables.map(({ name }) => name).join())
    const counts = tables.map(
      ({ name }) => `select '${name}' as name from ${name} where version not in (select version from dataset)`,
    )
    return (await rows<{ name: string }>(counts.join(' union '))).map(({ name }) => name)
  }
  const views = async () =>
    (
      await rows<{ name: string }>(
        `select relname as name from pg_class where relnamespace = 'analyst'::regnamespace and relname like 'lyr\\_%'
        union select f_table_name from layer_styles where f_table_name like 'lyr\\_%' order by 1`,
      )
    ).map(({ name }) => name)
  const layers = async (secret: string, more = '') => {
    const answer = await ask(`${service.url}/v1/frames/data?ids=${first},${second}${more}`, { headers: bearer(secret) })
    assert.equal(answer.status, 200, answer.text)
    const { data } = answer.body as { data: { frames: { datasets: { layerId: string }[] }[] } }
    return data.frames.flatMap(({ datasets }) => datasets.map(({ layerId }) => layerId))
  }

  it('removes its rows, its distances, its licences and its views, and says so', async () => {
    await takeSites()
    await license(database.db.run, 'lyr_sites', reader, 2)
    const { status, out, err } = await frames(['datasets', 'remove', 'lyr_sites'], {
      DATABASE_URL: urlOf(database.ownerTarget),
    })
    assert.equal(status, 0, err)
    assert.equal(
      out,
      'lyr_sites is removed: 2 features, 1 licence, and the view analyst.lyr_sites.\n' +
        'lyr_sites_distance is removed: 100 rows, 0 licences, and the view analyst.lyr_sites_distance.\n',
    )
    await takeRows('lyr_slip')
    await removeDataset(database.db, 'lyr_slip', quiet)
    assert.deepEqual([await left(), await views()], [[], []])
    assert.deepEqual([...(await rows('select layer_id from licence union select layer_id from attribute'))], [])
  })

  it('lets the service go on: a key that is narrowed to it, and what was charged, keep its id', async () => {
    await takeSites()
    await takeRows('lyr_kept')
    await license(database.db.run, 'lyr_sites', reader, 2)
    const { secret } = await mint(database.db, { org: reader, preset: 'full-read', datasets: ['lyr_sites'] })
    const full = await mint(database.db, { org: owner, preset: 'full-read' })
    assert.deepEqual(await layers(secret), ['lyr_sites', 'lyr_sites'])
    await removeDataset(database.db, 'lyr_sites', quiet)
    assert.deepEqual([await layers(secret), await layers(secret, '&datasets=lyr_sites,lyr_never')], [[], []])
    assert.deepEqual(await layers(full.secret), ['lyr_kept', 'lyr_kept'])
    const charged = await rows<{ ref: string }>(
      `select ref from credit_entry where org_id = '${reader}' and kind = 'dataset'`,
    )
    assert.deepEqual(
      charged.map(({ ref }) => ref),
      ['lyr_sites'],
    )
    await takeSites()
    assert.deepEqual(await layers(secret), [], 'a licence does not come back')
  })

  it('removes nothing where a view of an analyst reads its view, and names that', async () => {
    await database.db.work('create view public.mine as select * from analyst.lyr_sites')
    const refused = removeDataset(database.db, 'lyr_sites', quiet)
    await assert.rejects(
      refused,
      /Views of your own read analyst\.lyr_sites \(view mine depends on .*\)\. Drop them first/,
    )
    await database.db.work('drop view public.mine')
    assert.deepEqual(await views(), ['lyr_kept', 'lyr_sites', 'lyr_sites_distance'])
    assert.equal((await rows('select from feature')).length, 2)
  })

  it('refuses an id that no dataset has, and distances, which go with their features', async () => {
    await assert.rejects(removeDataset(database.db, 'lyr_site', quiet), /"lyr_site"\. Did you mean lyr_sites\?/)
    await assert.rejects(
      removeDataset(database.db, 'lyr_sites_distance', quiet),
      /^Error: lyr_sites_distance has the distances to lyr_sites: they go with that dataset/,
    )
  })

  it('leaves no view of distances that a next import does not want', async () => {
    await importFeatures(
      database.db,
      folder.write('sites.geojson', collection([feature('p', rectangle(22, 12, 25, 14))])),
      { ...entry('lyr_sites'), hasDistances: false },
      quiet,
    )
    assert.deepEqual([await left(), await views()], [[], ['lyr_kept', 'lyr_sites']])
  })
})
