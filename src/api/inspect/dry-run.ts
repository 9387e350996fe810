/** Runs a call on the API's own routes, over HTTP, and records its statements. The call changes nothing. */
import { createServer, request, type RequestOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { type FindAuthority, hashSecret, newSecret } from '../../core/access/index.js'
import { createApp } from '../app.js'
import * as ogcStatements from '../ogc/statements.js'
import { type Database, isOverLimit, queryRunner, type ReadLimits, readOnly, TableLocked } from '../../core/db/index.js'
import * as coreStatements from '../../core/db/statements.js'
import type { Narrate, PlanByModel } from '../../core/insight/index.js'
import type { BucketSizes } from '../../core/limits/index.js'
import { openServices, type Services } from '../../services.js'
import type { ExplainedCall } from './call.js'
import { withUntypedValues } from './literals.js'

/** Finds the rights of the caller in the database that the call runs on. */
export type Asker = (db: Database) => FindAuthority

export type StatementStep = { name: string; file: string; text: string; args: readonly unknown[] }
/** A statement, or a note about work that a dry run leaves out. */
export type DryRunStep = StatementStep | { note: string }
export type DryRunResult = { status: number; refusal: string | undefined; steps: DryRunStep[] }

const STATEMENTS = [...Object.values(coreStatements), ...Object.values(ogcStatements)]

type DryRunOptions = {
  buckets: BucketSizes
  /** Undefined where no wording engine is configured. */
  wording: object | undefined
  limits?: ReadLimits
}

/** The buckets are new, so that a dry run spends from nobody's. It reads everything from the primary. */
const DRY_SETTINGS = {
  logLevel: 'error',
  redisUrl: undefined,
  wording: undefined,
  readDatabaseUrls: [],
  readLagMaxMs: 0,
  authorityGraceMs: 0,
} as const

export async function dryRun(
  { buckets, wording, limits }: DryRunOptions,
  db: Pick<Database, 'transaction' | 'release'>,
  call: ExplainedCall,
  asker: Asker,
): Promise<DryRunResult> {
  const steps: DryRunStep[] = []
  const faults: string[] = []
  let isOver = false
  let locked: Error | undefined
  const dryRunDb = dryRunDatabase(db, {
    record: (statement) => {
      if (!isOver) steps.push(statement.place === undefined ? stepOf(statement) : notRunNote(statement))
    },
    limits,
    onOverLimit: () => {
      if (!isOver) steps.push({ note: OVER_LIMIT })
      isOver = true
    },
    onLocked: (error) => {
      locked = error
    },
  })
  const narrate: Narrate = async () => {
    steps.push({ note: 'Not done: the wording engine is asked, and a worded answer that is returned is counted.' })
    isOver = true
    return { failed: 'unavailable', reason: 'dry run' }
  }
  const planReading: PlanByModel = async ({ reading }) => {
    steps.push({ note: 'Not done: the wording engine is asked to plan the words that are left over.' })
    return { reading, outcome: 'failed' }
  }
  const services = openServices({ ...DRY_SETTINGS, buckets }, '', {
    connect: () => dryRunDb,
    logTo: { write: (line) => faults.push(line) },
  })
  try {
    const dryServices = {
      ...services,
      wording: wording && { narrate, planReading, canPlan: () => true, isAvailable: () => true },
      findAuthority: asker(dryRunDb),
      keyUse: { count: () => {}, write: async () => {} },
      unknownWords: { count: () => {}, write: async () => {} },
    }
    const { status, error } = await dryAnswer(dryServices, call)
    if (locked) throw locked
    if (status >= 500 && !isOver) throw new Error(`${error?.message} ${loggedFault(faults)}`)
    return { status, refusal: error && `${status} ${error.code}: ${error.message}`, steps }
  } finally {
    await services.close()
  }
}

const OVER_LIMIT =
  'The last statement took longer than a dry run waits and was stopped. The statements after it are not known.'

function stepOf({ text, args }: RecordedStatement): StatementStep {
  const known = STATEMENTS.find((each) => each.text === text)
  if (known === undefined) throw new Error(`This statement is no file of sql/: ${text.slice(0, 100)}`)
  return { name: known.name.replace(/^.*\//, ''), file: `sql/${known.name}.sql`, text, args }
}

const notRunNote = ({ text, args, place }: RecordedStatement) => ({
  note: `Not run, it would change something (${place}): ${withUntypedValues(text, args)}`,
})

type RefusalCode = { code: string; message: string }
type DryRunOutcome = { status: number; error: RefusalCode | undefined }

/** For an instant, other programs on this machine can reach the port, but only this call has the secret. */
async function dryAnswer(services: Services, { method, path, body }: ExplainedCall): Promise<DryRunOutcome> {
  const secret = newSecret()
  const secretHash = hashSecret(secret).toString('hex')
  const findAuthority: FindAuthority = async (keyHash) =>
    keyHash === secretHash ? await services.findAuthority(keyHash) : undefined
  const server = createServer(createApp({ ...services, findAuthority }))
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  try {
    const { port } = server.address() as AddressInfo
    const headers = {
      authorization: `Bearer ${secret}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    // Joined, since a path that begins with two slashes would name another host in `new URL(path, base)`.
    const answer = await sendDry(new URL(`http://127.0.0.1:${port}${path}`), { method, headers }, body)
    const { status, text } = answer
    if (status < 300) return { status, error: undefined }
    // The answer to HEAD has no body.
    if (text === '') return { status, error: { code: 'error', message: answer.statusText } }
    const { error, code, description } = JSON.parse(text) as { error?: RefusalCode; code: string; description: string }
    return { status, error: error ?? { code, message: description } }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** Unlike `fetch`, which keeps a pool for each port that it ever called, this leaves nothing behind. */
function sendDry(
  url: URL,
  options: RequestOptions,
  body: string | undefined,
): Promise<{ status: number; statusText: string; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...options, agent: false }, (answer) => {
      const { statusCode: status = 0, statusMessage: statusText = '' } = answer
      readText(answer).then((text) => resolve({ status, statusText, text }), reject)
    })
    sent.on('error', reject).end(body)
  })
}

function loggedFault(lines: readonly string[]): string {
  const { fault } = JSON.parse(lines.at(-1) ?? '{}') as { fault?: { message?: string } }
  return fault?.message ?? ''
}

/** A read; or, with its place in the code, a write that did not run. */
type RecordedStatement = { text: string; args: readonly unknown[]; place: string | undefined }

type DryDatabaseOptions = {
  record: (statement: RecordedStatement) => void
  limits: ReadLimits | undefined
  onOverLimit: () => void
  /** Runs for a read of a table that another session locks. */
  onLocked: (error: TableLocked) => void
}

/** Each read runs in a read-only transaction, and no write runs. */
function dryRunDatabase(
  db: Pick<Database, 'transaction' | 'release'>,
  { record, limits, onOverLimit, onLocked }: DryDatabaseOptions,
): Database {
  const read: Database['rows'] = async (text, args, as) => {
    try {
      return await readOnly(db, limits, (run) => run(text, args, as))
    } catch (error) {
      if (isOverLimit(error)) onOverLimit()
      if (error instanceof TableLocked) onLocked(error)
      throw error
    }
  }
  const inside = (place: string) =>
    queryRunner(async (text, args) => {
      // A dry run locks no row, so that no call waits for it.
      if (/^select\b/.test(text)) return await read(text.replace(/ for no key update$/, ''), args)
      record({ text, args, place })
      return []
    })
  return {
    rows: (text, args, as) => {
      record({ text, args, place: undefined })
      return read(text, args, as)
    },
    release: db.release,
    change: (place, work) => work(inside(place)),
    write: async (place, query) => {
      const { sql, parameters } = query.compile()
      record({ text: sql, args: parameters, place })
      return []
    },
    transaction: refuseChange,
    work: refuseChange,
    alone: refuseChange,
    run: refuseChange,
    reconnect: () => {},
    load: () => ({ underWay: 0, limit: 1 }),
    close: async () => {},
  }
}

function refuseChange(): never {
  throw new Error('A dry run reads, and changes what a call may change: nothing else.')
}
