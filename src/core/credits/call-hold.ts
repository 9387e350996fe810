/** Opens and releases the hold of a call, also where the database fails. */
import { openHold, releaseHold, type Reservation } from './allowance.js'
import type { Ledger, PaidCall } from './charging.js'

type HoldingCall = PaidCall & { ledger: Ledger; caller: { plan: string } }

/** Returns undefined where the database fails. It may still open the hold then, and the hold is released later. */
export async function openCallHold(call: HoldingCall): Promise<Reservation | undefined> {
  try {
    return await openHold(call.ledger.db, call.caller, call.requestId)
  } catch {
    releaseLater(call)
    return undefined
  }
}

/** A hold that is not released blocks its part of the allowance until it expires. */
export const releaseCallHold = (call: HoldingCall): Promise<void> =>
  releaseHold(call.ledger.db, call.caller.orgId, call.requestId).catch(() => releaseLater(call))

const releaseLater = ({ ledger, caller, requestId }: HoldingCall) =>
  ledger.refunds.add({ caller, requestId, part: 'hold' })
