/** Gathers all that answers a question: for a call of the API, and for a question in the web app. */
import type { Request as ExpressRequest } from 'express'
import { type Authority, testPurpose } from '../../core/access/index.js'
import { visibleDatasets } from '../../core/datasets/index.js'
import { withDeadline } from '../../core/db/index.js'
import type { InsightCall, Outcome, Planning } from '../../core/insight/index.js'
import type { Services } from '../../services.js'

/** The request id is the one that the ledger charges once. */
export async function insightCall(
  { ledger, authorityReader, readerForRequest, catalogues, wording, unknownWords, log, metrics }: Services,
  req: ExpressRequest,
  caller: Authority,
  { requestId, hangUp }: Pick<InsightCall, 'requestId' | 'hangUp'>,
): Promise<InsightCall> {
  const { deadline } = req.context
  const reader = readerForRequest(deadline)
  return {
    caller: { ...caller, deadline },
    requestId,
    hangUp,
    reader,
    datasets: await visibleDatasets(withDeadline(authorityReader, deadline), reader, caller),
    ledger,
    catalogues,
    wording,
    // A key that reads some datasets only does not know the names of the others.
    ...(caller.datasets === null &&
      !testPurpose(caller) && { onUnknown: (words) => unknownWords.count(caller.orgId, words) }),
    onOutcome: (outcome: Outcome) => {
      metrics.countOutcome(outcome)
      if ('worded' in outcome) req.context.outcome = 'worded'
      log.info({ requestId, ...outcome })
    },
    onPlanned: ({ outcome, reason }: Planning) => {
      metrics.count('frames_plans_total', { outcome })
      log.info({ requestId, plan: outcome, ...(reason === undefined ? {} : { reason }) })
    },
  }
}
