/** Breaks of the tables, functions and views themselves. */
import { breaksOf } from './break.js'

export const schemaBreaks = breaksOf({
  versions: [
    [
      'a database that was never migrated',
      'alter table migration rename to migration_elsewhere',
      /^This database was never migrated\.$/,
      {
        fix: /^-- In a shell:\nnpm run -s frames -- migrate$/,
        undo: 'alter table migration_elsewhere rename to migration',
        isAlone: true,
      },
    ],
  ],
  migrations: [
    [
      'a pending migration',
      "delete from migration where name = '004_credits'",
      /^Migration 004_credits is pending\.$/,
      {
        fix: /^-- In a shell:\nnpm run -s frames -- migrate$/,
        undo: "insert into migration (name, run_on) values ('004_credits', now())",
      },
    ],
    [
      'a migration of a newer program',
      "insert into migration (name, run_on) values ('999_new', now())",
      /^Migration 999_new was run by another version/,
      { severity: 'advice', fix: /^-- Run the newest version/, undo: "delete from migration where name = '999_new'" },
    ],
  ],
  schema: [
    [
      'a table that is missing',
      'alter table frame_run rename to frame_run_elsewhere',
      /^Table frame_run is missing\.$/,
      {
        fix: /^-- No statement brings its rows back: restore the database from a backup\.$/,
        undo: 'alter table frame_run_elsewhere rename to frame_run',
        isAlone: true,
      },
    ],
    [
      'a column of another name',
      'alter table licence rename price to cost',
      /^Column price of licence is missing, and column cost, which may be the same, is there\.$/,
    ],
    [
      'a function that is missing, which others call',
      'drop function analyst_name(text) cascade',
      /^Function analyst_name is missing\.$/,
      { fix: /^create or replace function analyst_name\(name text\)/, isAlone: true },
    ],
    [
      'a column that may be null',
      'alter table credit_entry alter credits drop not null',
      /^Column credits of credit_entry may be null, and the migrations make it "not null"\.$/,
    ],
    [
      'a column that may no longer be null',
      'alter table passkey alter used_at set not null',
      /^"not null" of column used_at of passkey is not of the migrations\.$/,
    ],
    [
      'a default that is missing',
      'alter table key_event alter entered_at drop default',
      /^The default of column entered_at of key_event is missing\.$/,
    ],
    [
      'a default that says something else',
      "alter table dataset alter synonyms set default '{x}'",
      /^The default of column synonyms of dataset differs from the migrations: '\{x\}'::text\[\]$/,
    ],
    [
      'a column of another type',
      'alter table worded_hold alter request_id type varchar(30)',
      /^Column request_id of worded_hold is character varying\(30\), the migrations make it text\.$/,
    ],
    [
      'coordinates of another reference system',
      'alter table frame_run alter extent type geometry(Geometry, 3857) using ST_SetSRID(extent, 3857)',
      /^Column extent of frame_run is geometry\(Geometry,3857\), the migrations make it geometry\(Geometry,4326\)\.$/,
    ],
    [
      'a column of others',
      'alter table state add column note text',
      /^Column note of state is not of the migrations\.$/,
      { severity: 'advice' },
    ],
    [
      'a column without statistics',
      'alter table frame alter geom set statistics 0',
      /^Column geom of frame has no statistics \(target 0\)/,
    ],
    [
      'a table of another owner',
      'create role stranger_of_tables; alter table voided_call owner to stranger_of_tables',
      /^Table voided_call belongs to stranger_of_tables, and table migration to \w+, who can neither change nor replace it\.$/,
    ],
    [
      'a view with another body',
      'create or replace view baseline as select layer_id, frame_id, recorded from dataset join baseline_row using (version) where frame_id > 0',
      /^View baseline differs from the migrations: /,
    ],
    ['a view that is missing', 'drop view credit_statement', /^View credit_statement is missing\.$/],
    [
      'a view of others',
      'create view people_seen as select * from person',
      /^View people_seen is not of the migrations/,
      { severity: 'advice' },
    ],
    ['a view of analysts that is missing', 'drop view analyst.ward', /^View analyst\.ward is missing\.$/],
    [
      'a view of analysts that reads with their rights',
      'alter view analyst.lyr_population set (security_invoker = on)',
      /^View analyst\.lyr_population reads its tables with the rights of its caller/,
    ],
    [
      'a view of analysts of another owner',
      'create role stranger_of_views; alter view analyst.lyr_terrain owner to stranger_of_views',
      /^View analyst\.lyr_terrain belongs to stranger_of_views/,
    ],
    [
      'a rule that says something else',
      'alter table account drop constraint balance_not_negative; alter table account add constraint balance_not_negative check (balance >= -100)',
      /^Constraint balance_not_negative of account differs from the migrations: CHECK/,
    ],
    [
      'a rule that is missing',
      'alter table unit drop constraint unit_level_known',
      /^Constraint unit_level_known of unit is missing\.$/,
    ],
    [
      'a rule of others',
      'alter table account add constraint at_most check (balance < 1000000000)',
      /^Constraint at_most of account is not of the migrations\.$/,
    ],
    [
      'a reference that is missing',
      'alter table licence drop constraint licence_layer_id_fkey',
      /^Constraint licence_layer_id_fkey of licence is missing\.$/,
    ],
    [
      'a reference that nothing holds',
      'alter table passkey disable trigger all',
      /^Constraint passkey_person_id_fkey of passkey is switched off: its triggers are disabled\.$/,
    ],
    [
      'a rule that was never held against the rows',
      "alter table property drop constraint property_type_known; alter table property add constraint property_type_known check (type in ('number', 'category')) not valid",
      /^Constraint property_type_known of property does not hold for rows from before it/,
    ],
    [
      'a primary key that is missing',
      'alter table frame_unit drop constraint frame_unit_pkey',
      /^Index frame_unit_pkey of frame_unit is missing\.$/,
    ],
    ['an index that is missing', 'drop index feature_geom_idx', /^Index feature_geom_idx of feature is missing\.$/],
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
    [
      'an index of ours that is invalid',
      "update pg_index set indisvalid = false where indexrelid = 'frame_state_lga_frame_id_idx'::regclass",
      /^Index frame_state_lga_frame_id_idx of frame is invalid/,
    ],
    [
      'a ledger that may be rewritten',
      'alter table credit_entry disable trigger credit_entry_append_only',
      /^Trigger credit_entry_append_only of credit_entry is switched off\.$/,
      { subject: 'ledger' },
    ],
    [
      'events without their trigger',
      'drop trigger session_events on session',
      /^Trigger session_events of session is missing\.$/,
    ],
    [
      'a trigger of others',
      'create trigger a_swallow before insert on credit_entry for each row execute function refuse_change()',
      /^Trigger a_swallow of credit_entry is not of the migrations\.$/,
      { subject: 'ledger' },
    ],
    [
      'a rule that loses calls',
      'create rule lost as on insert to key_seen do instead nothing',
      /^Rule lost of key_seen is not of the migrations\.$/,
    ],
    [
      'rows that a policy hides',
      'alter table licence enable row level security; create policy hide on licence using (false)',
      /^Policy hide of licence is not of the migrations\.$/,
    ],
    [
      'a table whose rows a policy may hide',
      'alter table class enable row level security; alter table class force row level security',
      /^Table class has row security: frames_service sees the rows that a policy shows, or none\.$/,
    ],
    [
      'rows of another table in every read',
      'create table frame_child () inherits (frame)',
      /^Child table frame_child of frame is not of the migrations\.$/,
    ],
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
      'alter function frame_values(bigint[], text, text) security definer',
      /^Function frame_values differs/,
    ],
    [
      'a function of another owner',
      'create role stranger_of_functions; alter function fold_name(text) owner to stranger_of_functions',
      /^Function fold_name belongs to stranger_of_functions/,
    ],
    [
      'a function that others may find instead of ours',
      `create function frame_at(double precision, real) returns bigint language sql as 'select 1::bigint'`,
      /^Function frame_at\(double precision,real\) is not of the migrations, and calls of frame_at may find it\.$/,
    ],
    [
      'a function that is missing',
      'drop function staging_close()',
      /^Function staging_close is missing\.$/,
      { fix: /comment on function staging_close\(\) is[\s\S]*revoke execute on function staging_close from public;$/ },
    ],
    [
      'a schema in the way of names',
      'create schema frames_service; create table frames_service.frame (frame_id bigint)',
      /^Schema frames_service is in the way: sessions of role frames_service find its tables and functions instead of ours\.$/,
    ],
    [
      'a schema where anyone may make functions',
      'grant create on schema public to public',
      /^Everyone may create schema public, which is not needed\.$/,
    ],
    [
      'a service that may not read a table',
      'revoke select on api_key from frames_service; revoke update (calls) on key_use from frames_service; revoke usage on schema public from frames_service',
      /^frames_service lacks select on api_key, update \(calls\) on key_use, usage on schema public\.$/,
    ],
    [
      'a service that may rewrite the ledger',
      'grant update, delete on credit_entry to frames_service',
      /^frames_service may delete credit_entry, which is not needed\.$/,
    ],
    [
      'a service that may read sessions',
      'grant select on session to frames_service',
      /^frames_service may select session, which is not needed\.$/,
    ],
    [
      'a web app that may not revoke keys',
      'revoke update (revoked_at) on api_key from frames_console',
      /^frames_console lacks update \(revoked_at\) on api_key\.$/,
    ],
    [
      'a web app that may prolong keys',
      'grant update (expires_at) on api_key to frames_console',
      /^frames_console may update \(expires_at\) api_key, which is not needed\.$/,
    ],
    [
      'a web app that may read frames',
      'grant select on frame to frames_console',
      /^frames_console may select frame, which is not needed\.$/,
    ],
    [
      'analysts who may not find a frame',
      'revoke execute on function frame_at(float8, float8) from frames_analyst',
      /^frames_analyst lacks execute on function frame_at\(double precision,double precision\)\.$/,
    ],
    [
      'analysts who may read a column of accounts',
      'grant select (balance) on account to frames_analyst',
      /^frames_analyst may select \(balance\) account, which is not needed\.$/,
    ],
    [
      'analysts who may write',
      'grant delete on analyst.frame to frames_analyst',
      /^frames_analyst may delete analyst\.frame, which is not needed\.$/,
    ],
    [
      'organisations that everyone may read',
      'grant select on organisation to public',
      /^Everyone may select organisation, which is not needed\.$/,
    ],
  ],
})
