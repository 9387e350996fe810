/** Tries indexes: builds and removes them in a transaction that is always rolled back, and explains a call inside it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, isOverLimit, LOCK_NOT_AVAILABLE, readOnly, sqlText, statement } from '../../core/db/index.js'
import { type Deadline, deadlineIn, msLeft } from '../../core/deadline.js'
import { didYouMean } from '../../core/nearest.js'
import type { StatementStep } from './dry-run.js'
import { readPlannerState } from './explained.js'
import { explainInScope, type Explanation, type MeasuredScope } from './explanation.js'

/** `added` holds statements that create an index, `removed` the names of indexes. */
export type IndexChanges = { added: readonly string[]; removed: readonly string[] }
export type BuiltIndex = {
  name: string
  table: string
  definition: string
  buildMs: number
  bytes: number
  /** False where PostgreSQL reads the index only after its transaction. */
  isReadable: boolean
}
export type RemovedIndex = { name: string; table: string; blockedMs: number }
export type WhatIf = { built: BuiltIndex[]; removed: RemovedIndex[]; before: Explanation[]; after: Explanation[] }

/** Calls wait 10 s for the database in all: a run that they wait for ends well before. */
const BLOCKING_MS = 3000
/** A build may take this long if no call waits for it: imports alone write to that table. */
const BUILD_MS = 600_000
/** Tries to lock a table. Between two tries, all who wait for the table get it. */
const LOCK_TRIES = 20
const LOCK_PAUSE_MS = 250

const tableNamed = statement<[name: string], Owned & { name: string; isOfImports: boolean }>('inspect/what_if_table')
const idsOfIndexes = statement<[table: string], { id: string }>('inspect/what_if_indexes')
const builtSince = statement<
  [table: string, known: string[]],
  Pick<BuiltIndex, 'name' | 'definition' | 'bytes' | 'isReadable'>
>('inspect/what_if_built')
const removalOf = statement<[name: string], Owned & { table: string; statement: string }>('inspect/what_if_removal')

type Owned = { owner: string; isOwner: boolean }
type IndexSession = {
  run: Database['rows']
  runSingle: (text: string) => Promise<void>
  /** The whole transaction ends here. */
  deadline: Deadline
  /** Set once calls wait for a lock of this transaction: they wait until then at the longest. */
  blockedUntil: Deadline | undefined
}

/** Explains the statements without the changes, then with them. Each statement runs six times. */
export async function tryIndexes(
  db: Pick<Database, 'transaction'>,
  steps: readonly StatementStep[],
  { added, removed }: IndexChanges,
): Promise<WhatIf> {
  const statements = added.map(readIndexStatement)
  const around = await readOnly(db, undefined, (rows) => readPlannerState({ rows }))
  const before = await explainInScope({ inside: (work) => readOnly(db, undefined, work), around }, steps)
  return await rolledBack(db, async (run, runSingle) => {
    const session: IndexSession = { run, runSingle, deadline: deadlineIn(BUILD_MS), blockedUntil: undefined }
    await run(sqlText('inspect/what_if_bounds'), [])
    const built: BuiltIndex[] = []
    for (const each of statements) built.push(await buildIndex(session, each))
    const away: IndexAway[] = []
    for (const name of removed) away.push(await removeIndex(session, name))
    const deadline = session.blockedUntil ?? session.deadline
    const limits = { statementMs: deadline.ms, deadline }
    const after = await explainInScope({ inside: scopeUntil(session, deadline), around, limits }, steps)
    const removedUntilNow = away.map(({ since, ...index }) => ({ ...index, blockedMs: performance.now() - since }))
    return { built, removed: removedUntilNow, before, after }
  })
}

async function buildIndex(session: IndexSession, { text, table: tableName }: IndexStatement): Promise<BuiltIndex> {
  const { run, runSingle } = session
  const [table] = await tableNamed({ rows: run }, tableName)
  if (!table) throw new Error(`There is no table ${tableName}.`)
  assertOwner(table, table.name)
  const known = (await idsOfIndexes({ rows: run }, table.name)).map(({ id }) => id)
  const since = await changeLocked(session, table.name, !table.isOfImports, () => runSingle(text))
  const buildMs = performance.now() - since
  const [index, another] = await builtSince({ rows: run }, table.name, known)
  if (!index || another) throw new Error(`This statement made no index on ${table.name}: ${text}`)
  return { ...index, table: table.name, buildMs }
}

type IndexAway = { name: string; table: string; since: number }

async function removeIndex(session: IndexSession, name: string): Promise<IndexAway> {
  const { run, runSingle } = session
  const [removal] = await removalOf({ rows: run }, name)
  if (!removal) {
    const known = await run<{ name: string }>(sqlText('inspect/indexes_valid'), [])
    const names = known.map((index) => index.name)
    throw new Error(`There is no index ${name}.${didYouMean(name, names)}`)
  }
  assertOwner(removal, removal.table)
  const since = await changeLocked(session, removal.table, true, () => runSingle(removal.statement))
  return { name, table: removal.table, since }
}

