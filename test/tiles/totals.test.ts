import assert from 'node:assert/strict'
import { attributesOfDatasets } from '../../src/core/db/statements.js'
import type { Visitor } from '../support/browse.js'
import { sample } from '../support/sample.js'
import type { UnitValue } from '../../src/app/tiles/values.js'
import { roundOutwards } from '../../src/core/decimal.js'
import { service } from '../support/service.js'
import { rows, signedIn } from '../web/visitors.js'
import { askValues } from './ask-values.js'

const LEVELS = ['state', 'lga', 'ward'] as const
type Level = (typeof LEVELS)[number]
type Kept = {
  unitId: string
  number: string | null
  class: string | null
  recorded: number
  frames: number
}
/** A unit without a feature has none of them. */
const KEPT = `select unit.unit_id::text as "unitId", class, coalesce(recorded, 0)::int as recorded, frames::int as frames,
    (case kind when 'frames' then number else coalesce(number, 0) end)::text as number
  from unit cross join dataset
  left join unit_total as total on total.version = dataset.version and attribute = $3::text and total.unit_id = unit.unit_id
  where level = $1::text and layer_id = $2::text`
type Bounds = { id: string; lower: string; upper: string }

describe('the values of units', () => {
  /** Each organisation that owns a dataset has a member here. */
  const members = new Map<string, Visitor>()
  let subjects: { layerId: string; kind: string; orgId: string; attribute: string }[]

  before(async () => {
    const { db } = service()
    const datasets = await rows<{ layerId: string; kind: string; orgId: string }>(
      'select layer_id as "layerId", kind, org_id as "orgId" from dataset order by layer_id',
    )
    for (const { orgId } of datasets)
      if (!members.has(orgId)) members.set(orgId, await signedIn({ orgId, role: 'member' }))
    const attributes = await attributesOfDatasets(
      db,
      datasets.map(({ layerId }) => layerId),
    )
    const measures: Record<string, string[]> = {
      points: ['features'],
      lines: ['features', 'km'],
      polygons: ['features', 'km2'],
    }
    subjects = datasets.flatMap((dataset, i) => {
      const ofRows = attributes.filter(({ layer }) => layer === i + 1).map(({ name }) => name)
      return (measures[dataset.kind] ?? ofRows).map((attribute) => ({ ...dataset, attribute }))
    })
  })

  async function unitsOf(level: Level, { layerId, attribute, orgId }: (typeof subjects)[number]): Promise<UnitValue[]> {
    const visitor = members.get(orgId)
    assert.ok(visitor)
    const question = new URLSearchParams({ dataset: layerId, attribute }).toString()
    const { status, text, units } = await askValues(visitor, `${level}?${question}`)
    assert.equal(status, 200, text)
    return units
  }

  it('are those of table unit_total, at every level and for every kind of dataset', async () => {
    const kinds = new Set(subjects.map(({ kind }) => kind))
    assert.deepEqual([...kinds].sort(), ['frames', 'lines', 'points', 'polygons'])
    // Steps that have no factor in common with the lengths of the lists reach every pair.
    for (let turn = 0; turn < sample(16, 3 * subjects.length); turn += 1) {
      const [subject, level] = [subjects[(turn * 5) % subjects.length], LEVELS[turn % 3]]
      assert.ok(subject && level)
      const { layerId, attribute } = subject
      const about = `${level} of ${layerId} ${attribute}`
      const kept = await rows<Kept>(KEPT, level, layerId, attribute)
      const found = new Map((await unitsOf(level, subject)).map((unit) => [unit.id, unit]))
      assert.equal(found.size, kept.length, about)
      for (const { unitId, number, class: named, recorded, frames } of kept) {
        const unit = found.get(unitId)
        assert.ok(unit, `${about}: ${unitId}`)
        assert.deepEqual([unit.recorded, unit.frames], [recorded, frames], about)
        if (named !== null || number === null) assert.equal(unit.value, named, about)
        else assert.ok(Math.abs(Number(unit.value) - Number(number)) <= 1e-6 + 1e-9 * Number(number), about)
      }
    }
  })

  it('have the bounds of their 95 % interval, as panels round them', async () => {
    const subject = subjects.find(({ attribute }) => attribute === 'pop_demest26')
    assert.ok(subject)
    const kept: Bounds[] = await rows<Bounds>(
      `select unit_id::text as id, lower::text, upper::text from unit_interval where attribute = $1::text
         and version = (select version from dataset where layer_id = 'lyr_population')`,
      subject.attribute,
    )
    const bounds = new Map(kept.map(({ id, ...each }) => [id, Object.values(roundOutwards(each)).map(Number)]))
    for (const level of LEVELS) {
      const units = await unitsOf(level, subject)
      assert.ok(units.length > 3)
      for (const { id, lower, upper } of units)
        assert.deepEqual(
          [lower, upper].filter((each) => each !== undefined),
          bounds.get(id) ?? [],
          `${level} ${id}`,
        )
    }
  })

  it('come with the land that they are divided by', async () => {
    const [subject] = subjects
    assert.ok(subject)
    const areas = await rows<{ id: string; km2: number }>(
      'select unit_id::text as id, coalesce(unit.km2, area_km2)::float8 as km2 from unit left join unit_area using (unit_id)',
    )
    const km2 = new Map(areas.map((row) => [row.id, row.km2]))
    for (const level of LEVELS)
      for (const unit of await unitsOf(level, subject))
        assert.ok(Math.abs(unit.km2 - (km2.get(unit.id) ?? 0)) <= 0.001, `${level} ${unit.id}`)
  })
})
