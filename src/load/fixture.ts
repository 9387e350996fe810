/** The invented country of fixtures/: its index, then its datasets and organisations. */
import { fileURLToPath } from 'node:url'
import { listOrganisations } from '../access/organisations.js'
import type { Database } from '../db/connect.js'
import { projectFolder } from '../db/statement.js'
import { indexGeneration } from '../db/statements.js'
import { build, sourceOf } from './build.js'
import { fixtureOrganisations, loadFixtureData } from './fixture-data.js'
import type { Progress } from './patiently.js'

const file = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, projectFolder))
const files = { outline: file('outline.geojson'), wards: file('wards.json') }
const FRAMES = 12_411

/** Makes what is not there yet, so that a run that was cut short is taken up again. */
export async function loadFixture(db: Database, progress: Progress): Promise<void> {
  const [index] = await indexGeneration(db)
  if (index?.generation === '0') await build(db, files, progress)
  await loadFixtureData(db, progress)
}

/** Beside another country, or organisations of one's own, the demo would be a mixture that nobody wants. */
export async function refuseOthers(db: Database): Promise<void> {
  const remedy = 'The demo goes into an empty database, or completes itself: create another database for it.'
  const [index] = await db.rows<{ generation: string; frames: number; source: string }>(
    'select generation::text, frames::int, source from index_generation',
    [],
  )
  const isFixture = index?.source === sourceOf(files) && index.frames === FRAMES
  if (index && index.generation !== '0' && !isFixture) {
    throw new Error(`Another index is being served here, of ${index.frames} frames, ${index.source}. ${remedy}`)
  }
  const own = (await listOrganisations(db.run)).find(({ name }) => !fixtureOrganisations().includes(name))
  if (own) throw new Error(`There are organisations here that are not the demo's, such as "${own.name}". ${remedy}`)
}
