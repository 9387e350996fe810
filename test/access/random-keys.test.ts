import assert from 'node:assert/strict'
import fc from 'fast-check'
import { actingAs } from '../../src/core/access/actor.js'
import { GRACE_HOURS, mintKey, NotRolled, revokeKey, rollKey, type Grace } from '../../src/core/access/keys.js'
import { hashSecret } from '../../src/core/access/secret.js'
import { connect, type Database } from '../../src/core/db/connect.js'
import { keyAuthority } from '../../src/core/db/statements.js'
import { sampleOfCases } from '../support/sample.js'
import { newOrganisation, service } from '../support/service.js'

/** A person mints a key, or does something to the key that `which` chooses; or hours pass. */
type Step =
  | { does: 'mint'; days: number }
  | { does: 'roll'; which: number; days: number; grace: Grace }
  | { does: 'revoke'; which: number }
  | { does: 'tamper'; which: number; way: number }
  | { does: 'wait'; hours: number }

/** The key as it has to be, in hours of the sequence. */
type Expected = { keyId: string; secret: string; mintedAt: number; expiresAt: number; endsAt: number; events: string[] }

/** Statements of a session that has the password of the console and wants a key to live on. The key is $1. */
const TAMPERING = [
  'update api_key set revoked_at = null where key_id = $1::text and revoked_at is not null',
  `update api_key set revoked_at = revoked_at + interval '1 hour' where key_id = $1::text and revoked_at is not null`,
  `update api_key set expires_at = expires_at + interval '1 hour' where key_id = $1::text`,
  'update api_key set created_at = clock_timestamp() where key_id = $1::text',
  `update api_key set capabilities = '{feature.read}' where key_id = $1::text`,
  'delete from api_key where key_id = $1::text',
  'delete from key_event where key_id = $1::text',
  `update key_event set action = 'minted' where key_id = $1::text`,
  `insert into api_key (key_id, org_id, secret_hash, last_four, name, capabilities, created_at, expires_at)
   select 'key_' || left(md5(random()::text), 12), org_id, sha256(random()::text::bytea), 'xxxx', 'x', '{}',
     clock_timestamp() + interval '1 day', clock_timestamp() + interval '366 days' from api_key where key_id = $1::text`,
]

const which = fc.nat(9)
const days = fc.constantFrom(7, 8, 30, 365)
const steps = fc.array(
  fc.oneof(
    fc.record({ does: fc.constant('mint' as const), days }),
    fc.record({
      does: fc.constant('roll' as const),
      which,
      days,
      grace: fc.constantFrom(...(Object.keys(GRACE_HOURS) as Grace[])),
    }),
    fc.record({ does: fc.constant('revoke' as const), which }),
    fc.record({ does: fc.constant('tamper' as const), which, way: fc.nat(TAMPERING.length - 1) }),
    fc.record({
      does: fc.constant('wait' as const),
      hours: fc.constantFrom(1, 2, 23, 24, 25, 167, 168, 169, 4380, 8760),
    }),
  ),
  { minLength: 2, maxLength: 8 },
)

describe('keys in random sequences of mint, roll, revoke and expiry', function () {
  this.timeout(3_600_000)
  let app: Database
  let admin: Database
  before(() => {
    const { consoleTarget, adminTarget } = service().database
    app = connect(consoleTarget)
    admin = connect(adminTarget, { transactions: 1 })
  })
  after(async () => {
    await Promise.all([app.close(), admin.close()])
  })

  /** A sequence of steps in an organisation of its own, compared with what has to be. */
  async function play(sequence: readonly Step[]): Promise<void> {
    const org = await newOrganisation(service().db)
    const acting = actingAs(app, { name: 'Ada' })
    const keys: Expected[] = []
    let now = 0
    const enter = (minted: { keyId: string; secret: string }, lifeDays: number, event: string) =>
      keys.push({ ...minted, mintedAt: now, expiresAt: now + 24 * lifeDays, endsAt: Infinity, events: [event] })
    for (const step of sequence) {
      if (step.does === 'mint') {
        const wanted = { org, name: 'x', preset: 'locality' as const, capabilities: undefined, datasets: undefined }
        enter(
          await acting.change('tests: mint', (run) => mintKey(run, { ...wanted, days: step.days })),
          step.days,
          'minted',
        )
        continue
      }
      if (step.does === 'wait') {
        await wait(org, step.hours)
        now += step.hours
        continue
      }
      const key = keys[step.which % Math.max(keys.length, 1)]
      if (!key) continue
      if (step.does === 'tamper') await tamper(key.keyId, step.way)
      else if (step.does === 'revoke') {
        await acting.change('tests: revoke', (run) => revokeKey(run, key.keyId, org))
        if (key.endsAt > now) key.events.push('revoked')
        key.endsAt = Math.min(key.endsAt, now)
      } else {
        const { grace } = step
        const roll = acting.change('tests: roll', (run) =>
          rollKey(run, { keyId: key.keyId, orgId: org }, { days: step.days, grace }),
        )
        if (key.endsAt < Infinity || key.expiresAt <= now) await assert.rejects(roll, NotRolled)
        else {
          enter(await roll, step.days, 'rolled')
          key.endsAt = Math.min(now + GRACE_HOURS[grace], key.expiresAt)
          key.events.push('revoked')
        }
      }
      await compare(org, keys, now)
    }
    await compare(org, keys, now)
  }

  /** Hours pass when all instants of the organisation's keys move back. Triggers are off, since nobody changes a key. */
  const wait = (org: string, hours: number) =>
    admin.transaction(async (run) => {
      await run('set local session_replication_role = replica', [])
      await run(
        `update api_key set created_at = created_at - make_interval(hours => $2::int),
           expires_at = expires_at - make_interval(hours => $2::int),
           revoked_at = revoked_at - make_interval(hours => $2::int)
         where org_id = $1::text`,
        [org, hours],
      )
    })

  async function tamper(keyId: string, way: number): Promise<void> {
    const [row] = await service().db.rows<{ revoked: boolean }>(
      'select revoked_at is not null as revoked from api_key where key_id = $1::text',
      [keyId],
    )
    const tried = app.rows(TAMPERING[way] ?? '', [keyId])
    if (way < 2 && !row?.revoked) await tried
    else await assert.rejects(tried, /permission denied|only the owner/)
  }

  async function compare(org: string, keys: readonly Expected[], now: number): Promise<void> {
    const found = await keyAuthority(
      service().db,
      keys.map(({ secret }) => hashSecret(secret).toString('hex')),
    )
    const accepted = found.map(({ keyId }) => keyId).sort()
    const valid = keys.filter((key) => now < Math.min(key.expiresAt, key.endsAt, key.mintedAt + 365 * 24))
    assert.deepEqual(accepted, valid.map(({ keyId }) => keyId).sort())
    const events = await service().db.rows<{ keyId: string; action: string; actor: string }>(
      `select key_id as "keyId", action, actor from key_event where org_id = $1::text and key_id is not null order by event_id`,
      [org],
    )
    for (const { keyId, events: expected } of keys) {
      const ofKey = events.filter((event) => event.keyId === keyId)
      assert.deepEqual(
        ofKey.map(({ action }) => action),
        expected,
      )
      assert.ok(ofKey.every(({ actor }) => actor === 'Ada'))
    }
    assert.equal(
      events.length,
      keys.reduce((sum, key) => sum + key.events.length, 0),
    )
  }

  it('pass until their grace or expiry and not after, never beyond 365 days, and every change has its event', () =>
    fc.assert(fc.asyncProperty(steps, play), sampleOfCases(40, 10_000)))
})
