/** GET /v1/states, /v1/lgas and /v1/wards: the units of a level, with their numbers of frames. */
import * as statements from '../../core/db/statements.js'
import type { Reader } from '../../core/db/index.js'
import { invalid } from '../../core/errors.js'
import type { Route } from '../http/admit.js'
import type { Call } from '../http/call.js'
import { recordedMembers } from '../http/geojson.js'
import { namesParam } from '../http/params.js'
import { sendData } from '../http/send.js'
import type { Services } from '../../services.js'

type ListedUnits = 'states' | 'lgas' | 'wards'

/** A list takes the names of so many levels. */
const LEVELS_TAKEN: Record<ListedUnits, number> = { states: 0, lgas: 1, wards: 2 }

export function unitsRoute(services: Services, level: ListedUnits): Route {
  return async (call, res) => {
    const rows = await listUnits(services, level, call)
    if (rows) await sendData(res, rows)
  }
}

export async function listUnits(
  { readerForRequest }: Services,
  level: ListedUnits,
  { asked, deadline, unlessCached }: Call,
): Promise<object[] | undefined> {
  const [state, lga] = namesParam(asked, LEVELS_TAKEN[level])
  if (level === 'wards' && state === undefined) throw invalid('state: missing; wards are listed for a named state.')
  const reader = readerForRequest(deadline)
  const read = () => unitRows(reader, level, state, lga)
  return (await unlessCached(reader, { question: [state, lga], read }))?.map(recordedMembers)
}

function unitRows(
  reader: Reader,
  level: ListedUnits,
  state: string | undefined,
  lga: string | undefined,
): Promise<object[]> {
  if (state === undefined) return level === 'states' ? statements.states(reader) : statements.lgas(reader)
  if (level === 'lgas') return statements.lgasOfState(reader, state)
  return lga === undefined ? statements.wardsOfState(reader, state) : statements.wardsOfLga(reader, state, lga)
}
