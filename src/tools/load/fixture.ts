/** The invented country of fixtures/: its index, then its datasets and organisations. */
import { fileURLToPath } from 'node:url'
import { listOrganisations } from '../../core/access/organisations.js'
import { counted } from '../../core/counted.js'
import type { Database } from '../../core/db/connect.js'
import { projectFolder, sqlText } from '../../core/db/statement.js'
import { indexGeneration } from '../../core/db/statements.js'
import { build, buildSource } from './build.js'
import { fixtureOrganisations, loadFixtureData } from './fixture-data.js'
import type { Progress } from './progress.js'

const fixtureFile = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, projectFolder))
const files = { outline: fixtureFile('outline.geojson'), wards: fixtureFile('wards.json') }
const FRAMES = 12_411

/** Makes only what is missing, so that a run that broke off can be run again. */
export async function loadFixture(db: Database, progress: Progress): Promise<void> {
  const [index] = await indexGeneration(db)
  if (index?.generation === '0') await build(db, files, progress)
  await loadFixtureData(db, progress)
}

/**
 * Refuses a database that has another country, or organisations that are not the demo's: they would be mixed with it.
 */
export async function refuseOthers(db: Database): Promise<void> {
  const remedy = 'The demo goes into an empty database, or completes itself: create another database for it.'
  const [index] = await db.rows<{ generation: string; frames: number; source: string }>(
    sqlText('build/index_served'),
    [],
  )
  const isFixture = index?.source === buildSource(files) && index.frames === FRAMES
  if (index && index.generation !== '0' && !isFixture) {
    throw new Error(
      `Another index is being served here, of ${counted(index.frames, 'frame')}, ${index.source}. ${remedy}`,
    )
  }
  const own = (await listOrganisations(db.run)).find(({ name }) => !fixtureOrganisations().includes(name))
  if (own) throw new Error(`There are organisations here that are not the demo's, such as "${own.name}". ${remedy}`)
}
