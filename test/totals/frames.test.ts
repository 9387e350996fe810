import assert from 'node:assert/strict'
import type { TestDatabase } from '../support/database.js'
import { sample } from '../support/sample.js'
import { service } from '../support/service.js'

type Frame = { id: string; state: string | null; lga: string | null; ward: string | null }
type Unit = { unitId: string; level: string; state: string; lga: string; ward: string; block: string; frames: number }
type Subject = {
  layerId: string
  kind: 'frames' | 'points' | 'lines' | 'polygons'
  version: string
  name: string
  type: string
  summary: string
  weight: string | null
}
type Total = { number: string | null; class: string | null; classFrames: number | null; recorded: number }

/** The block of a frame of the grid: its id has the row and the column of the cell, of which ten make a block. */
function blockOf(id: string): string {
  const [row, column] = [Math.floor(Number(id) / 36_000), Number(id) % 36_000]
  return String(Math.floor(row / 10) * 3600 + Math.floor(column / 10))
}

/** The figure of a baseline over frames, from frame_values, which the questions of the API use. */
const BASELINE = `with valued as (
    select found.value, found.number,
      case when $4::text = 'area' then (select area_km2 from frame where frame.frame_id = found.frame_id)
        else (select number from frame_values(array[found.frame_id], $2::text, $4::text)) end as share
    from frame_values($1::bigint[], $2::text, $3::text) as found
  ), common as (
    select value, count(*) as frames from valued
    where exists (select from class where layer_id = $2::text and name = $3::text)
    group by value order by count(*) desc, value collate "C" limit 1
  )
  select
    (case $5::text
      when 'sum' then sum(number)
      when 'mean' then avg(number)
      when 'weighted_mean' then sum(number * share) filter (where share > 0) / sum(share) filter (where share > 0 and number is not null)
    end)::text as number,
    count(*) filter (where $6::text = 'category' or number is not null)::int as recorded,
    (select value from common where $5::text = 'mode') as class,
    (select frames::int from common where $5::text = 'mode') as "classFrames"
  from valued`

const FEATURES = `select (
      select count(distinct feature_no) from feature_frame join dataset using (version) where layer_id = $2::text and frame_id = any ($1::bigint[])
    )::text as number,
    (select count(*)::int from frame_values($1::bigint[], $2::text, null) where number > 0) as recorded,
    null as class, null::int as "classFrames"`

/** Each feature is cut by the union of the frames: what two of them cover counts for each. */
const EXTENT = `with land as materialized (select ST_Union(geom) as geom from frame where frame_id = any($1::bigint[]))
  select (case kind
      when 'lines' then sum(ST_Length(ST_CollectionExtract(ST_Intersection(feature.geom, land.geom), 2)::geography)) / 1e3
      else sum(ST_Area(ST_CollectionExtract(ST_Intersection(feature.geom, land.geom), 3)::geography)) / 1e6
    end)::float8 as extent
  from dataset join feature using (version) cross join land
  where layer_id = $2::text
  group by kind`

const SUBJECTS = `select layer_id as "layerId", kind, version::text as version, attribute.name, type, summary, weight
  from dataset join attribute using (layer_id) where kind = 'frames'
  union all
  select layer_id, kind, version::text, measure, 'number', '', null
  from dataset cross join (values ('features'), ('km'), ('km2')) as measured (measure)
  where kind <> 'frames' and (measure = 'features' or measure = case kind when 'lines' then 'km' when 'polygons' then 'km2' end)
  order by 1, 4`

