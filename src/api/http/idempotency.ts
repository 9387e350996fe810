/** Charges a call that may charge once, though its client sends it again with the same Idempotency-Key. */
import { createHash } from 'node:crypto'
import { testPurpose } from '../../core/access/index.js'
import { enterRepetition } from '../../core/credits/index.js'
import { invalid } from '../../core/errors.js'
import type { Services } from '../../services.js'
import type { Call } from './call.js'

type Repeated = Pick<Call, 'caller' | 'id' | 'deadline' | 'idempotencyKey' | 'whenUnanswered'>

/** `question`: what the call asks. Its parameters are read, and nothing is charged yet. */
export async function enterIfRepeated(
  { ledger }: Pick<Services, 'ledger'>,
  { caller, id, deadline, idempotencyKey: key, whenUnanswered }: Repeated,
  question: unknown,
): Promise<void> {
  if (key === undefined) return
  if (!/^[!-~]{1,200}$/.test(key)) throw invalid('Idempotency-Key: 1 to 200 visible characters of ASCII are accepted.')
  if (testPurpose(caller)) return
  const hash = createHash('sha256').update(JSON.stringify(question)).digest('hex')
  const payer = { orgId: caller.orgId, deadline }
  if (!(await enterRepetition(ledger.db, payer, id, { key, question: hash })))
    throw invalid('Idempotency-Key: a call that asks something else came with it within 24 hours; send another key.')
  // The ledger gives the charge back once all calls under this key have failed: it must hear of each that had no answer.
  whenUnanswered(() => ledger.refunds.add({ caller, requestId: id, part: 'charge' }))
}
