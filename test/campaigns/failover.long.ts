/**
 * Fails the primary of three PostgreSQL under Patroni, while two processes of the service work under load: one knows
 * the three hosts, the other asks by way of HAProxy. FAILOVER names the faults to try, separated by commas.
 */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { revokeKey } from '../../src/core/access/keys.js'
import { connect } from '../../src/core/db/connect.js'
import { ledgerFaults } from '../../src/core/db/statements.js'
import { startServe, type Started } from '../support/cli.js'
import { ids } from '../support/datasets.js'
import { mint } from '../support/service.js'
import { templates } from '../support/templates.js'
import { answeredBy, make, newPayers, type Call } from './calls.js'
import { startHaproxy } from './haproxy.js'
import { differencesOf, ledgerOf, settledLedger, topUpsIn, type Answered, type TopUp } from './ledger-check.js'
import { failuresOf, type Failure } from './node-failures.js'
import { startPatroni, type Node, type Patroni } from './patroni.js'
import { until } from '../support/until.js'

const DATABASE = 'template_datasets'
const ROOMY = '900000/900000'
/** A client pauses so long between two calls. */
const PAUSE_MS = 40
/** A process learns of a new primary within this time: a probe a second, which may take two. */
const STALE_MS = 3500
/** Reads wait at most this long: the first after a loss wait for retries, and for a replica that hangs. */
const READ_GAP_MS = 6000

type Way = {
  name: string
  serve: Started
  /** A process that reads from the primary alone: what it accepts, a primary accepts. */
  strict: Started
  /** The key that the test revokes on the new primary. */
  victim: Call
  /** The times of right answers. */
  paidAt: number[]
  readAt: number[]
  victimAt: number[]
  refusedAt: number[]
  reads: Map<number, number>
}

