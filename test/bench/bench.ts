/**
 * Measures the service beside the bare statements that it runs: npm run bench. README.md in this folder explains it.
 * It ends with status 1 when a target is missed, unless --quick is given.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connect, type Database } from '../../src/core/db/connect.js'
import { migrate } from '../../src/core/db/migrate.js'
import { makeRoles } from '../support/database.js'
import { startPostgres, type PostgresServer } from '../support/postgres-server.js'
import { startRedis, type RedisServer } from '../support/redis-server.js'
import { bulkRow } from './bulk.js'
import type { Machinery } from './contest.js'
import { fixtureCountry, nationalCountry } from './country.js'
import { embeddedRow } from './embedded.js'
import { enrich } from './enrich.js'
import { figuresRow } from './figures.js'
import { firstViewRow } from './first-view.js'
import { fleetRows } from './fleet.js'
import { growthRows, HUGE, LARGE, SIZES } from './growth.js'
import { indexRows } from './indexes.js'
import { needWrk } from './load.js'
import { memoryRows } from './memory.js'
import { BASELINES, fill, POINTS } from './national-data.js'
import { planRow } from './plans.js'
import { boxesOf5000, idLists, mintKeys, pagesOfLargest, pointsIn, wholeSquares } from './questions.js'
import { commit, compared, machine, readRun, say, table, tell, writeRun, type Row } from './report.js'
import { loadRows as rowsOfCalls, type Asked } from './rows.js'
import { startService, thisProject, type Service } from './servers.js'
import { tileRows } from './tiles.js'
import { totalsRow } from './totals.js'
import { viewsRow } from './views.js'

const USAGE = `npm run bench -- [--quick] [--wards FILE] [--only at,box] [--large] [--huge] [--seconds N] [--rounds N] [--against CHECKOUT] [--out FILE]
npm run bench -- --compare A.json B.json`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    wards: { type: 'string' },
    only: { type: 'string' },
    large: { type: 'boolean', default: false },
    huge: { type: 'boolean', default: false },
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    against: { type: 'string' },
    out: { type: 'string', default: join(thisProject, '.bench/last.json') },
    compare: { type: 'boolean', default: false },
  },
})
const loadRows = [...rowsOfCalls, enrich]
const only = values.only?.split(',')
const KEYS = [
  ...loadRows.map(({ key }) => key),
  'tiles',
  'plans',
  'indexes',
  'totals',
  'figures',
  'views',
  'bulk',
  'growth',
  'fleet',
  'memory',
  'embedded',
  'map',
]

/** A quick run makes findings with a long setup only if the command names them. */
const wants = (key: string, isLong = false) => only?.includes(key) ?? !(isLong && values.quick)

