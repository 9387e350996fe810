import assert from 'node:assert/strict'
import { plays } from '../support/transcript.js'
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
          /^(frame|value_row|baseline_row|feature|unit_area)$/.test(node['Relation Name'] ?? ''),
      )
      assert.deepEqual(large, [])
      for (const node of nodes.filter((each) => /^(value|baseline)_row$/.test(each['Relation Name'] ?? ''))) {
        assert.match(node['Index Cond'] ?? '', /frame_id/, 'only the rows of the frames in the box are read')
      }
    })
  }
})

plays('analyst/layers', 'shared')
