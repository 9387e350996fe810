import assert from 'node:assert/strict'
import type { Source as FigureSource } from '../../src/core/figures/typed.js'
import { findOrganisation } from '../../src/core/access/organisations.js'
import { mint, service, type Minted } from '../support/service.js'
import { insightOf, type Source } from './ask.js'
import { numbersOf } from './recomputed.js'

/** The numbers or the text of a facet, and how many frames record a value for it. */
type Figure = { says: string; frames: number }

const questions = [
  undefined,
  'how many people live here',
  'average slope and elevation, lowest and highest',
  'share of land cover',
  'average time to the nearest market',
  'schools nearby',
  'how many market stalls',
  'main language',
  'which state is this, and which ward',
]

/** These statements follow the description of a source alone. They share nothing with those of the service. */
const SQL: Record<string, string> = {
  sum: `select trim_scale(sum(value::numeric))::text as says from cell`,
  mean: `select trim_scale(round(avg(value::numeric), 2))::text as says from cell`,
  weighted_mean: `select trim_scale(round(sum(value::numeric * weight) / sum(weight), 2))::text as says from cell`,
  min: `select trim_scale(value::numeric)::text || ' ' || frame_id as says from cell order by value::numeric, frame_id limit 1`,
  max: `select trim_scale(value::numeric)::text || ' ' || frame_id as says from cell order by value::numeric desc, frame_id limit 1`,
  mode: `select count(*) filter (where value = $5) || ' ' || count(*) as says from cell
    having count(*) filter (where value = $5) = (select max(n) from (select count(*) as n from cell group by value) as class)`,
  share: `select count(*) filter (where value = $5) || ' ' || count(*) as says from cell`,
  frames: `select count(*) || ' ' || cardinality($1::bigint[]) as says from cell`,
  value: `select case when count(*) = 1 then min(value) else
    string_agg(value || ' (' || n || ' of ' || (select count(*) from cell) || ' frames)', '; ' order by n desc, value collate "C") end as says
    from (select value, count(*) as n from cell group by value) as class`,
}
const CELLS = `with cell as (
  select frame_id, value, case when $4 = 'area' then ST_Area(geom::geography)::numeric else weighing::numeric end as weight
  from (
    select frame_id, frame.geom, trim(recorded ->> $3) as value, case when $4 = 'area' then null else recorded ->> $4 end as weighing
    from baseline join frame using (frame_id)
    where layer_id = $2 and frame_id = any ($1::bigint[]) and recorded ->> $3 is not null
  ) as recorded
)`
const FEATURES = `select count(distinct feature_id)::int as features, count(distinct frame_id)::int as frames
  from dataset join feature using (version) join frame on ST_Intersects(frame.geom, feature.geom)
  where layer_id = $1 and frame_id = any ($2::bigint[])`
const INDEX: Record<string, string> = {
  'frame_id count': `select count(*)::text as says from frame where frame_id = any ($1::bigint[])`,
  'geom sum': `select trim_scale(round((sum(ST_Area(geom::geography)) / 1e6)::numeric, 2))::text as says from frame where frame_id = any ($1::bigint[])`,
  ...Object.fromEntries(
    [
      ['state', 'state'],
      ['lga', 'state, lga'],
      ['ward', 'state, lga, ward'],
    ].flatMap(([unit, key]) => [
      [`${unit} value`, `select min(${unit}) as says from frame where frame_id = any ($1::bigint[])`],
      [`${unit} count`, `select count(distinct (${key}))::text as says from frame where frame_id = any ($1::bigint[])`],
    ]),
  ),
}

