import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import * as statements from '../../src/web/statements.js'
import { describeOnPostgres, newDatabase, type TestDatabase } from '../support/database.js'
import type { Cases } from './cases.js'
import { faultsOf, largeTables } from './guard.js'

const hashOf = (text: string) => createHash('sha256').update(text).digest()
const same = (...args: readonly unknown[]): Cases => ({ typical: args, worst: args })

/**
 * Everyday questions, and the most expensive ones: organisation 1 has 500 members and 500 open invitations, person 1 has
 * 30 sessions and is a member of 20 organisations.
 */
const casesOf: Readonly<Record<string, Cases>> = {
  'web/session_holder': { typical: [hashOf('session 300'), 12], worst: [hashOf('session 1'), 12] },
  'web/sessions_of_person': {
    typical: ['per_000000000300', hashOf('session 300'), 12],
    worst: ['per_000000000001', hashOf('session 1'), 12],
  },
  'web/sessions_under_way': same(12),
  'web/link_offered': same(hashOf('link 3')),
  'web/members_of_organisation': { typical: ['org_000000000300'], worst: ['org_000000000001'] },
  'web/invitations_open': { typical: ['org_000000000300'], worst: ['org_000000000001'] },
}

/** 6,000 organisations, 20,000 people with their memberships and sessions, and 20,000 links. */
const PEOPLE = [
  `insert into organisation (org_id, name, plan)
   select 'org_' || lpad(i::text, 12, '0'), 'Organisation ' || i, 'trial' from generate_series(0, 5999) as i`,
  `insert into person (person_id, name) select 'per_' || lpad(i::text, 12, '0'), 'Person ' || i from generate_series(0, 19999) as i`,
  `insert into membership (person_id, org_id, role)
   select 'per_' || lpad(i::text, 12, '0'), 'org_' || lpad((case when i < 500 then 1 else i % 5000 end)::text, 12, '0'), 'member'
   from generate_series(0, 19999) as i
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
   from generate_series(0, 19999) as i`,
  'analyze',
]

describeOnPostgres('among 20,000 people', function () {
  this.timeout(180_000)
  let database: TestDatabase
  let large: Set<string>
  before(async () => {
    database = await newDatabase('empty')
    for (const text of PEOPLE) await database.db.rows(text, [])
    large = await largeTables(database.db.rows)
  })
  after(() => database.drop())

  it('the tables of people are large enough to need their indexes', () => {
    for (const table of ['person', 'membership', 'session', 'sign_in_link', 'organisation']) assert.ok(large.has(table))
  })

  for (const statement of Object.values(statements)) {
    const cases = casesOf[statement.name]
    if (cases === undefined) continue
    it(`${statement.name} costs what its header allows`, async () => {
      assert.deepEqual(await faultsOf(database.db.rows, statement, cases, large), [])
    })
  }
})
