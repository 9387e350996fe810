/** The datasets of the invented country: each a select over its frames, with a manifest of who owns and reads them. */
import { readFileSync } from 'node:fs'
import { createOrganisation, findOrganisation, listOrganisations } from '../access/organisations.js'
import { license, listDatasets } from '../access/licences.js'
import { topUp } from '../credits/ledger.js'
import type { Database } from '../db/connect.js'
import { projectFolder } from '../db/statement.js'
import type { Attribute } from './catalogue.js'
import { gatherStatistics, takeIn, type Kind } from './datasets.js'
import type { Progress } from './patiently.js'

type FixtureDataset = {
  layerId: string
  name: string
  category: string
  kind: Kind
  org: string
  vintage?: string
  description?: string
  synonyms?: string[]
  licences: { to: string; perQuery?: number }[]
  attributes: Attribute[]
}
type Manifest = { organisations: { name: string; plan: string; credits: number }[]; datasets: FixtureDataset[] }

const folder = new URL('fixtures/data/', projectFolder)
const text = (file: string) => readFileSync(new URL(file, folder), 'utf8').trimEnd()

const manifest = () => JSON.parse(text('datasets.json')) as Manifest

export const fixtureOrganisations = () => manifest().organisations.map(({ name }) => name)

/** Loads what is not there yet, so that a start that was cut short is taken up again. Organisations named there are kept. */
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
  await gatherStatistics(db, 'baseline_row')
  await gatherStatistics(db, 'feature, feature_frame')
}

async function loadDataset(db: Database, dataset: FixtureDataset): Promise<void> {
  const { org, kind, attributes, layerId } = dataset
  const { orgId } = await findOrganisation(db.run, org)
  const select = text(`${layerId}.sql`)
  const isBaseline = kind === 'frames'
  await takeIn(db, { ...dataset, orgId }, () => {}, {
    load: async () => {
      await db.work(isBaseline ? rowsOf(select, attributes) : featuresOf(select))
      return { kind, attributes }
    },
    faults: isBaseline ? 'import/baseline_faults' : 'import/features_faults',
    isOneOfMany: true,
    put: isBaseline ? ['import/baseline_put'] : ['import/features_put', 'import/features_join'],
  })
}

/** A value that is not recorded is null in the select and absent in the row. */
const rowsOf = (select: string, attributes: readonly Attribute[]) => `
  insert into staging.baseline_source (line, frame_id, recorded)
  select row_number() over (order by frame_id), frame_id, recorded::text
  from (${select}) as given
  cross join lateral (
    select json_strip_nulls(row_to_json(attribute)) as recorded
    from (select ${attributes.map(({ name }) => `given.${name}`).join(', ')}) as attribute
  ) as written
  where recorded::text <> '{}'`

const featuresOf = (select: string) => `
  insert into staging.feature_source (number, line, feature_id, geom, properties)
  select row_number() over (order by feature_id), row_number() over (order by feature_id), feature_id, geom, properties::text
  from (${select}) as given`
