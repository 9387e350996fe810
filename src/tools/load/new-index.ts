/** A new index is made in schema staging while callers read the old one. One transaction then switches to it. */
import { type Database, sqlText } from '../../core/db/index.js'
import { indexGeneration } from '../../core/db/statements.js'
import { lockBriefly } from './brief-lock.js'
import { ANOTHER_LOAD } from './datasets.js'
import { type IndexFigures, readIndexFigures } from './index-figures.js'
import { sayingWhatChanged } from './outage.js'
import type { Progress } from './progress.js'

type NewIndex<Summary> = {
  /** Says what the index is made from; index_generation keeps it. */
  source: string
  /** Fills staging.frame, which is empty. The function that it returns reads what was staged, once its units are counted. */
  load: () => Promise<() => Promise<Summary>>
  /** Makes all of it, and switches to nothing. */
  isDryRun?: boolean
}

const TABLES = [
  'state',
  'lga',
  'ward',
  'frame_run',
  'frame',
  'feature_frame',
  'unit_area',
  'unit',
  'frame_unit',
  'frame_order',
]
/** These are filled from the tables above, once those have their indexes. */
const TOTALS_TABLES = ['unit_total', 'block_class', 'block_feature', 'attribute_spread', 'unit_interval', 'value_array']

/** `generation` is the one before, after a dry run. */
export type ServedIndex = IndexFigures & { generation: string; isDryRun?: true }

/** One build or import runs at a time. Returns the new generation and its figures. */
export const replaceIndex = <Summary>(
  db: Database,
  progress: Progress,
  { source, load, isDryRun = false }: NewIndex<Summary>,
): Promise<Summary & ServedIndex> =>
  sayingWhatChanged((state) =>
    db.alone(ANOTHER_LOAD, async () => {
      await db.work(sqlText('staging/open'))
      try {
        const summarise = await load()
        await db.work(sqlText('staging/sources_drop'))
        await runInStaging(db, 'unit_counts')
        await runInStaging(db, 'derived', ['frame_run'])
        await indexTables(db, ['frame'])
        progress('uniting the frames of each unit')
        for (const table of ['unit_area', 'unit', 'frame_unit', 'frame_order'])
          await runInStaging(db, 'derived', [table])
        // Features are sought in the index of frames, and frames in their order.
        await indexTables(db, ['frame_order'])
        progress('measuring features inside their frames')
        await runInStaging(db, 'feature_frame')
        const summary = await summarise()
        const figures = await readIndexFigures(db)
        progress('making indexes')
        await indexTables(db, TABLES)
        progress('measuring distances to features')
        await runInStaging(db, 'distances')
        progress('adding up datasets over units')
        for (const step of ['classes', 'totals']) await runInStaging(db, step)
        await indexTables(db, TOTALS_TABLES)
        if (isDryRun) {
          const [index] = await indexGeneration(db)
          return { ...summary, ...figures, generation: index?.generation ?? '', isDryRun }
        }
        progress('putting the new index in place')
        state('Whether the new index is served, "frames doctor" shows: it changed as a whole or not at all.')
        const generation = await switchIndex(db, source, progress)
        state(`Generation ${generation} of the index is being served.`)
        return { ...summary, ...figures, generation }
      } finally {
        await db.work(sqlText('staging/close'))
      }
    }),
  )

/** The files and their functions name tables without a schema: the same functions define the rows of the served tables. */
const runInStaging = (db: Database, step: string, args: readonly unknown[] = []): Promise<void> =>
  db.transaction(async (run) => {
    await run(sqlText('session/in_staging'), [])
    await run(sqlText(`staging/${step}`), [...args])
  })

async function indexTables(db: Database, tables: readonly string[]): Promise<void> {
  for (const table of tables) await db.transaction((run) => run(sqlText('staging/index'), [table]))
}

const switchIndex = (db: Database, source: string, progress: Progress): Promise<string> =>
  lockBriefly(db, progress, async (run) => {
    const [row] = await run<{ generation: string }>(sqlText('staging/switch'), [source])
    return row?.generation ?? ''
  })
