import assert from 'node:assert/strict'
import { attributesOfDatasets } from '../../src/core/db/statements.js'
import type { Visitor } from '../support/browse.js'
import { sample } from '../support/sample.js'
import { roundOutwards } from '../../src/core/decimal.js'
import { service } from '../support/service.js'
import { rows, signedIn } from '../web/visitors.js'
import { askTile, featuresOf } from './ask-tile.js'
import { areaOf, type TileFeature } from './read-tile.js'

const LAYERS = { state: 'states', lga: 'lgas', ward: 'wards', block: 'blocks' } as const
type Level = keyof typeof LAYERS
type Kept = {
  unitId: string
  block: number | null
  number: string | null
  class: string | null
  recorded: number
  frames: number
}
/** A unit without a feature has none of them. */
const KEPT = `select unit.unit_id::text as "unitId", block::int as block, class, coalesce(recorded, 0)::int as recorded, frames::int as frames,
    (case kind when 'frames' then number else coalesce(number, 0) end)::text as number
  from unit cross join dataset
  left join unit_total as total on total.version = dataset.version and attribute = $3::text and total.unit_id = unit.unit_id
  where level = $1::text and layer_id = $2::text`
type Bounds = { id: string; lower: string; upper: string }

/** Tiles that together hold the whole fixture, which lies around 0, 0. */
const AROUND = ['127/127', '128/127', '127/128', '128/128']

describe('the totals of units and blocks in tiles', () => {
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

  /** Reads the features of a level from all tiles of the fixture. */
  async function drawn(level: Level, { layerId, attribute, orgId }: (typeof subjects)[number]): Promise<TileFeature[]> {
    const visitor = members.get(orgId)
    assert.ok(visitor)
    const layer = level === 'block' ? 'blocks' : 'units'
    const question = new URLSearchParams({ dataset: layerId, attribute }).toString()
    const answers = await Promise.all(AROUND.map((at) => askTile(visitor, `${layer}/8/${at}?${question}`)))
    for (const { status, text } of answers) assert.ok(status === 200 || status === 204, text)
    return answers.flatMap((answer) => featuresOf(answer, LAYERS[level]))
  }

  it('are those of table unit_total, at every level and for every kind of dataset', async () => {
    const levels = Object.keys(LAYERS) as Level[]
    const kinds = new Set(subjects.map(({ kind }) => kind))
    assert.deepEqual([...kinds].sort(), ['frames', 'lines', 'points', 'polygons'])
    // Steps that have no factor in common with the lengths of the lists reach every pair.
    for (let turn = 0; turn < sample(16, 4 * subjects.length); turn += 1) {
      const [subject, level] = [subjects[(turn * 5) % subjects.length], levels[turn % 4]]
      assert.ok(subject && level)
      const { layerId, attribute } = subject
      const about = `${level} of ${layerId} ${attribute}`
      const features = await drawn(level, subject)
      const kept = await rows<Kept>(KEPT, level, layerId, attribute)
      const found = new Map(features.map(({ id, properties }) => [String(id), properties]))
      assert.equal(found.size, kept.length, about)
      for (const { unitId, number, class: named, block, recorded, frames } of kept) {
        const properties = found.get(unitId)
        assert.ok(properties, `${about}: ${unitId}`)
        assert.equal(properties['class'], named ?? undefined, about)
        assert.deepEqual([properties['recorded'], properties['frames']], [recorded, frames], about)
        if (level === 'block') assert.equal(properties['block'], block)
        if (number === null) assert.equal(properties['value'], undefined, about)
        else assert.ok(Math.abs(Number(properties['value']) - Number(number)) <= 1e-6 + 1e-9 * Number(number), about)
      }
    }
  })

  it('have the bounds of their 95 % interval, as panels round them, and so have the values of frames', async () => {
    const subject = subjects.find(({ attribute }) => attribute === 'pop_demest26')
    const visitor = members.get(subject?.orgId ?? '')
    assert.ok(subject && visitor)
    const ofFrames = await Promise.all(
      AROUND.map((at) => askTile(visitor, `frames/8/${at}?dataset=${subject.layerId}&attribute=${subject.attribute}`)),
    )
    for (const [table, features] of [
      ['frame', ofFrames.flatMap((answer) => featuresOf(answer, 'frames'))],
      ['unit', await drawn('lga', subject)],
      ['unit', await drawn('block', subject)],
    ] as const) {
      const kept: Bounds[] = await rows<Bounds>(
        `select ${table}_id::text as id, lower::text, upper::text from ${table}_interval where attribute = $1::text
           and version = (select version from dataset where layer_id = 'lyr_population')`,
        subject.attribute,
      )
      const bounds = new Map(kept.map(({ id, ...each }) => [id, Object.values(roundOutwards(each)).map(Number)]))
      assert.ok(features.length > 3)
      for (const { id, properties } of features) {
        const found = [properties['lower'], properties['upper']].filter((each) => each !== undefined)
        assert.deepEqual(found, bounds.get(String(id)) ?? [], `${table} ${id}`)
      }
    }
  })

  it('lie in blocks of 0.1 degrees that leave no gap and end at the coast', async () => {
    const [visitor] = members.values()
    assert.ok(visitor)
    for (const at of ['255/255', '256/255', '255/256', '256/256']) {
      const blocks = featuresOf(await askTile(visitor, `blocks/9/${at}`), 'blocks')
      const states = featuresOf(await askTile(visitor, `units/9/${at}`), 'states')
      const [drawnArea, land] = [areaOfAll(blocks), areaOfAll(states)]
      // A block of nearly all land is drawn whole.
      assert.ok(Math.abs(drawnArea / land - 1) < 0.001, `${at}: ${drawnArea} of ${land}`)
      const squares = blocks.reduce((sum, { rings }) => sum + boxArea(rings.flat()), 0)
      assert.ok(squares > 1.02 * land, `${at}: no block is cut`)
    }
  })

  it('come with the land that they are divided by', async () => {
    const [subject] = subjects
    assert.ok(subject)
    const areas = await rows<{ id: string; km2: number }>(
      'select unit_id::text as id, coalesce(unit.km2, area_km2)::float8 as km2 from unit left join unit_area using (unit_id)',
    )
    const km2 = new Map(areas.map((row) => [row.id, row.km2]))
    for (const level of ['state', 'ward', 'block'] as const) {
      const features = await drawn(level, subject)
      assert.ok(features.length > 3)
      for (const { id, properties } of features)
        assert.ok(Math.abs(Number(properties['km2']) - (km2.get(String(id)) ?? 0)) <= 0.001, `${level} ${id}`)
    }
  })
})

const areaOfAll = (features: readonly TileFeature[]) =>
  features.flatMap(({ rings }) => rings).reduce((sum, ring) => sum + areaOf(ring), 0)

function boxArea(points: readonly (readonly [number, number])[]): number {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  return (Math.max(...xs) - Math.min(...xs)) * (Math.max(...ys) - Math.min(...ys))
}
