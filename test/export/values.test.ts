import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { revokeKey } from '../../src/core/access/keys.js'
import { license } from '../../src/core/access/licences.js'
import { mint, service } from '../support/service.js'
import { exportFolder, IN_UNIT, unit } from './setup.js'

const LAYERS = ['lyr_terrain', 'lyr_population', 'lyr_culture']
const data = ['--data', LAYERS.join()]

/** Lists the attributes of the datasets with the values of the frames of the unit, in the order of ids, and the bounds of draws. */
async function stored(layers = LAYERS): Promise<{ id: string; records: (Record<string, string> | null)[] }[]> {
  const rows = await service().db.rows<{ id: string; records: string }>(
    `select frame_id::text as id, (
      select json_agg(recorded::jsonb || case when bound.frame_id is null then '{}' else jsonb_build_object(
          'pop_demest26_lower', trim_scale(lower)::text, 'pop_demest26_upper', trim_scale(upper)::text
        ) end order by place)::text
      from unnest($1::text[]) with ordinality as layer (layer_id, place)
      join dataset using (layer_id)
      left join baseline_row on baseline_row.version = dataset.version and baseline_row.frame_id = frame.frame_id
      left join frame_interval as bound on bound.version = dataset.version and bound.frame_id = frame.frame_id
    ) as records
    from frame where ${IN_UNIT} order by frame_id`,
    [layers],
  )
  return rows.map(({ id, records }) => ({ id, records: JSON.parse(records) as (Record<string, string> | null)[] }))
}

describe('frames export --data', function () {
  this.timeout(120_000)
  const { folder, at, exported, linesOf } = exportFolder()
  const withValues = (file: string, ...more: string[]) => exported(file, ...unit, ...data, '--org', 'demo', ...more)

  it('writes each value as it is stored: in CSV as text, in GeoJSON as a number where the whole column is one', async () => {
    assert.equal((await withValues('out.csv')).status, 0)
    const [head = '', ...lines] = readFileSync(at('out.csv'), 'utf8').trimEnd().split('\n')
    const names = head.split(',').slice(8)
    const known = await stored()
    assert.deepEqual(
      new Set(names),
      new Set(known.flatMap(({ records }) => records.flatMap((record) => Object.keys(record ?? {})))),
    )
    // The fixture has no comma in a value.
    assert.deepEqual(
      lines.map((line) => line.replace(/".*?"/, 'wkt').split(',').slice(8)),
      known.map(({ records }) => names.map((name) => records.find((record) => record?.[name])?.[name] ?? '')),
    )
    assert.equal((await withValues('out.geojsonl')).status, 0)
    const features = linesOf('out.geojsonl')
    assert.deepEqual(
      features.map(({ properties }) =>
        Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, Number(value) || value])),
      ),
      known.map(({ id, records }) => ({
        frame_id: Number(id),
        ...Object.fromEntries(
          names.flatMap((name) => {
            const value = records.find((record) => record?.[name])?.[name] ?? ''
            return value === '' ? [] : [[name, Number(value) || (JSON.parse(asJson(value)) as string | number)]]
          }),
        ),
      })),
    )
    assert.ok(features.every(({ properties }) => typeof (properties['pop_demest26'] ?? 0) === 'number'))
    assert.ok(features.every(({ properties }) => typeof (properties['phy_landcov'] ?? '') === 'string'))
  })
  const asJson = (value: string) => (/^-?\d/.test(value) ? value : JSON.stringify(value))

  it('says how many frames each dataset has values on', async () => {
    const ran = await withValues('out.csv', '--json')
    const known = await stored()
    const { values } = JSON.parse(ran.out) as { values: unknown }
    const withRecord = (place: number) => known.filter(({ records }) => records[place] !== null).length
    assert.deepEqual(
      values,
      LAYERS.map((layerId, place) => ({ layerId, frames: withRecord(place) })),
    )
    const text = await withValues('out.csv')
    assert.match(text.out, new RegExp(`lyr_terrain has values on ${withRecord(0)} of them\\.`))
  })

  it('writes the columns of a dataset once that is named twice', async () => {
    const ran = await exported('out.csv', ...unit, '--data', 'lyr_population,lyr_population', '--org', 'demo')
    assert.equal(ran.status, 0, ran.err)
    assert.match(
      readFileSync(at('out.csv'), 'utf8'),
      /^frame_id,[\w,]+,wkt,pop_demest25,pop_demest26,pop_demest26_lower,pop_demest26_upper\n/,
    )
  })

  it('refuses a dataset or an organisation that is not there or not licensed, before it writes anything', async () => {
    for (const [layers, org, said] of [
      ['lyr_poplation', 'demo', /No dataset has the id "lyr_poplation"\. Did you mean lyr_population\?/],
      ['lyr_population', 'demmo', /"demmo"\. Did you mean demo\?/],
      ['lyr_schools', 'demo', /--data: lyr_schools records points: baselines are accepted/],
      ['lyr_market', 'demo', /--data: lyr_market costs "demo" 2 credits a call\. Read it through the API/],
      ['lyr_market', 'National Atlas Office', /--data: "National Atlas Office" may not read lyr_market/],
    ] as const) {
      const ran = await exported('out.csv', ...unit, '--data', layers, '--org', org)
      assert.equal(ran.status, 1)
      assert.match(ran.err, said)
      assert.deepEqual(readdirSync(folder()), [])
    }
  })

  it('lets an owner read the dataset that others pay for', async () => {
    const ran = await exported('out.csv', ...unit, '--data', 'lyr_market', '--org', 'Rich Survey')
    assert.equal(ran.status, 0, ran.err)
    assert.match(readFileSync(at('out.csv'), 'utf8'), /,mkt_shops,mkt_households,mkt_access\n/)
  })

  it('reads as the holder of a key may: what it is narrowed to, while it is valid', async () => {
    const { db } = service()
    const { keyId, orgId } = await mint(db, { datasets: ['lyr_population', 'lyr_market'] })
    await license(db.run, 'lyr_market', orgId, 2)
    const asKey = (layers: string) => exported('out.csv', ...unit, '--data', layers, '--key', keyId)
    const ran = await asKey('lyr_population')
    assert.equal(ran.status, 0, ran.err)
    assert.match(
      readFileSync(at('out.csv'), 'utf8'),
      /,wkt,pop_demest25,pop_demest26,pop_demest26_lower,pop_demest26_upper\n/,
    )
    for (const [layers, said] of [
      ['lyr_terrain', new RegExp(`--data: key ${keyId} may not read lyr_terrain`)],
      ['lyr_market', new RegExp(`lyr_market costs key ${keyId} 2 credits a call`)],
    ] as const) {
      const refused = await asKey(layers)
      assert.equal(refused.status, 1, refused.err)
      assert.match(refused.err, said)
    }
    await revokeKey(db.run, keyId)
    assert.match((await asKey('lyr_population')).err, /is expired or revoked/)
    const unknown = await exported('out.csv', ...unit, '--data', 'lyr_population', '--key', 'key_none')
    assert.match(unknown.err, /No key has the id "key_none"/)
  })
})
