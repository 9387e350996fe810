/** `npm run test:mutants` tries these mutants of keys, people and events, too, with LONG=1. */
import type { Mutant } from './mutant.js'

export const peopleMutants: Mutant[] = [
  {
    breaks: 'a key is rolled again and again',
    file: 'dist/src/access/keys.js',
    from: ".where('revoked_at', 'is', null)",
    to: '',
    tests: ['access/rolling'],
    grep: 'is rolled once',
  },
  {
    breaks: 'the grace of a roll goes beyond the expiry of the old key',
    file: 'dist/src/access/keys.js',
    from: 'least(expires_at, ${now} + make_interval(hours => ${wanted.graceHours}))',
    to: '${now} + make_interval(hours => ${wanted.graceHours})',
    tests: ['access/rolling'],
    grep: 'never after its own expiry',
  },
  {
    breaks: 'an organisation revokes the keys of another',
    file: 'dist/src/access/keys.js',
    from: "orgId === undefined ? revoke : revoke.where('org_id', '=', orgId)",
    to: 'revoke',
    tests: ['access/rolling'],
    grep: 'the organisation that asks',
  },
  {
    breaks: 'a change does not name its actor',
    file: 'dist/src/access/actor.js',
    from: 'await nameActor(run, actor);',
    to: '',
    tests: ['access/rolling'],
    grep: 'name who changed it',
  },
  {
    breaks: 'two owners who leave at once leave no owner',
    file: 'sql/functions/membership_keeps_owner.sql',
    from: 'perform from organisation where org_id = old.org_id for no key update;',
    to: 'perform from organisation where org_id = old.org_id;',
    tests: ['access/last-owner'],
    grep: 'which has looked already',
  },
  {
    breaks: 'a revocation leaves no event',
    file: 'sql/functions/api_key_events.sql',
    from: 'if new.revoked_at is distinct from old.revoked_at and new.revoked_at is not null then',
    to: 'if false then',
    tests: ['access/random-keys'],
  },
  {
    breaks: 'the web app prolongs the grace of a key',
    file: 'migrations/007_people.sql',
    from: 'new.revoked_at > old.revoked_at or new.revoked_at is null and old.revoked_at is not null',
    to: 'new.revoked_at is null and old.revoked_at is not null',
    tests: ['access/console-rights'],
    grep: 'frames_console may do none',
  },
  {
    breaks: 'the service reads the sessions of people',
    file: 'sql/functions/people_tables.sql',
    from: "'session', ",
    to: '',
    tests: ['access/console-rights'],
    grep: 'frames_service may do none',
  },
]
