import assert from 'node:assert/strict'
import { actingAs } from '../../src/core/access/actor.js'
import {
  listKeys,
  mintKey,
  revokeKey,
  rollKey,
  UnknownKey,
  type Grace,
  type KeyOfOrganisation,
} from '../../src/core/access/keys.js'
import { randomText } from '../../src/core/access/secret.js'
import { keysOfOrganisation } from '../../src/app/shell/statements.js'
import { connect, type Target } from '../../src/core/db/connect.js'
import { urlOf } from '../support/database.js'
import { ask, bearer, mint, newOrganisation, service, startService } from '../support/service.js'

type Event = { action: string; keyId: string | null; actor: string; person: string | null; address: string | null }

const ada = { name: 'Ada', personId: 'per_000000000001', address: '192.0.2.7' }
const db = () => actingAs(service().db, ada)
const status = async (secret: string) => (await ask(`${service().url}/v1/states`, { headers: bearer(secret) })).status
const roll = (key: KeyOfOrganisation, grace: Grace, keyId?: string) =>
  db().change('tests: roll', (run) => rollKey(run, key, { days: 30, grace, keyId }))
const eventsOf = (keyId: string) =>
  service().db.rows<Event>(
    `select action, key_id as "keyId", actor, actor_person as person, from_address as address
    from key_event where key_id = $1::text order by event_id`,
    [keyId],
  )

describe('a key that is rolled', () => {
  it('gives its name, capabilities and datasets to a new key; both pass until the grace ends, then the new one alone', async () => {
    const old = await mint(service().db, { name: 'field team', preset: 'analyst', datasets: ['lyr_population'] })
    const { secret, ...key } = await roll(old, '1h')
    assert.deepEqual([key.name, key.datasets, key.rolledFrom], ['field team', ['lyr_population'], old.keyId])
    assert.deepEqual([await status(old.secret), await status(secret)], [200, 200])
    // Tests cannot wait for hours: the end of the grace moves to the present.
    await service().db.rows('update api_key set revoked_at = clock_timestamp() where key_id = $1::text', [old.keyId])
    assert.deepEqual([await status(old.secret), await status(secret)], [401, 200])
  })

  it('is one of the organisation that asks: another one is told that there is no such key', async () => {
    const old = await mint(service().db)
    const other = await newOrganisation(service().db)
    await assert.rejects(roll({ keyId: old.keyId, orgId: other }, 'now'), UnknownKey)
    await assert.rejects(
      db().change('tests: revoke', (run) => revokeKey(run, old.keyId, other)),
      UnknownKey,
    )
    assert.equal(await status(old.secret), 200)
  })

  it('takes one of two rolls that come at the same time', async () => {
    const old = await mint(service().db)
    const rolls = await Promise.allSettled([1, 2, 3, 4].map(() => roll(old, '24h')))
    assert.equal(rolls.filter((each) => each.status === 'fulfilled').length, 1)
    const [row] = await service().db.rows<{ keys: number }>(
      'select count(*)::int as keys from api_key where rolled_from = $1::text',
      [old.keyId],
    )
    assert.equal(row?.keys, 1)
  })
})

describe('a revocation', () => {
  /** A search path that finds clocks which are some hours ahead or behind before those of PostgreSQL. */
  async function withClock(hours: number, work: (pathOf: (target: Target) => string) => Promise<void>): Promise<void> {
    const schema = `clock_${randomText(12).toLowerCase()}`
    const moved = ['clock_timestamp', 'statement_timestamp'].map(
      (clock) =>
        `create function ${schema}.${clock}() returns timestamptz return pg_catalog.${clock}() + interval '${hours} hours'`,
    )
    for (const text of [`create schema ${schema}`, `grant usage on schema ${schema} to public`, ...moved])
      await service().db.work(text)
    await work((target) => `${urlOf(target)}?search_path=${schema},pg_catalog,public`)
    await service().db.work(`drop schema ${schema} cascade`)
  }

  it('at once holds for good, whatever the clock of the database says later; a grace ends by that clock', async () => {
    const org = await newOrganisation(service().db)
    const revoke = ({ keyId }: KeyOfOrganisation) => db().change('tests: revoke', (run) => revokeKey(run, keyId))
    const ends: ((key: KeyOfOrganisation) => Promise<unknown>)[] = [
      revoke,
      (key) => roll(key, 'now'),
      async (key) => {
        await roll(key, '24h')
        await revoke(key)
      },
      (key) => roll(key, '24h'),
    ]
    const keys = await Promise.all(ends.map(async () => await mint(service().db, { org })))
    for (const [place, end] of ends.entries()) await end(keys[place] as KeyOfOrganisation)
    for (const [hours, expected] of [
      [-48, [false, false, false, true]],
      [0, [false, false, false, true]],
      [25, [false, false, false, false]],
    ] as const)
      await withClock(hours, async (pathOf) => {
        const running = await startService({ ...service().database, target: pathOf(service().database.target) })
        const owner = connect(pathOf(service().database.ownerTarget))
        try {
          const listed = new Map((await listKeys(owner.run, org)).map(({ keyId, state }) => [keyId, state]))
          const shown = new Map((await keysOfOrganisation(owner, org)).map((key) => [key.keyId, key.isUsable]))
          const states = keys.map(async ({ keyId, secret }) => [
            (await ask(`${running.url}/v1/states`, { headers: bearer(secret) })).status === 200,
            listed.get(keyId) === 'valid',
            shown.get(keyId),
          ])
          const wanted = expected.map((isValid) => [isValid, isValid, isValid])
          assert.deepEqual(await Promise.all(states), wanted, `with a clock that is ${hours} hours ahead`)
        } finally {
          await Promise.all([running.stop(), owner.close()])
        }
      })
  })
})

describe('the events of a key', () => {
  it('name who changed it and from where, and hold no secret', async () => {
    const org = await newOrganisation(service().db)
    const rights = { name: 'x', preset: 'locality' as const, capabilities: undefined, datasets: undefined, days: 30 }
    const key = await db().change('tests: mint', (run) => mintKey(run, { org, ...rights }))
    const next = await roll(key, '1h')
    await db().change('tests: revoke', (run) => revokeKey(run, key.keyId))
    const by = { actor: 'Ada', person: 'per_000000000001', address: '192.0.2.7' }
    const expected = (keyId: string, ...actions: string[]) => actions.map((action) => ({ action, keyId, ...by }))
    assert.deepEqual([...(await eventsOf(key.keyId))], expected(key.keyId, 'minted', 'revoked', 'revoked'))
    assert.deepEqual([...(await eventsOf(next.keyId))], expected(next.keyId, 'rolled'))
    const [row] = await service().db.rows<{ text: string }>(
      'select string_agg(key_event::text, chr(10)) as text from key_event where org_id = $1::text',
      [org],
    )
    assert.ok(row)
    for (const secret of [key.secret, next.secret]) {
      for (const hidden of [secret, secret.slice(7, 30)]) assert.doesNotMatch(row.text, new RegExp(hidden))
    }
    assert.doesNotMatch(row.text, /secret/)
  })

  it('name the role of the database where nobody else is named', async () => {
    const { keyId } = await mint(service().db)
    const [event] = await eventsOf(keyId)
    assert.deepEqual([event?.person, event?.address], [null, null])
    assert.match(event?.actor ?? '', /^(frames_owner|postgres)$/)
  })
})
