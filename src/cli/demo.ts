/** The demo organisation of a new embedded database, with a key of each preset. */
import { PRESET_NAMES } from '../access/capabilities.js'
import { mintKey } from '../access/keys.js'
import { createOrganisation, listOrganisations } from '../access/organisations.js'
import type { Database } from '../db/connect.js'

export type DemoKey = { preset: string; secret: string }

/** Undefined where an organisation is entered already: its secrets are not kept, so they cannot be shown again. */
export async function mintDemo(db: Database): Promise<DemoKey[] | undefined> {
  const writes = db.writes()
  if ((await listOrganisations(writes)).length > 0) return undefined
  const { orgId } = await createOrganisation(writes, 'demo', 'trial')
  const keys: DemoKey[] = []
  for (const preset of PRESET_NAMES) {
    const wanted = {
      org: orgId,
      name: `demo, ${preset}`,
      preset,
      capabilities: undefined,
      datasets: undefined,
      days: 365,
    }
    keys.push({ preset, secret: (await mintKey(writes, wanted)).secret })
  }
  return keys
}
