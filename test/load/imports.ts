/** A hundred frames, for tests that import datasets. */
import type { Database } from '../../src/core/db/connect.js'
import { importFrames } from '../../src/tools/load/import-frames.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { newOrganisation } from '../support/service.js'
import { collection, feature, quiet, rectangle, temporaryFolder } from './files.js'

/** The frame in the corner. */
export const first = '324378020'

/** Imports ten by ten cells from 0.2° east, 0.1° north, where the fixture has frames of these ids, too. */
export const importGrid = (db: Database) => importFrames(db, temporaryFolder().write('grid.geojson', grid()), quiet)
const grid = () =>
  collection(
    Array.from({ length: 100 }, (_, at) => {
      const [column, row] = [at % 10, Math.floor(at / 10)]
      const unit = { state: 'Alpha', lga: 'Middle', ward: row < 5 ? 'South' : 'North' }
      return feature(
        Number(first) + row * 36_000 + column,
        rectangle(20 + column, 10 + row, 21 + column, 11 + row),
        unit,
      )
    }),
  )

/** The tests of a `describe` share a database of their own with the grid, and an organisation. */
export function ownGrid() {
  let database: TestDatabase
  let orgId: string
  before(async () => {
    database = await newDatabase()
    await importGrid(database.db)
    orgId = await newOrganisation(database.db)
  })
  after(() => database.drop())
  return {
    get database() {
      return database
    },
    get db() {
      return database.db
    },
    get orgId() {
      return orgId
    },
  }
}
