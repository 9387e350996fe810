/** Runs exports from the database of the service into a folder of their own. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { frames, settingsFor, type Ran } from '../support/cli.js'
import { service } from '../support/service.js'

type Line = { type: string; id: string; geometry: { type: string }; properties: Record<string, string | number> }

export const box = ['--bbox', '0.2,0.1,0.3,0.2']
/** Three pages of an export. */
export const everywhere = ['--bbox=-1,-1,1,1']
export const unit = ['--state', 'marembe', '--lga', 'lakeside', '--ward', 'lake island']
export const IN_UNIT = `state = 'MAREMBE' and lga = 'LAKESIDE' and ward = 'LAKE ISLAND'`

/** The settings of a command that works on the database of the service. */
export const databaseSettings = () => settingsFor(service().database.ownerTarget)

/** Gives each test of a suite a new folder. */
export function exportFolder() {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'frames-export-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  const at = (name: string) => join(folder, name)
  return {
    folder: () => folder,
    at,
    exported: (file: string, ...words: string[]): Promise<Ran> =>
      frames(['export', ...words, at(file)], databaseSettings()),
    linesOf: (file: string) =>
      readFileSync(at(file), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Line),
  }
}

/** Returns the ids of the frames that a condition holds for, as the database has them. */
export async function idsWhere(condition: string): Promise<string[]> {
  const [row] = await service().db.rows<{ ids: string[] }>(
    `select array_agg(frame_id::text order by frame_id) as ids from frame where ${condition}`,
    [],
  )
  return row?.ids ?? []
}

/** Raises the number of the index once, after some statements of a run. */
export function changingIndex(statements: number) {
  const { db } = service()
  const raise = (by: number) => db.rows('update index_generation set generation = generation + $1::int', [by])
  let run = 0
  const rows = async (...args: Parameters<typeof db.rows>) => {
    run += 1
    if (run === statements) await raise(1)
    return await db.rows(...args)
  }
  return { db: { ...db, rows: rows as typeof db.rows }, restore: () => raise(-1) }
}
