import assert from 'node:assert/strict'
import { findOrganisation } from '../../src/core/access/organisations.js'
import type { Database } from '../../src/core/db/connect.js'
import { importBaseline } from '../../src/tools/load/import-baseline.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { quiet, temporaryFolder } from './files.js'

type Dataset = { layerId: string; orgId: string; name: string; category: string }
type Total = { level: string; unit: string; attribute: string; number: string | null; recorded: string }

/** Attributes of the fixture that are numbers: for each baseline one, and the summary that its catalogue gives. */
const CHANGED = {
  lyr_population: ['pop_demest26', 'sum'],
  lyr_terrain: ['phy_elevmean', 'weighted_mean'],
  lyr_urban: ['urb_index', 'weighted_mean'],
} as const

describe('a baseline that is imported again without a catalogue', function () {
  this.timeout(120_000)
  const folder = temporaryFolder()
  let database: TestDatabase
  let db: Database

  before(async () => {
    database = await newDatabase('datasets')
    db = database.db
  })
  after(async () => {
    folder.remove()
    await database.drop()
  })

  const datasetOf = async (layerId: string) => {
    const [dataset] = await db.rows<Dataset>(
      `select layer_id as "layerId", org_id as "orgId", name, category from dataset where layer_id = $1::text`,
      [layerId],
    )
    assert.ok(dataset)
    const org = await findOrganisation(db.run, dataset.orgId)
    return { ...dataset, orgId: org.orgId }
  }
  /** The columns of the attributes, without the place of the version. */
  const catalogue = (layerId: string) =>
    db.rows<object>(`select * from attribute where layer_id = $1::text order by place`, [layerId])
  const totals = (layerId: string) =>
    db.rows<Total>(
      `select unit.level::text as level, unit.unit_id::text as unit, attribute, number::text as number,
        recorded::text as recorded
      from unit_total join dataset using (version) join unit using (unit_id)
      where dataset.layer_id = $1::text order by attribute, unit.unit_id`,
      [layerId],
    )
  const recordedIn = (layerId: string) =>
    db.rows<{ id: string; recorded: Record<string, string> }>(
      `select frame_id::text as id, recorded from baseline_row join dataset using (version)
      where layer_id = $1::text order by frame_id`,
      [layerId],
    )
  /** The file that holds what is recorded. */
  const csv = (rows: readonly { id: string; recorded: Record<string, string> }[], names: readonly string[]) =>
    [['frame', ...names], ...rows.map(({ id, recorded }) => [id, ...names.map((name) => recorded[name] ?? '')])]
      .map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join())
      .join('\n')
  const refresh = async (layerId: string, rows: Parameters<typeof csv>[0], names: readonly string[], more = {}) =>
    importBaseline(
      db,
      folder.write('refresh.csv', csv(rows, names)),
      { ...(await datasetOf(layerId)), vintage: '2031', ...more },
      quiet,
    )
  const namesOf = async (layerId: string) =>
    (
      await db.rows<{ name: string }>(`select name from attribute where layer_id = $1::text order by place`, [layerId])
    ).map(({ name }) => name)

  for (const [layerId, [attribute, summary]] of Object.entries(CHANGED))
    it(`keeps its catalogue, and only the figures of the changed value differ: ${layerId}`, async () => {
      const names = await namesOf(layerId)
      const [entries, before] = [await catalogue(layerId), await totals(layerId)]
      const rows = [...(await recordedIn(layerId))]
      const changed = rows.findIndex(({ recorded }) => Number(recorded[attribute]) > 0)
      const old = rows[changed]
      assert.ok(old)
      const value = String(Number(old.recorded[attribute]) + 1000)
      rows[changed] = { ...old, recorded: { ...old.recorded, [attribute]: value } }
      const made = await refresh(layerId, rows, names)
      assert.deepEqual(made.changes, [])
      assert.equal(made.columns?.find(({ name }) => name === attribute)?.summary, summary)
      assert.deepEqual([...(await catalogue(layerId))], [...entries])
      const after = await totals(layerId)
      assert.equal(after.length, before.length)
      const differ = after.filter((total, i) => total.number !== before[i]?.number)
      // The country, a state, an LGA, a ward and a block hold the frame.
      assert.deepEqual(new Set(differ.map((total) => total.attribute)), new Set([attribute]))
      assert.ok(differ.length >= 3 && differ.length <= 5, JSON.stringify(differ))
      assert.deepEqual(
        after.map(({ recorded }) => recorded),
        before.map(({ recorded }) => recorded),
      )
    })

  it('lists what a catalogue changes, and forgets the one before where that is asked for', async () => {
    const names = await namesOf('lyr_population')
    const rows = [...(await recordedIn('lyr_population'))]
    const told: string[] = []
    const file = folder.write('again.csv', csv(rows, names))
    const made = await importBaseline(
      db,
      file,
      { ...(await datasetOf('lyr_population')), resetsAttributes: true },
      (line) => void told.push(line),
    )
    const change = made.changes?.find((each) => each.startsWith('pop_demest26: '))
    assert.match(change ?? '', /summary sum > mean/)
    const said = told.findIndex((line) => line.includes('summary sum > mean'))
    const put = told.findIndex((line) => line.includes('putting'))
    assert.ok(said !== -1 && said < put, told.join('\n'))
    const [{ summary } = { summary: '' }] = await db.rows<{ summary: string }>(
      `select summary from attribute where layer_id = 'lyr_population' and name = 'pop_demest26'`,
      [],
    )
    assert.equal(summary, 'mean')
    const column = made.columns?.find(({ name }) => name === 'pop_demest26')
    assert.match(column?.notes.join() ?? '', /All are whole numbers: .* summary "sum"/)
  })
})
