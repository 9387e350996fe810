import assert from 'node:assert/strict'
import { connect, type Database } from '../../src/core/db/connect.js'
import { analystTarget, type TestDatabase } from '../support/database.js'
import { service } from '../support/service.js'

describe('the role of analysts', () => {
  let analyst: Database
  let database: TestDatabase
  before(() => {
    database = service().database
    analyst = connect(analystTarget(database), { connections: 1 })
  })
  after(() => analyst.close())
  const rows = <Row>(text: string, args: unknown[] = []) => analyst.rows<Row>(text, args)

  it('logs in, reads only, and finds the layers by their names', async () => {
    const [is] = await rows<object>(
      `select current_user as who, current_setting('default_transaction_read_only') as only,
        current_setting('statement_timeout') as timeout, current_setting('search_path') as path, current_setting('jit') as jit`,
    )
    assert.deepEqual(
      { ...is },
      { who: 'frames_analyst', only: 'on', timeout: '2min', path: 'analyst, public', jit: 'off' },
    )
    for (const layer of ['frame', 'state', 'lga', 'ward', 'lyr_population', 'lyr_schools', 'lyr_reserves']) {
      assert.equal((await rows(`select * from ${layer} limit 1`)).length, 1, layer)
    }
  })

  it('may read schema analyst, the styles and the catalogues of PostGIS, and no other table or view, nor a column of one', async () => {
    const readable = await database.db.rows<{ name: string }>(
      `select pg_class.oid::regclass::text as name
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relkind in ('r', 'p', 'v', 'm', 'f', 'S') and nspname !~ '^pg_' and nspname not in ('information_schema', 'analyst')
        and case relkind when 'S' then has_sequence_privilege('frames_analyst', pg_class.oid, 'usage, select')
          else has_any_column_privilege('frames_analyst', pg_class.oid, 'select') end
      order by 1`,
      [],
    )
    assert.deepEqual(
      readable.map(({ name }) => name),
      ['geography_columns', 'geometry_columns', 'layer_styles', 'spatial_ref_sys'],
    )
    const [unreadable] = await database.db.rows<{ n: number }>(
      `select count(*)::int as n from pg_class where relnamespace = 'analyst'::regnamespace and relkind in ('r', 'v', 'm')
        and not has_table_privilege('frames_analyst', oid, 'select')`,
      [],
    )
    assert.equal(unreadable?.n, 0)
  })

  it('may write nothing, make nothing, and is nobody else', async () => {
    const [may] = await database.db.rows<{ writes: string[] | null; makes: boolean; roles: number; owns: number }>(
      `select
        (select array_agg(pg_class.oid::regclass::text || ' ' || privilege)
          from pg_class cross join unnest(array['insert', 'update', 'delete', 'truncate', 'references', 'trigger']) as privilege
          where relkind in ('r', 'p', 'v', 'm', 'f') and relnamespace <> 'pg_catalog'::regnamespace
            and has_table_privilege('frames_analyst', pg_class.oid, privilege)) as writes,
        has_database_privilege('frames_analyst', current_database(), 'create, temporary')
          or has_schema_privilege('frames_analyst', 'public', 'create') or has_schema_privilege('frames_analyst', 'analyst', 'create') as makes,
        (select count(*)::int from pg_auth_members where member = 'frames_analyst'::regrole) as roles,
        (select count(*)::int from pg_class where relowner = 'frames_analyst'::regrole) as owns`,
      [],
    )
    assert.deepEqual({ ...may }, { writes: null, makes: false, roles: 0, owns: 0 })
  })

  it('may call none of the functions that make, change or grant', async () => {
    const callable = await database.db.rows<{ name: string }>(
      `select oid::regprocedure::text as name from pg_proc
      where pronamespace in ('public'::regnamespace, 'analyst'::regnamespace) and provolatile = 'v'
        and prorettype <> 'trigger'::regtype and has_function_privilege('frames_analyst', oid, 'execute')
        and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
      order by 1`,
      [],
    )
    assert.deepEqual(
      callable.map(({ name }) => name),
      ['ledger_clock()'],
    )
  })

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
    'create table mine (n int)',
    'create temporary table mine (n int)',
    'create schema staging',
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
  it('is refused all else, whatever it sets', async () => {
    const refusal =
      /permission denied|must be (owner|superuser)|must have admin|cannot (update|delete from|insert into) view/i
    for (const statement of refused) {
      await analyst.work('set default_transaction_read_only = off')
      await assert.rejects(analyst.work(statement), refusal, statement)
    }
  })

  it('is refused by the setting alone, where it is left on', async () => {
    await analyst.work('set default_transaction_read_only = on')
    await assert.rejects(analyst.work('delete from layer_styles'), /permission denied|read-only transaction/)
  })
})
