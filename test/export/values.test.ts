import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { service } from '../support/service.js'
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
  const { at, exported, linesOf } = exportFolder()
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
})
