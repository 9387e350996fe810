/** A small country of the test's own, whose frames and datasets it imports. */
import { importBaseline } from '../../src/tools/load/import-baseline.js'
import type { Attribute } from '../../src/tools/load/catalogue.js'
import { importFeatures } from '../../src/tools/load/import-features.js'
import { importFrames } from '../../src/tools/load/import-frames.js'
import { collection, feature, quiet, rectangle, temporaryFolder } from '../load/files.js'
import { newDatabase } from '../support/database.js'
import { newOrganisation } from '../support/service.js'

/** Four cells in a square; two wards of an area, and a cell of it that no ward has. */
const units = [{ ward: 'West' }, { ward: 'West' }, { ward: 'East' }, {}]
export const grid = (lga = 'Middle') =>
  collection(
    units.map((unit, at) =>
      feature(1 + at, rectangle(100 + at, 50, 101 + at, 51), { state: 'Alpha', stateCode: 'A', lga, ...unit }),
    ),
  )

type Country = Awaited<ReturnType<typeof newCountry>>

/** Before the tests of a suite, imports the country into a database of its own. */
export function smallCountry(): Country {
  const country = {} as Country
  before(async () => void Object.assign(country, await newCountry()))
  after(() => country.drop())
  return country
}

async function newCountry() {
  const folder = temporaryFolder()
  const database = await newDatabase()
  const { db } = database
  const orgId = await newOrganisation(db)
  const wanted = (layerId: string) => ({
    layerId,
    orgId,
    name: `Name of ${layerId}`,
    category: 'Tests',
    vintage: '2026',
  })
  const frames = (text: string) => importFrames(db, folder.write('grid.geojson', text), quiet)
  await frames(grid())
  return {
    database,
    db,
    folder,
    wanted,
    frames,
    baseline: (layerId: string, text: string, attributes: Attribute[] = []) =>
      importBaseline(db, folder.write('rows.csv', text), { ...wanted(layerId), catalogue: attributes }, quiet),
    features: (layerId: string, ...all: object[]) =>
      importFeatures(
        db,
        folder.write('f.geojson', collection(all)),
        { ...wanted(layerId), hasDistances: false },
        quiet,
      ),
    columnsOf: async (view: string) => {
      const columns = await db.rows<{ name: string; type: string; about: string | null }>(
        `select attname as name, format_type(atttypid, atttypmod) as type, col_description(attrelid, attnum) as about
        from pg_attribute where attrelid = to_regclass($1::text) and attnum > 0 and not attisdropped order by attnum`,
        [`analyst."${view}"`],
      )
      return columns.map(({ name, type, about }) => [name, type, about])
    },
    drop: async () => {
      folder.remove()
      await database.drop()
    },
  }
}
