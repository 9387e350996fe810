/** What every new dataset goes through: its rows put beside those being served, then in their place at once. */
import type { Database } from '../db/connect.js'
import { sqlText } from '../db/statement.js'
import type { Attribute } from './catalogue.js'
import { FileFault } from './json-values.js'
import { patiently, type Progress } from './patiently.js'

export type Kind = 'frames' | 'points' | 'lines' | 'polygons'

/** As the command line has it; what is left out stays as it was at the import before. */
export type DatasetWanted = {
  layerId: string
  orgId: string
  name: string
  category: string
  vintage?: string | undefined
  description?: string | undefined
  synonyms?: string[] | undefined
}

export type DatasetMade = { layerId: string; kind: Kind; items: number; version: string }

export type Intake = {
  /** Finds the tables of schema "staging" empty and fills one; answers with what it found. */
  load: () => Promise<{ kind: Kind; attributes: Attribute[] }>
  /** The first faults that SQL finds, if any. */
  faults: string
  /** Statements that make rows under a version, its number their one parameter. */
  put: string[]
  /** Whoever takes in many gathers statistics at the end, once for all. */
  isOneOfMany?: boolean
}

/** Runs one import at a time, of datasets or of the index: features are joined to the frames that there are. */
export async function takeIn(
  db: Database,
  wanted: DatasetWanted,
  progress: Progress,
  { load, faults, put, isOneOfMany = false }: Intake,
): Promise<DatasetMade> {
  checkWanted(wanted)
  return await db.alone('Another build or import is under way on this database. Wait for it to end.', async () => {
    await refuseAnothers(db, wanted)
    await db.work('select intake_open()')
    try {
      const { kind, attributes } = await load()
      progress('checking')
      await refuseFaults(db, faults)
      progress('putting the new rows in place')
      const made = await db.transaction(async (run) => {
        const [next] = await run<{ version: string }>(sqlText('import/version_next'), [])
        const version = next?.version ?? ''
        for (const file of put) await run(sqlText(file), [version])
        const [served] = await run<{ items: number }>(sqlText('import/dataset_serve'), [
          version,
          JSON.stringify({ ...wanted, kind, attributes }),
        ])
        return { layerId: wanted.layerId, kind, items: served?.items ?? 0, version }
      })
      if (!isOneOfMany) {
        progress('gathering statistics')
        await gatherStatistics(db, kind === 'frames' ? 'baseline_row' : 'feature, feature_frame')
      }
      progress('making its view for analysts')
      await makeView(db, wanted.layerId, progress)
      return made
    } finally {
      await db.work('select staging_close()')
    }
  })
}

/** The planner knows nothing of new rows until then, and the embedded database has nothing that looks after it. */
export const gatherStatistics = (db: Database, tables: 'baseline_row' | 'feature, feature_frame') =>
  db.work(`vacuum (analyze) ${tables}, dataset, attribute`)

/** The rows are served already: a view that stays as it was still reads them, but for columns that are new. */
async function makeView(db: Database, layerId: string, progress: Progress): Promise<void> {
  try {
    await patiently(db, progress, (run) => run('select analyst_dataset($1::text)', [layerId]))
  } catch (error) {
    const { message, detail } = error as { message: string; detail?: string }
    const reason = [message, detail].filter(Boolean).join(': ')
    throw new Error(
      `${layerId} is being served, but its view in schema analyst stays as it was. ${reason}\nRemove what stands in the way, then run "npm run -s frames -- migrate".`,
      { cause: error },
    )
  }
}

function checkWanted({ layerId, name, category }: DatasetWanted): void {
  if (!/^lyr_\w+$/.test(layerId)) throw new Error(`--id: an id such as lyr_population is accepted, "${layerId}" came.`)
  if (name.trim() === '') throw new Error('--name: say what the dataset is called; it is blank.')
  if (category.trim() === '') throw new Error('--category: say what it is about, such as Population; it is blank.')
}

async function refuseAnothers(db: Database, { layerId, orgId }: DatasetWanted): Promise<void> {
  const [known] = await db.rows<{ owner: string; name: string }>(
    `select dataset.org_id as owner, organisation.name as name from dataset join organisation using (org_id)
    where layer_id = $1::text`,
    [layerId],
  )
  if (known && known.owner !== orgId)
    throw new Error(`${layerId} belongs to "${known.name}": only its owner replaces it.`)
}

async function refuseFaults(db: Database, file: string): Promise<void> {
  const faults = await db.rows<{ number?: string; line: string; reason: string }>(sqlText(file), [])
  const [first] = faults
  if (!first) return
  const said = faults.map(({ line, reason }) => `line ${line}: ${reason}`)
  throw new FileFault(said.join('\n'), Number(first.line))
}
