/** The invented country of fixtures/: its index, then its datasets and organisations. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  createOrganisation,
  findOrganisation,
  license,
  listDatasets,
  listOrganisations,
  type Plan,
} from '../../core/access/index.js'
import { counted } from '../../core/counted.js'
import { topUp } from '../../core/credits/index.js'
import { type Database, projectFolder, sqlText } from '../../core/db/index.js'
import { indexGeneration } from '../../core/db/statements.js'
import { build, buildSource } from './build.js'
import type { Attribute } from './catalogue.js'
import { type DatasetEntry, type DatasetKind, gatherStatistics, replaceDataset } from './datasets.js'
import type { Progress } from './progress.js'

const fixtureFile = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, projectFolder))
const fixtureFiles = { outline: fixtureFile('outline.geojson'), wards: fixtureFile('wards.json') }
const FRAMES = 12_411

/** Makes only what is missing, so that a run that broke off can be run again. */
export async function loadFixture(db: Database, progress: Progress): Promise<void> {
  const [index] = await indexGeneration(db)
  if (index?.generation === '0') await build(db, fixtureFiles, progress)
  await loadFixtureData(db, progress)
}

type ServedIndex = { generation: string; frames: number; source: string }

/** Returns the index that is served, unless there is none or it is the invented country's. */
export async function foreignIndex(db: Database): Promise<ServedIndex | undefined> {
  const [index] = await db.rows<ServedIndex>(sqlText('build/index_served'), [])
  const isFixture = index?.source === buildSource(fixtureFiles) && index.frames === FRAMES
  return index?.generation === '0' || isFixture ? undefined : index
}

/**
 * Refuses a database that has another country, or organisations that are not the demo's: they would be mixed with it.
 */
export async function refuseForeignData(db: Database): Promise<void> {
  const remedy = 'The demo goes into an empty database, or completes itself: create another database for it.'
  const index = await foreignIndex(db)
  if (index) {
    throw new Error(
      `Another index is being served here, of ${counted(index.frames, 'frame')}, ${index.source}. ${remedy}`,
    )
  }
  const own = (await listOrganisations(db.run)).find(({ name }) => !fixtureOrganisations().includes(name))
  if (own) throw new Error(`There are organisations here that are not the demo's, such as "${own.name}". ${remedy}`)
}

type FixtureDataset = Omit<DatasetEntry, 'orgId'> & {
  kind: DatasetKind
  /** Its statement reads the table of people.sql. */
  followsPeople?: boolean
  org: string
  /** Absent: features have distances. */
  hasDistances?: boolean
  licences: { to: string; perQuery?: number }[]
  attributes: Attribute[]
}
type Manifest = { organisations: { name: string; plan: Plan; credits: number }[]; datasets: FixtureDataset[] }

const dataFolder = new URL('fixtures/data/', projectFolder)
const fixtureText = (file: string) => readFileSync(new URL(file, dataFolder), 'utf8').trimEnd()

const manifest = () => JSON.parse(fixtureText('datasets.json')) as Manifest

const fixtureOrganisations = () => manifest().organisations.map(({ name }) => name)

/** Loads only what is missing, so that a run that broke off can be run again. Organisations that exist are kept. */
export async function loadFixtureData(db: Database, progress: Progress): Promise<void> {
  const { organisations, datasets } = manifest()
  const named = new Set((await listOrganisations(db.run)).map(({ name }) => name))
  for (const { name, plan, credits } of organisations.filter((each) => !named.has(each.name))) {
    const { orgId } = await createOrganisation(db, name, plan)
    if (credits > 0) await topUp(db, orgId, credits, 'fixture')
  }
  const known = new Set((await listDatasets(db.run)).map(({ layerId }) => layerId))
  const missing = datasets.filter(({ layerId }) => !known.has(layerId))
  for (const dataset of missing) {
    progress(`loading ${dataset.name}`)
    await loadDataset(db, dataset)
    for (const { to, perQuery } of dataset.licences) {
      await license(db.run, dataset.layerId, to, perQuery)
    }
  }
  if (missing.length === 0) return
  await gatherStatistics(db, 'frames')
  await gatherStatistics(db, 'points')
}

async function loadDataset(db: Database, dataset: FixtureDataset): Promise<void> {
  const { org, kind, attributes, layerId, followsPeople, hasDistances = true } = dataset
  const { orgId } = await findOrganisation(db.run, org)
  const isBaseline = kind === 'frames'
  await replaceDataset(db, { ...dataset, orgId }, () => {}, {
    load: async () => {
      if (followsPeople) await db.work(fixtureText('people.sql'))
      await db.work(fixtureText(`${layerId}.sql`))
      if (attributes.some(({ draws }) => draws !== undefined)) await db.work(fixtureText(`${layerId}_draws.sql`))
      return { kind, attributes }
    },
    faults: isBaseline ? 'import/baseline_faults' : 'import/features_faults',
    // The files of the fixture stage no numbers: they are read in the rows.
    put: () =>
      isBaseline
        ? [['import/baseline_put', false], ['import/intervals_put']]
        : [['import/features_put'], ['import/features_join']],
    gathersStatistics: false,
    hasDistances,
  })
}
