/** Makes calls of all kinds: it learns the right answers while nothing is wrong, and finds faults in later ones. */
import { newSecret } from '../../src/core/access/secret.js'
import { license } from '../../src/core/access/licences.js'
import type { Database } from '../../src/core/db/connect.js'
import { CALL_MS } from '../../src/core/deadline.js'
import { credit, ids } from '../support/datasets.js'
import { everyQuestion, everyRead } from '../support/every-call.js'
import { ask, bearer, mint, type Answer } from '../support/service.js'
import type { Answered } from './ledger-check.js'

/** An answer may come this long after its deadline: a call also waits a second for the buckets at most. */
const LATE_MS = 1000

export const PRICES: Readonly<Record<string, number>> = { lyr_population: 2, lyr_schools: 3 }

/** `orgId` is the organisation that pays. */
export type Call = { name: string; path: string; secret: string; orgId?: string; body?: string; right?: Answer }
export type Payer = { orgId: string; secret: string }

/** These organisations pay, each with a key. Faults lock their accounts. */
export async function newPayers(db: Database, count: number): Promise<Payer[]> {
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const { orgId, secret } = await mint(db)
      await credit(db, orgId, 10_000_000)
      for (const [layer, price] of Object.entries(PRICES)) await license(db.run, layer, orgId, price)
      return { orgId, secret }
    }),
  )
}

export function callsOf(free: string, payers: readonly Payer[]): Call[] {
  const more = {
    'at, off the grid': '/v1/frames/at?lat=-60&lon=-120',
    box: '/v1/frames?bbox=0.2,0.1,0.3,0.2',
    'large box': '/v1/frames?bbox=-5,-5,5,5',
    'no box': '/v1/frames?bbox=x',
    'many ids': `/v1/frames?ids=${ids.join()}`,
  }
  const named = [...everyRead.map((path) => [path, path] as const), ...Object.entries(more)]
  const reads = named.map(([name, path]) => ({ name, path, secret: free }))
  const bodyOf = (question: string) => JSON.stringify({ frameIds: ids.slice(0, 4), question })
  const questions = everyQuestion.map((question) => ({
    name: question,
    path: '/v1/frames/insight',
    secret: free,
    body: bodyOf(question),
  }))
  const paid = payers.flatMap((payer) => [
    { name: 'paid data', path: `/v1/frames/data?ids=${ids.slice(0, 2).join()}`, ...payer },
    { name: 'more paid data', path: `/v1/frames/data?ids=${ids.slice(2, 8).join()}`, ...payer },
    { name: 'insight', path: '/v1/frames/insight', body: bodyOf('how many people live here'), ...payer },
  ])
  return [...reads, ...questions, ...paid, { name: 'unknown key', path: '/v1/states', secret: newSecret() }]
}

/** Questions ask for figures only: words cost an allowance, and so differ from call to call. */
export const withoutWords = (calls: readonly Call[]): Call[] =>
  calls.map((call) =>
    call.body === undefined ? call : { ...call, body: call.body.replace(/}$/, ',"format":"figures"}') },
  )

/** Each state has a first page and, with a cursor, a second. */
export async function pageCalls(url: string, secret: string): Promise<Call[]> {
  const get = async (path: string) => (await ask(url + path, { headers: bearer(secret) })).body
  const { data: states } = (await get('/v1/states')) as { data: { state: string }[] }
  const pages: Call[] = []
  for (const { state } of states) {
    const path = `/v1/frames?state=${encodeURIComponent(state)}&limit=50`
    const { data } = (await get(path)) as { data: { next?: string } }
    pages.push({ name: 'page', path, secret })
    if (data.next) pages.push({ name: 'next page', path: `${path}&after=${data.next}`, secret })
  }
  return pages
}

export async function make(url: string, { path, secret, body }: Call): Promise<Answer> {
  const headers = bearer(secret)
  const signal = AbortSignal.timeout(3 * CALL_MS)
  if (body === undefined) return await ask(url + path, { headers, signal })
  return await ask(url + path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
    signal,
  })
}

/** Returns undefined where the right answer came in time, or a failure that the fault allows. */
export function wrongness({ right, name }: Call, { status, text, body }: Answer, ms: number): string | undefined {
  const says = (what: string) => `${name}: ${what}: ${status} after ${Math.round(ms)} ms: ${text.slice(0, 300)}`
  if (ms > CALL_MS + LATE_MS) return says('too late')
  if (status === right?.status) return text === right.text ? undefined : says('another body')
  const { code } = (body as { error?: { code?: string } } | undefined)?.error ?? {}
  return status === 500 && code === 'internal' ? undefined : says('no such answer')
}

/** Returns what the answer says was charged. Undefined: nobody pays for the call. */
export function answeredBy({ orgId }: Call, { headers, body }: Answer): Answered | undefined {
  if (orgId === undefined) return undefined
  const charged = (body as { data?: { charged?: string[] } } | undefined)?.data?.charged ?? []
  return { requestId: headers.get('x-request-id') ?? '', orgId, charged: pricesOf(charged) }
}

export const pricesOf = (layers: readonly string[]): Record<string, number> =>
  Object.fromEntries(layers.map((layer) => [layer, PRICES[layer] ?? Number.NaN]))
