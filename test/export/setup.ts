/** Runs exports into a folder of their own, through relays that may break the calls. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { settingsFor } from '../support/cli.js'
import { startRelay, type Fate, type Relay } from '../support/relay.js'
import { service } from '../support/service.js'

type Line = { type: string; id: string; geometry: { type: string }; properties: Record<string, string | number> }

export const box = ['--bbox', '0.2,0.1,0.3,0.2']
/** A ward has frames for some pages of the exports of these tests. */
export const unit = ['--state', 'marembe', '--lga', 'lakeside', '--ward', 'lake island']
export const IN_UNIT = `state = 'MAREMBE' and lga = 'LAKESIDE' and ward = 'LAKE ISLAND'`
export const env = () => ({ FRAMES_KEY: service().secret })

/** The settings of a command that works on the database of the service. */
export const databaseSettings = () => settingsFor(service().database.ownerTarget)

/** Gives each test of a suite a new folder, and closes its relays. */
export function exportFolder() {
  let folder: string
  let relays: Relay[]
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'frames-export-'))
    relays = []
  })
  afterEach(async () => {
    for (const relay of relays) await relay.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const at = (name: string) => join(folder, name)
  return {
    folder: () => folder,
    at,
    relay: async (fate?: Fate) => {
      const started = await startRelay(service().url, fate)
      relays.push(started)
      return started
    },
    words: (url: string, file: string, what: readonly string[] = unit, page = '50') => [
      'export',
      ...what,
      '--page',
      page,
      '--url',
      url,
      at(file),
    ],
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