describe('three PostgreSQL under Patroni', function () {
  this.timeout(400_000)
  let cluster: Patroni
  let haproxy: { port: number; stop: () => Promise<void> }
  const ways: Way[] = []
  const answered: Answered[] = []
  let topUps: TopUp[] = []
  const wrong: string[] = []
  const orgIds: string[] = []
  const load = { on: true }
  let clients: Promise<unknown>

  const urlAt = (hosts: string, user: string) => `postgres://${user}@${hosts}/${DATABASE}`
  const onNode = (node: Node) => connect(urlAt(`127.0.0.1:${node.port}`, 'frames_owner'), { deadlineMs: 30_000 })

  before(async () => {
    cluster = await startPatroni(await templates())
    const primary = await cluster.untilWhole()
    haproxy = await startHaproxy(cluster.nodes)
    const three = cluster.nodes.map(({ port }) => `127.0.0.1:${port}`).join()
    const db = onNode(primary)
    for (const [name, hosts] of [
      ['three hosts', three],
      ['HAProxy', `127.0.0.1:${haproxy.port}`],
    ] as const) {
      const roomy = {
        DATABASE_URL: urlAt(hosts, 'frames_service'),
        BUCKET_KEY: ROOMY,
        BUCKET_ORGANISATION: ROOMY,
        BUCKET_INSIGHT: ROOMY,
        BUCKET_ADDRESS: 'off',
        LOG_LEVEL: 'warn',
      }
      const serve = await startServe({
        ...roomy,
        READ_DATABASE_URL: urlAt(three, 'frames_service'),
        AUTHORITY_GRACE: '300',
      })
      const strict = await startServe(roomy)
      const [payer] = await newPayers(db, 1)
      if (!payer) throw new Error('There is no payer.')
      orgIds.push(payer.orgId)
      const { secret } = await mint(db)
      const way: Way = {
        name,
        serve,
        strict,
        victim: { name: 'victim', path: '/v1/states', secret: '' },
        paidAt: [],
        readAt: [],
        victimAt: [],
        refusedAt: [],
        reads: new Map(),
      }
      ways.push(way)
      calls.push([way, { name: 'paid', path: `/v1/frames/data?ids=${ids[0]}`, ...payer }])
      calls.push([way, { name: 'read', path: '/v1/frames/at?lat=0.105&lon=0.205', secret }])
    }
    topUps = topUpsIn(await ledgerOf(db, orgIds))
    await db.close()
    clients = Promise.all(
      calls
        .flatMap((call) => [call, call])
        .map(async ([way, call]) => {
          while (load.on) {
            await once(way, call)
            await sleep(PAUSE_MS)
          }
        }),
    )
  })
  after(async () => {
    load.on = false
    await clients
    for (const { child, ended } of ways.flatMap(({ serve, strict }) => [serve, strict])) {
      child.kill('SIGKILL')
      await ended
    }
    await haproxy.stop()
    await cluster.stop()
  })

  const calls: [Way, Call][] = []

  async function once(way: Way, call: Call): Promise<void> {
    try {
      const answer = await make(call.name === 'victim' ? way.strict.url : way.serve.url, call)
      const at = performance.now()
      const settled = answeredBy(call, answer)
      if (settled) answered.push(settled)
      if (call.name === 'read') way.reads.set(answer.status, (way.reads.get(answer.status) ?? 0) + 1)
      if (answer.status === 200) {
        if (call.name === 'paid') way.paidAt.push(at)
        else if (call.name === 'read') way.readAt.push(at)
        else way.victimAt.push(at)
      } else if (call.name === 'victim' && answer.status === 401) way.refusedAt.push(at)
      else if (answer.status !== 500) wrong.push(`${way.name}, ${call.name}: ${answer.status} ${answer.text}`)
    } catch (error) {
      wrong.push(`${way.name}, ${call.name}: no answer: ${String(error)}`)
    }
  }

  /** The longest time without an answer between two moments. */
  function longestGap(times: readonly number[], from: number, to: number): number {
    const within = [from, ...times.filter((at) => at > from && at < to), to]
    return Math.max(...within.slice(1).map((at, index) => at - (within[index] ?? at)))
  }

  async function failOver({ name, begin, repair }: Failure): Promise<void> {
    const old = await cluster.untilWhole()
    const before = onNode(old)
    const victims = await Promise.all(ways.map(() => mint(before)))
    await before.close()
    for (const [index, way] of ways.entries()) {
      way.victim.secret = victims[index]?.secret ?? ''
      way.victimAt = []
      way.refusedAt = []
      way.reads.clear()
    }
    const victimLoad = { on: true }
    const victimClients = Promise.all(
      ways.map(async (way) => {
        while (victimLoad.on) {
          await once(way, way.victim)
          await sleep(PAUSE_MS)
        }
      }),
    )
    await sleep(2000)
    const from = performance.now()
    begin(old)
    const next = await newLeader(old)
    const promoted = performance.now()
    const db = onNode(next)
    for (const { keyId } of victims) await revokeKey(db.run, keyId)
    const revoked = performance.now()
    const goOn = () => ways.every(({ paidAt, refusedAt }) => (paidAt.at(-1) ?? 0) > revoked && refusedAt.length > 0)
    await until(goOn, { ms: 60_000, everyMs: 20 })
    repair(old)
    assert.equal((await cluster.untilWhole()).name, next.name)
    await sleep(3000)
    const to = performance.now()
    victimLoad.on = false
    await victimClients
    await db.close()
    console.log(`      in the tested cluster, ${name}: repaired after ${Math.round((to - from) / 1000)} s`)
    for (const { name: way, serve, strict, paidAt, readAt, victimAt, reads } of ways) {
      const seconds = (ms: number) => (ms / 1000).toFixed(1)
      const stale = Math.max(0, ...victimAt.map((at) => at - revoked))
      console.log(
        `      ${name}, ${way}: ${seconds(longestGap(paidAt, from, to))} s without writes, new primary after ${seconds(promoted - from)} s; ` +
          `longest without a read ${seconds(longestGap(readAt, from, to))} s, reads ${JSON.stringify(Object.fromEntries(reads))}; ` +
          `revoked key accepted for ${Math.round(stale)} ms`,
      )
      for (const { child, stderr } of [serve, strict])
        assert.equal(child.exitCode, null, `${way}: the process ended: ${stderr()}`)
      assert.ok(longestGap(readAt, from, to) < READ_GAP_MS, `${way}: reads stopped`)
      assert.ok(stale < STALE_MS, `${way}: the revoked key was accepted for ${stale} ms`)
    }
    assert.deepEqual(wrong, [])
  }

  async function newLeader(old: Node): Promise<Node> {
    const look = async () => {
      const node = await cluster.leader()
      return node && node.name !== old.name ? node : undefined
    }
    const logs = () => cluster.nodes.map((node) => `${node.name}: ${cluster.log(node).slice(-2500)}`).join('\n')
    return await until(look, { ms: 90_000, why: () => `${logs()}\nNobody was promoted` })
  }

  for (const failure of failuresOf(process.env['FAILOVER'])) {
    it(`${failure.title}: the same processes go on, and no revoked key comes back`, async () => {
      await failOver(failure)
    })
  }

  it('the ledger is exact afterwards: each answered charge is there once, and a failed call costs nothing', async () => {
    load.on = false
    await clients
    const db = onNode(await cluster.untilWhole())
    const record = { answered, unanswered: [], topUps }
    const ledger = await settledLedger(db, orgIds, record)
    const charges = answered.filter(({ charged }) => Object.keys(charged).length > 0).length
    console.log(`      ${answered.length} paid calls, ${charges} charged`)
    assert.deepEqual(differencesOf(record, ledger), [])
    assert.deepEqual([...(await ledgerFaults(db))], [])
    assert.ok(charges > 100)
    await db.close()
  })
})
