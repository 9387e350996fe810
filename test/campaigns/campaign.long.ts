/**
 * Sends calls of all kinds to the real service while its servers fail at random: `npm run test:long`.
 * LONG_SCENE=plain is one process, one PostgreSQL and one Redis; it runs for LONG_SECONDS (180). LONG_SCENE=cluster has
 * several of each; it runs until LONG_OPERATIONS (20,000) have changed accounts or failed to, or for LONG_SECONDS.
 * LONG_SEED repeats the faults of an earlier run in the same order.
 */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../src/core/db/connect.js'
import { ledgerFaults } from '../../src/core/db/statements.js'
import { seeded } from '../faults/seeded.js'
import { ask, bearer, mint } from '../support/service.js'
import { sampleOf, scrape } from '../support/metrics.js'
import {
  answeredBy,
  callsOf,
  make,
  newPayers,
  pageCalls,
  PRICES,
  withoutWords,
  wrongness,
  type Call,
  type Payer,
} from './calls.js'
import { clusterScene } from './cluster-scene.js'
import { pick } from './faults.js'
import { differencesOf, ledgerOf, settledLedger, topUpsIn, type Ledger } from './ledger-check.js'
import { newPayersOfCampaign, newRecord, payOnce, startChanges } from './ledger-load.js'
import { plainScene, type Scene } from './scene.js'
import { until } from '../support/until.js'

const IS_CLUSTER = process.env['LONG_SCENE'] === 'cluster'
const SECONDS = Number(process.env['LONG_SECONDS'] ?? (IS_CLUSTER ? 7200 : 180))
const OPERATIONS = Number(process.env['LONG_OPERATIONS'] ?? 20_000)
const SEED = Number(process.env['LONG_SEED'] ?? Math.floor(Math.random() * 1e9))
/** The clients that make calls of all kinds, and their pause: in a cluster, most calls change accounts. */
const CLIENTS = IS_CLUSTER ? 2 : 12
const PAUSE_MS = IS_CLUSTER ? 300 : 0
const LEDGER_CLIENTS = IS_CLUSTER ? 32 : 4
/** A process changes accounts without the service: a thousand times, then until it has its share of all changes. */
const CHANGES = { share: IS_CLUSTER ? 0.4 : 0, atOnce: 1000 }
const PROGRESS_MS = 60_000
/** The longest time between two faults. */
const CALM_MS = IS_CLUSTER ? 4000 : 1000
/** A service adds its counts of calls to the tables within this time, or later where the primary was away. */
const COUNTED_MS = 20_000
const UNCOUNTED_MS = 60_000
/** A call that was under way when its process was killed learns of it within this time. */
const CUT_OFF_MS = 2000

