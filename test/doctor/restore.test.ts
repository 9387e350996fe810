import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { revokeKey, rollKey } from '../../src/core/access/keys.js'
import { connect } from '../../src/core/db/connect.js'
import { projectFolder } from '../../src/core/db/statement.js'
import { framesAt } from '../../src/core/db/statements.js'
import { page, section, shellLines } from '../docs/curls.js'
import { importBaseline } from '../../src/tools/load/import-baseline.js'
import { importFeatures } from '../../src/tools/load/import-features.js'
import { fingerprint, quiet, temporaryFolder } from '../load/files.js'
import { importGrid } from '../load/imports.js'
import { frames } from '../support/cli.js'
import { credit } from '../support/datasets.js'
import { makeRoles, newDatabase, urlOf, type TestDatabase } from '../support/database.js'
import { startPostgres, type PostgresServer } from '../support/postgres-server.js'
import { mint, newOrganisation } from '../support/service.js'
import { doctor } from './patient.js'

/** These checks look at what a dump does not hold. */
const ABOUT_ROLES = ['schema', 'roles', 'strangers'].flatMap((check) => ['--only', check])

describe('a database restored on a server that knew nothing of it', function () {
  this.timeout(180_000)
  const files = temporaryFolder()
  const folder = dirname(files.write('here', ''))
  const lines = (name: string, heading: string) => shellLines(section(page(name), heading))
  const commands = lines('docs/recovery.md', '## Backup and restore')
  let fresh: PostgresServer
  let original: TestDatabase
  before(async () => {
    fresh = await startPostgres()
    original = await newDatabase()
    await importGrid(original.db)
    const entry = { orgId: await newOrganisation(original.db), name: 'Wells', category: 'Physical' }
    const rows = files.write('rows.csv', 'frame,depth\n324378020,12\n324378021,7\n')
    await importBaseline(original.db, rows, { ...entry, layerId: 'lyr_wells' }, quiet)
    const sites = files.write('sites.csv', 'id,lon,lat\na,0.205,0.105\n')
    await importFeatures(original.db, sites, { ...entry, layerId: 'lyr_sites' }, quiet)
    await mint(original.db, { org: entry.orgId })
    await paste(commands[0] ?? '', { DATABASE_URL: urlOf(original.ownerTarget) })
  })
  after(async () => {
    await Promise.all([fresh.stop(), original.drop()])
    files.remove()
  })

  async function paste(line: string, settings: Record<string, string> = {}): Promise<void> {
    const inFolder = line.replace('migrations/', fileURLToPath(new URL('migrations/', projectFolder)))
    const env = { PATH: process.env['PATH'], PGHOST: '127.0.0.1', PGPORT: String(fresh.port), ...settings }
    await promisify(execFile)('sh', ['-c', inFolder], { cwd: folder, env })
  }

  /** The server of the tests is not safe from crashes, on purpose. */
  const reportOn = async (database: string, words = ['--skip', 'settings']) =>
    (await doctor(fresh.url(database, 'frames_owner'), words)).report

  /** How a role that has nothing to do with the database fares. */
  async function connecting(database: string, role: string): Promise<string> {
    const db = connect(fresh.url(database, role), { connections: 1 })
    try {
      await framesAt(db, [0.205], [0.105])
      return 'answered'
    } catch (error) {
      return (error as Error).message
    } finally {
      await db.close()
    }
  }

  it('has all that was in it, and is open to everyone until the documented commands were run in it, as the doctor says', async () => {
    const isRoles = (line: string) => line.includes('roles.sql')
    makeRoles(fresh.url('postgres'))
    const admin = connect(fresh.url('postgres'), { connections: 1 })
    await admin.work('create role stranger login')
    await admin.close()
    for (const line of commands.slice(1, -1).filter((each) => !isRoles(each))) await paste(line)
    assert.match(await connecting('frames_again', 'stranger'), /permission denied for table frame$/)
    const [forgotten, ...others] = (await reportOn('frames_again', ABOUT_ROLES)).findings
    assert.deepEqual(others, [])
    assert.equal(
      forgotten?.what,
      'Every role of this server may connect, make temporary tables in database frames_again.',
    )
    assert.match(forgotten.fix, /\nrevoke all on database frames_again from public;$/)

    for (const line of commands.slice(commands.findLastIndex(isRoles))) await paste(line)
    assert.match(await connecting('frames_again', 'stranger'), /permission denied for database "frames_again"/)
    assert.equal(await connecting('frames_again', 'frames_service'), 'answered')
    const { findings, unchecked } = await reportOn('frames_again')
    assert.deepEqual([findings, unchecked], [[], []])
    const again = connect(fresh.url('frames_again'), { connections: 1 })
    try {
      assert.equal(await fingerprint(again), await fingerprint(original.db))
      for (const table of ['api_key', 'baseline_row', 'feature', 'unit_total', 'credit_entry']) {
        const hash = `select md5(string_agg(each::text, '|' order by each::text collate "C")) as hash from ${table} as each`
        assert.deepEqual(await again.rows(hash, []), await original.db.rows(hash, []), table)
      }
    } finally {
      await again.close()
    }
  })

  it('is told what it lacks by the lines of the page: revocations, rolls, charges, top-ups, and no more', async () => {
    const { db } = original
    const org = await newOrganisation(db)
    const [revoked, rolled] = [await mint(db, { org }), await mint(db, { org })]
    await credit(db, org, 10)
    await revokeKey(db.run, revoked.keyId)
    const next = await db.change('tests: roll', (run) => rollKey(run, rolled, { days: 30, grace: '1h' }))
    await db.rows(`select call_charge($1, $2, 'request 1', '{lyr_wells}', '{3}')`, [org, rolled.keyId])
    const finding = lines('docs/recovery.md', '## What a restore or a failover loses')
    await paste(`${finding.join('\n')} > lacking.txt`, {
      DATABASE_URL: fresh.url('frames_again', 'frames_owner'),
      LOST_DATABASE_URL: urlOf(original.ownerTarget),
    })
    const lacking = readFileSync(join(folder, 'lacking.txt'), 'utf8').trim().split('\n')
    const due = [
      `dataset|${rolled.keyId}|${org}|request 1 lyr_wells -3`,
      `minted|${revoked.keyId}|${org}|`,
      `minted|${rolled.keyId}|${org}|`,
      `revoked|${revoked.keyId}|${org}|`,
      `revoked|${rolled.keyId}|${org}|`,
      `rolled|${next.keyId}|${org}|${rolled.keyId}`,
      `top_up||${org}|test  10`,
    ]
    // The ids of keys are random, and decide the order.
    assert.deepEqual(lacking.map((line) => line.replace(/test \d+/, 'test')).sort(), due.sort())
  })

  it('is owned by frames_owner where another role restored it, once that script was run', async () => {
    await paste('createdb -h "$PGHOST" -p "$PGPORT" -U postgres handed_over')
    await paste(
      'pg_restore -h "$PGHOST" -p "$PGPORT" -U postgres -d handed_over --no-owner --no-privileges frames.dump',
    )
    makeRoles(fresh.url('handed_over'))
    await paste(`psql -X -h "$PGHOST" -p "$PGPORT" -U postgres -d handed_over -c 'vacuum (analyze)'`)
    const migrated = await frames(['migrate'], { DATABASE_URL: fresh.url('handed_over', 'frames_owner') })
    assert.equal(migrated.status, 0, migrated.err)
    assert.deepEqual((await reportOn('handed_over', ABOUT_ROLES)).findings, [])
    assert.equal(await connecting('handed_over', 'frames_service'), 'answered')
    assert.match(await connecting('handed_over', 'stranger'), /permission denied for database "handed_over"/)
  })

  it('becomes a server with a replica, by the lines of the page about replicas', async () => {
    const made = lines('docs/replicas.md', '## Set up').filter((line) => /^(psql|pg_basebackup) /.test(line))
    assert.equal(made.length, 2)
    for (const line of made) await paste(line)
    const inReplica = (name: string) => join(folder, 'replica', name)
    assert.ok(existsSync(inReplica('standby.signal')))
    assert.match(readFileSync(inReplica('postgresql.auto.conf'), 'utf8'), /primary_conninfo.*frames_replica/)
  })
})
