/** Compares what the ledger holds with what callers were answered. */
import type { Database } from '../../src/core/db/connect.js'
import { until } from '../support/until.js'

/** A call, or a change by a process of the tests, that was answered. A call that failed was charged for nothing. */
export type Answered = {
  requestId: string
  orgId: string
  /** The credits for each dataset that the answer names as charged. */
  charged: Readonly<Record<string, number>>
  /** The answer has words: they cost a credit, or a part of the allowance. */
  isWorded?: boolean
}
/** Nobody knows how it ended: its client hung up, or its process was killed. */
export type Unanswered = {
  orgId: string
  /** Milliseconds of the computer's clock. */
  from: number
  to: number
  /** The call may have been charged for these. */
  prices: Readonly<Record<string, number>>
  mayBeWorded?: boolean
}
/** `unsure`: it may have been entered or not, once at most. */
export type TopUp = { requestId: string; orgId: string; credits: number; outcome: 'entered' | 'unsure' }
export type Known = { answered: readonly Answered[]; unanswered: readonly Unanswered[]; topUps: readonly TopUp[] }

export type Entry = { orgId: string; requestId: string; kind: string; ref: string; credits: number; at: number }
type Account = { orgId: string; balance: number; byAllowance: number; byCredits: number }
export type Ledger = { entries: readonly Entry[]; accounts: readonly Account[] }

export type Difference = {
  kind: 'overdraft' | 'double charge' | 'lost charge' | 'unexplained' | 'top-up' | 'balance' | 'allowance'
  about: string
}

/** A charge may be entered this long after the client lost its connection: until the deadline of the call. */
const LATE_MS = 15_000
const CLOCK_MS = 1000

export async function ledgerOf(db: Pick<Database, 'rows'>, orgIds: readonly string[]): Promise<Ledger> {
  const entries = await db.rows<Entry>(
    `select org_id as "orgId", request_id as "requestId", kind, ref, credits::int as credits,
      (extract(epoch from entered_at) * 1000)::float8 as at
    from credit_entry where org_id = any ($1::text[]) order by entry_id`,
    [orgIds],
  )
  const accounts = await db.rows<Account>(
    `select org_id as "orgId", balance::int as balance,
      coalesce(sum(by_allowance), 0)::int as "byAllowance", coalesce(sum(by_credits), 0)::int as "byCredits"
    from account left join worded_use using (org_id)
    where org_id = any ($1::text[]) group by org_id, balance`,
    [orgIds],
  )
  return { entries, accounts }
}

/** The credits with which a test begins. */
/** A refund in the background may take this long. */
const SETTLED_MS = 90_000

/** The ledger once it says what callers were told, or as it is when that takes too long. */
export async function settledLedger(db: Pick<Database, 'rows'>, orgIds: readonly string[], known: Known) {
  let ledger = await ledgerOf(db, orgIds)
  const isSettled = async () => {
    ledger = await ledgerOf(db, orgIds)
    return differencesOf(known, ledger).length === 0
  }
  await until(isSettled, { ms: SETTLED_MS, everyMs: 2000 }).catch(() => {})
  return ledger
}

export const topUpsIn = ({ entries }: Ledger): TopUp[] =>
  entries
    .filter(({ kind }) => kind === 'top_up')
    .map(({ orgId, requestId, credits }) => ({ orgId, requestId, credits, outcome: 'entered' }))

export function differencesOf(known: Known, { entries, accounts }: Ledger): Difference[] {
  const byRequest = new Map<string, Entry[]>()
  for (const entry of entries) {
    const own = byRequest.get(idOf(entry)) ?? []
    byRequest.set(idOf(entry), own)
    own.push(entry)
  }
  const take = (call: { orgId: string; requestId: string }): Entry[] => {
    const own = byRequest.get(idOf(call)) ?? []
    byRequest.delete(idOf(call))
    return own
  }
  const allowanceOf = new Map<string, number>()
  const differences: Difference[] = []
  for (const call of known.answered) {
    const own = take(call)
    differences.push(...differencesOfCall(call, own))
    if (call.isWorded === true && spentOn(own, '') === 0)
      allowanceOf.set(call.orgId, (allowanceOf.get(call.orgId) ?? 0) + 1)
  }
  for (const topUp of known.topUps) differences.push(...differencesOfTopUp(topUp, take(topUp)))
  differences.push(...unexplained([...byRequest.values()], known.unanswered))
  for (const account of accounts) {
    const own = entries.filter(({ orgId }) => orgId === account.orgId)
    const unsure = known.unanswered.filter(({ orgId, mayBeWorded }) => orgId === account.orgId && mayBeWorded).length
    const worded = { least: allowanceOf.get(account.orgId) ?? 0, unsure }
    differences.push(...differencesOfAccount(account, own, worded))
  }
  return differences
}

