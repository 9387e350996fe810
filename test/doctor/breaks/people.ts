/** Breaks of people, their sessions and events. */
import { breaksOf } from './break.js'

const DEMO = `(select org_id from organisation where name = 'demo')`
const PERSON = `insert into person (person_id, name) values ('per_000000000001', 'Ada')`
const keyOfDemo = (keyId: string) =>
  `insert into api_key (key_id, org_id, secret_hash, last_four, name, capabilities, expires_at)
  values ('${keyId}', ${DEMO}, sha256('${keyId}'), 'abcd', 'x', '{}', now() + interval '30 days')`
/** A change that leaves no event, as a restore of the table alone does. */
const untold = (change: string) =>
  `alter table api_key disable trigger api_key_events; ${change}; alter table api_key enable trigger api_key_events`
const FORGET = `alter table key_event disable trigger all; delete from key_event where person_id = 'per_000000000001';
  alter table key_event enable trigger all`

export const peopleBreaks = breaksOf({
  events_missing: [
    [
      'a key whose minting left no event',
      untold(keyOfDemo('key_untold000000')),
      /^Key key_\w{12} of org_\w{12} has no event "minted"\.$/,
    ],
    [
      'a revocation that left no event',
      `${keyOfDemo('key_silent000000')}; ${untold("update api_key set revoked_at = now() where key_id = 'key_silent000000'")}`,
      /^Key key_\w{12} of org_\w{12} has no event "revoked"\.$/,
    ],
    [
      'a sign-in that left no event',
      `${PERSON}; insert into membership (person_id, org_id, role) values ('per_000000000001', ${DEMO}, 'admin');
      alter table session disable trigger session_events;
      insert into session (token_hash, person_id, org_id, made_by, ends_at)
      values (sha256('z'), 'per_000000000001', ${DEMO}, 'link', now() + interval '1 day');
      alter table session enable trigger session_events`,
      /^Person per_000000000001 of org_\w{12} has no event "signed_in"\.$/,
      { subject: 'Ada', undo: `delete from person where person_id = 'per_000000000001'; ${FORGET}` },
    ],
  ],
  keys_undone: [
    [
      'a revocation that its row has no more; a grace, and a revocation that its owner undid, are right',
      `${keyOfDemo('key_graced000000')}; ${keyOfDemo('key_allowed00000')}; ${keyOfDemo('key_revoked00000')};
      update api_key set revoked_at = now() + interval '1 hour' where key_id = 'key_graced000000';
      update api_key set revoked_at = now() where key_id = 'key_allowed00000';
      update api_key set revoked_at = null where key_id = 'key_allowed00000';
      update api_key set revoked_at = now() where key_id = 'key_revoked00000';
      ${untold("update api_key set revoked_at = null where key_id = 'key_revoked00000'")}`,
      /^Key key_revoked00000 of org_\w{12} is accepted, although its event says that it was revoked\.$/,
    ],
    [
      'a key that a roll made, and that has no row any more',
      `${keyOfDemo('key_rolled000000')}; ${untold("delete from api_key where key_id = 'key_rolled000000'")}`,
      /^Key key_rolled000000 of org_\w{12} is unknown, although its event says that it was minted: its holder needs another\.$/,
    ],
  ],
  people_missing: [
    [
      'a session of nobody',
      `alter table session disable trigger all;
      insert into session (token_hash, person_id, org_id, made_by, ends_at)
      values (sha256('x'), 'per_000000000009', 'org_000000000009', 'link', now() + interval '1 day');
      alter table session enable trigger all`,
      /^There is a session of per_000000000009 in org_000000000009, which does not exist\.$/,
    ],
    [
      'a passkey of nobody',
      `alter table passkey disable trigger all;
      insert into passkey (credential_id, person_id, public_key, name) values ('of nobody', 'per_000000000009', 'x', 'x');
      alter table passkey enable trigger all`,
      /^There is a passkey of per_000000000009, which does not exist\.$/,
    ],
  ],
  owners_missing: [
    [
      'an organisation whose members have no owner',
      `${PERSON}; insert into membership (person_id, org_id, role) values ('per_000000000001', ${DEMO}, 'admin')`,
      /^Organisation org_\w{12} \(demo\) has no owner, so nobody in it can invite others\. Members: 1\.$/,
      {
        severity: 'advice',
        subject: 'Ada',
        fix: /people invite --org org_\w{12} --role owner/,
        undo: `delete from person where person_id = 'per_000000000001'; ${FORGET}`,
      },
    ],
  ],
  sign_ins_ended: [
    [
      'a session that ended long ago',
      `alter table session disable trigger all;
      insert into session (token_hash, person_id, org_id, made_by, created_at, ends_at)
      values (sha256('y'), 'per_000000000002', ${DEMO}, 'link', now() - interval '70 days', now() - interval '65 days');
      alter table session enable trigger all`,
      /^Rows of session that ended over 60 days ago: 1\.$/,
      { severity: 'advice' },
    ],
  ],
  key_use_days: [
    [
      'calls of a key on days to come',
      `insert into key_use (key_id, day, call, outcome, calls) values ('key_000000000009', now()::date + 9, 'GET /v1/states', 'ok', 3)`,
      /^Key key_000000000009 has 3 calls on \d{4}-\d\d-\d\d, a day on which it could not be used\.$/,
    ],
  ],
})
