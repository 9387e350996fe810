/** A call named on the command line, as "GET /v1/frames?state=marembe", and who asks it. */
import { CAPABILITIES } from '../access/capabilities.js'
import { authorityFinder } from '../access/authority.js'
import { hashOfKey } from '../access/keys.js'
import { checkDatasets } from '../access/licences.js'
import { findOrganisation, listOrganisations } from '../access/organisations.js'
import type { Config } from '../config.js'
import type { Database } from '../db/connect.js'
import { dryRun, type Asker, type Call, type Rehearsed } from '../inspect/dry-run.js'
import { UsageError } from './command.js'
import { withDatabase } from './open-database.js'
import { any, list, organisation } from './values.js'

const DEFAULT_ORG = 'demo'

export const CALL = [
  {
    value: any('CALL', "a call in quotes, such as 'GET /v1/frames?state=marembe'"),
    does: "the call; a path alone is a GET, and the body of a POST follows its path: 'POST /v1/frames/insight {...}'",
  },
] as const

export const ASKER = {
  org: { value: organisation, does: 'asks as this organisation', unset: `the one that is named "${DEFAULT_ORG}"` },
  capabilities: { value: list('LIST', 'capabilities', CAPABILITIES), does: 'holds these alone', unset: 'all of them' },
  datasets: {
    value: list('LIST', 'ids of datasets'),
    does: 'is narrowed to these datasets, as a key may be',
    unset: 'every dataset that the organisation can read',
  },
  key: {
    value: any('KEY', 'the id of a key, such as key_AbCdEfGhIjKl'),
    does: 'asks as this key, in place of the other three',
  },
} as const

type Who = {
  org: string | undefined
  key: string | undefined
  capabilities: string[] | undefined
  datasets: string[] | undefined
}
type Seen = Rehearsed & { call: Call; asker: string }

/** Rehearses the call and hands on what was seen, with the database; a call that is refused before it reads is an error. */
export async function withCall(
  config: Config,
  text: string,
  who: Who,
  work: (db: Database, seen: Seen) => Promise<void>,
): Promise<void> {
  const call = callOf(text)
  checkWho(who)
  await withDatabase(config, async (db) => {
    const { asker, said } = await askerOf(db, who)
    const rehearsed = await dryRun(config, db, call, asker)
    const hasRead = rehearsed.heeded.some((each) => 'name' in each && each.name !== 'key_authority')
    if (rehearsed.refusal !== undefined && !hasRead) throw new Error(rehearsed.refusal)
    await work(db, { ...rehearsed, call, asker: said })
  })
}

/** A path alone is a GET; of an address, the path counts; what follows the path of a POST is its body. */
export function callOf(text: string): Call {
  const [, method = 'GET', path, rest = ''] =
    /^(?:(GET|HEAD|POST|PUT|PATCH|DELETE) +)?(?:https?:\/\/[^/\s]+)?(\/\S*)\s*(.*)$/is.exec(text.trim()) ?? []
  if (path === undefined) {
    throw new UsageError(`"GET /v1/frames?state=marembe" is the form of a call, "${text.slice(0, 60)}" came.`)
  }
  const isPost = method.toUpperCase() === 'POST'
  return {
    method: method.toUpperCase(),
    // Names with blanks need no encoding here.
    path: isPost || rest === '' ? path : `${path} ${rest}`,
    body: isPost && rest !== '' ? rest : undefined,
  }
}

function checkWho({ org, key, capabilities, datasets }: Who): void {
  if (key !== undefined && (org ?? capabilities ?? datasets) !== undefined) {
    throw new UsageError('--key: the key says which organisation, capabilities and datasets; none of these beside it.')
  }
}

async function askerOf(db: Database, { org, key, ...narrowed }: Who): Promise<{ asker: Asker; said: string }> {
  if (key !== undefined) {
    const hash = await hashOfKey(db.run, key)
    return {
      said: `key ${key}`,
      asker: (onStage) => {
        const find = authorityFinder(onStage)
        return () => find(hash)
      },
    }
  }
  const { orgId, name, plan } = await findOrganisation(db.run, org ?? (await defaultOrg(db)))
  const capabilities = narrowed.capabilities ?? [...CAPABILITIES]
  const datasets = narrowed.datasets ?? null
  if (datasets) await checkDatasets(db.run, datasets)
  const authority = { keyId: 'none', orgId, plan, capabilities, datasets }
  const mayDo = narrowed.capabilities === undefined ? 'every capability' : capabilities.join(', ')
  return { said: `organisation ${name} (${orgId}) with ${mayDo}`, asker: () => async () => authority }
}

async function defaultOrg(db: Database): Promise<string> {
  const isThere = (await listOrganisations(db.run)).some(({ name }) => name === DEFAULT_ORG)
  if (isThere) return DEFAULT_ORG
  throw new UsageError(`--org or --key is needed to say who asks: no organisation is named "${DEFAULT_ORG}" here.`)
}

export const headOf = ({ call, asker, status, refusal }: Seen) =>
  [comment(`${call.method} ${call.path} ${call.body ?? ''}`), comment(`asked by ${asker}: ${refusal ?? status}`)].join(
    '\n',
  )

/** In one line, so that nothing of it is run. */
// oxlint-disable-next-line no-control-regex -- whatever ends a line somewhere
export const comment = (text: string) => `-- ${text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()}`
