/** Changes accounts by calls and by a process of its own, and records how each change ended. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { credit, ids } from '../support/datasets.js'
import { license } from '../../src/core/access/licences.js'
import type { Database } from '../../src/core/db/connect.js'
import { endsWithTests } from '../support/children.js'
import { ask, bearer, mint, newOrganisation } from '../support/service.js'
import { PRICES, pricesOf, type Payer } from './calls.js'
import type { Answered, TopUp, Unanswered } from './ledger-check.js'

/** `service` is the address that the call went to. */
type Lost = Unanswered & { service: string; why: 'hung up' | 'cut off' }

/** The changes of accounts that are known; `differencesOf` compares them with the ledger. */
export type ChangeRecord = {
  answered: Answered[]
  unanswered: Lost[]
  /** The calls that were answered rightly: where they went, and when they ended. */
  right: { service: string; at: number }[]
  topUps: TopUp[]
  outcomes: Map<string, number>
  wrong: string[]
}

export const newRecord = (): ChangeRecord => ({
  answered: [],
  unanswered: [],
  right: [],
  topUps: [],
  outcomes: new Map(),
  wrong: [],
})

/** A call for data that takes longer than this is wrong; a question may wait for its words. */
const LONGEST_MS = 15_000
const LONGEST_QUESTION_MS = 40_000
/** The share of the calls that ask a question, and that hang up. */
const QUESTIONS = 0.08
const HANG_UPS = 0.05
const POOR_CREDITS = 300

/** Every second organisation has few credits, so that its account is empty now and then. */
export async function newPayersOfCampaign(db: Database, count: number): Promise<Payer[]> {
  const payers: Payer[] = []
  for (let place = 0; place < count; place += 1) {
    const { orgId, secret } = await mint(db, { org: await newOrganisation(db, place < 2 ? 'scale' : 'trial') })
    await credit(db, orgId, place % 2 === 0 ? 10_000_000 : POOR_CREDITS)
    for (const [layer, price] of Object.entries(PRICES)) await license(db.run, layer, orgId, price)
    payers.push({ orgId, secret })
  }
  return payers
}

type Shape = { path: string; body?: string; prices: Readonly<Record<string, number>>; mayBeWorded: boolean }

function shapeOf(random: () => number): Shape {
  const from = Math.floor(random() * ids.length)
  const chosen = ids.slice(from, from + 1 + Math.floor(random() * 3))
  if (random() >= QUESTIONS) return { path: `/v1/frames/data?ids=${chosen.join()}`, prices: PRICES, mayBeWorded: false }
  const body = JSON.stringify({ frameIds: chosen, question: 'how many people live here' })
  return { path: '/v1/frames/insight', body, prices: PRICES, mayBeWorded: true }
}

export async function payOnce(
  service: string,
  payer: Payer,
  random: () => number,
  record: ChangeRecord,
): Promise<void> {
  const { path, body, prices, mayBeWorded } = shapeOf(random)
  const hangUpMs = random() < HANG_UPS ? random() * 80 : undefined
  const from = Date.now()
  const count = (outcome: string) => record.outcomes.set(outcome, (record.outcomes.get(outcome) ?? 0) + 1)
  try {
    const answer = await ask(service + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...bearer(payer.secret), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(hangUpMs ?? 2 * LONGEST_QUESTION_MS),
      ...(body === undefined ? {} : { body }),
    })
    const { text } = answer
    const requestId = answer.headers.get('x-request-id') ?? ''
    record.answered.push({ requestId, orgId: payer.orgId, ...settled(text) })
    count(String(answer.status))
    if (answer.status === 200) record.right.push({ service, at: Date.now() })
    const ms = Date.now() - from
    const isLate = ms > (mayBeWorded ? LONGEST_QUESTION_MS : LONGEST_MS)
    const isFailure = answer.status === 500 && text.includes('"code":"internal"')
    if (isLate || !(answer.status === 200 || isFailure))
      record.wrong.push(`${path}: ${answer.status} after ${ms} ms: ${text.slice(0, 300)}`)
  } catch {
    const why = hangUpMs === undefined ? 'cut off' : 'hung up'
    record.unanswered.push({ orgId: payer.orgId, from, to: Date.now(), prices, mayBeWorded, service, why })
    count(why)
  }
}

function settled(text: string): Pick<Answered, 'charged' | 'isWorded'> {
  const { data } = JSON.parse(text) as { data?: { charged?: string[]; narrative?: string } }
  return { charged: pricesOf(data?.charged ?? []), isWorded: data?.narrative !== undefined }
}

type Said = { requestId: string; orgId: string } & (
  | { did: 'top_up'; credits: number }
  | { did: 'charge'; charged: string[] }
  | { did: 'unknown'; credits: number }
  | { did: 'failed' }
  | { did: 'differs'; charged: string[] }
)

/** Starts ledger-worker.ts, which charges, tops up, and sends changes again under their request ids. */
export function startChanges(
  urls: { service: string; owner: string },
  { seed, changes, orgIds }: { seed: number; changes: number; orgIds: readonly string[] },
  record: ChangeRecord,
): Promise<void> {
  const worker = fileURLToPath(new URL('../faults/ledger-worker.js', import.meta.url))
  const child = spawn(process.execPath, ['--enable-source-maps', worker], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      DATABASE: urls.service,
      OWNER: urls.owner,
      SEED: String(seed),
      CHANGES: String(changes),
      ORGS: orgIds.join(),
      CLOSE_MS: '90000',
    },
  })
  endsWithTests(child)
  let rest = ''
  let trouble = ''
  child.stderr.on('data', (data: Buffer) => (trouble += data.toString()))
  child.stdout.on('data', (data: Buffer) => {
    const lines = (rest + data.toString()).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) note(JSON.parse(line) as Said, record)
  })
  return new Promise((done) =>
    child.once('close', (status) => {
      if (status !== 0) record.wrong.push(`the process of changes ended with ${status}: ${trouble}`)
      done()
    }),
  )
}

function note(said: Said, { answered, topUps, outcomes, wrong }: ChangeRecord): void {
  const { requestId, orgId } = said
  outcomes.set(`change: ${said.did}`, (outcomes.get(`change: ${said.did}`) ?? 0) + 1)
  if (said.did === 'top_up' || said.did === 'unknown')
    topUps.push({ requestId, orgId, credits: said.credits, outcome: said.did === 'top_up' ? 'entered' : 'unsure' })
  else if (said.did === 'charge')
    answered.push({
      requestId,
      orgId,
      charged: Object.fromEntries(said.charged.map((layer) => [layer, Number(layer.split('_').at(-1))])),
    })
  else if (said.did === 'failed') answered.push({ requestId, orgId, charged: {} })
  else wrong.push(`a second charge under ${requestId} differs: ${said.charged.join()}`)
}
