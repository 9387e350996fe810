/** GET /v1/wards: the wards of a state, or of one of its local government areas. */
import * as statements from '../../core/db/statements.js'
import { invalid } from '../../core/errors.js'
import type { Route } from '../http/admit.js'
import type { Call } from '../http/call.js'
import { recordedMembers } from '../http/geojson.js'
import { lgaParam, refuseOtherSelectors, stateParam } from '../http/params.js'
import { sendData } from '../http/send.js'
import type { Services } from '../../services.js'

export function wardsRoute(services: Services): Route {
  return async (call, res) => {
    const rows = await listWards(services, call)
    if (rows) await sendData(res, rows)
  }
}

export async function listWards({ readerForRequest }: Services, call: Call): Promise<object[] | undefined> {
  refuseOtherSelectors(call.asked, ['state', 'lga'])
  const state = stateParam(call.asked)
  const lga = lgaParam(call.asked)
  if (state === undefined) throw invalid('state: missing; wards are listed for a named state.')
  const reader = readerForRequest(call.deadline)
  const read = () =>
    lga === undefined ? statements.wardsOfState(reader, state) : statements.wardsOfLga(reader, state, lga)
  const rows = await call.unlessCached(reader, { question: [state, lga], read })
  return rows?.map(recordedMembers)
}