describe('the totals of units', () => {
  let database: TestDatabase
  let units: Unit[]
  let subjects: Subject[]
  const framesOf = new Map<string, string[]>()

  before(async () => {
    database = service().database
    const { rows } = database.db
    units = await rows<Unit>(
      `select unit_id::text as "unitId", level, state, lga, ward, block::text as block, frames::int as frames
       from unit order by unit_id`,
      [],
    )
    subjects = await rows<Subject>(SUBJECTS, [])
    const frames = await rows<Frame>('select frame_id::text as id, state, lga, ward from frame order by frame_id', [])
    for (const { id, state, lga, ward } of frames)
      for (const place of ['country', state, [state, lga], [state, lga, ward], blockOf(id)].map(String)) {
        const inside = framesOf.get(place)
        if (inside) inside.push(id)
        else framesOf.set(place, [id])
      }
  })

  const placeOf = ({ level, state, lga, ward, block }: Unit) =>
    ({ country: 'country', state, lga: String([state, lga]), ward: String([state, lga, ward]), block })[level] ?? ''

  const expected = async ({ layerId, kind, name, type, summary, weight }: Subject, ids: string[]) => {
    const { rows } = database.db
    const [total] =
      kind === 'frames'
        ? await rows<Total>(BASELINE, [ids, layerId, name, weight, summary, type])
        : await rows<Total>(FEATURES, [ids, layerId])
    assert.ok(total)
    return total
  }

  const kept = async ({ version, name }: Subject, { unitId }: Unit): Promise<Total> => {
    const [total] = await database.db.rows<Total>(
      `select number::text as number, class, class_frames::int as "classFrames", recorded::int as recorded
       from unit_total where version = $1::bigint and attribute = $2::text and unit_id = $3::bigint`,
      [version, name, unitId],
    )
    return total ?? { number: null, class: null, classFrames: null, recorded: 0 }
  }

  it('are of every unit that has frames, each with its number of frames', () => {
    assert.deepEqual([...new Set(units.map(({ level }) => level))].sort(), ['block', 'country', 'lga', 'state', 'ward'])
    for (const unit of units) assert.equal(unit.frames, framesOf.get(placeOf(unit))?.length, JSON.stringify(unit))
    assert.equal(units.length, framesOf.size)
  })

  it('equal the sum over the frames, in random units of random attributes', async () => {
    const cases = sample(150, 10_000)
    for (let turn = 0; turn < cases; turn += 1) {
      // Steps that have no factor in common with the lengths of the lists reach every pair.
      const unit = units[(turn * 7919) % units.length]
      const subject = subjects[(turn * 31 + Math.floor(turn / units.length)) % subjects.length]
      assert.ok(unit && subject)
      const ids = framesOf.get(placeOf(unit)) ?? []
      const about = `${subject.layerId} ${subject.name} in ${placeOf(unit)}`
      const total = await kept(subject, unit)
      const wanted = await expected(subject, ids)
      if (subject.name === 'km' || subject.name === 'km2') {
        const [row] = await database.db.rows<{ extent: number }>(EXTENT, [ids, subject.layerId])
        const difference = Math.abs((row?.extent ?? 0) - Number(total.number ?? 0))
        assert.ok(difference < 0.0001, `${about}: ${total.number} instead of ${row?.extent}`)
        assert.equal(total.recorded, wanted.recorded, about)
      } else if (wanted.recorded === 0) {
        assert.equal(total.recorded, 0, about)
      } else {
        assert.deepEqual({ ...total }, { ...wanted }, about)
      }
    }
  })

  it('add up: the states to the country, and so do the blocks', async () => {
    const rows = await database.db.rows<{ whole: string; states: string; blocks: string }>(
      `select attribute, sum(number) filter (where level = 'country')::text as whole,
         sum(number) filter (where level = 'state')::text as states, sum(number) filter (where level = 'block')::text as blocks
       from unit_total join unit using (unit_id) join dataset using (version) left join attribute as known using (layer_id)
       where attribute in ('km', 'km2') or (known.name = attribute and known.summary = 'sum')
       group by version, attribute`,
      [],
    )
    assert.ok(rows.length > 5)
    for (const { whole, states, blocks } of rows) assert.deepEqual({ states, blocks }, { states: whole, blocks: whole })
  })

  it('come with their spread: lowest, highest, classes and bins of every number', async () => {
    const spreads = await database.db.rows<{
      level: string
      attribute: string
      recorded: number
      lacking: number
      sampled: number
      lowest: number | null
      highest: number | null
      breaks: number[] | null
      bins: number[] | null
    }>(
      `select level, attribute, recorded::int as recorded, lacking::int as lacking, sampled::int as sampled,
         lowest::float8 as lowest, highest::float8 as highest, breaks::float8[] as breaks, bins::int[] as bins
       from attribute_spread`,
      [],
    )
    const items = new Map([['frame', framesOf.get('country')?.length ?? 0]])
    for (const { level } of units) items.set(level, (items.get(level) ?? 0) + 1)
    assert.ok(spreads.length > 5 * subjects.length - 10)
    for (const spread of spreads) {
      const { lowest, highest, breaks, bins, sampled, recorded, lacking } = spread
      assert.equal(recorded + lacking, items.get(spread.level), JSON.stringify(spread))
      if (lowest === null || highest === null) continue
      assert.equal(breaks?.length, 6)
      assert.deepEqual(
        [lowest, ...breaks, highest],
        [lowest, ...breaks, highest].toSorted((a, b) => a - b),
      )
      assert.ok(bins?.length === 20 || bins?.length === 21)
      assert.ok(lowest > 0 || breaks[0] !== 0 || highest === 0, 'zero has no class of its own')
      assert.equal(
        bins.reduce((sum, each) => sum + each, 0),
        sampled,
      )
      // Numbers reach to the highest, and those of one width begin at the lowest.
      assert.ok((bins.at(bins.length === 20 ? 0 : -1) ?? 0) > 0 || sampled < recorded)
    }
  })
})
