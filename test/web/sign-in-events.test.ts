import assert from 'node:assert/strict'
import { newSessionToken } from '../../src/core/access/secret.js'
import { IDLE_HOURS } from '../../src/app/shell/session-life.js'
import { enterMember } from '../support/people.js'
import { newOrganisation, service } from '../support/service.js'
import { guest, linkFor, personOf, rows, signedIn } from './visitors.js'

type Event = {
  action: string
  actor: string
  about: string | null
  from: string | null
  detail: Record<string, string>
}

describe('signing in and out', () => {
  const eventsOf = async (orgId: string) =>
    Array.from(
      await rows<Event>(
        `select action, actor, person_id as about, from_address as "from", detail from key_event
         where org_id = $1::text and action in ('signed_in', 'session_ended', 'passkey_added', 'passkey_removed')
         order by event_id`,
        orgId,
      ),
    )
  const actionsOf = async (orgId: string) => (await eventsOf(orgId)).map(({ action, actor }) => `${actor} ${action}`)
  const enterSession = (personId: string, orgId: string, idleMinutes = 0) =>
    rows(
      `insert into session (token_hash, person_id, org_id, made_by, seen_at, ends_at)
       values (sha256($1::text::bytea), $2::text, $3::text, 'openid',
         clock_timestamp() - make_interval(mins => $4::int), clock_timestamp() + interval '1 day')`,
      newSessionToken(),
      personId,
      orgId,
      idleMinutes,
    )

  it('leave events that name the person, the address and the way', async () => {
    const orgId = await newOrganisation(service().db)
    const ada = await signedIn({ orgId })
    await ada.post('/app/sign-out')
    const [began, ended, ...more] = await eventsOf(orgId)
    assert.deepEqual(more, [])
    assert.match(began?.about ?? '', /^per_\w{12}$/)
    assert.ok(began?.from)
    assert.deepEqual(began, {
      ...began,
      action: 'signed_in',
      actor: 'Ada',
      detail: { name: 'Ada', by: 'link' },
    })
    assert.deepEqual(ended, { ...began, action: 'session_ended' })
  })

  it('leave an event for each session that a person ends, by whatever form', async () => {
    const orgId = await newOrganisation(service().db)
    const ada = await signedIn({ orgId })
    const personId = await personOf(orgId)
    const again = () => linkFor({ orgId, personId })
    await ada.post('/app/link', { t: await again() })
    const signedInTwice = ['Ada signed_in', 'Ada signed_in', 'Ada session_ended']
    assert.deepEqual(await actionsOf(orgId), signedInTwice)
    await guest().post('/app/link', { t: await again() })
    const [, id = ''] = /\/sessions\/(\w{16})\/end/.exec((await ada.get('/app/account')).text) ?? []
    await ada.post(`/app/account/sessions/${id}/end`)
    assert.deepEqual(await actionsOf(orgId), [...signedInTwice, 'Ada signed_in', 'Ada session_ended'])
    for (let i = 0; i < 2; i += 1) await guest().post('/app/link', { t: await again() })
    await ada.post('/app/account/sign-out-everywhere')
    assert.deepEqual((await actionsOf(orgId)).slice(5), [
      ...Array.from({ length: 2 }, () => 'Ada signed_in'),
      ...Array.from({ length: 3 }, () => 'Ada session_ended'),
    ])
  })

  it('name the role of the database where somebody ends a session in psql', async () => {
    const orgId = await newOrganisation(service().db)
    await signedIn({ orgId })
    await rows('delete from session where org_id = $1::text', orgId)
    const [, ended] = await eventsOf(orgId)
    assert.equal(ended?.action, 'session_ended')
    assert.notEqual(ended.actor, 'Ada')
    assert.equal(ended.from, null)
  })

  it('leave no event where a session had ended, or ends with its membership', async () => {
    const orgId = await newOrganisation(service().db)
    await enterMember(service().db, { orgId, role: 'owner' })
    const personId = await enterMember(service().db, { orgId, role: 'member', name: 'Olu' })
    const ended = async () => (await actionsOf(orgId)).filter((event) => event.endsWith('session_ended')).length
    await enterSession(personId, orgId, IDLE_HOURS * 60 - 1)
    await rows('delete from session where org_id = $1::text', orgId)
    assert.equal(await ended(), 1)
    await enterSession(personId, orgId, IDLE_HOURS * 60)
    await rows('delete from session where org_id = $1::text', orgId)
    await enterSession(personId, orgId)
    await rows(`update session set ends_at = clock_timestamp() where org_id = $1::text`, orgId)
    await rows('delete from session where org_id = $1::text', orgId)
    await enterSession(personId, orgId)
    await rows('delete from membership where person_id = $1::text', personId)
    assert.equal(await ended(), 1)
  })

  it('leave events in both organisations where a person switches', async () => {
    const [maps, roads] = [await newOrganisation(service().db), await newOrganisation(service().db)]
    const ada = await signedIn({ orgId: maps })
    await rows(
      `insert into membership (person_id, org_id, role) values ($1::text, $2::text, 'owner')`,
      await personOf(maps),
      roads,
    )
    for (const organisation of [roads, roads]) await ada.post('/app/organisation', { organisation })
    assert.deepEqual(await actionsOf(maps), ['Ada signed_in', 'Ada session_ended'])
    assert.deepEqual(
      (await eventsOf(roads)).map(({ action, actor, detail }) => [action, actor, detail['by']]),
      [['signed_in', 'Ada', 'switch']],
    )
  })
})
