/** Breaks of a database or of the roles of the service, of its web app and of analysts. */
import { breaksOf } from './break.js'

const advice = { severity: 'advice' } as const
/** Breaks of one setting of a role have a round each. */
const ofConnect = { subject: 'who may connect' }
const ofTimeout = { subject: 'timeout of the service' }

export const roleBreaks = breaksOf({
  roles: [
    [
      'that may make databases',
      'alter role frames_service createdb',
      /^frames_service may do more than it needs: createdb\.$/,
      advice,
    ],
    [
      'that may make roles',
      'alter role frames_console createrole',
      /^frames_console may do more than it needs: createrole\.$/,
    ],
    [
      'where analysts may do everything',
      'alter role frames_analyst superuser',
      /^frames_analyst may do more than it needs: superuser\.$/,
    ],
    [
      'that writes everything',
      'grant pg_write_all_data to frames_service',
      /^frames_service is a member of pg_write_all_data, and may do what that may\.$/,
    ],
    [
      'that is in a group',
      'create role group_of_tests; grant group_of_tests to frames_service',
      /^frames_service is a member of group_of_tests/,
      advice,
    ],
    [
      'where analysts are members of others',
      'grant frames_owner to frames_analyst',
      /^frames_analyst is a member of frames_owner, and may do what that may\.$/,
    ],
    [
      'where analysts read tables to come',
      'alter default privileges for role frames_owner in schema public grant select on tables to frames_analyst',
      /^Tables made from now on are readable by frames_analyst\.$/,
    ],
    [
      'whose charges a crash can undo',
      'alter role frames_service set synchronous_commit = off',
      /^frames_service has synchronous_commit off/,
    ],
    [
      'that may not log in',
      'alter role frames_service nologin',
      /^frames_service may not log in: the service cannot start\.$/,
    ],
    [
      'whose password is past its time',
      "alter role frames_console valid until '2020-01-01'",
      /^frames_console may log in until 2020-01-01 .* only, which is past: the web app cannot start\.$/,
    ],
    [
      'that may not connect',
      'revoke connect on database patient from frames_service',
      /^frames_service may not connect to database patient: the service cannot start\.$/,
      ofConnect,
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
      'that reads only',
      "alter role frames_console set default_transaction_read_only = 'true'",
      /^frames_console reads only/,
    ],
    [
      'that plans without indexes',
      "alter role frames_service set enable_indexscan = '0'",
      /^frames_service has enable_indexscan off/,
    ],
    [
      'that compiles its statements',
      'alter role frames_service set jit = on',
      /^frames_service has jit on: the service asks for off, and a pooler may drop that\.$/,
      advice,
    ],
    [
      'that plans each call anew',
      'alter database patient set plan_cache_mode = auto',
      /^frames_service has plan_cache_mode auto: the service asks for force_generic_plan/,
      advice,
    ],
    [
      'whose statements never end',
      'alter role frames_service reset statement_timeout',
      /^frames_service has no statement_timeout of 15s or the like/,
      { ...advice, ...ofTimeout },
    ],
    [
      'whose statements end too soon',
      "alter role frames_service set statement_timeout = '50ms'",
      /^frames_service has statement_timeout 50ms: statements are ended/,
      ofTimeout,
    ],
    [
      'whose transactions never end',
      'alter role frames_console set idle_in_transaction_session_timeout = 0',
      /^frames_console has no idle_in_transaction_session_timeout/,
      advice,
    ],
    [
      'whose analysts hold imports up',
      'alter role frames_analyst reset statement_timeout',
      /^frames_analyst has no statement_timeout of 2min or the like: an import waits/,
    ],
    [
      'whose analysts may slip',
      'alter role frames_analyst set default_transaction_read_only = off',
      /^frames_analyst has no default_transaction_read_only/,
    ],
    [
      'whose analysts may take every connection',
      'alter role frames_analyst connection limit -1',
      /^frames_analyst may open any number of connections: the service may find none left\.$/,
      advice,
    ],
    [
      'whose fixes end too soon',
      "alter role frames_owner set statement_timeout = '5s'",
      /^frames_owner has statement_timeout 5s: a fix, an index or a vacuum that is run by hand ends there\.$/,
      { ...advice, subject: 'timeout of the owner' },
    ],
    [
      'whose database ends statements',
      "alter database patient set statement_timeout = '5s'",
      /^frames_owner has statement_timeout 5s/,
      { ...advice, subject: 'timeout of the owner' },
    ],
  ],
  strangers: [
    [
      'where strangers may connect',
      'grant connect on database patient to public',
      /^Every role of this server may connect in database patient\.$/,
      ofConnect,
    ],
    [
      'where everyone may hold up a migration',
      'grant execute on function pg_try_advisory_lock(bigint), lo_creat(int) to public',
      /^Every role here may make large objects, or hold the lock of "migrate"\.$/,
      advice,
    ],
  ],
})
