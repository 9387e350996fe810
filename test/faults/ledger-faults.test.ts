import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { topUp } from '../../src/core/credits/ledger.js'
import { connect, type Database } from '../../src/core/db/connect.js'
import { ledgerFaults } from '../../src/core/db/statements.js'
import { makeRoles } from '../support/database.js'
import { startOnCopy, type PostgresServer } from '../support/postgres-server.js'
import { sample } from '../support/sample.js'
import { newOrganisation } from '../support/service.js'
import { templateName, templates } from '../support/templates.js'
import { seeded } from './seeded.js'

const CHANGES = sample(400, 100_000)
const WORKERS = sample(2, 3)
/** A worker that lives so long makes this many changes. Then another takes its place. */
const LIFE = sample(400, 8000)
const worker = fileURLToPath(new URL('./ledger-worker.js', import.meta.url))

type Fault = 'terminate' | 'kill' | 'restart'
/** The first faults: enough of each, however short the run is. Random ones follow. */
const PLANNED: Fault[] = ['terminate', 'kill', 'restart', 'terminate']
const anyFault = (dice: number): Fault => (dice < 0.6 ? 'terminate' : dice < 0.75 ? 'kill' : 'restart')

type Said = { requestId: string; orgId: string } & (
  | { did: 'top_up'; credits: number }
  | { did: 'charge'; charged: string[] }
  | { did: 'unknown' | 'failed' | 'differs' }
)

describe(`the ledger under ${CHANGES} random changes, with faults`, function () {
  this.timeout(400_000)
  let server: PostgresServer
  let db: Database

  before(async () => {
    server = await startOnCopy(await templates())
    const admin = postgres(server.url('postgres'), { max: 1 })
    await admin.unsafe(`create database ledger template ${templateName('empty')}`)
    await admin.end()
    makeRoles(server.url('ledger'))
    db = connect(server.url('ledger', 'frames_owner'), { connections: 2, deadlineMs: 60_000 })
  })
  after(async () => {
    await db.close()
    await server.stop()
  })

  it('adds up: no overdraft, nothing charged twice, nothing said that is not so, no deadlock', async () => {
    const seed = Math.floor(Math.random() * 1e9)
    const random = seeded(seed)
    console.log(`      seed ${seed}`)
    const orgs = await Promise.all([1, 2, 3, 4].map(() => newOrganisation(db)))
    for (const org of orgs) await topUp(db, org, 200, 'start')

    const said: Said[] = []
    const children = new Set<ChildProcess>()
    const gaveUp: string[] = []
    const faults = { killed: 0, terminated: 0, restarted: 0 }
    const live = (life: number) =>
      new Promise<void>((ended) => {
        const child = spawn(process.execPath, [worker], {
          stdio: ['ignore', 'pipe', 'pipe'],
          env: {
            ...process.env,
            DATABASE: server.url('ledger', 'frames_service'),
            OWNER: server.url('ledger', 'frames_owner'),
            SEED: String(seed + life),
            CHANGES: String(LIFE),
            ORGS: orgs.join(),
          },
        })
        children.add(child)
        let [text, trouble] = ['', '']
        child.stdout.on('data', (data: Buffer) => (text += data.toString()))
        child.stderr.on('data', (data: Buffer) => (trouble += data.toString()))
        child.once('close', (status) => {
          children.delete(child)
          if (status !== null && status !== 0) gaveUp.push(`exit ${status}: ${trouble}`)
          // The last line of a killed process may be incomplete.
          for (const line of text.split('\n').slice(0, -1)) said.push(JSON.parse(line) as Said)
          ended()
        })
      })
    const hasEnoughFaults = () =>
      faults.killed >= sample(1, 2) && faults.terminated > sample(4, 10) && faults.restarted >= sample(1, 2)
    let lives = 0
    const lane = async () => {
      while (said.length < CHANGES || !hasEnoughFaults()) await live((lives += 1))
    }
    const working = { on: true }
    const work = Promise.all(Array.from({ length: WORKERS }, lane)).finally(() => (working.on = false))

    // The workers need time between two faults.
    const admin = postgres(server.url('ledger'), { max: 1, onnotice: () => {} })
    const planned = [...PLANNED]
    while (working.on) {
      await sleep(300 + random() * sample(300, 700))
      // In the suite, faults end when there were enough: each new worker takes seconds of the processor.
      const fault = planned.shift() ?? (hasEnoughFaults() && sample(0, 1) === 0 ? undefined : anyFault(random()))
      if (fault === undefined) continue
      if (fault === 'terminate') {
        const gone = await admin
          .unsafe(
            `select pg_terminate_backend(pid) from pg_stat_activity
            where usename = 'frames_service' and datname = 'ledger' order by random() limit 3`,
          )
          .catch(() => [])
        faults.terminated += gone.length
      } else if (fault === 'kill') {
        const victim = [...children][Math.floor(random() * children.size)]
        if (victim?.kill('SIGKILL')) faults.killed += 1
      } else if (faults.restarted < sample(2, 10)) {
        await server.restart()
        faults.restarted += 1
      }
    }
    await work
    await admin.end({ timeout: 1 })
    db.reconnect()
    console.log(`      ${said.length} changes ended and told, ${JSON.stringify(faults)}`)
    assert.deepEqual(gaveUp, [], 'no process ended but those that were killed')
    assert.ok(said.length >= CHANGES)
    assert.ok(hasEnoughFaults(), JSON.stringify(faults))

    assert.deepEqual([...(await ledgerFaults(db))], [])
    const entries = await db.rows<{ request: string; org: string; kind: string; ref: string; credits: number }>(
      `select request_id as request, org_id as org, kind, ref, credits::int as credits from credit_entry where request_id <> 'start'`,
      [],
    )
    const of = new Map<string, typeof entries>()
    for (const entry of entries) {
      const list = of.get(entry.request) ?? []
      list.push(entry)
      of.set(entry.request, list)
    }
    let [charges, failures] = [0, 0]
    for (const change of said) {
      const made = of.get(change.requestId) ?? []
      assert.ok(made.every(({ org }) => org === change.orgId))
      if (change.did === 'charge') {
        const charged = made.filter(({ kind }) => kind === 'dataset')
        assert.deepEqual(charged.map(({ ref }) => ref).sort(), [...change.charged].sort(), change.requestId)
        for (const { ref, credits } of charged) assert.equal(credits, -Number(ref.split('_').at(-1)))
        assert.ok(!made.some(({ kind }) => kind === 'refund'))
        charges += charged.length
      } else if (change.did === 'top_up') {
        assert.deepEqual(
          made.map(({ kind, credits }) => [kind, credits]),
          [['top_up', change.credits]],
        )
      } else if (change.did === 'differs') {
        assert.fail(`${change.requestId} was charged otherwise when it was sent again`)
      } else if (change.did === 'failed') {
        failures += 1
      }
    }
    assert.ok(charges > CHANGES / 4, `${charges} charges`)
    // The balance after each entry shows that there was no overdraft at any time.
    const [row] = await db.rows<{ lowest: number }>('select min(balance)::int as lowest from credit_statement', [])
    assert.ok((row?.lowest ?? -1) >= 0)
    const [deadlocks] = await db.rows<{ n: number }>(
      'select deadlocks::int as n from pg_stat_database where datname = current_database()',
      [],
    )
    assert.equal(deadlocks?.n, 0)
    console.log(`      ${charges} charges, ${failures} changes failed`)
  })
})
