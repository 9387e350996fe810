import assert from 'node:assert/strict'
import { listDatasets } from '../../src/access/licences.js'
import { attributesOfDatasets, totalsOfLevel } from '../../src/db/statements.js'
import { signIn, type Visitor } from '../support/browse.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { startService } from '../support/service.js'
import { askTile, featuresOf } from './ask-tile.js'
import type { TileFeature } from './read-tile.js'

const LAYERS = { state: 'states', lga: 'lgas', ward: 'wards', block: 'blocks' } as const
type Level = keyof typeof LAYERS

/** Tiles that together hold the whole fixture, which lies around 0, 0. */
const AROUND = ['127/127', '128/127', '127/128', '128/128']

describe('the totals of units and blocks in tiles', () => {
  let database: TestDatabase
  let running: Awaited<ReturnType<typeof startService>>
  /** Each organisation that owns a dataset has a member here. */
  const members = new Map<string, Visitor>()
  let subjects: { layerId: string; kind: string; orgId: string; attribute: string }[]

  before(async () => {
    database = await newDatabase('datasets')
    running = await startService(database, { publicUrl: 'listening' })
    const { db } = database
    const datasets = await db.rows<{ layerId: string; kind: string; orgId: string }>(
      'select layer_id as "layerId", kind, org_id as "orgId" from dataset order by layer_id',
      [],
    )
    for (const { orgId } of datasets)
      if (!members.has(orgId)) members.set(orgId, await signIn(running.url, db, { orgId, role: 'member' }))
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
  after(async () => {
    await running.stop()
    await database.drop()
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

  for (const level of ['state', 'lga', 'ward', 'block'] as const)
    it(`are those of table unit_total, for every ${level} and attribute`, async () => {
      assert.ok(subjects.length > 10)
      for (const subject of subjects) {
        const { layerId, attribute } = subject
        const features = await drawn(level, subject)
        const rows = await totalsOfLevel(database.db, level, layerId, attribute)
        const found = new Map(features.map(({ id, properties }) => [String(id), properties]))
        assert.equal(found.size, rows.length, `${layerId} ${attribute}`)
        for (const { unitId, number, class: named, block } of rows) {
          const properties = found.get(unitId)
          assert.ok(properties, unitId)
          assert.equal(properties['class'], named ?? undefined)
          if (level === 'block') assert.equal(properties['block'], block)
          if (number === null) assert.equal(properties['value'], undefined)
          // The read rounds quotients and extents to two places at least.
          else
            assert.ok(Math.abs(Number(properties['value']) - Number(number)) <= 0.005 + 1e-9 * Number(number), unitId)
        }
      }
    })

  it('lie in blocks of 0.1 degrees that leave no gap', async () => {
    const [visitor] = members.values()
    assert.ok(visitor)
    const blocks = featuresOf(await askTile(visitor, 'blocks/8/128/127'), 'blocks')
    const edges = new Map(blocks.map(({ properties, rings }) => [Number(properties['block']), extentOf(rings.flat())]))
    let neighbours = 0
    for (const [block, { east, north }] of edges) {
      const [toEast, toNorth] = [edges.get(block + 1), edges.get(block + 3600)]
      if (toEast) assert.equal(toEast.west, east)
      if (toNorth) assert.equal(toNorth.south, north)
      if (toEast && toNorth) neighbours += 1
    }
    assert.ok(neighbours > 20)
  })

  it('are of datasets that the fixture has of every kind', async () => {
    const kinds = new Set((await listDatasets(database.db.run)).map(({ kind }) => kind))
    assert.deepEqual([...kinds].sort(), ['frames', 'lines', 'points', 'polygons'])
  })
})

function extentOf(points: readonly (readonly [number, number])[]) {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  return { west: Math.min(...xs), east: Math.max(...xs), north: Math.min(...ys), south: Math.max(...ys) }
}
