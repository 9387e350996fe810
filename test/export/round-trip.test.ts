/** What "export" writes comes in again: the same ids, columns, values and catalogue. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { frames, settingsFor } from '../support/cli.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { exportFolder, IN_UNIT, unit } from './setup.js'

const ABOUT = ['--name', 'Again', '--category', 'Population', '--org', 'demo']

describe('a file of "export" that is imported again', function () {
  this.timeout(60_000)
  const { at } = exportFolder()
  let database: TestDatabase
  before(async () => {
    database = await newDatabase('datasets')
  })
  after(() => database.drop())

  async function run(...words: string[]): Promise<string> {
    const { status, out, err } = await frames(words, settingsFor(database.ownerTarget))
    assert.equal(status, 0, err)
    return out
  }
  const importAs = (id: string, file: string, catalogue: string) =>
    run('import', 'baseline', at(file), '--id', id, ...ABOUT, '--attributes', at(catalogue))
  const exportAs = (file: string, data: string, ...place: string[]) =>
    run('export', ...place, '--with-units', '--org', 'demo', '--data', data, at(file))

  /** The values and the catalogue of a dataset, as they are kept. A blank value is none. */
  async function kept(layer: string): Promise<{ values: string[]; catalogue: string[] }> {
    const [row] = await database.db.rows<{ values: string[]; catalogue: string[] }>(
      `select (
        select array_agg(concat_ws('|', frame_id, key, value) order by frame_id, key) from baseline cross join json_each_text(recorded)
        where layer_id = $1 and value <> ''
      ) as values, (
        select array_agg(to_jsonb(attribute) - 'layer_id' order by place) from attribute where layer_id = $1
      )::text[] as catalogue`,
      [layer],
    )
    assert.ok(row)
    return row
  }

  it('keeps ids, columns, values and catalogue: names that a file has otherwise, formulas, weights and bounds', async () => {
    const rows = await database.db.rows<{ id: string }>(
      `select frame_id::text as id from frame where ${IN_UNIT} order by frame_id limit 4`,
      [],
    )
    const [one, two, three, four] = rows.map(({ id }) => id)
    const lines = ['frame_id,state,+odd,rain,rain_lo,rain_up,lon']
    lines.push(
      `${one},=A1,'a,5.50,4,6,1.0`,
      `${two},"-x, y",,1e3,-9,2000,2`,
      `${three},'@b,@home,,,,`,
      `${four},,,-1.5,-2,-1,3`,
    )
    writeFileSync(at('odd.csv'), `${lines.join('\n')}\n`)
    const rain = { name: 'rain', label: 'Rain', type: 'number', summary: 'weighted_mean', weight: 'lon', unit: 'mm' }
    const state = { name: 'state', label: 'State of the well', type: 'category', summary: 'mode', synonyms: ['shape'] }
    writeFileSync(at('odd.json'), JSON.stringify([{ ...rain, lower: 'rain_lo', upper: 'rain_up' }, state]))
    await importAs('lyr_odd', 'odd.csv', 'odd.json')
    const said = await exportAs('file.csv', 'lyr_odd', ...unit)
    assert.ok(said.endsWith(`${at('file.csv.attributes.json')} has the catalogue of the columns.\n`), said)
    const [head] = readFileSync(at('file.csv'), 'utf8').split('\n')
    assert.match(head ?? '', /,zone_code,lyr_odd_state,'\+odd,rain,rain_lo,rain_up,lyr_odd_lon$/)
    await importAs('lyr_again', 'file.csv', 'file.csv.attributes.json')
    const again = await kept('lyr_again')
    assert.deepEqual(again, await kept('lyr_odd'))
    assert.ok(again.values.length === 17 && again.values.includes(`${one}|state|=A1`), again.values.join('\n'))
  })

  it('keeps those of several datasets as one, and of draws their bounds', async () => {
    await exportAs('both.csv', 'lyr_terrain,lyr_population', '--state', 'marembe', '--lga', 'lakeside')
    await importAs('lyr_both', 'both.csv', 'both.csv.attributes.json')
    const [both, terrain, population] = await Promise.all(['lyr_both', 'lyr_terrain', 'lyr_population'].map(kept))
    const inLga = await database.db.rows<{ id: string }>(
      `select frame_id::text as id from frame where lga = 'LAKESIDE'`,
      [],
    )
    const ids = new Set(inLga.map(({ id }) => id))
    const there = [...(terrain?.values ?? []), ...(population?.values ?? [])].filter((each) =>
      ids.has(each.split('|')[0] ?? ''),
    )
    assert.ok(there.length > 5000)
    const isBound = (value: string) => /_(lower|upper)\|/.test(value)
    assert.deepEqual(both?.values.filter((each) => !isBound(each)).toSorted(), there.toSorted())
    assert.equal(
      both?.values.filter(isBound).length,
      2 * there.filter((each) => each.includes('|pop_demest26|')).length,
    )
    const entries = both?.catalogue.map((each) => JSON.parse(each) as Record<string, unknown>)
    const { lower, draws, noun } = entries?.find(({ name }) => name === 'pop_demest26') ?? {}
    assert.deepEqual([lower, draws, noun], ['pop_demest26_lower', null, 'person'])
  })

  it('keeps the ids and the units of frames', async () => {
    const place = ['--state', 'marembe', '--lga', 'lakeside']
    await run('export', ...place, '--with-units', at('frames.csv'))
    const units = `select json_agg(json_build_array(frame_id, state, state_code, lga, lga_code, ward, ward_code, zone, zone_code, area_km2) order by frame_id)::text as units
      from frame where lga = 'LAKESIDE'`
    const before = await database.db.rows(units, [])
    const other = await newDatabase()
    try {
      const { status, err } = await frames(['import', 'frames', at('frames.csv')], settingsFor(other.ownerTarget))
      assert.equal(status, 0, err)
      assert.deepEqual(await other.db.rows(units, []), before)
    } finally {
      await other.drop()
    }
  })
})
