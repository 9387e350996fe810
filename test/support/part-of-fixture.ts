/** Fills a database with a part of the invented country: a fourteenth of its frames, in three LGAs, and its datasets. */
import type { Database } from '../../src/core/db/connect.js'
import { build } from '../../src/tools/load/build.js'
import { loadFixtureData } from '../../src/tools/load/fixture.js'
import { quiet, rectangle, temporaryFolder } from '../load/files.js'
import { fixture } from './service.js'

/** Needs a database that is migrated and empty. Checks of it take a fourteenth of the time. */
export async function fillWithPart(db: Database): Promise<void> {
  // Kofa, its roads and reserves, and the frames of datasets.ts.
  const outline = temporaryFolder().write('outline.geojson', JSON.stringify(rectangle(-5, 9, 31, 34)))
  await build(db, { outline, wards: fixture('wards.json') }, quiet)
  await loadFixtureData(db, quiet)
}
