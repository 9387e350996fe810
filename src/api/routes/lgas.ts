/** GET /v1/lgas: local government areas, of one state or of all. */
import * as statements from '../../core/db/statements.js'
import type { Route } from '../http/admit.js'
import type { Call } from '../http/call.js'
import { recordedMembers } from '../http/geojson.js'
import { refuseOtherSelectors, stateParam } from '../http/params.js'
import { sendData } from '../http/send.js'
import type { Services } from '../../services.js'

export function lgasRoute(services: Services): Route {
  return async (call, res) => {
    const rows = await listLgas(services, call)
    if (rows) await sendData(res, rows)
  }
}

export async function listLgas({ readerForRequest }: Services, call: Call): Promise<object[] | undefined> {
  refuseOtherSelectors(call.asked, ['state'])
  const state = stateParam(call.asked)
  const reader = readerForRequest(call.deadline)
  const read = () => (state === undefined ? statements.lgas(reader) : statements.lgasOfState(reader, state))
  const rows = await call.unlessCached(reader, { question: [state], read })
  return rows?.map(recordedMembers)
}
