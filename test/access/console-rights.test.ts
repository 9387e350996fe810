import assert from 'node:assert/strict'
import postgres from 'postgres'
import { urlOf, type TestDatabase } from '../support/database.js'
import { enterMember } from '../support/people.js'
import { mint, newOrganisation, service } from '../support/service.js'

/** $ORG and $PERSON stand for an organisation and its owner, $KEY for a key of it that is revoked. */
const KEY_ROW = `insert into api_key (key_id, org_id, secret_hash, last_four, name, capabilities, expires_at)
  values ('key_000000000001', '$ORG', sha256('x'), 'abcd', 'x', '{}', now() + interval '30 days')`
const ENTER_EVENT = `select event_enter('$ORG', 'minted', null, null, '{}')`

/** rights-of-roles.test.ts tries every table and column: these are other ways, and rows that a trigger refuses. */
const forbidden = {
  service: [ENTER_EVENT, `select console_may('frames_service')`, 'set role frames_console'],
  console: [
    'update api_key set revoked_at = revoked_at returning secret_hash',
    `update api_key set revoked_at = null where key_id = '$KEY'`,
    `update api_key set revoked_at = now() + interval '1 day' where key_id = '$KEY'`,
    KEY_ROW.replace('expires_at)', 'created_at, expires_at)').replace(
      `now() + interval '30 days'`,
      `now() + interval '1 day', now() + interval '366 days'`,
    ),
    ENTER_EVENT,
    'alter table key_event disable trigger all',
    'set session_replication_role = replica',
    `create or replace function refuse_all_but_owner() returns trigger language plpgsql as 'begin return new; end'`,
    'create temporary table key_event (n int)',
    'create table mine (n int)',
    'set role frames_owner',
  ],
}

describe('a role of the database', () => {
  let database: TestDatabase
  let replace: (statement: string) => string
  let keyId: string
  before(async () => {
    database = service().database
    const org = await newOrganisation(database.db)
    const person = await enterMember(database.db, { orgId: org, role: 'owner' })
    keyId = (await mint(database.db, { org })).keyId
    await database.db.rows('update api_key set revoked_at = clock_timestamp() where key_id = $1::text', [keyId])
    replace = (statement) => statement.replaceAll('$ORG', org).replaceAll('$PERSON', person).replaceAll('$KEY', keyId)
  })

  for (const [role, statements] of Object.entries(forbidden)) {
    it(`frames_${role} may do none of ${statements.length} things that are not its own`, async () => {
      const sql = postgres(urlOf(database.adminTarget).replace('//postgres@', `//frames_${role}@`), {
        max: 1,
        onnotice: () => {},
      })
      try {
        for (const statement of statements) {
          const refused = /permission denied|must be owner|only the owner/
          await assert.rejects(
            sql.begin((inside) => inside.unsafe(replace(statement))),
            refused,
            statement,
          )
        }
      } finally {
        await sql.end()
      }
    })
  }

  it('frames_console mints, revokes, and signs a person in and out, each with its event', async () => {
    const sql = postgres(urlOf(database.consoleTarget), { max: 1, onnotice: () => {} })
    try {
      await sql.unsafe(replace(KEY_ROW))
      await sql`update api_key set revoked_at = now() + interval '1 hour' where key_id = 'key_000000000001'`
      await sql`update api_key set revoked_at = now() where key_id = 'key_000000000001'`
      const events = await sql`select action, actor from key_event where key_id = 'key_000000000001' order by event_id`
      assert.deepEqual(
        events.map(({ action, actor }) => [action, actor]),
        ['minted', 'revoked', 'revoked'].map((action) => [action, 'frames_console']),
      )
      await sql.unsafe(
        replace(`insert into session (token_hash, person_id, org_id, made_by, ends_at)
          values (sha256('x'), '$PERSON', '$ORG', 'link', now() + interval '7 days')`),
      )
      await sql`delete from session`
    } finally {
      await sql.end()
    }
  })

  it('not even the owner changes or removes an event', async () => {
    for (const change of [`update key_event set actor = 'x'`, 'delete from key_event', 'truncate key_event'])
      await assert.rejects(database.db.work(change), /rows of key_event are added, never changed or removed/)
  })

  it('a change in psql has an event, with the role as its actor', async () => {
    await database.db.rows(
      `update api_key set name = 'other', expires_at = expires_at - interval '1 day' where key_id = $1::text`,
      [keyId],
    )
    const [event] = await database.db.rows<{ actor: string; detail: Record<string, { from: string; to: string }> }>(
      `select actor, detail from key_event where key_id = $1::text order by event_id desc limit 1`,
      [keyId],
    )
    assert.equal(event?.actor, 'frames_owner')
    assert.deepEqual(event?.detail['name'], { from: 'tests', to: 'other' })
    assert.deepEqual(Object.keys(event?.detail ?? {}).sort(), ['expires_at', 'name'])
  })
})