async function main(): Promise<number> {
  if (values.compare) {
    const [one, other] = positionals
    if (one === undefined || other === undefined) throw new Error(USAGE)
    say(compared(readRun(one), readRun(other)))
    return 0
  }
  const unknown = only?.find((key) => !KEYS.includes(key))
  if (unknown !== undefined) throw new Error(`--only: "${unknown}" is not a row; ${KEYS.join(', ')} are.`)
  await needWrk()
  const folder = mkdtempSync(join(tmpdir(), 'frames-bench-'))
  const server = await startPostgres({ shared_buffers: values.quick ? '256MB' : '1GB', max_wal_size: '4GB' })
  const redis = await startRedis()
  try {
    return await measure(folder, server, redis)
  } finally {
    await redis.stop()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(folder: string, server: PostgresServer, redis: RedisServer): Promise<number> {
  const database = newDatabaseOn(server, redis)
  const { ownerUrl, serviceUrl, consoleUrl } = await database('bench')
  const db = connect(ownerUrl, { connections: 3, deadlineMs: 3_600_000 })
  const country = values.quick ? fixtureCountry() : nationalCountry(values.wards, folder)
  tell(`country: ${country.name}`)
  const pace = values.quick
    ? { seconds: 1, rounds: 1, clients: [10] }
    : { seconds: 5, rounds: 3, clients: [2, 4, 10, 20] }
  const machinery: Machinery = {
    databaseUrl: serviceUrl,
    databasePid: server.pid(),
    redisPid: redis.pid(),
    folder,
    pace: { ...pace, seconds: Number(values.seconds ?? pace.seconds), rounds: Number(values.rounds ?? pace.rounds) },
  }
  const rows = await fill(db, country, folder, { isNational: !values.quick })
  const env = { DATABASE_URL: serviceUrl, REDIS_URL: redis.url }
  const asked = await ask(db)
  const services: Service[] = []
  try {
    const service = await startService(env, folder)
    services.push(service)
    const against = values.against === undefined ? undefined : await startService(env, folder, values.against)
    if (against) services.push(against)
    for (const { key, measure: measureRow } of loadRows.filter((row) => wants(row.key))) {
      tell(`measuring ${key}`)
      rows.push(await measureRow({ machinery, service, against, asked }))
    }
  } finally {
    for (const service of services) await service.stop()
  }
  if (wants('tiles')) {
    const { squares, keys } = asked
    rows.push(
      ...(await tileRows({
        machinery,
        db,
        squares,
        orgId: keys.orgId,
        env: { ...env, CONSOLE_DATABASE_URL: consoleUrl },
      })),
    )
  }
  if (!values.quick && wants('plans')) rows.push(await planRow(db))
  if (wants('indexes', true)) rows.push(...(await indexRows(db, asked)))
  if (wants('totals')) rows.push(await totalsRow(db, folder))
  if (wants('figures')) rows.push(await figuresRow(db, folder))
  if (wants('views')) rows.push(await viewsRow(db, folder))
  if (wants('bulk')) rows.push(await bulkRow(db, folder))
  if (wants('fleet', true)) {
    rows.push(...(await fleetRows({ machinery, serviceUrl, redis, db, points: asked.points, keys: asked.keys })))
  }
  if (wants('memory', true))
    rows.push(...(await memoryRows(machinery, env, asked, { few: 10_000, many: 100_000, more: 200_000 })))
  if (wants('embedded', true)) rows.push(await embeddedRow(machinery))
  if (wants('map', true)) rows.push(await firstViewRow(machinery, values.against))
  if (wants('growth', true)) rows.push(...(await growthRows(machinery, growthSizes(), database)))
  await db.close()
  return conclude(rows, country.name)
}

const growthSizes = () => [...SIZES, ...(values.large || values.huge ? [LARGE] : []), ...(values.huge ? [HUGE] : [])]

function conclude(rows: Row[], country: string): number {
  const run = { at: new Date().toISOString(), machine: machine(), country, commit: commit(thisProject), rows }
  writeRun(run, values.out)
  say(`${run.machine}; ${country}; commit ${run.commit}; ${run.at}\n\n${table(rows)}\n`)
  const missed = rows.flatMap(({ findings }) => findings).filter(({ met }) => met === false).length
  say(`${missed === 0 ? 'Every target is met' : `${missed} targets are not met`}. Written to ${values.out}`)
  return missed === 0 || values.quick ? 0 : 1
}

const newDatabaseOn = (server: PostgresServer, redis: RedisServer) =>
  Object.assign(
    async (name: string) => {
      const admin = connect(server.url('postgres'), { connections: 1 })
      await admin.work(`create database ${name}`)
      await admin.close()
      makeRoles(server.url(name))
      const ownerUrl = server.url(name, 'frames_owner')
      await migrate(ownerUrl)
      return {
        ownerUrl,
        serviceUrl: server.url(name, 'frames_service'),
        consoleUrl: server.url(name, 'frames_console'),
      }
    },
    { redisUrl: redis.url },
  )

async function ask(db: Database): Promise<Asked> {
  tell('drawing what is asked')
  const squares = await wholeSquares(db, 100)
  return {
    keys: await mintKeys(db, 'locality', 10_000),
    analysts: await mintKeys(db, 'analyst', 100),
    readers: await mintKeys(db, 'full-read', 100),
    squares,
    points: pointsIn(squares, 20_000),
    boxes: await boxesOf5000(db, 20),
    pages: await pagesOfLargest(db),
    ids: await idLists(db, 100, 100),
    fifties: await idLists(db, 100, 50),
    baselines: BASELINES,
    features: POINTS,
  }
}

try {
  process.exitCode = await main()
} catch (error) {
  tell(error instanceof Error ? (error.stack ?? error.message) : String(error))
  process.exitCode = 1
}