const idOf = ({ orgId, requestId }: { orgId: string; requestId: string }) => `${orgId} ${requestId}`

/** Adds up the credits that a call spent on a dataset, or with a blank `ref` on words, after its refund. */
const spentOn = (own: readonly Entry[], ref: string): number =>
  own.reduce((sum, entry) => (entry.ref === ref ? sum - entry.credits : sum), 0)

function differencesOfCall({ requestId, charged, isWorded }: Answered, own: readonly Entry[]): Difference[] {
  const about = (what: string) => `${requestId}: ${what}: ${JSON.stringify(own)}`
  const differences: Difference[] = []
  for (const ref of new Set([...Object.keys(charged), ...own.map((entry) => entry.ref)])) {
    if (ref === '') continue
    const [spent, expected] = [spentOn(own, ref), charged[ref] ?? 0]
    if (spent > expected)
      differences.push({ kind: 'double charge', about: about(`${spent} for ${ref}, not ${expected}`) })
    if (spent < expected)
      differences.push({ kind: 'lost charge', about: about(`${spent} for ${ref}, not ${expected}`) })
  }
  const words = spentOn(own, '')
  if (words > (isWorded === true ? 1 : 0))
    differences.push({ kind: 'double charge', about: about(`${words} for words`) })
  if (words < 0) differences.push({ kind: 'lost charge', about: about(`${words} for words`) })
  return differences
}

function differencesOfTopUp({ requestId, credits, outcome }: TopUp, own: readonly Entry[]): Difference[] {
  const isEntered = own.length === 1 && own[0]?.kind === 'top_up' && own[0].credits === credits
  if (isEntered || (outcome === 'unsure' && own.length === 0)) return []
  return [{ kind: 'top-up', about: `${requestId}: ${credits}, ${outcome}: ${JSON.stringify(own)}` }]
}

/** Finds an unanswered call for each request that no answer names: one call explains one request. */
function unexplained(requests: readonly Entry[][], unanswered: readonly Unanswered[]): Difference[] {
  const open = new Set(unanswered)
  const byTime = requests.toSorted((one, other) => (one[0]?.at ?? 0) - (other[0]?.at ?? 0))
  return byTime.flatMap((own): Difference[] => {
    const candidates = [...open].filter((call) => explains(call, own))
    // The call that ended first can explain the fewest of the later requests.
    const [first] = candidates.toSorted((one, other) => one.to - other.to)
    if (!first) return [{ kind: 'unexplained', about: JSON.stringify(own) }]
    open.delete(first)
    return []
  })
}

function explains({ orgId, from, to, prices, mayBeWorded }: Unanswered, own: readonly Entry[]): boolean {
  const [first] = own
  if (!first || first.orgId !== orgId || first.at < from - CLOCK_MS || first.at > to + LATE_MS) return false
  return [...new Set(own.map(({ ref }) => ref))].every((ref) => {
    const spent = spentOn(own, ref)
    return spent === 0 || spent === (ref === '' ? Number(mayBeWorded === true) : prices[ref])
  })
}

function differencesOfAccount(
  { orgId, balance, byAllowance, byCredits }: Account,
  own: readonly Entry[],
  worded: { least: number; unsure: number },
): Difference[] {
  const differences: Difference[] = []
  let sum = 0
  for (const { credits, requestId } of own) {
    sum += credits
    if (sum < 0) differences.push({ kind: 'overdraft', about: `${orgId}: ${sum} after ${requestId}` })
  }
  if (sum !== balance) differences.push({ kind: 'balance', about: `${orgId}: ${balance}, and its entries make ${sum}` })
  const words = own.filter(({ kind, ref }) => kind === 'worded' || (kind === 'refund' && ref === ''))
  const paid = spentOn(words, '')
  if (paid !== byCredits)
    differences.push({ kind: 'allowance', about: `${orgId}: ${byCredits} by credits, ${paid} paid` })
  if (byAllowance < worded.least || byAllowance > worded.least + worded.unsure) {
    const about = `${orgId}: ${byAllowance} by allowance, ${worded.least} answered, ${worded.unsure} unanswered`
    differences.push({ kind: 'allowance', about })
  }
  return differences
}
