import assert from 'node:assert/strict'
import postgres from 'postgres'
import { ledgerFaults } from '../../src/core/db/statements.js'
import { urlOf, type TestDatabase } from '../support/database.js'
import { balanceOf, credit } from '../support/datasets.js'
import { newOrganisation, service as shared } from '../support/service.js'

/**
 * $ORG stands for an organisation with 50 credits. Its call "paid" cost 10 just now, its call "old" cost 10 two days
 * ago. The service has no right to change these tables, so each way is tried again with rights that a careless
 * administrator gave it.
 */
const ways: [way: string, statements: string, refused: RegExp][] = [
  [
    'a higher balance',
    `update account set balance = balance + 1000000 where org_id = '$ORG'`,
    /only the owner of table account may do this/,
  ],
  [
    'a top-up',
    `insert into credit_entry (org_id, request_id, kind, credits) values ('$ORG', 'x', 'top_up', 1000000)`,
    /only the owner of table credit_entry may do this/,
  ],
  [
    'a charge below zero',
    `insert into credit_entry (org_id, request_id, kind, ref, credits) values ('$ORG', 'x', 'dataset', 'lyr_x', 1000000)`,
    /charges_take_and_others_add/,
  ],
  [
    'a refund of what was never charged',
    `insert into credit_entry (org_id, request_id, kind, ref, credits) values ('$ORG', 'x', 'refund', 'lyr_x', 10)`,
    /call x was not charged this/,
  ],
  [
    'a refund of a worded answer that was never charged',
    `insert into credit_entry (org_id, request_id, kind, credits) values ('$ORG', 'paid', 'refund', 1)`,
    /call paid was not charged this/,
  ],
  [
    'a refund that is larger than its charge',
    `insert into credit_entry (org_id, request_id, kind, ref, credits) values ('$ORG', 'paid', 'refund', 'lyr_x', 11)`,
    /call paid was not charged this/,
  ],
  [
    'a second refund of one charge',
    `insert into credit_entry (org_id, request_id, kind, ref, credits) values ('$ORG', 'paid', 'refund', 'lyr_x', 10);
     insert into credit_entry (org_id, request_id, kind, ref, credits) values ('$ORG', 'paid', 'refund', 'lyr_x', 10)`,
    /credit_entry_once/,
  ],
  [
    'a refund of another dataset than was charged',
    `insert into credit_entry (org_id, request_id, kind, ref, credits) values ('$ORG', 'paid', 'refund', 'lyr_y', 10)`,
    /call paid was not charged this/,
  ],
  [
    'a refund of what was charged long ago',
    `insert into credit_entry (org_id, request_id, kind, ref, credits) values ('$ORG', 'old', 'refund', 'lyr_x', 10)`,
    /call old was not charged this within the last day/,
  ],
  [
    'a refund of what was charged long ago, by the function that refunds',
    `select call_void('$ORG', 'key', 'old')`,
    /call old was not charged this within the last day/,
  ],
  [
    'a charge below zero, by the function that charges',
    `select call_charge('$ORG', 'key', 'x', array['lyr_x'], array[-1000000])`,
    /charges_take_and_others_add/,
  ],
  ['another account', `insert into account values ('$ORG', 10)`, /permission denied/],
  ['an account of its own', `update account set org_id = org_id`, /permission denied/],
  ['fewer entries', `delete from credit_entry where org_id = '$ORG'`, /permission denied/],
  ['other entries', `update credit_entry set credits = 1 where org_id = '$ORG'`, /permission denied/],
  ['no trigger', 'alter table account disable trigger all', /must be owner/],
  ['triggers that are passed over', 'set session_replication_role = replica', /permission denied/],
  [
    'another rule',
    `create or replace function refuse_all_but_owner() returns trigger language plpgsql as 'begin return new; end'`,
    /permission denied|must be owner/,
  ],
  ['the owner', 'set role frames_owner', /permission denied/],
  [
    'entries that it made up in a temporary table',
    `create temporary table credit_entry (like public.credit_entry);
     insert into pg_temp.credit_entry (entry_id, org_id, request_id, kind, ref, credits, entered_at) values (1, '$ORG', 'x', 'dataset', 'lyr_x', -10, now());
     insert into public.credit_entry (org_id, request_id, kind, ref, credits) values ('$ORG', 'x', 'refund', 'lyr_x', 10)`,
    /permission denied|was not charged this/,
  ],
]

