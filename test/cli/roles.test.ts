import assert from 'node:assert/strict'
import { connect } from '../../src/core/db/connect.js'
import { migrate } from '../../src/core/db/migrate.js'
import { analystTarget, makeRoles, newDatabase, type TestDatabase } from '../support/database.js'

describe('the roles of migrations/roles.sql', () => {
  let database: TestDatabase
  before(async () => {
    database = await newDatabase()
  })
  after(() => database.drop())

  it('are not superusers, and may make neither roles nor databases', async () => {
    const [row] = await database.db.rows<{ names: string; powerful: number }>(
      `select string_agg(rolname, ' ' order by rolname) as names, count(*) filter
        (where rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls)::int as powerful
      from pg_roles where rolname like 'frames\\_%'`,
      [],
    )
    assert.deepEqual({ ...row }, { names: 'frames_analyst frames_console frames_owner frames_service', powerful: 0 })
  })

  const forbidden = [
    `insert into organisation (org_id, name, plan) values ('org_aaaaaaaaaaaa', 'x', 'trial')`,
    `update api_key set revoked_at = null`,
    'delete from api_key',
    'delete from frame',
    'truncate frame',
    'update index_generation set generation = 0',
    'drop table frame',
    'create table mine (n int)',
    'create schema mine',
    'create temporary table mine (n int)',
    'delete from credit_entry',
    'update account set org_id = org_id',
    'select staging_open()',
    'grant insert on api_key to frames_service with grant option; insert into api_key default values',
    'create role mine',
    `copy frame to program 'cat'`,
    `select pg_read_file('/etc/passwd')`,
    'alter role frames_service superuser',
    'set role frames_owner',
  ]
  it('do not let the service change more, become another role, or reach the machine', async () => {
    const sql = connect(database.target, { connections: 1 })
    try {
      const refusal = /permission denied|must be (owner|superuser)|must have admin/i
      for (const statement of forbidden) await assert.rejects(sql.work(statement), refusal, statement)
    } finally {
      await sql.close()
    }
  })

  it('let nobody migrate who may only read: the message names the role that may', async () => {
    await assert.rejects(
      migrate(analystTarget(database)),
      /^Error: frames_analyst may only read here\. Give the DATABASE_URL of frames_owner/,
    )
  })

  it('are made again without harm, and with the passwords of the environment', async () => {
    const passwords = {
      OWNER_PASSWORD: `it's $ecret`,
      SERVICE_PASSWORD: 'other',
      CONSOLE_PASSWORD: 'third',
      ANALYST_PASSWORD: 'fourth',
    }
    makeRoles(database.adminTarget as string, passwords)
    const admin = connect(database.adminTarget, { connections: 1 })
    try {
      const set = await admin.rows<{ name: string }>(
        `select rolname as name from pg_authid
        where rolname like 'frames\\_%' and rolpassword like 'SCRAM-SHA-256$%' order by 1`,
        [],
      )
      const names = set.map(({ name }) => name)
      assert.deepEqual(names, ['frames_analyst', 'frames_console', 'frames_owner', 'frames_service'])
    } finally {
      for (const role of ['owner', 'service', 'console', 'analyst'])
        await admin.work(`alter role frames_${role} password null`)
      await admin.close()
    }
  })
})
