/** The options of commands that write frames with values, and the rights that these values are read with. */
import type { Config } from '../../server/config.js'
import type { Database } from '../../core/db/connect.js'
import { DATASETS_MAX } from '../../api/http/param-schemas.js'
import { flag, optional, UsageError } from './command.js'
import { withDatabase } from './open-database.js'
import { keyValue, listValue, organisationValue } from '../../core/values.js'
import { hashOfKey } from '../../core/access/keys.js'
import { checkDatasets } from '../../core/access/licences.js'
import { findOrganisation } from '../../core/access/organisations.js'
import { counted } from '../../core/counted.js'
import { datasetsInReach, datasetsServed, keyAuthority } from '../../core/db/statements.js'

export const VALUE_ARGS = {
  'with-units': flag('adds the administrative units of each frame'),
  data: optional(
    listValue('LIST', 'ids of baselines such as lyr_population'),
    'adds the values of these datasets, a column for each attribute',
    'no values',
  ),
  org: optional(organisationValue, 'reads the values of --data as this organisation may', 'no values'),
  key: optional(keyValue, 'reads the values of --data as the holder of this key may'),
  'no-formula-guard': flag(
    'writes every text of a CSV as it is; otherwise one that begins with =, +, -, @ or a tab gets an apostrophe in front, so that no spreadsheet runs it as a formula',
  ),
}

/** The database of DATABASE_URL, or the embedded one. Everybody who reads it may read frames; values have rights. */
export async function withFrames<Answer>(
  config: Config,
  { data, org, key }: ReaderName & { data: string[] | undefined },
  work: (db: Database, layers: string[]) => Promise<Answer>,
): Promise<Answer> {
  const layers = layersIn(data)
  if (org !== undefined && key !== undefined)
    throw new UsageError('--org and --key: one of them is accepted, since a key belongs to an organisation.')
  const isNamed = (org ?? key) !== undefined
  if (layers.length > 0 && !isNamed)
    throw new UsageError('--data: --org names the organisation that reads, or --key the id of its key.')
  return await withDatabase(config, async (db) => {
    if (isNamed) await checkReadable(db, { org, key }, layers)
    return await work(db, layers)
  })
}

function layersIn(data: string[] = []): string[] {
  const layers = [...new Set(data)]
  if (layers.length > DATASETS_MAX) throw new UsageError(`--data: ${layers.length} given, at most ${DATASETS_MAX}.`)
  const odd = layers.find((layer) => !/^lyr_\w+$/.test(layer))
  if (odd !== undefined) throw new UsageError(`--data: ids such as lyr_population are accepted, "${odd}" came.`)
  return layers
}

/** `key` is the id of a key. */
type ReaderName = { org?: string | undefined; key?: string | undefined }
/** `narrowed`: the datasets that a key is narrowed to. */
type FrameReader = { orgId: string; narrowed: string[] | null; title: string; advice: string }

/** Nothing is charged here: a dataset with a price is read through the API, which enters the charge. */
async function checkReadable(db: Database, name: ReaderName, layers: string[]): Promise<void> {
  const { orgId, narrowed, title, advice } = await findReader(db, name)
  await checkDatasets(db.run, layers, 'data')
  const prices = new Map((await datasetsInReach(db, orgId, narrowed)).map(({ layerId, price }) => [layerId, price]))
  for (const { layerId, kind } of await datasetsServed(db, layers)) {
    const price = prices.get(layerId)
    if (price === undefined) throw new Error(`--data: ${title} may not read ${layerId}. ${advice}`)
    if (price !== null)
      throw new Error(
        `--data: ${layerId} costs ${title} ${counted(price, 'credit')} a call. Read it through the API, which enters the charge: the client in clients/python does.`,
      )
    if (kind !== 'frames')
      throw new Error(`--data: ${layerId} records ${kind}: baselines are accepted, which record values on frames.`)
  }
}

async function findReader(db: Database, { org = '', key }: ReaderName): Promise<FrameReader> {
  if (key === undefined) {
    const { orgId, name } = await findOrganisation(db.run, org)
    const advice = '"datasets license" gives a licence; --org may name the owner.'
    return { orgId, narrowed: null, title: `"${name}"`, advice }
  }
  const [authority] = await keyAuthority(db, [await hashOfKey(db.run, key)])
  if (!authority) throw new Error(`--key: ${key} is expired or revoked.`)
  const { orgId, datasets, capabilities } = authority
  if (!capabilities.includes('frame.read')) throw new Error(`--key: ${key} lacks the capability frame.read.`)
  return { orgId, narrowed: datasets, title: `key ${key}`, advice: '"keys list" shows what it is narrowed to.' }
}
