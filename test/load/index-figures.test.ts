import assert from 'node:assert/strict'
import { importFrames } from '../../src/load/import-frames.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { collection, feature, quiet, rectangle, temporaryFolder } from './files.js'

describe('the figures that an import of frames reports', () => {
  const folder = temporaryFolder()
  let database: TestDatabase
  before(async () => (database = await newDatabase()))
  after(async () => {
    folder.remove()
    await database.drop()
  })

  it('are the extent, the land and the units of the frames', async () => {
    const cell = (id: number, x: number, properties: object) => feature(id, rectangle(x, 800, x + 1, 801), properties)
    const unit = { state: 'Plateau', lga: 'Highland' }
    const { bbox, totalKm2, smallestKm2, largestKm2, columns } = await importFrames(
      database.db,
      folder.write(
        'grid.json',
        collection([
          cell(1, 900, { ...unit, stateCode: 'PL', ward: 'North', zone: 'East' }),
          cell(2, 901, { ...unit, stateCode: 'PX', ward: 'South', zone: 'East' }),
          cell(3, 905, { zone: 'West' }),
          cell(4, 906, { zone: 'East' }),
        ]),
      ),
      quiet,
    )
    const [row] = await database.db.rows<{ total: string; least: string; most: string }>(
      'select sum(area_km2)::text as total, min(area_km2)::text as least, max(area_km2)::text as most from frame',
      [],
    )
    assert.deepEqual([totalKm2, smallestKm2, largestKm2], [row?.total, row?.least, row?.most])
    assert.deepEqual(bbox, [9, 8, 9.07, 8.01])
    assert.deepEqual(
      columns.map(({ name, recorded, blank, classes, notes }) => [name, recorded, blank, classes, notes.join(' ')]),
      [
        ['state', 2, 2, 1, 'Every value is PLATEAU.'],
        ['stateCode', 2, 2, 2, '1 unit has more than one: the lowest is kept.'],
        ['lga', 2, 2, 1, 'Every value is HIGHLAND.'],
        ['lgaCode', 0, 4, undefined, 'No frame has a value.'],
        ['ward', 2, 2, 2, ''],
        ['wardCode', 0, 4, undefined, 'No frame has a value.'],
        ['zone', 4, 0, 2, ''],
        ['zoneCode', 0, 4, undefined, 'No frame has a value.'],
      ],
    )
  })
})
