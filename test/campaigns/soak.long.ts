/**
 * Holds mixed load on two processes for SOAK_MINUTES (4), one of them with the web app, while datasets are imported:
 * what the processes hold must not grow.
 */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Database } from '../../src/core/db/connect.js'
import { ledgerFaults } from '../../src/core/db/statements.js'
import { projectFolder } from '../../src/core/db/statement.js'
import { seeded } from '../faults/seeded.js'
import { signIn } from '../support/browse.js'
import { framesProcess, startServe, type Started } from '../support/cli.js'
import { newDatabase, postgresServer, urlOf, type TestDatabase } from '../support/database.js'
import { ids } from '../support/datasets.js'
import { freePort } from '../support/postgres-server.js'
import { startRedis, type RedisServer } from '../support/redis-server.js'
import { ask, bearer, mint, newOrganisation, type Minted } from '../support/service.js'
import { newFolder } from '../support/temporary.js'
import { startWordingServer, type WordingServer } from '../support/wording-server.js'
import { callsOf, make, newPayers, pageCalls, withoutWords } from './calls.js'
import { changesOf } from './growth.js'
import { startLoad, type Findings, type Place } from './soak-load.js'
import { boundOf, sampleOf, type Measured } from './soak-samples.js'
import { startStatementCounter, type StatementCounter } from './statement-counter.js'

const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 4)
const SEED = Number(process.env['LONG_SEED'] ?? Math.floor(Math.random() * 1e9))
/** One a minute, and at least two in each sixth. */
const SAMPLES = 6 * Math.max(2, Math.floor(MINUTES / 6))
/** A file that gets all samples. */
const SERIES = process.env['SOAK_SERIES']
const EVERY_MS = (MINUTES * 60_000) / SAMPLES
/** The calls that were under way have ended this long after the load paused. */
const CALM_MS = 1500
const ROOMY = '900000/900000'

describe(`the service under ${MINUTES} minutes of mixed load`, function () {
  this.timeout((2 * MINUTES + 15) * 60_000)
  let database: TestDatabase
  let redis: RedisServer
  let wording: WordingServer
  let counter: StatementCounter
  let admin: Database
  let withApp: Started
  let callsOnly: Started
  let places: Place[]
  let importer: Minted
  const folder = newFolder('soak')
  const temporary = join(folder, 'temporary')
  const findings: Findings = { outcomes: new Map(), wrong: [] }
  const series = new Map<string, number[]>()

  before(async () => {
    mkdirSync(temporary)
    database = await newDatabase('datasets')
    admin = connect(database.adminTarget, { connections: 1, deadlineMs: 60_000 })
    redis = await startRedis()
    wording = await startWordingServer()
    const server = await postgresServer()
    counter = await startStatementCounter(server.port)
    const byCounter = (url: string) => url.replace(`:${server.port}/`, `:${counter.port}/`)
    const env = {
      DATABASE_URL: byCounter(urlOf(database.target)),
      REDIS_URL: redis.url,
      ANTHROPIC_API_KEY: 'test-key',
      ANTHROPIC_BASE_URL: wording.url,
      BUCKET_KEY: ROOMY,
      BUCKET_ORGANISATION: ROOMY,
      BUCKET_INSIGHT: ROOMY,
      BUCKET_ADDRESS: ROOMY,
      LOG_LEVEL: 'warn',
      TMPDIR: temporary,
      SOAK_FOLDER: folder,
      NODE_OPTIONS: `--import=${new URL('dist/test/campaigns/probe.js', projectFolder).href}`,
    }
    const port = await freePort()
    withApp = await startServe({
      ...env,
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      CONSOLE_DATABASE_URL: byCounter(urlOf(database.consoleTarget)),
    })
    callsOnly = await startServe(env)
    importer = await mint(database.db)
    places = await newPlaces()
  })
  after(async () => {
    for (const { child, ended } of [withApp, callsOnly]) {
      child.kill('SIGKILL')
      await ended
    }
    await Promise.all([admin.close(), counter.close(), wording.close(), redis.stop()])
    await database.drop()
  })

  async function newPlaces(): Promise<Place[]> {
    const payers = await newPayers(database.db, 3)
    const reader = await mint(database.db)
    const { secret } = await mint(database.db, { org: await newOrganisation(database.db, 'scale') })
    const calls = withoutWords(callsOf(reader.secret, payers))
    calls.push(...(await pageCalls(withApp.url, reader.secret)))
    for (const call of calls) call.right = await make(withApp.url, call)
    const person = await signIn(withApp.url, database.db, { orgId: payers[0]?.orgId ?? '' })
    return [withApp, callsOnly].map(({ url }, place) => ({
      url,
      calls,
      secret,
      person: place === 0 ? person : undefined,
      random: seeded(SEED + place),
    }))
  }

  const measured = (): Measured => ({
    parts: () => ({
      'with the web app': [withApp.child.pid ?? 0],
      'calls only': [callsOnly.child.pid ?? 0],
    }),
    folder,
    temporary,
    counter,
    admin,
    redis,
  })

  /** The last lines that the services logged: they tell why a call failed. */
  const logged = () => [withApp, callsOnly].map(({ stdout }) => stdout().slice(-3000)).join('\n')

  /** Imports a dataset anew: both services answer with its new values. */
  async function importDataset(turn: number): Promise<void> {
    const file = join(folder, 'rows.csv')
    writeFileSync(file, ['id,turn', ...ids.map((id) => `${id},${turn}`)].join('\n'))
    const words = ['--id', 'lyr_soak', '--name', 'Soak', '--category', 'Physical', '--org', importer.orgId]
    const { status, err } = await framesProcess(['import', 'baseline', file, ...words], {
      DATABASE_URL: urlOf(database.ownerTarget),
    })
    assert.equal(status, 0, err)
    for (const { url } of places) {
      const { text } = await ask(`${url}/v1/frames/data?ids=${ids[0]}`, { headers: bearer(importer.secret) })
      assert.ok(text.includes(`"turn":"${turn}"`), `${text}\n${logged()}`)
    }
  }

  it('answers each call rightly, and holds no more at the end than at the start', async () => {
    console.log(`      seed ${SEED}, ${SAMPLES} samples`)
    const load = startLoad(places, findings)
    const from = performance.now()
    for (let turn = 0; turn < SAMPLES; turn += 1) {
      await importDataset(turn)
      await sleep(Math.max(0, from + (turn + 1) * EVERY_MS - performance.now()))
      await load.pause()
      await sleep(CALM_MS)
      for (const [name, value] of Object.entries(await sampleOf(measured())))
        series.set(name, [...(series.get(name) ?? []), value])
      if (SERIES !== undefined) writeFileSync(SERIES, JSON.stringify(Object.fromEntries(series)))
      load.go()
      for (const { child, stderr } of [withApp, callsOnly])
        assert.equal(child.exitCode, null, `the process ended: ${stderr()}`)
    }
    await load.stop()
    const changes = changesOf(series, boundOf)
    console.log(`      ${JSON.stringify(Object.fromEntries(findings.outcomes))}`)
    const rounded = (value: number) => String(Math.round(value * 10) / 10)
    for (const { name, before, after } of changes)
      console.log(`      | ${[name, rounded(before), rounded(after)].join(' | ')} |`)
    assert.equal(findings.wrong.length, 0, `${findings.wrong.slice(0, 20).join('\n')}\n${logged()}`)
    assert.deepEqual(
      changes.filter(({ grows }) => grows),
      [],
    )
  })

  it('leaves a ledger without a fault', async () => {
    assert.deepEqual([...(await ledgerFaults(database.db))], [])
  })
})
