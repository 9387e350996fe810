/** Reads which statements of the service took the most time, from pg_stat_statements. */
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import type { Database } from '../../core/db/connect.js'
import { projectFolder, statement } from '../../core/db/statement.js'

type SlowestRow = { name: string; calls: number; rows: number; totalMs: number; longestMs: number; since: Date | null }
const statementsInstall = statement<[], { lines: string }>('inspect/statements_install')
const statementsSlowest = statement<[most: number, leftOut: string[]], SlowestRow>('inspect/statements_slowest')

/** `role` is the role that ran it. `place` is its file, or its file and function. */
export type SlowStatement = Omit<SlowestRow, 'name' | 'since'> & { place: string; role: string }
/** `lacking` says why there are no figures, and `install` has the lines that change that. */
export type Slowest =
  | { statements: SlowStatement[]; since: Date | null }
  | { lacking: string; install: string | undefined }

const MOST = 20

/** The page leaves out the statements of the doctor: people want to see calls. A check may share its name with a file. */
const OF_DOCTOR = /^(doctor|inspect|schema|session)\//

/** PostgreSQL answers these where the extension is not made, and where its library is not loaded. */
const NOT_MADE = '42P01'
const NOT_LOADED = '55000'
const UNLOADED = 'The server has not loaded pg_stat_statements: shared_preload_libraries has to name it.'

/** PostgreSQL shows a role the texts of its own statements only, so each role is asked. */
export async function slowestStatements(roles: Readonly<Record<string, Pick<Database, 'rows'>>>): Promise<Slowest> {
  try {
    const asked = Object.entries(roles).map(async ([role, db]) =>
      (await statementsSlowest(db, MOST, ofDoctor)).map((row) => ({ ...row, role })),
    )
    const rows = (await Promise.all(asked)).flat().toSorted((one, other) => other.totalMs - one.totalMs)
    const statements = rows.slice(0, MOST).map(({ name, since: _since, ...row }) => ({ ...row, place: placeOf(name) }))
    return { statements, since: rows[0]?.since ?? null }
  } catch (error) {
    const { code } = error as { code?: string }
    const [db] = Object.values(roles)
    if (code === NOT_MADE && db) return await notMade(db)
    if (code === NOT_LOADED) return { lacking: UNLOADED, install: undefined }
    throw error
  }
}

async function notMade(db: Pick<Database, 'rows'>): Promise<Slowest> {
  const [install] = await statementsInstall(db)
  return {
    lacking: 'There is no pg_stat_statements in this database. These lines install it.',
    install: install?.lines,
  }
}

const files = readdirSync(new URL('sql/', projectFolder), { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.sql'),
)
const nameOf = (file: string) => basename(file, '.sql')
const ofDoctor = files.filter((file) => OF_DOCTOR.test(file)).map(nameOf)
const fileOf: ReadonlyMap<string, string> = new Map(files.map((file) => [nameOf(file), `sql/${file}`]))

/** A file begins with its name; a statement that Kysely built begins with its place in src/. */
const placeOf = (name: string): string => fileOf.get(name) ?? name