function assertOwner({ owner, isOwner }: Owned, table: string): void {
  if (isOwner) return
  throw new Error(`${owner} owns ${table}, and only an owner tries indexes: set DATABASE_URL to that role.`)
}

/**
 * Makes a change that locks the table. `blocksCalls`: calls wait for that lock. Returns the moment at which the
 * last try began.
 */
async function changeLocked(
  session: IndexSession,
  table: string,
  blocksCalls: boolean,
  change: () => Promise<void>,
): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const from = performance.now()
    const blockedUntil = session.blockedUntil ?? (blocksCalls ? deadlineIn(BLOCKING_MS) : undefined)
    try {
      await scopeUntil(session, blockedUntil ?? session.deadline)(change)
      session.blockedUntil = blockedUntil
      return from
    } catch (error) {
      if (isOverLimit(error)) throw new Error(tookTooLongText(table, blockedUntil !== undefined), { cause: error })
      const { code, message } = error as { code?: string; message: string }
      if (code === undefined) throw error
      if (code !== LOCK_NOT_AVAILABLE)
        throw new Error(`PostgreSQL refuses this change of ${table}: ${message}.`, { cause: error })
      if (tries === LOCK_TRIES) throw new Error(tooBusy(table), { cause: error })
      await sleep(LOCK_PAUSE_MS)
    }
  }
}

const tookTooLongText = (table: string, blocksCalls: boolean) =>
  blocksCalls
    ? `Calls wait for ${table} meanwhile, so all may take ${BLOCKING_MS / 1000} s, and it takes longer. Try it on a copy of the database.`
    : `The index on ${table} was not built within ${BUILD_MS / 60_000} minutes.`

const tooBusy = (table: string) =>
  `Other sessions have had ${table} locked for ${(LOCK_TRIES * LOCK_PAUSE_MS) / 1000} s. Nothing was changed; try again later.`

/**
 * PostgreSQL stops a statement at the deadline, but not before it ran for `leastMs`. Where a statement fails, the work is
 * undone, and the transaction goes on.
 */
const scopeUntil =
  ({ run }: IndexSession, deadline: Deadline): MeasuredScope =>
  async (work, leastMs = 1) => {
    const limitTo = (ms: number) => run(sqlText('session/statement_limit'), [Math.floor(ms)])
    const limitToDeadline = () => limitTo(Math.max(leastMs, msLeft(deadline)))
    await run('savepoint what_if', [])
    try {
      await limitToDeadline()
      const answer = await work(async (text, args, as) => {
        await limitToDeadline()
        return await run(text, args, as)
      })
      // 0 is no limit, for what follows in the transaction.
      await limitTo(0)
      await run('release savepoint what_if', [])
      return answer
    } catch (error) {
      await run('rollback to savepoint what_if', [])
      throw error
    }
  }

export async function rolledBack<Answer>(
  db: Pick<Database, 'transaction'>,
  work: Parameters<typeof db.transaction<Answer>>[0],
): Promise<Answer> {
  const done = new Error('rolled back')
  let answer: { is: Answer } | undefined
  try {
    await db.transaction(async (run, runSingle) => {
      answer = { is: await work(run, runSingle) }
      throw done
    })
  } catch (error) {
    if (error === done && answer) return answer.is
    throw error
  }
  throw new Error('A transaction that was to be rolled back was committed.')
}

/** `table`: the name of the table, as the statement has it. */
type IndexStatement = { text: string; table: string }

const NAME = String.raw`(?:"(?:[^"]|"")+"|[\p{L}_][\p{L}\p{N}_$]*)`
const FORM = new RegExp(
  String.raw`^create\s+(?:unique\s+)?index\s+(?:if\s+not\s+exists\s+)?(?!concurrently\b)(?:${NAME}\s+)?on\s+(?:only\s+)?(${NAME}(?:\.${NAME})?)\s*(?:using\s|\()`,
  'iu',
)

/**
 * A statement that begins so is a "create index" and nothing else for PostgreSQL, which itself refuses a second
 * statement in the text.
 */
export function readIndexStatement(given: string): IndexStatement {
  const text = given.trim().replace(/;$/, '')
  const table = FORM.exec(text)?.[1]
  if (table !== undefined) return { text, table }
  const reason = /\bconcurrently\b/i.test(text) ? ' Leave "concurrently" out: nothing stays of the index.' : ''
  throw new Error(
    `"create index on frame using spgist (geom)" is the form of a statement to try, "${text.replace(/\s+/g, ' ').slice(0, 100)}" came.${reason}`,
  )
}