describe('the role of the service cannot raise credits', () => {
  let database: TestDatabase
  let service: postgres.Sql
  let admin: postgres.Sql
  let org: string

  before(() => {
    ;({ database } = shared())
    service = postgres(urlOf(database.target), { max: 1, onnotice: () => {} })
    admin = postgres(urlOf(database.adminTarget), { max: 1, onnotice: () => {} })
  })
  after(() => Promise.all([service.end(), admin.end()]))
  beforeEach(async () => {
    org = await newOrganisation(database.db)
    await credit(database.db, org, 70)
    await database.db.work(`
      insert into credit_entry (org_id, request_id, kind, ref, credits, entered_at)
      values ('${org}', 'old', 'dataset', 'lyr_x', -10, now() - interval '2 days'), ('${org}', 'paid', 'dataset', 'lyr_x', -10, now())`)
    assert.equal(await balanceOf(database.db, org), 50)
  })

  for (const [way, statements, refused] of ways) {
    it(`by ${way}`, async () => {
      const tried = statements.replaceAll('$ORG', org)
      await assert.rejects(
        service.begin((inside) => inside.unsafe(tried)),
        new RegExp(`permission denied|${refused.source}`),
      )
      const withRights = admin.begin(async (inside) => {
        await inside.unsafe(`grant update (balance) on account to frames_service; grant insert on credit_entry to frames_service;
          set local session authorization frames_service`)
        await inside.unsafe(tried)
      })
      await assert.rejects(withRights, refused)
      assert.equal(await balanceOf(database.db, org), 50)
      assert.deepEqual([...(await ledgerFaults(database.db))], [])
    })
  }

  it('and it can charge and refund a charge, as calls need', async () => {
    const charged = await service`select call_charge(${org}, 'key', 'new', array['lyr_x', 'lyr_y'], array[51, 7]) as of`
    assert.deepEqual(charged[0]?.['of'], ['lyr_y'])
    assert.equal(await balanceOf(database.db, org), 43)
    await service`select call_void(${org}, 'key', 'new')`
    assert.equal(await balanceOf(database.db, org), 50)
  })

  it('and it can refund a charge of 23 hours ago, as a refund that waited for the database needs', async () => {
    await database.db.work(`insert into credit_entry (org_id, request_id, kind, ref, credits, entered_at)
      values ('${org}', 'late', 'dataset', 'lyr_x', -10, now() - interval '23 hours')`)
    await service`select call_void(${org}, 'key', 'late')`
    assert.equal(await balanceOf(database.db, org), 50)
  })

  it('nor lock a table against others', async () => {
    const tables = await service`select oid::regclass::text as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and has_table_privilege(oid, 'select')`
    assert.ok(tables.length > 20)
    for (const { name } of tables) {
      for (const mode of ['share', 'access exclusive']) {
        const locked = service.begin((inside) => inside.unsafe(`lock table ${name} in ${mode} mode`))
        await assert.rejects(locked, /permission denied/, `${mode} on ${name}`)
      }
    }
  })

  it('while the owner can refund an old charge', async () => {
    await database.db.work(
      `insert into credit_entry (org_id, request_id, kind, ref, credits) values ('${org}', 'old', 'refund', 'lyr_x', 10)`,
    )
    assert.equal(await balanceOf(database.db, org), 60)
  })

  it('and the doctor finds a worded answer whose count was taken back and whose credit was not', async () => {
    await admin`insert into worded_use (org_id, day, by_credits) values (${org}, now()::date, 2)`
    await admin`insert into credit_entry (org_id, request_id, kind, credits) values (${org}, 'w1', 'worded', -1), (${org}, 'w2', 'worded', -1)`
    assert.deepEqual([...(await ledgerFaults(database.db))], [])
    await admin`update worded_use set by_credits = 1 where org_id = ${org}`
    assert.deepEqual(
      (await ledgerFaults(database.db)).map(({ fault }) => fault),
      ['the allowance counts 1 worded answers by credits, the entries 2'],
    )
    await admin`update worded_use set by_credits = 2 where org_id = ${org}`
  })
})
