/** Breaks of frames_console, the role of the web app. */
import { breaksOf } from './break.js'

export const consoleBreaks = breaksOf({
  console_role: [
    [
      'whose web app looks for its tables elsewhere',
      'alter role frames_console in database patient set search_path = elsewhere, public',
      /^frames_console has search_path elsewhere, public: a table is not found/,
    ],
    [
      'whose web app ends statements too soon',
      "alter role frames_console set statement_timeout = '50ms'",
      /^frames_console has statement_timeout 50ms: statements are ended/,
    ],
    [
      'whose web app ends no statement',
      'alter role frames_console reset statement_timeout',
      /^frames_console has no statement_timeout/,
      { severity: 'advice' },
    ],
    [
      'whose web app ends no transaction',
      'alter role frames_console set idle_in_transaction_session_timeout = 0',
      /^frames_console has no idle_in_transaction_session_timeout/,
      { severity: 'advice' },
    ],
    [
      'whose web app reads only',
      "alter role frames_console set default_transaction_read_only = 'true'",
      /^frames_console reads only: nobody can sign in/,
    ],
    [
      'whose web app plans without indexes',
      "alter role frames_console set enable_indexscan = '0'",
      /^frames_console has enable_indexscan off/,
    ],
    [
      'whose web app may lose a revocation in a crash',
      'alter role frames_console set synchronous_commit = off',
      /^frames_console has synchronous_commit off/,
    ],
    [
      'whose web app may make databases',
      'alter role frames_console createdb',
      /^frames_console may do more than serve the web app: createdb\.$/,
      { severity: 'advice' },
    ],
  ],
  console_grants: [
    [
      'whose web app may not read people',
      'revoke select on person from frames_console',
      /^frames_console lacks SELECT on person\.$/,
    ],
    [
      'whose web app may not revoke keys',
      'revoke update (revoked_at) on api_key from frames_console',
      /^frames_console lacks UPDATE \(revoked_at\) on api_key\.$/,
    ],
    [
      'whose web app may read the hashes of keys',
      'grant select on api_key to frames_console',
      /^frames_console may select api_key, which it has no need of\.$/,
    ],
    [
      'whose web app may prolong keys',
      'grant update (expires_at) on api_key to frames_console',
      /^frames_console may update api_key \(expires_at\), which it has no need of\.$/,
    ],
    [
      'whose web app may read frames',
      'grant select on frame to frames_console',
      /^frames_console may select frame, which it has no need of\.$/,
    ],
    [
      'whose web app has the rights of the service',
      'grant frames_service to frames_console',
      /^frames_console is a member of frames_service, and may do what that may\.$/,
    ],
    [
      'whose web app cannot log in',
      'alter role frames_console nologin',
      /^frames_console may not log in: the web app cannot start\.$/,
    ],
    [
      'whose web app cannot connect',
      'revoke connect on database patient from frames_console',
      /^frames_console may not connect to database patient\.$/,
    ],
  ],
})