describe('a figure computed from its source and the frames of its answer alone', function () {
  this.timeout(120_000)
  let key: Minted
  let sets: string[][]

  before(async () => {
    const { db } = service()
    key = await mint(db, { org: (await findOrganisation(db.run, 'Rich Survey')).orgId })
    const near = await db.rows<{ id: string }>(
      'select frame_id::text as id from frame where geom && ST_MakeEnvelope(0.03, -0.57, 0.2, -0.3, 4326) order by 1',
      [],
    )
    const ids = near.map(({ id }) => id)
    sets = [ids.slice(0, 12), ids.slice(20, 23), ids.slice(40, 41), ids.filter((_, i) => i % 9 === 0).slice(0, 50)]
  })

  const insight = (frameIds: string[], question: string | undefined) =>
    insightOf({ url: service().url, secret: key.secret }, { frameIds, question })

  async function recomputed(frameIds: string[], source: Source): Promise<Figure> {
    const { layerId, attribute, statistic, weight = null } = source
    const { db } = service()
    if (source.unit) {
      const { unit, ...own } = source
      const inWard = 'select frame_id::text as id from frame where state = $1 and lga = $2 and ward = $3'
      const found = await db.rows<{ id: string }>(inWard, [...unit])
      return await recomputed(
        found.map(({ id }) => id),
        own,
      )
    }
    if (statistic === 'interval') {
      const says = await numbersOf((text) => db.rows(text, []), frameIds, source as FigureSource)
      const { frames } = await recomputed(frameIds, { ...source, statistic: 'sum' })
      return { says: says?.join(' ') ?? '', frames }
    }
    if (layerId === 'frames') {
      const text = INDEX[`${attribute} ${statistic}`]
      assert.ok(text, JSON.stringify(source))
      const [row] = await db.rows<{ says: string }>(text, [frameIds])
      return { says: row?.says ?? '', frames: frameIds.length }
    }
    if (attribute === 'feature') {
      const [row] = await db.rows<{ features: number; frames: number }>(
        FEATURES.replace('$1', `'${layerId}'`).replace('$2', '$1'),
        [frameIds],
      )
      assert.ok(row)
      const says = statistic === 'count' ? String(row.features) : `${row.frames} ${frameIds.length}`
      return { says, frames: row.frames }
    }
    const values: Record<string, string> = {
      $2: layerId,
      $3: attribute,
      $4: weight ?? '',
      $5: source.class ?? '',
    }
    const withValues = (text: string) =>
      text.replaceAll(/\$[2-5]/g, (name) => `'${(values[name] ?? '').replaceAll("'", "''")}'`)
    const text = SQL[statistic === 'mode_share' ? 'share' : statistic]
    assert.ok(text, JSON.stringify(source))
    const [row] = await db.rows<{ says: string }>(withValues(`${CELLS} ${text}`), [frameIds])
    const [counted] = await db.rows<{ n: number }>(withValues(`${CELLS} select count(*)::int as n from cell`), [
      frameIds,
    ])
    return { says: row?.says ?? '', frames: counted?.n ?? -1 }
  }

  /** Takes the numbers out of a facet, or its text where it has none. */
  function figureText(value: string, source: Source): string {
    const { statistic, class: counted } = source
    const numbers = (text: string) =>
      [...text.replaceAll(',', '').matchAll(/-?\d+(?:\.\d+)?/g)].map(([number]) => number)
    if (statistic === 'mode') {
      assert.match(value.slice((counted ?? '').length), /^(,.+| and .+, each)? \(/, value)
      // A unit is named as people write it, and kept in capitals.
      assert.ok(
        [value, value.toUpperCase()].some((each) => each.startsWith(counted ?? '')),
        value,
      )
      return numbers(value.slice(value.lastIndexOf('(')))
        .slice(0, 2)
        .join(' ')
    }
    if (statistic === 'mode_share') return value
    if (['share', 'frames', 'interval'].includes(statistic)) return numbers(value).slice(0, 2).join(' ')
    if (statistic === 'value') return value
    return numbers(value)
      .slice(0, statistic === 'min' || statistic === 'max' ? 2 : 1)
      .join(' ')
  }

  it('equals the facet, for every dataset of the invented country and every statistic', async () => {
    const statistics = new Set<string>()
    const layers = new Set<string>()
    for (const frameIds of sets) {
      for (const question of [...questions, 'compare the population and the land cover']) {
        const answer = await insight(frameIds, question)
        for (const [i, source] of answer.sources.entries()) {
          const facet = answer.facets[i]
          assert.ok(facet)
          const what = `${question}: ${facet.label}: ${facet.value} ${JSON.stringify(source)}`
          const computed = await recomputed(answer.frameIds, source)
          assert.equal(source.frames, computed.frames, what)
          const given = figureText(facet.value, source)
          const isPercentage = source.statistic === 'mode_share'
          if (isPercentage) {
            const [part = 0, whole = 1] = computed.says.split(' ').map(Number)
            assert.ok(Math.abs(Number.parseFloat(given) - (100 * part) / whole) <= 0.05 + 1e-9, what)
          } else if (source.statistic === 'value') {
            const plain = given.replaceAll(',', '')
            const asKept = given.toLowerCase() === computed.says.toLowerCase()
            assert.ok(asKept || plain.split(' ')[0] === computed.says, `${what} ${computed.says}`)
          } else assert.equal(given, computed.says, what)
          statistics.add(source.statistic)
          layers.add(source.layerId)
        }
      }
    }
    assert.deepEqual(
      [...statistics].sort(),
      ['count', 'frames', 'interval', 'max', 'mean', 'min', 'mode', 'sum', 'value', 'weighted_mean'].sort(),
    )
    assert.ok(layers.size >= 11, [...layers].join())
  })

  it('has the vintage and the method of the dataset, where the catalogue says them', async () => {
    const [ids = []] = sets
    const [population] = (await insight(ids, 'how many people live here')).sources
    assert.deepEqual([population?.vintage, population?.method], ['2026', 'modelled estimate'])
    const [slope] = (await insight(ids, 'average slope')).sources
    assert.ok(slope)
    assert.deepEqual([slope.statistic, slope.weight, 'method' in slope], ['weighted_mean', 'area', false])
    const [market] = (await insight(ids, 'average time to the nearest market')).sources
    assert.equal(market?.weight, 'mkt_households')
  })
})
