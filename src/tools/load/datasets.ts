/**
 * A new version of a dataset is put beside the old rows. One transaction then switches to it and drops the old rows.
 */
import type { Database } from '../../core/db/connect.js'
import { sqlText } from '../../core/db/statement.js'
import { didYouMean } from '../../core/nearest.js'
import { lockBriefly } from './brief-lock.js'
import type { Attribute } from './catalogue.js'
import { refuseStagedFaults } from './faults.js'
import type { Progress } from './progress.js'
import type { ColumnFigures } from './quality.js'

export const ANOTHER_LOAD = 'Another build or import is under way on this database. Wait for it to end.'

export type DatasetKind = 'frames' | 'points' | 'lines' | 'polygons'

/** The catalogue entry. Members that are undefined stay as the import before left them. */
export type DatasetEntry = {
  layerId: string
  orgId: string
  name: string
  category: string
  vintage?: string | undefined
  description?: string | undefined
  synonyms?: string[] | undefined
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
  columns?: ColumnFigures[]
  changes?: string[]
  outside?: number
  /** Warnings to print, such as one about a category that resembles a usual one. */
  notes: string[]
}

export type DatasetRows = {
  /** Fills a table of schema staging, which is empty. */
  load: () => Promise<{ kind: DatasetKind; attributes: Attribute[] }>
  /** The file of sql/import/ that finds faults among the staged rows. */
  faults: string
  /** The files of sql/import/ that make rows of them; the version is their one parameter. */
  put: string[]
  /** False where the caller imports several datasets and gathers statistics once, at the end. */
  gathersStatistics?: boolean
}

/** One build or import runs at a time: features are joined to the frames that there are. */
export async function replaceDataset(
  db: Database,
  entry: DatasetEntry,
  progress: Progress,
  { load, faults, put, gathersStatistics = true }: DatasetRows,
): Promise<ImportedDataset> {
  return await db.alone(ANOTHER_LOAD, async () => {
    await refuseOtherOwner(db, entry)
    const notes = await notesOnCategory(db, entry.category)
    await db.work(sqlText('import/open'))
    try {
      const { kind, attributes } = await load()
      progress('checking')
      await refuseStagedFaults(db, faults, kind === 'frames' ? [weightsOf(attributes)] : [])
      progress('putting the new rows in place')
      const imported = { ...(await switchDataset(db, put, { ...entry, kind, attributes })), notes }
      if (gathersStatistics) {
        progress('gathering statistics')
        await gatherStatistics(db, kind)
      }
      progress('making its view for analysts')
      await makeView(db, entry.layerId, progress)
      return imported
    } finally {
      await db.work(sqlText('staging/close'))
    }
  })
}

/** Areas are above zero: only attributes are looked at. */
const weightsOf = (attributes: readonly Attribute[]): string[] => [
  ...new Set(attributes.flatMap(({ weight = 'area' }) => (weight === 'area' ? [] : [weight]))),
]

type Served = DatasetEntry & { kind: DatasetKind; attributes: Attribute[] }

const switchDataset = (
  db: Database,
  put: readonly string[],
  dataset: Served,
): Promise<Omit<ImportedDataset, 'notes'>> =>
  db.transaction(async (run) => {
    const [next] = await run<{ version: string }>(sqlText('import/version_next'), [])
    const version = next?.version ?? ''
    for (const file of put) await run(sqlText(file), [version])
    const [row] = await run<{ items: number }>(sqlText('import/dataset_serve'), [version, JSON.stringify(dataset)])
    await run(sqlText('import/classes_keep'), [dataset.layerId])
    await run(sqlText('import/totals_keep'), [dataset.layerId])
    return { layerId: dataset.layerId, kind: dataset.kind, items: row?.items ?? 0, version }
  })

export const gatherStatistics = (db: Database, kind: DatasetKind): Promise<void> =>
  db.work(sqlText(kind === 'frames' ? 'import/baselines_vacuum' : 'import/features_vacuum'))

/** The new rows are served already: a view that could not be changed reads them too, but lacks columns that are new. */
async function makeView(db: Database, layerId: string, progress: Progress): Promise<void> {
  try {
    await lockBriefly(db, progress, (run) => run(sqlText('import/dataset_view'), [layerId]))
  } catch (error) {
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

async function refuseOtherOwner(db: Database, { layerId, orgId }: DatasetEntry): Promise<void> {
  const [known] = await db.rows<{ owner: string; name: string }>(sqlText('import/dataset_owner'), [layerId])
  if (known && known.owner !== orgId)
    throw new Error(`${layerId} belongs to "${known.name}": only its owner replaces it.`)
}
