/** A key of each preset for the demo organisation of a new embedded database. */
import { PRESET_NAMES } from '../access/capabilities.js'
import { listKeys, mintKey } from '../access/keys.js'
import { listOrganisations } from '../access/organisations.js'
import type { Database } from '../db/connect.js'

const DEMO = 'demo'

export type DemoKey = { preset: string; secret: string }

/** Undefined where it has keys already: their secrets are not kept, so they cannot be shown again. */
export async function mintDemo(db: Database): Promise<DemoKey[] | undefined> {
  const writes = db.writes()
  const isThere = (await listOrganisations(writes)).some(({ name }) => name === DEMO)
  if (!isThere || (await listKeys(writes, DEMO)).length > 0) return undefined
  const keys: DemoKey[] = []
  for (const preset of PRESET_NAMES) {
    const name = `demo, ${preset}`
    const wanted = { org: DEMO, name, preset, capabilities: undefined, datasets: undefined, days: 365 }
    keys.push({ preset, secret: (await mintKey(writes, wanted)).secret })
  }
  return keys
}
