import assert from 'node:assert/strict'
import { isFeatures, keyOf, names, rows, types } from './fixture.js'

type Plan = {
  'Node Type': string
  'Index Name'?: string
  'Relation Name'?: string
  'Index Cond'?: string
  Plans?: Plan[]
}
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

describe('the layers of schema analyst', () => {
  for (const name of names) {
    it(`${name} has a unique whole number first, and only geometries of its type`, async () => {
      const [first] = await rows<{ column: string; type: string }>(
        `select attname as column, format_type(atttypid, atttypmod) as type from pg_attribute
        where attrelid = $1::text::regclass and attnum = 1`,
        [`analyst.${name}`],
      )
      assert.deepEqual(first, { column: keyOf(name), type: isFeatures(name) ? 'integer' : 'bigint' })
      const [count] = await rows<{ all: number; ids: number; typed: number }>(
        `select count(*)::int as all, count(distinct ${keyOf(name)})::int as ids,
          count(*) filter (where GeometryType(geom) = $1::text and ST_SRID(geom) = 4326 and ST_IsValid(geom))::int as typed
        from analyst.${name}`,
        [types[name]],
      )
      assert.ok(count && count.all > 0)
      assert.deepEqual(count, { all: count.all, ids: count.all, typed: count.all })
    })

    it(`${name} is read by its GiST index where a box is asked for`, async () => {
      const [row] = await rows<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `explain (format json) select * from analyst.${name} where geom && ST_MakeEnvelope(0.2, 0.1, 0.25, 0.15, 4326)`,
      )
      assert.ok(row)
      const nodes = nodesOf(row['QUERY PLAN'][0].Plan)
      const searched = nodes.filter((node) => node['Index Cond']?.includes('&&'))
      assert.equal(searched.length, 1, JSON.stringify(nodes))
      const large = nodes.filter(
        (node) =>
          node['Node Type'] === 'Seq Scan' &&
          /^(frame|baseline_row|feature|unit_area)$/.test(node['Relation Name'] ?? ''),
      )
      assert.deepEqual(large, [])
      for (const node of nodes.filter((each) => each['Relation Name'] === 'baseline_row')) {
        assert.match(node['Index Cond'] ?? '', /frame_id/, 'only the rows of the frames in the box are read')
      }
    })
  }

  it('show frames with the very land, units, codes and corners that are kept', async () => {
    const [count] = await rows<{ all: number; same: number; area: number }>(
      `select count(*)::int as all, (sum(shown.km2) / sum(ST_Area(frame.geom::geography) / 1e6))::float8 as area,
        count(*) filter (where ST_Equals(shown.geom, frame.geom)
          and (shown.state, shown.state_code, shown.lga, shown.lga_code, shown.ward, shown.ward_code, shown.zone, shown.zone_code)
            is not distinct from (frame.state, frame.state_code, frame.lga, frame.lga_code, frame.ward, frame.ward_code, frame.zone, frame.zone_code)
          and array[min_lon, min_lat, max_lon, max_lat] = array(select json_array_elements_text(frame.bbox::json)::float8))::int as same
      from frame join analyst.frame as shown using (frame_id)`,
    )
    const [frames] = await rows<{ all: number }>('select count(*)::int as all from frame')
    assert.equal(count?.all, frames?.all)
    assert.equal(count?.same, frames?.all)
    assert.ok(Math.abs((count?.area ?? 0) - 1) < 1e-6)
  })

  for (const [level, key] of [
    ['state', 'state'],
    ['lga', 'state, lga'],
    ['ward', 'state, lga, ward'],
  ] as const) {
    it(`give each ${level} the union of its frames: all of them, nothing else, nothing twice`, async () => {
      const units = await rows<{ unit: string; covered: number; frames: number; off: number }>(
        `select unit.id::text as unit, unit.frames::int as frames,
          count(*) filter (where ST_Covers(unit.geom, ST_PointOnSurface(frame.geom)))::int as covered,
          (ST_Area(unit.geom) / sum(ST_Area(frame.geom)) - 1)::float8 as off
        from analyst.${level} as unit join frame using (${key})
        group by unit.id, unit.geom, unit.frames`,
      )
      const [known] = await rows<{ n: number }>(
        `select count(distinct (${key}))::int as n from frame where ${level} is not null`,
      )
      assert.equal(units.length, known?.n)
      for (const { unit, covered, frames, off } of units) {
        assert.equal(covered, frames, `unit ${unit}`)
        assert.ok(Math.abs(off) < 1e-9, `unit ${unit}: ${off}`)
      }
    })
  }

  it('show each feature with the frames that it intersects, and with the units of the lowest', async () => {
    for (const name of ['lyr_schools', 'lyr_roads', 'lyr_reserves']) {
      const [count] = await rows<{ all: number; same: number; placed: number }>(
        `select count(*)::int as all, count(*) filter (where cardinality(shown.frame_ids) > 0)::int as placed,
          count(*) filter (where shown.frame_ids = known.ids and (shown.state, shown.lga, shown.ward) is not distinct from (frame.state, frame.lga, frame.ward))::int as same
        from analyst.${name} as shown
        cross join lateral (
          select coalesce(array_agg(frame_id order by frame_id), '{}') as ids
          from feature_frame join dataset using (version) where layer_id = '${name}' and feature_no = shown.id
        ) as known
        left join frame on frame.frame_id = known.ids[1]`,
      )
      assert.ok(count && count.placed > 0)
      assert.deepEqual(count, { ...count, same: count.all })
    }
  })

  it('show every value of a baseline, numbers as numbers, and all as they were stored', async () => {
    const [count] = await rows<{ all: number; same: number; types: string }>(
      `select count(*)::int as all, min(pg_typeof(shown.pop_demest26)::text) as types,
        count(*) filter (where shown.pop_demest26 = (recorded_row.recorded ->> 'pop_demest26')::numeric
          and shown.recorded::text = recorded_row.recorded::text)::int as same
      from analyst.lyr_population as shown
      join baseline as recorded_row on recorded_row.frame_id = shown.frame_id and recorded_row.layer_id = 'lyr_population'`,
    )
    const [items] = await rows<{ n: number }>(`select items::int as n from dataset where layer_id = 'lyr_population'`)
    assert.deepEqual(count, { all: items?.n, same: items?.n, types: 'numeric' })
  })
})
