/** Reads a call from the command line, such as "GET /v1/frames?state=marembe", and runs it as a dry run. */
import {
  authorityFinder,
  CAPABILITIES,
  checkDatasets,
  DEMO_ORGANISATION,
  findOrganisation,
  hashOfKey,
  listOrganisations,
} from '../../core/access/index.js'
import type { Config } from '../../server/config.js'
import type { Database } from '../../core/db/index.js'
import { type ExplainedCall, readCall } from '../../api/inspect/call.js'
import { type Asker, dryRun, type DryRunResult, type StatementStep } from '../../api/inspect/dry-run.js'
import { type Given, operand, optional, UsageError } from './command.js'
import { withDatabase } from './open-database.js'
import { anyValue, keyValue, listValue, organisationValue } from '../../core/values.js'

export const CALL_ARGS = {
  call: operand(
    anyValue('CALL', "a call in quotes, such as 'GET /v1/frames?state=marembe'"),
    "the call; a path alone is a GET, and the body of a POST follows its path: 'POST /v1/frames/insight {...}'",
  ),
  org: optional(organisationValue, 'asks as this organisation', `the one that is named "${DEMO_ORGANISATION}"`),
  capabilities: optional(listValue('LIST', 'capabilities', CAPABILITIES), 'holds these alone', 'all of them'),
  datasets: optional(
    listValue('LIST', 'ids of datasets'),
    'is narrowed to these datasets, as a key may be',
    'every dataset that the organisation can read',
  ),
  key: optional(keyValue, 'asks as this key, in place of the other three'),
}

type AskedCall = Given<typeof CALL_ARGS>
type DryRunOfCall = DryRunResult & { call: ExplainedCall; askerName: string; statements: StatementStep[] }

/** Fails where the API refuses the call before it reads. */
export async function withDryRun(
  config: Config,
  asked: AskedCall,
  work: (db: Database, dryRun: DryRunOfCall) => Promise<void>,
): Promise<void> {
  const call = parseCall(asked.call)
  checkAsker(asked)
  await withDatabase(config, async (db) => {
    const { asker, askerName } = await findAsker(db, asked)
    const result = await dryRun(config, db, call, asker)
    const statements = result.steps.flatMap((step) => ('name' in step ? [step] : []))
    const hasRead = statements.some(({ name }) => name !== 'key_authority')
    if (result.refusal !== undefined && !hasRead) throw new Error(result.refusal)
    await work(db, { ...result, call, askerName, statements })
  })
}

export function parseCall(text: string): ExplainedCall {
  const call = readCall(text)
  if (call) return call
  throw new UsageError(`"GET /v1/frames?state=marembe" is the form of a call, "${text.slice(0, 60)}" came.`)
}

function checkAsker({ org, key, capabilities, datasets }: AskedCall): void {
  if (key !== undefined && (org ?? capabilities ?? datasets) !== undefined) {
    throw new UsageError('--key: the key says which organisation, capabilities and datasets; none of these beside it.')
  }
}

async function findAsker(
  db: Database,
  { org, key, ...narrowed }: AskedCall,
): Promise<{ asker: Asker; askerName: string }> {
  if (key !== undefined) {
    const hash = await hashOfKey(db.run, key)
    return {
      askerName: `key ${key}`,
      asker: (dryRunDb) => {
        const find = authorityFinder(dryRunDb)
        return () => find(hash)
      },
    }
  }
  const { orgId, name, plan } = await findOrganisation(db.run, org ?? (await defaultOrg(db)))
  const capabilities = narrowed.capabilities ?? [...CAPABILITIES]
  const datasets = narrowed.datasets ?? null
  if (datasets) await checkDatasets(db.run, datasets)
  const authority = { keyId: 'none', orgId, plan, capabilities, datasets }
  const reach = narrowed.capabilities === undefined ? 'every capability' : capabilities.join(', ')
  return { askerName: `organisation ${name} (${orgId}) with ${reach}`, asker: () => async () => authority }
}

async function defaultOrg(db: Database): Promise<string> {
  const isThere = (await listOrganisations(db.run)).some(({ name }) => name === DEMO_ORGANISATION)
  if (isThere) return DEMO_ORGANISATION
  throw new UsageError(
    `--org or --key is needed to say who asks: no organisation is named "${DEMO_ORGANISATION}" here.`,
  )
}

/** Prints the call, who asks it and its outcome as comments of SQL. */
export const callComments = ({ call, askerName, status, refusal }: DryRunOfCall): string =>
  [`${call.method} ${call.path} ${call.body ?? ''}`, `asked by ${askerName}: ${refusal ?? status}`]
    .map(sqlComment)
    .join('\n')

/** The comment stays on one line: psql would run the next one. */
// oxlint-disable-next-line no-control-regex -- any of these ends a line in some program
export const sqlComment = (text: string) => `-- ${text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()}`