const length = IS_CLUSTER ? `${OPERATIONS} changes of accounts` : `${SECONDS} seconds`
describe(`the service under ${length} with faults`, function () {
  this.timeout(IS_CLUSTER ? 4 * 3600 * 1000 : (SECONDS + 300) * 1000)
  let scene: Scene
  let calls: Call[]
  let payers: Payer[]
  let orgIds: string[]
  let secret: string
  const record = newRecord()
  const wrong = record.wrong
  const outcomes = new Map<string, number>()
  const operations = () => record.answered.length + record.unanswered.length + record.topUps.length

  before(async () => {
    scene = await (IS_CLUSTER ? clusterScene() : plainScene())
    const db = scene.owner()
    const rich = await newPayers(db, 6)
    payers = await newPayersOfCampaign(db, 8)
    orgIds = [...rich, ...payers].map(({ orgId }) => orgId)
    secret = (await mint(db)).secret
    record.topUps.push(...topUpsIn(await ledgerOf(db, orgIds)))
    await db.close()
    const all = callsOf(secret, rich)
    calls = IS_CLUSTER ? withoutWords(all) : all
    const [first] = scene.services()
    assert.ok(first)
    calls.push(...(await pageCalls(first.url, secret)))
    for (const call of calls) {
      call.right = await make(first.url, call)
      const answered = answeredBy(call, call.right)
      if (answered) record.answered.push(answered)
    }
  })
  after(() => scene?.stop())

  async function once(call: Call, url: string): Promise<void> {
    const [from, at] = [performance.now(), Date.now()]
    try {
      const answer = await make(url, call)
      const fault = wrongness(call, answer, performance.now() - from)
      if (fault !== undefined) wrong.push(fault)
      const answered = answeredBy(call, answer)
      if (answered) record.answered.push(answered)
      const outcome = String(answer.status)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    } catch (error) {
      outcomes.set('cut off', (outcomes.get('cut off') ?? 0) + 1)
      const unanswered = { orgId: call.orgId ?? '', from: at, to: Date.now(), prices: PRICES, service: url }
      record.unanswered.push({ ...unanswered, why: 'cut off' })
      if (!wasKilled(unanswered)) wrong.push(`${call.name}: no answer: ${String(error)}`)
    }
  }

  const wasKilled = ({ service, from, to }: { service: string; from: number; to: number }) =>
    scene.kills.some(({ url, at }) => url === service && at > from - CUT_OFF_MS && at < to + CUT_OFF_MS)

  /** Brings faults until it is enough. Each comes once before any comes again, so that a short campaign has them all. */
  async function bringFaults(isEnough: () => boolean): Promise<Map<string, number>> {
    const random = seeded(SEED)
    const faults = scene.faults(orgIds, random)
    const names = Object.keys(faults)
    const brought = new Map<string, number>()
    const turn = names.toSorted(() => random() - 0.5)
    while (!isEnough() && isServing()) {
      const name = turn.pop() ?? pick(names, random)
      await faults[name]?.()
      brought.set(name, (brought.get(name) ?? 0) + 1)
      await scene.untilWell()
      await sleep(CALM_MS * (0.2 + 0.8 * random()))
    }
    return brought
  }

  const isServing = () => scene.services().every(({ child }) => child.exitCode === null)

  it('no process ends by itself, and every answer is right, or a 500 in time', async () => {
    console.log(`      seed ${SEED}`)
    const from = performance.now()
    const isOver = () => performance.now() - from > SECONDS * 1000
    const isEnough = () => isOver() || (IS_CLUSTER && operations() >= OPERATIONS)
    const working = { on: true }
    const choice = seeded(SEED + 1)
    const someUrl = () => pick(scene.services(), choice).url
    const client = async (work: () => Promise<void>) => {
      while (working.on && isServing()) await work()
    }
    const clients = [
      ...Array.from({ length: CLIENTS }, () =>
        client(async () => {
          await once(pick(calls, choice), someUrl())
          if (PAUSE_MS > 0) await sleep(PAUSE_MS)
        }),
      ),
      ...Array.from({ length: LEDGER_CLIENTS }, () =>
        client(() => payOnce(someUrl(), pick(payers, choice), choice, record)),
      ),
      changeAccounts(working),
    ]
    const progress = setInterval(() => console.log(`      ${operations()} changes of accounts so far`), PROGRESS_MS)
    const brought = await bringFaults(isEnough).finally(() => (working.on = false))
    clearInterval(progress)
    await Promise.all(clients)
    const cutOff = record.unanswered.filter((call) => call.why === 'cut off' && !wasKilled(call))
    wrong.push(...cutOff.map((call) => `no answer, though no process was killed: ${JSON.stringify(call)}`))
    const show = (what: string, counts: ReadonlyMap<string, number>) =>
      console.log(`      ${what} ${JSON.stringify(Object.fromEntries(counts))}`)
    console.log(
      `      ${operations()} changes of accounts in ${((performance.now() - from) / 60_000).toFixed(1)} minutes`,
    )
    show('faults', brought)
    show('answers', outcomes)
    show('answers to calls that pay', record.outcomes)
    for (const { child, stderr } of scene.services())
      assert.equal(child.exitCode, null, `the process ended: ${stderr().slice(-5000)}`)
    assert.deepEqual(wrong, [])
    if (!IS_CLUSTER) assert.ok((outcomes.get('200') ?? 0) > 2 * SECONDS, 'there were too few right answers to tell')
  })

  /** Runs the process of changes anew whenever it has fallen behind its share. */
  async function changeAccounts(working: { on: boolean }): Promise<void> {
    for (let life = 1; working.on; await sleep(200)) {
      if (life * CHANGES.atOnce > CHANGES.share * operations() + CHANGES.atOnce) continue
      const changed = { seed: SEED + life, changes: CHANGES.atOnce, orgIds: payers.map(({ orgId }) => orgId) }
      await startChanges(scene.urls, changed, record)
      life += 1
    }
  }

  it('it answers all calls rightly when the faults are over', async () => {
    await sleep(5000)
    for (const { url } of scene.services()) {
      for (const call of calls) {
        const answer = await make(url, call)
        const answered = answeredBy(call, answer)
        if (answered) record.answered.push(answered)
        assert.deepEqual([answer.status, answer.text], [call.right?.status, call.right?.text], call.name)
      }
    }
  })

  it('it meters again when the faults are over', async () => {
    for (const { url, opsUrl } of scene.services()) {
      const isMetered = async () =>
        (await ask(`${url}/v1/states`, { headers: bearer(secret) })).headers.has('ratelimit')
      await until(isMetered, { ms: 30_000, everyMs: 500, why: () => 'It does not meter again' })
      const metrics = await scrape(opsUrl)
      console.log(`      unmetered calls: ${sampleOf(metrics, 'frames_unmetered_calls_total')}`)
    }
  })

  it('its ledger has no fault, and says what callers were told: failed calls cost nothing', async () => {
    const db = scene.owner()
    try {
      const ledger = await settledLedger(db, orgIds, record)
      showLedger(ledger)
      assert.deepEqual(differencesOf(record, ledger), [])
      assert.deepEqual([...(await ledgerFaults(db))], [])
      await meteredCalls(db)
      theCheckTells(ledger)
    } finally {
      await db.close()
    }
  })

  function showLedger({ entries, accounts }: Ledger): void {
    const kinds = new Map<string, number>()
    for (const { kind } of entries) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    const worded = accounts.reduce((sum, { byAllowance, byCredits }) => sum + byAllowance + byCredits, 0)
    console.log(`      entries ${JSON.stringify(Object.fromEntries(kinds))}, ${worded} answers with words`)
  }

  /**
   * Compares the counts that the web app shows with the answers that came. A process that is killed takes its last
   * counts with it. There may be more: a call whose client hung up may have ended rightly, and a write counts twice if only
   * its confirmation was lost.
   */
  async function meteredCalls(db: Database): Promise<void> {
    await sleep(COUNTED_MS)
    const [row] = await db.rows<{ calls: number }>(
      `select coalesce(sum(calls), 0)::int as calls from key_use join api_key using (key_id)
      where org_id = any ($1::text[]) and outcome in ('ok', 'worded')`,
      [payers.map(({ orgId }) => orgId)],
    )
    const counted = row?.calls ?? 0
    const right = record.right.length
    const lost = record.right.filter(({ service, at }) =>
      scene.kills.some((kill) => kill.url === service && at > kill.at - UNCOUNTED_MS && at < kill.at + CUT_OFF_MS),
    ).length
    const unsure = record.unanswered.length
    const what = `${counted} calls are counted for their keys; ${right} were answered, of which a killed process may have lost ${lost}; ${unsure} were cut off`
    console.log(`      ${what}`)
    assert.ok(counted >= right - lost, what)
  }

  /** A copy of the ledger with an entry removed, or one added twice, must not pass. */
  function theCheckTells({ entries, accounts }: Ledger): void {
    const random = seeded(SEED + 2)
    const answered = new Set(record.answered.map(({ requestId }) => requestId))
    const known = entries.filter(({ requestId }) => answered.has(requestId))
    for (let tries = 0; tries < 10; tries += 1) {
      const chosen = pick(known, random)
      const without = entries.filter((entry) => entry !== chosen)
      const moved = (by: number) =>
        accounts.map((each) => (each.orgId === chosen.orgId ? { ...each, balance: each.balance + by } : each))
      const removed = differencesOf(record, { entries: without, accounts: moved(-chosen.credits) })
      const doubled = differencesOf(record, { entries: [...entries, chosen], accounts: moved(chosen.credits) })
      assert.ok(removed.length > 0 && doubled.length > 0, JSON.stringify(chosen))
    }
  }
})
