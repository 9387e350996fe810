/** GET /v1/states: every state with its number of frames. */
import * as statements from '../../core/db/statements.js'
import type { Route } from '../http/admit.js'
import type { Call } from '../http/call.js'
import { recordedMembers } from '../http/geojson.js'
import { refuseOtherSelectors } from '../http/params.js'
import { sendData } from '../http/send.js'
import type { Services } from '../../services.js'

export function statesRoute(services: Services): Route {
  return async (call, res) => {
    const rows = await listStates(services, call)
    if (rows) await sendData(res, rows)
  }
}

export async function listStates({ readerForRequest }: Services, call: Call): Promise<object[] | undefined> {
  refuseOtherSelectors(call.asked, [])
  const reader = readerForRequest(call.deadline)
  const rows = await call.unlessCached(reader, { question: [], read: () => statements.states(reader) })
  return rows?.map(recordedMembers)
}
