/**
 * A new version of a dataset is put beside the old rows. One transaction then switches to it and drops the old rows.
 */
import { type Database, sqlText } from '../../core/db/index.js'
import { didYouMean } from '../../core/nearest.js'
import { lockBriefly } from './brief-lock.js'
import type { Attribute } from './catalogue.js'
import { refuseStagedFaults } from './faults.js'
import { outageText, sayingWhatChanged } from './outage.js'
import type { Progress } from './progress.js'
import type { ColumnFigures } from './quality.js'

export const ANOTHER_LOAD = 'Another build or import is under way on this database. Wait for it to end.'

export type DatasetKind = 'frames' | 'points' | 'lines' | 'polygons'

export const QUALITY_FLAGS = ['modelled', 'provisional', 'suppressed'] as const
/** Where a dataset comes from, as its owner says it. */
type DatasetOrigin = Partial<Record<'licence' | 'source' | 'url' | 'citation' | 'released', string | undefined>> & {
  flags?: string[]
}

/** The catalogue entry. Members that are undefined stay as the import before left them. */
export type DatasetEntry = {
  layerId: string
  orgId: string
  name: string
  category: string
  vintage?: string | undefined
  /** Reports all, and changes nothing. */
  isDryRun?: boolean
  description?: string | undefined
  synonyms?: string[] | undefined
  /** The owner describes the properties of features in these entries, each under the name of its property. */
  properties?: Record<string, Attribute> | undefined
  origin?: DatasetOrigin
}

/**
 * A baseline has figures of its columns, and what changed in its catalogue; features have the number of those that touch
 * no frame.
 */
export type ImportedDataset = {
  layerId: string
  kind: DatasetKind
  items: number
  version: string
  /** Nothing was changed. */
  isDryRun?: true
  columns?: ColumnFigures[]
  changes?: string[]
  outside?: number
  /** Warnings to print, such as one about a category that resembles a usual one. */
  notes: string[]
}

type TransactionRun = Parameters<Parameters<Database['transaction']>[0]>[0]

export type DatasetRows = {
  /** Fills a table of schema staging, which is empty. */
  load: () => Promise<{ kind: DatasetKind; attributes: Attribute[]; figures?: Pick<ImportedDataset, 'changes'> }>
  /** The file of sql/import/ that finds faults among the staged rows. */
  faults: string
  /** The files of sql/import/ that make rows of them, each with its parameters after the version. */
  put: (attributes: readonly Attribute[]) => [file: string, ...args: unknown[]][]
  /** Reads back what the database keeps now, before anybody else sees it. What it throws leaves the old rows. */
  report?: (run: TransactionRun) => Promise<Pick<ImportedDataset, 'columns' | 'outside'> & { notes?: string[] }>
  /** False where the caller imports several datasets and gathers statistics once, at the end. */
  gathersStatistics?: boolean
  /** Features have the distance of each frame to the nearest of them, unless their owner wants none. */
  hasDistances?: boolean
}

/** One build or import runs at a time: features are joined to the frames that there are. */
export const replaceDataset = (
  db: Database,
  entry: DatasetEntry,
  progress: Progress,
  rows: DatasetRows,
): Promise<ImportedDataset> =>
  sayingWhatChanged((state) => db.alone(ANOTHER_LOAD, () => replaceAlone(db, entry, { ...rows, progress, state })))

type Replacing = DatasetRows & { progress: Progress; state: (changed: string) => void }

async function replaceAlone(
  db: Database,
  { isDryRun = false, ...entry }: DatasetEntry,
  replacing: Replacing,
): Promise<ImportedDataset> {
  const { load, faults, progress, state, gathersStatistics = true } = replacing
  let rehearsed: ImportedDataset | undefined
  await refuseOtherOwner(db, entry)
  const notes = await notesOnCategory(db, entry.category)
  await db.work(sqlText('import/open'))
  try {
    const { kind, attributes, figures } = await load()
    progress('checking')
    await refuseStagedFaults(db, faults, kind === 'frames' ? [weightsOf(attributes)] : [])
    progress('putting the new rows in place')
    const { distances, ...imported } = await db.transaction(async (run) => {
      const served = await serveWithDistances(run, { ...entry, kind, attributes }, replacing)
      const { distances: measured, ...reported } = served
      const all = { ...reported, ...figures, notes: [...notes, ...(reported.notes ?? [])] }
      if (isDryRun) {
        rehearsed = { ...all, isDryRun: true }
        throw new Error('The transaction of a dry run is taken back.')
      }
      state(
        `Whether ${entry.layerId} has its new rows, "frames datasets list" shows: it changed as a whole or not at all.`,
      )
      return { ...all, distances: measured }
    })
    state(
      `${entry.layerId} is being served with its new rows; its statistics and its view may be missing: the next command makes the view.`,
    )
    if (gathersStatistics) {
      progress('gathering statistics')
      await gatherStatistics(db, kind)
      if (kind !== 'frames' && distances) await gatherStatistics(db, 'frames')
    }
    progress('making its view for analysts')
    for (const layerId of [entry.layerId, ...(distances ? [distances] : [])]) await makeView(db, layerId, progress)
    return imported
  } catch (error) {
    if (rehearsed !== undefined) return rehearsed
    throw error
  } finally {
    await db.work(sqlText('staging/close'))
  }
}

