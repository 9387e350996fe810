import assert from 'node:assert/strict'
import { connect } from '../../src/core/db/connect.js'
import { makeRoles, newDatabase, type TestDatabase } from '../support/database.js'

describe('the roles of migrations/roles.sql', () => {
  let database: TestDatabase
  before(async () => {
    database = await newDatabase()
  })
  after(() => database.drop())

  it('are not superusers, and may make neither roles nor databases', async () => {
    const rows = await database.db.rows<{ name: string; power: boolean }>(
      `select rolname as name, rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as power
      from pg_roles where rolname like 'frames\\_%' order by 1`,
      [],
    )
    assert.deepEqual(
      [...rows],
      [
        { name: 'frames_analyst', power: false },
        { name: 'frames_console', power: false },
        { name: 'frames_owner', power: false },
        { name: 'frames_service', power: false },
      ],
    )
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
      const rows = await admin.rows<{ name: string; set: boolean }>(
        `select rolname as name, rolpassword like 'SCRAM-SHA-256$%' as set from pg_authid
        where rolname like 'frames\\_%' order by 1`,
        [],
      )
      assert.deepEqual(
        [...rows],
        [
          { name: 'frames_analyst', set: true },
          { name: 'frames_console', set: true },
          { name: 'frames_owner', set: true },
          { name: 'frames_service', set: true },
        ],
      )
    } finally {
      for (const role of ['owner', 'service', 'console', 'analyst'])
        await admin.work(`alter role frames_${role} password null`)
      await admin.close()
    }
  })
})
