import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import * as statements from '../../src/app/shell/statements.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { sample } from '../support/sample.js'
import type { Cases } from './cases.js'
import { faultsOf, largeTables } from './guard.js'

const hashOf = (text: string) => createHash('sha256').update(text).digest()
const same = (...args: readonly unknown[]): Cases => ({ typical: args, worst: args })

/** Organisation 300 is like most, organisation 1 is the largest. */
const [LIKE_MOST, LARGEST] = ['org_000000000300', 'org_000000000001']

/**
 * Everyday questions, and the most expensive ones: organisation 1 has 500 members and 500 open invitations, person 1 has
 * 30 sessions and 20 passkeys, and is a member of 20 organisations.
 */
const casesOfPeople: Readonly<Record<string, Cases>> = {
  'web/session_holder': { typical: [hashOf('session 300'), 12], worst: [hashOf('session 1'), 12] },
  'web/sessions_of_person': {
    typical: ['per_000000000300', hashOf('session 300'), 12],
    worst: ['per_000000000001', hashOf('session 1'), 12],
  },
  'web/sessions_under_way': same(12),
  'web/link_offered': same(hashOf('link 3')),
  'web/members_of_organisation': { typical: [LIKE_MOST], worst: [LARGEST] },
  'web/invitations_open': { typical: [LIKE_MOST], worst: [LARGEST] },
  'web/passkeys_of_person': { typical: ['per_000000000300'], worst: ['per_000000000001'] },
  'web/passkey_presented': same('credential 3'),
  'web/role_by_claim': { typical: ['per_000000000300'], worst: ['per_000000000001'] },
}

const range = (length: number) => Array.from({ length }, (_, i) => i)
const keyId = (number: number) => `key_${String(number).padStart(12, '0')}`
const ofMost = [keyId(300), keyId(5300), keyId(10_300), keyId(15_300)]
const ofLargest = range(500).map(keyId)
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
const month = [daysAgo(29), daysAgo(0)]
const quarter = [daysAgo(89), daysAgo(0)]
const NEWEST = '9223372036854775807'

/**
 * Organisation 1 has 500 keys, 20 of which call every day, and spends a million credits a year by as many entries. Its
 * pages ask for a quarter of the use, and for a month of the ledger.
 */
const casesOfKeys: Readonly<Record<string, Cases>> = {
  'web/keys_of_organisation': { typical: [LIKE_MOST], worst: [LARGEST] },
  'web/use_of_last_days': { typical: [ofMost, 14], worst: [ofLargest, 14] },
  'web/refusals_of_last_days': { typical: [ofMost, 14], worst: [ofLargest, 14] },
  'web/datasets_to_choose': { typical: [LIKE_MOST], worst: [LARGEST] },
  'web/events_of_organisation': { typical: [LIKE_MOST, NEWEST, 50], worst: [LARGEST, NEWEST, 1000] },
  'web/events_of_key': { typical: [keyId(300), 50], worst: [keyId(1), 50] },
  'web/use_by_day': { typical: [ofMost, ...month], worst: [ofLargest, ...quarter] },
  'web/use_by_outcome': { typical: [ofMost, ...month], worst: [ofLargest, ...quarter] },
  'web/use_by_key': { typical: [LIKE_MOST, ...month], worst: [LARGEST, ...quarter] },
  'web/use_of_day': { typical: [ofMost, daysAgo(1)], worst: [ofLargest, daysAgo(1)] },
  'web/unknown_words': { typical: [LIKE_MOST, 50], worst: [LARGEST, 50] },
  'web/worded_answers_now': { typical: [LIKE_MOST], worst: [LARGEST] },
  'web/purse_of_person': { typical: [LIKE_MOST, 'per_000000000300'], worst: [LARGEST, 'per_000000000001'] },
  'web/credits_by_day': { typical: [LIKE_MOST, ...month], worst: [LARGEST, ...month] },
  'web/credits_by_dataset': { typical: [LIKE_MOST, ...month], worst: [LARGEST, ...month] },
  'web/credits_by_key': { typical: [LIKE_MOST, ...month], worst: [LARGEST, ...month] },
  'web/use_of_request': { typical: [LIKE_MOST, 'req_none', 90], worst: [LARGEST, 'req_none', 90] },
  'web/entries_of_request': { typical: [LIKE_MOST, 'req_000000000601'], worst: [LARGEST, 'req_000000000600'] },
  'web/entries_around': { typical: [LARGEST, '7000', null, 3], worst: [LARGEST, '7001', null, 25] },
  'web/events_around': { typical: [LARGEST, '7000', 3], worst: [LARGEST, '7001', 25] },
  'web/credit_entries': { typical: [LIKE_MOST, ...month, NEWEST, 50], worst: [LARGEST, ...month, NEWEST, 1000] },
}

