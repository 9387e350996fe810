/** Breaks of the tables, functions and views themselves. */
import { breaksOf } from './break.js'

export const schemaBreaks = breaksOf({
  versions: [
    [
      'a database that was never migrated',
      'alter table migration rename to migration_elsewhere',
      /^This database was never migrated\.$/,
      { fix: /^npm run -s frames -- migrate$/, undo: 'alter table migration_elsewhere rename to migration' },
    ],
  ],
  migrations: [
    [
      'a pending migration',
      "update migration set name = '004_elsewhere' where name = '004_credits'",
      /^Migration 004_credits is pending\.$/,
      {
        fix: /^npm run -s frames -- migrate$/,
        undo: "update migration set name = '004_credits' where name = '004_elsewhere'",
      },
    ],
    [
      'a migration of a newer program',
      "insert into migration (name, run_on) values ('999_new', now())",
      /^Migration 999_new was run by another version/,
      { severity: 'advice', fix: /^-- Run the newest version/, undo: "delete from migration where name = '999_new'" },
    ],
  ],
  tables_changed: [
    [
      'a table that is missing',
      'alter table frame_run rename to frame_run_elsewhere',
      /^Table frame_run is missing\.$/,
      {
        fix: /^-- No statement brings its rows back: restore the database from a backup\.$/,
        undo: 'alter table frame_run_elsewhere rename to frame_run',
      },
    ],
    [
      'a column that is missing',
      'alter table licence rename price to cost',
      /^Column price of licence is missing\.$/,
      { fix: /^-- No statement brings its rows back/, undo: 'alter table licence rename cost to price' },
    ],
    [
      'a column that may be null',
      'alter table credit_entry alter credits drop not null',
      /^Column credits of credit_entry may be null, and the migrations make it "not null"\.$/,
    ],
    [
      'a table of another owner',
      'create role stranger_of_tables; alter table licence owner to stranger_of_tables',
      /^Table licence belongs to stranger_of_tables, and table migration to \w+, who can neither change nor replace it\.$/,
      { asAdmin: true, isAlone: true },
    ],
  ],
  views_changed: [
    [
      'a view with another body',
      'create or replace view baseline as select layer_id, frame_id, recorded from dataset join baseline_row using (version) where frame_id > 0',
      /^View baseline differs from the migrations: /,
    ],
    ['a view that is missing', 'drop view credit_statement', /^View credit_statement is missing\.$/],
  ],
  constraints_missing: [
    [
      'a rule that says something else',
      'alter table account drop constraint balance_not_negative; alter table account add constraint balance_not_negative check (balance >= -100)',
      /^Constraint balance_not_negative of account differs from the migrations: CHECK/,
    ],
    [
      'a rule that is missing',
      'alter table account drop constraint balance_not_negative',
      /^Constraint balance_not_negative of account is missing\.$/,
    ],
    [
      'a reference that is missing',
      'alter table licence drop constraint licence_layer_id_fkey',
      /^Constraint licence_layer_id_fkey of licence is missing\.$/,
    ],
    [
      'a rule that was never held against the rows',
      'alter table account drop constraint balance_not_negative; alter table account add constraint balance_not_negative check (balance >= 0) not valid',
      /does not hold for rows from before it/,
    ],
  ],
  indexes_missing: [
    [
      'a primary key that is missing',
      'alter table frame_run drop constraint frame_run_pkey',
      /^Index frame_run_pkey of frame_run is missing\.$/,
    ],
    [
      'an index that is missing',
      'drop index frame_geom_idx',
      /^Index frame_geom_idx of frame is missing\.$/,
      { isAlone: true },
    ],
    [
      'an index over other columns',
      'drop index frame_state_frame_id_idx; create index frame_state_frame_id_idx on frame (state)',
      /^Index frame_state_frame_id_idx of frame differs from the migrations: CREATE INDEX frame_state_frame_id_idx ON frame USING btree \(state\)$/,
    ],
    [
      'a unique index over other columns',
      'alter table credit_entry drop constraint credit_entry_once; alter table credit_entry add constraint credit_entry_once unique (entry_id, request_id)',
      /^Index credit_entry_once of credit_entry differs from the migrations: UNIQUE \(entry_id, request_id\)$/,
    ],
  ],
  triggers_missing: [
    [
      'a ledger that may be rewritten',
      'alter table credit_entry disable trigger credit_entry_append_only',
      /^Trigger credit_entry_append_only of credit_entry is switched off\.$/,
    ],
    ['a ledger without its trigger', 'drop trigger credit_entry_append_only on credit_entry', /is missing\.$/],
  ],
  functions_changed: [
    [
      'a function in PL/pgSQL that was changed',
      `create or replace function refuse_change() returns trigger language plpgsql as 'begin return null; end'`,
      /^Function refuse_change differs from its file in sql\/functions\/\.$/,
    ],
    [
      'a function in SQL that was changed',
      'create or replace function ledger_clock() returns timestamptz language sql volatile return now()',
      /^Function ledger_clock differs/,
    ],
    [
      'a function that runs with the rights of its owner',
      'alter function plain_number(text) security definer',
      /^Function plain_number differs/,
    ],
    [
      'a function that is missing, which others call',
      'drop function analyst_name(text) cascade',
      /^Function analyst_name is missing\.$/,
      { fix: /^create or replace function analyst_name\(name text\)/, isAlone: true },
    ],
    [
      'a function that is missing',
      'drop function staging_close()',
      /^Function staging_close is missing\.$/,
      { fix: /comment on function staging_close\(\) is[\s\S]*revoke execute on function staging_close from public;$/ },
    ],
  ],
  public_schema: [
    [
      'a schema where anyone may make functions',
      'grant create on schema public to public',
      /^Anyone may create objects in schema public\.$/,
    ],
  ],
  srid: [
    [
      'coordinates of another reference system',
      'alter table frame_run alter extent type geometry(Geometry, 3857) using ST_SetSRID(extent, 3857)',
      /^frame_run\.extent holds coordinates of SRID 3857, 4326 is needed\.$/,
      { isAlone: true },
    ],
  ],
})
