/** Breaks of a database or of the roles of the service and of analysts. */
import { breaksOf } from './break.js'

export const roleBreaks = breaksOf({
  service_role: [
    [
      'that may make databases',
      'alter role frames_service createdb',
      /may do more than serve: createdb\.$/,
      { severity: 'advice' },
    ],
    [
      'that has the rights of another',
      'grant frames_owner to frames_service',
      /is a member of frames_owner\.$/,
      { severity: 'advice', isAlone: true },
    ],
    [
      'that owns a table',
      'alter table licence owner to frames_service',
      /^frames_service owns licence/,
      { severity: 'advice', isAlone: true },
    ],
    [
      'whose charges a crash can undo',
      'alter role frames_service set synchronous_commit = off',
      /has synchronous_commit off/,
    ],
    [
      'whose statements never end',
      'alter role frames_service reset statement_timeout',
      /^frames_service has no statement_timeout/,
      { severity: 'advice' },
    ],
    [
      'whose transactions never end',
      'alter role frames_service set idle_in_transaction_session_timeout = 0',
      /has no idle_in_transaction_session_timeout/,
      { severity: 'advice' },
    ],
    [
      'that may not log in',
      'alter role frames_service nologin',
      /^frames_service may not log in: the service cannot start\.$/,
    ],
    [
      'whose password is past its time',
      "alter role frames_service valid until '2020-01-01'",
      /^frames_service may log in until 2020-01-01 .* only, which is past/,
    ],
    [
      'that may not connect',
      'revoke connect on database patient from frames_service',
      /^frames_service may not connect to database patient\.$/,
    ],
    [
      'that may open too few connections',
      'alter role frames_service connection limit 3',
      /^frames_service may open 3 connections, one process opens \d+/,
    ],
    [
      'whose database takes too few connections',
      'alter database patient connection limit 5',
      /^Database patient takes 5 connections/,
    ],
    [
      'that looks for its tables elsewhere',
      'alter role frames_service in database patient set search_path = elsewhere, public',
      /^frames_service has search_path elsewhere, public: a table is not found/,
    ],
    [
      'whose statements end too soon',
      "alter role frames_service set statement_timeout = '50ms'",
      /^frames_service has statement_timeout 50ms: statements are ended/,
    ],
    [
      'that reads only',
      "alter role frames_service set default_transaction_read_only = 'true'",
      /^frames_service reads only/,
    ],
    [
      'that plans without indexes',
      "alter role frames_service set enable_indexscan = '0'",
      /^frames_service has enable_indexscan off/,
    ],
  ],
  analyst_grants: [
    [
      'where analysts may read keys',
      'grant select on api_key to frames_analyst',
      /^frames_analyst may select api_key\.$/,
    ],
    [
      'where analysts may read a column of accounts',
      'grant select (balance) on account to frames_analyst',
      /^frames_analyst may select account\.$/,
    ],
    [
      'where everyone may read organisations',
      'grant select on organisation to public',
      /^frames_analyst may select organisation, as everyone may\.$/,
    ],
    [
      'where analysts may change styles',
      'grant update on layer_styles to frames_analyst',
      /^frames_analyst may update layer_styles\.$/,
    ],
    [
      'where analysts are members of others',
      'grant frames_owner to frames_analyst',
      /^frames_analyst is a member of frames_owner, and may do what that may\.$/,
    ],
    ['where analysts may do everything', 'alter role frames_analyst superuser', /^frames_analyst is a superuser/],
    [
      'where analysts read tables to come',
      'alter default privileges for role frames_owner in schema public grant select on tables to frames_analyst',
      /^Tables made from now on are readable by frames_analyst\.$/,
    ],
  ],
  strangers: [
    [
      'where strangers may connect',
      'grant connect on database patient to public',
      /^Every role of this server may connect in database patient\.$/,
    ],
  ],
  service_grants: [
    [
      'that may not read a table',
      'revoke select on api_key from frames_service',
      /^frames_service lacks SELECT on api_key\.$/,
    ],
    [
      'that may not charge',
      'revoke execute on function call_charge from frames_service',
      /^frames_service lacks EXECUTE on function call_charge\(text, text, text, text\[\], int\[\]\)\.$/,
    ],
    [
      'that may not enter the schema',
      'revoke usage on schema public from frames_service, public',
      /^frames_service lacks USAGE on schema public\.$/,
    ],
    [
      'that may rewrite the ledger',
      'grant update, delete on credit_entry to frames_service',
      /^frames_service may delete credit_entry, which it has no need of\.$/,
    ],
    [
      'that may not count calls',
      'revoke update (calls) on key_use from frames_service',
      /^frames_service lacks UPDATE \(calls\) on key_use\.$/,
    ],
    [
      'that may change a column of keys',
      'grant update (expires_at) on api_key to frames_service',
      /^frames_service may update api_key \(expires_at\)/,
    ],
    [
      'that may read sessions',
      'grant select on session to frames_service',
      /^frames_service may select session, which it has no need of\.$/,
    ],
    ['that may do what everyone may', 'grant truncate on frame to public', /^frames_service may truncate frame/],
  ],
})
