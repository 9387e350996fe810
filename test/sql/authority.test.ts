import assert from 'node:assert/strict'
import { keyAuthority } from '../../src/core/db/statements.js'
import { measurePlan } from '../../src/api/inspect/explained.js'
import { planFacts } from '../../src/api/inspect/plan.js'
import { newDatabase, type TestDatabase } from '../support/database.js'

describe('the rights of 16 keys, after one organisation was analyzed and 45 joined it', () => {
  let database: TestDatabase
  before(async () => {
    database = await newDatabase('empty')
    const { rows } = database.db
    await rows(`insert into organisation (org_id, name, plan) values ('org_000000000000', 'First', 'trial')`, [])
    await database.db.work('analyze organisation')
    await rows(
      `insert into organisation (org_id, name, plan)
       select 'org_' || lpad(i::text, 12, '0'), 'Organisation ' || i, 'trial' from generate_series(1, 45) as i`,
      [],
    )
    await rows(
      `insert into api_key (key_id, org_id, secret_hash, last_four, name, capabilities, expires_at)
       select 'key_' || lpad(i::text, 12, '0'), 'org_' || lpad((i % 46)::text, 12, '0'), sha256(i::text::bytea), 'abcd', 'Key ' || i,
         '{frame.read}', clock_timestamp() + interval '90 days'
       from generate_series(1, 2000) as i`,
      [],
    )
    await database.db.work('analyze api_key')
  })
  after(() => database.drop())

  it('are read by few pages: each key looks up its own organisation', async () => {
    const hashes = await database.db.rows<{ hash: string }>(
      `select encode(sha256(i::text::bytea), 'hex') as hash from generate_series(11, 26) as i`,
      [],
    )
    const args = [hashes.map(({ hash }) => hash)]
    assert.equal((await database.db.rows(keyAuthority.text, args)).length, 16)
    const plan = await database.db.transaction((run) => measurePlan(run, { ...keyAuthority, args }))
    const { buffers } = planFacts(plan)
    assert.ok(buffers <= 3 + 9 * 16, `${buffers} pages`)
  })
})