const casesOf: Readonly<Record<string, Cases>> = { ...casesOfPeople, ...casesOfKeys }

/** So many people, memberships, sessions, links and keys: enough that each table needs its indexes. */
const HELD = sample(11_000, 20_000)

/** 6,000 organisations, and people with their memberships, sessions and links. */
const PEOPLE = [
  `insert into organisation (org_id, name, plan)
   select 'org_' || lpad(i::text, 12, '0'), 'Organisation ' || i, 'trial' from generate_series(0, 5999) as i`,
  `insert into person (person_id, name) select 'per_' || lpad(i::text, 12, '0'), 'Person ' || i from generate_series(0, ${HELD - 1}) as i`,
  `insert into membership (person_id, org_id, role)
   select 'per_' || lpad(i::text, 12, '0'), 'org_' || lpad((case when i < 500 then 1 else i % 5000 end)::text, 12, '0'), 'member'
   from generate_series(0, ${HELD - 1}) as i
   union
   select 'per_000000000001', 'org_' || lpad(i::text, 12, '0'), 'owner' from generate_series(2, 20) as i`,
  `insert into session (token_hash, person_id, org_id, made_by, ends_at)
   select sha256(('session ' || i)::bytea), person_id, org_id, 'link', clock_timestamp() + interval '6 days'
   from (select *, row_number() over (order by person_id, org_id) - 1 as i from membership) as numbered`,
  `insert into session (token_hash, person_id, org_id, made_by, ends_at)
   select sha256(('more ' || i)::bytea), 'per_000000000001', 'org_000000000001', 'link', clock_timestamp() + interval '6 days'
   from generate_series(1, 30) as i`,
  `insert into sign_in_link (token_hash, org_id, role, name, valid_until)
   select sha256(('link ' || i)::bytea), 'org_' || lpad((case when i < 500 then 1 else i % 5000 end)::text, 12, '0'), 'member', 'Invited',
     clock_timestamp() + interval '23 hours'
   from generate_series(0, ${HELD - 1}) as i`,
  `insert into passkey (credential_id, person_id, public_key, name)
   select 'credential ' || i, 'per_' || lpad((case when i < 20 then 1 else i end)::text, 12, '0'), 'key', 'Laptop'
   from generate_series(0, ${HELD / 2 - 1}) as i`,
]

const ENTRIES = sample(20_000, 166_000)

