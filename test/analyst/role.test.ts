import assert from 'node:assert/strict'
import { connect, type Database } from '../../src/core/db/connect.js'
import { analystTarget, newDatabase, newLogin, type TestDatabase } from '../support/database.js'
import { service } from '../support/service.js'

// The role reads only by a setting, which anyone may turn off: what it may do does not rest on that.
const refused = [
  'select * from api_key',
  'select secret_hash from public.api_key',
  'select * from organisation',
  'select * from account',
  'select * from credit_entry',
  'select * from credit_statement',
  'select * from licence',
  'select * from worded_use',
  'select * from public.frame',
  'select * from baseline_row',
  'select * from baseline',
  'table migration',
  `update analyst.frame set state = 'X'`,
  'delete from analyst.lyr_schools',
  `insert into analyst.state (id) values (1)`,
  `insert into layer_styles (stylename) values ('mine')`,
  'update layer_styles set useasdefault = false',
  'drop view analyst.frame',
  'create or replace view analyst.frame as select 1 as id',
  'create view analyst.mine as select 1',
  'create table public.mine (n int)',
  'create schema staging',
  `select lo_creat(-1), lo_create(0)`,
  `select lo_from_bytea(0, 'mine')`,
  'select pg_advisory_lock(4170003)',
  'select pg_try_advisory_lock(4170003)',
  'select pg_try_advisory_xact_lock_shared(417, 3)',
  `select service_may('frames_analyst')`,
  `select analyst_may('frames_analyst')`,
  'select analyst_views()',
  `select analyst_dataset('lyr_population')`,
  'select staging_open()',
  'select staging_close()',
  `select staging_switch('mine')`,
  'select intake_open()',
  `select staging_index('frame')`,
  'grant select on api_key to frames_analyst',
  'set role frames_owner',
  'set role frames_service',
  'alter role frames_analyst superuser',
  `copy (select 1) to program 'cat'`,
  `select pg_read_file('/etc/passwd')`,
  'do $$ begin lock table analyst.frame; end $$',
]
const REFUSAL =
  /permission denied|must be (owner|superuser)|must have admin|cannot (update|delete from|insert into) view/i

async function refusesEach(analyst: Database, statements: readonly string[]): Promise<void> {
  for (const statement of statements) {
    await analyst.work('set default_transaction_read_only = off')
    await assert.rejects(analyst.work(statement), REFUSAL, statement)
  }
}

describe('the role of analysts', () => {
  let analyst: Database
  before(() => {
    analyst = connect(analystTarget(service().database), { connections: 1 })
  })
  after(() => analyst.close())

  it('is refused all else, whatever it sets', async () => {
    await refusesEach(analyst, [...refused, 'create table mine (n int)', 'create temporary table mine (n int)'])
  })

  it('is refused by the setting alone, where it is left on', async () => {
    await analyst.work('set default_transaction_read_only = on')
    await assert.rejects(analyst.work('delete from layer_styles'), /permission denied|read-only transaction/)
  })
})

describe('the login of one analyst', () => {
  let database: TestDatabase
  let login: Database
  before(async () => {
    database = await newDatabase('datasets')
    newLogin(database, 'ada')
    login = connect(newLogin(database, 'ada'), { connections: 1 })
  })
  after(async () => {
    await login.close()
    await database.drop()
  })

  it('has the settings and the right to read of the role, a number of connections, and may be made twice', async () => {
    const [row] = await login.rows<Record<string, string | boolean | number>>(
      `select current_setting('search_path') as path, current_setting('jit') as jit, current_setting('statement_timeout') as statement,
        current_setting('idle_in_transaction_session_timeout') as idle, current_setting('default_transaction_read_only') as only,
        (select rolconnlimit from pg_roles where rolname = current_user) as connections,
        (select string_agg(roleid::regrole::text, ' ') from pg_auth_members where member = current_user::regrole) as groups`,
      [],
    )
    const settings = { path: '"$user", analyst, public', jit: 'off', statement: '2min', idle: '5min', only: 'off' }
    assert.deepEqual({ ...row }, { ...settings, connections: 10, groups: 'frames_analyst' })
  })

  it('is refused all that the role is refused, but for tables of its own', async () => {
    await refusesEach(login, refused)
  })

  it('joins tables of its own with the views and the functions, and the owner of the index reads and drops them', async () => {
    await login.work(
      `create table well as select frame_id, 'well' as name from analyst.frame where lga = 'LAKESIDE' limit 9`,
    )
    const [joined] = await login.transaction(async (run) => {
      await run('create temporary table deep as select * from well', [])
      return await run<{ n: number }>(
        `select count(*)::int as n from deep join well using (frame_id) join lyr_population using (frame_id)
        join frames_where('{unit,marembe}', '{"of": "lyr_population", "name": "pop_demest26", "recorded": true}') using (frame_id)`,
        [],
      )
    })
    assert.equal(joined?.n, 9)
    const [where] = await database.db.rows<{ owner: string; n: number }>(
      `select (select relowner::regrole::text from pg_class where oid = 'ada.well'::regclass) as owner, count(*)::int as n from ada.well`,
      [],
    )
    assert.deepEqual({ ...where }, { owner: 'ada', n: 9 })
    await database.db.work('drop table ada.well')
  })

  it('is not made of another role, nor of the name of another schema', () => {
    for (const name of ['frames_owner', 'frames_analyst', 'postgres', 'analyst', 'public'])
      assert.throws(() => newLogin(database, name), /already: choose another name/, name)
  })
})
