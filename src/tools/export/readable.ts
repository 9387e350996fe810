/** Refuses the datasets whose values an organisation, or the holder of a key, cannot read from the database. */
import { hashOfKey } from '../../core/access/keys.js'
import { checkDatasets } from '../../core/access/licences.js'
import { findOrganisation } from '../../core/access/organisations.js'
import { counted } from '../../core/counted.js'
import type { Database } from '../../core/db/connect.js'
import { datasetsInReach, datasetsServed, keyAuthority } from '../../core/db/statements.js'

/** `key` is the id of a key. */
export type ReaderName = { org?: string | undefined; key?: string | undefined }
/** `narrowed`: the datasets that a key is narrowed to. */
type Reader = { orgId: string; narrowed: string[] | null; title: string; advice: string }

/** Nothing is charged here: a dataset with a price is read through the API, which enters the charge. */
export async function checkReadable(db: Database, name: ReaderName, layers: string[]): Promise<void> {
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

async function findReader(db: Database, { org = '', key }: ReaderName): Promise<Reader> {
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