/** Keys, the counts of their calls, 100 datasets, and the entries of the ledger. */
const KEYS = [
  `insert into account (org_id) select org_id from organisation`,
  `insert into api_key (key_id, org_id, secret_hash, last_four, name, capabilities, expires_at, rolled_from, created_by)
   select 'key_' || lpad(i::text, 12, '0'), 'org_' || lpad((case when i < 500 then 1 else i % 5000 end)::text, 12, '0'),
     sha256(i::text::bytea), 'abcd', 'Key ' || i, '{frame.read}', clock_timestamp() + interval '90 days',
     case when i % 10 = 1 then 'key_' || lpad((i - 1)::text, 12, '0') end, 'per_' || lpad(i::text, 12, '0')
   from generate_series(0, ${HELD - 1}) as i`,
  `do $$ begin
     for i in 1..200 loop update api_key set name = 'Renamed ' || i where key_id = 'key_000000000001'; end loop;
   end $$`,
  `insert into key_seen (key_id, seen_at) select key_id, clock_timestamp() from api_key`,
  // Twenty keys of the largest organisation call for a year and its others never. All other keys call on few days.
  `insert into key_use (key_id, day, call, outcome, bucket, calls, last_request_id)
   select api_key.key_id, (clock_timestamp() at time zone 'UTC')::date - day, '/v1/frames/at', outcome, '', 100, 'req_1'
   from api_key
   cross join generate_series(0, 364) as day
   cross join unnest('{ok,not_modified,rate_limited,invalid_point}'::text[]) as outcome
   where case when api_key.key_id < 'key_000000000020' then true
     when api_key.key_id < 'key_000000000500' then false else day < ${sample(1, 4)} end`,
  `insert into dataset (layer_id, org_id, name, category, kind, version, items)
   select 'lyr_' || i, 'org_' || lpad(i::text, 12, '0'), 'Dataset ' || i, 'Water', 'points', i, 1 from generate_series(1, 100) as i`,
  `insert into licence (layer_id, org_id, price)
   select 'lyr_' || layer, case when holder > 0 then 'org_' || lpad(holder::text, 12, '0') end, case when layer % 2 = 0 then layer end
   from generate_series(1, 100) as layer, generate_series(0, 19) as holder
   where holder > 0 or layer < 50`,
  // The largest organisation has all the words of a year, and the removal of those before waits. The others have few.
  `insert into unknown_word (org_id, month, word, times)
   select org_id, (date_trunc('month', clock_timestamp() at time zone 'UTC') - make_interval(months => back))::date,
     'word' || translate(lpad(i::text, 3, '0'), '0123456789', 'abcdefghij'), 500 - i
   from organisation cross join generate_series(0, 12) as back cross join generate_series(0, 499) as i
   where org_id = 'org_000000000001' or (i < ${sample(1, 4)} and back < 3)`,
  `insert into worded_use (org_id, day, by_allowance)
   select 'org_' || lpad(i::text, 12, '0'), (ledger_clock() at time zone 'UTC')::date - day, 3
   from generate_series(0, 999) as i cross join generate_series(0, ${sample(19, 59)}) as day`,
  `insert into credit_entry (org_id, request_id, kind, credits, entered_at)
   select org_id, 'req_top_up', 'top_up', 1000000, clock_timestamp() - interval '40 days' from organisation`,
  // Calls of one organisation and of all the others take turns.
  `insert into credit_entry (org_id, request_id, kind, ref, key_id, credits, entered_at)
   select 'org_' || lpad((case when i % 2 = 0 then 1 else i / 2 % 5000 end)::text, 12, '0'), 'req_' || lpad(i::text, 12, '0'),
     'dataset', 'lyr_' || (1 + i % 100), 'key_' || lpad((i % 20)::text, 12, '0'), -1,
     clock_timestamp() - interval '30 days' * (${ENTRIES - 1} - i) / ${ENTRIES}
   from generate_series(0, ${ENTRIES - 1}) as i`,
  'analyze',
]

describe('among many people and their keys', function () {
  this.timeout(180_000)
  let database: TestDatabase
  let large: Set<string>
  before(async () => {
    database = await newDatabase('empty')
    for (const text of [...PEOPLE, ...KEYS]) await database.db.rows(text, [])
    large = await largeTables(database.db.rows)
  })
  after(() => database.drop())

  it('the tables are large enough to need their indexes', () => {
    const people = ['person', 'membership', 'session', 'sign_in_link', 'passkey', 'organisation']
    const keys = [
      'api_key',
      'key_event',
      'key_use',
      'key_seen',
      'worded_use',
      'unknown_word',
      'credit_entry',
      'account',
    ]
    for (const table of [...people, ...keys]) assert.ok(large.has(table), table)
  })

  for (const statement of Object.values(statements))
    it(`${statement.name} costs what its header allows`, async () => {
      assert.deepEqual(await faultsOf(database.db.rows, statement, casesOf[statement.name], large), [])
    })
})