/** Undefined distances: there are none, or none any more. */
async function serveWithDistances(
  run: TransactionRun,
  dataset: Served,
  { put, report, progress, hasDistances = true }: Replacing,
) {
  const served = await serveRows(run, put, dataset)
  const reported = await report?.(run)
  const measures = dataset.kind !== 'frames' && hasDistances
  if (measures) progress('measuring the distance of each frame to the nearest feature')
  const distances = measures
    ? await serveDistances(run, dataset.layerId, served.version)
    : await dropDistances(run, dataset.layerId)
  return { ...served, ...reported, distances }
}

/** Areas are above zero: only attributes are looked at. */
const weightsOf = (attributes: readonly Attribute[]): string[] => [
  ...new Set(attributes.flatMap(({ weight = 'area' }) => (weight === 'area' ? [] : [weight]))),
]

type Served = DatasetEntry & { kind: DatasetKind; attributes: Attribute[] }

async function nextVersion(run: TransactionRun): Promise<string> {
  const [next] = await run<{ version: string }>(sqlText('import/version_next'), [])
  return next?.version ?? ''
}

async function serveRows(
  run: TransactionRun,
  put: DatasetRows['put'],
  dataset: Served,
): Promise<Omit<ImportedDataset, 'notes' | 'isDryRun'>> {
  const version = await nextVersion(run)
  for (const [file, ...args] of put(dataset.attributes)) await run(sqlText(file), [version, ...args])
  const items = await serveVersion(run, { version, layerId: dataset.layerId, entry: JSON.stringify(dataset) })
  await refuseNarrowSynonyms(run, dataset)
  return { layerId: dataset.layerId, kind: dataset.kind, items, version }
}

/** A class may come with a later file: the synonyms that the import before left are looked at, too. */
async function refuseNarrowSynonyms(run: TransactionRun, { layerId, name }: Served): Promise<void> {
  type NarrowSynonym = { synonym: string; property: string; value: string }
  const [narrow] = await run<NarrowSynonym>(sqlText('import/synonyms_narrow'), [layerId])
  if (narrow)
    throw new Error(
      `"${narrow.synonym}" is no synonym of ${name}: only some of them have ${narrow.property} "${narrow.value}", and a question with that word would get them all. Accepted are words that mean every one of them; questions find those alone by "${narrow.value === 'true' ? narrow.property : narrow.value}".`,
    )
}

/** Removes the rows of the version before. Returns the number of rows or features. */
async function serveVersion(
  run: TransactionRun,
  { version, layerId, entry }: { version: string; layerId: string; entry: string },
): Promise<number> {
  const [row] = await run<{ items: number }>(sqlText('import/dataset_serve'), [version, entry])
  await run(sqlText('import/classes_keep'), [layerId])
  await run(sqlText('import/totals_keep'), [layerId])
  return row?.items ?? 0
}

export async function serveDistances(run: TransactionRun, features: string, featuresVersion: string): Promise<string> {
  const layerId = `${features}_distance`
  const [known] = await run<KnownDataset>(sqlText('import/dataset_owner'), [layerId])
  if (known && known.distanceTo !== features)
    throw new Error(
      `${layerId} is another dataset, and the distances to ${features} would have its id: choose another id.`,
    )
  const version = await nextVersion(run)
  await run(sqlText('import/distances_put'), [featuresVersion, version, features.slice('lyr_'.length)])
  const [row] = await run<{ entry: string }>(sqlText('import/distances_entry'), [features])
  await serveVersion(run, { version, layerId, entry: row?.entry ?? '' })
  return layerId
}

async function dropDistances(run: TransactionRun, features: string): Promise<undefined> {
  await run(sqlText('import/datasets_drop'), [[], [features]])
}

export const gatherStatistics = (db: Database, kind: DatasetKind): Promise<void> =>
  db.work(sqlText(kind === 'frames' ? 'import/baselines_vacuum' : 'import/features_vacuum'))

/** The new rows are served already: a view that could not be changed reads them too, but lacks columns that are new. */
export async function makeView(db: Database, layerId: string, progress: Progress): Promise<void> {
  try {
    await lockBriefly(db, progress, (run) => run(sqlText('import/dataset_view'), [layerId]))
  } catch (error) {
    if (outageText(error, '') !== undefined) throw error
    const { message, detail } = error as { message: string; detail?: string }
    const reason = [message, detail].filter(Boolean).join(': ')
    throw new Error(
      `${layerId} is being served, but its view in schema analyst stays as it was. ${reason}\nRemove what stands in the way, then run "npm run -s frames -- migrate".`,
      { cause: error },
    )
  }
}

/** The usual categories. Others are accepted: an owner may need one of their own. */
const CATEGORIES = ['Administrative', 'Built environment', 'Cultural', 'Physical', 'Population', 'Urbanisation']

async function notesOnCategory(db: Database, category: string): Promise<string[]> {
  const used = await db.rows<{ category: string }>(sqlText('import/categories'), [])
  const known = [...new Set([...CATEGORIES, ...used.map((row) => row.category)])]
  if (known.includes(category)) return []
  const suggestion = didYouMean(category, known)
  return suggestion === '' ? [] : [`The category "${category}" is new.${suggestion}`]
}

type KnownDataset = { owner: string; name: string; distanceTo: string | null }

async function refuseOtherOwner(db: Database, { layerId, orgId }: DatasetEntry): Promise<void> {
  const [known] = await db.rows<KnownDataset>(sqlText('import/dataset_owner'), [layerId])
  if (known && known.owner !== orgId)
    throw new Error(`${layerId} belongs to "${known.name}": only its owner replaces it.`)
  if (known && known.distanceTo !== null)
    throw new Error(`${layerId} has the distances to ${known.distanceTo}: choose another id.`)
}
