import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { connect } from '../../src/core/db/connect.js'
import { projectFolder } from '../../src/core/db/statement.js'
import { framesAt } from '../../src/core/db/statements.js'
import type { Report } from '../../src/core/doctor/examine.js'
import { blocks, page, section } from '../docs/curls.js'
import { temporaryFolder } from '../load/files.js'
import { frames } from '../support/cli.js'
import { makeRoles, newDatabase, urlOf } from '../support/database.js'
import { startPostgres, type PostgresServer } from '../support/postgres-server.js'

describe('a database restored on a server that knew nothing of it', function () {
  this.timeout(180_000)
  const files = temporaryFolder()
  const commands = blocks(section(page('docs/recovery.md'), '## Backup and restore'), 'sh').flatMap((block) =>
    block.split('\n').filter((line) => /^(pg_dump|createdb|pg_restore|psql) /.test(line)),
  )
  let fresh: PostgresServer
  before(async () => {
    fresh = await startPostgres({ fsync: 'on' })
    await dump('frames')
  })
  after(async () => {
    await fresh.stop()
    files.remove()
  })

  async function dump(filling: 'frames' | 'datasets'): Promise<void> {
    const original = await newDatabase(filling)
    await paste(commands[0] ?? '', { DATABASE_URL: urlOf(original.ownerTarget) })
    await original.drop()
  }

  async function paste(line: string, settings: Record<string, string> = {}): Promise<void> {
    const inFolder = line.replace('migrations/', fileURLToPath(new URL('migrations/', projectFolder)))
    const env = { PATH: process.env['PATH'], PGHOST: '127.0.0.1', PGPORT: String(fresh.port), ...settings }
    await promisify(execFile)('sh', ['-c', inFolder], { cwd: files.write('here', '').replace(/here$/, ''), env })
  }

  async function doctor(database: string): Promise<Report> {
    const ran = await frames(['doctor', '--json'], { DATABASE_URL: fresh.url(database, 'frames_owner') })
    assert.notEqual(ran.out, '', ran.err)
    return JSON.parse(ran.out) as Report
  }

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

  it('is open to everyone and has no statistics until the documented commands were run in it, and the doctor says so', async () => {
    const isRoles = (line: string) => line.includes('roles.sql')
    makeRoles(fresh.url('postgres'))
    const admin = connect(fresh.url('postgres'), { connections: 1 })
    await admin.work('create role stranger login')
    await admin.close()
    for (const line of commands.slice(1, -1).filter((each) => !isRoles(each))) await paste(line)
    assert.match(await connecting('frames_again', 'stranger'), /permission denied for table frame$/)
    const { findings } = await doctor('frames_again')
    const wrong = findings.filter(({ severity }) => severity === 'wrong').map(({ check }) => check)
    // A dump has no statistics: the last line of the page gathers them.
    assert.deepEqual(new Set(wrong), new Set(['statistics', 'strangers']))
    const forgotten = findings.find(({ check }) => check === 'strangers')
    assert.equal(
      forgotten?.what,
      'Every role of this server may connect, make temporary tables in database frames_again.',
    )
    assert.match(forgotten.fix, /\nrevoke all on database frames_again from public;$/)

    for (const line of commands.slice(commands.findLastIndex(isRoles))) await paste(line)
    assert.match(await connecting('frames_again', 'stranger'), /permission denied for database "frames_again"/)
    assert.equal(await connecting('frames_again', 'frames_service'), 'answered')
    const report = await doctor('frames_again')
    assert.ok(report.ok, JSON.stringify(report.findings))
    assert.deepEqual([...new Set(report.findings.map(({ check }) => check))], ['settings', 'statement_statistics'])
    assert.deepEqual(report.unchecked, [])
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
    const report = await doctor('handed_over')
    assert.ok(report.ok, JSON.stringify(report.findings))
    assert.equal(await connecting('handed_over', 'frames_service'), 'answered')
    assert.match(await connecting('handed_over', 'stranger'), /permission denied for database "handed_over"/)
  })

  it('is well after the documented commands, in their order, with its datasets', async () => {
    await dump('datasets')
    for (const line of commands.slice(1)) await paste(line.replaceAll('frames_again', 'as_documented'))
    const report = await doctor('as_documented')
    assert.ok(report.ok, JSON.stringify(report.findings))
    assert.match(await connecting('as_documented', 'stranger'), /permission denied for database "as_documented"/)
  })
})
