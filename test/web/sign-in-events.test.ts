import assert from 'node:assert/strict'
import { newSessionToken } from '../../src/core/access/secret.js'
import { IDLE_HOURS } from '../../src/app/shell/session-life.js'
import { organisation, spend, type Organisation } from './organisation.js'
import { rows } from './visitors.js'

describe('signing in and out', () => {
  let org: Organisation
  beforeEach(async () => (org = await organisation()))
  const eventsOf = ({ events } = org) => events('signed_in', 'session_ended', 'passkey_added', 'passkey_removed')
  const said = async (of = org) => (await eventsOf(of)).map(({ action, actor }) => `${actor} ${action}`)
  const endInPsql = () => org.rows('delete from session where org_id = $1::text')

  it('leave events that name the person, the address and the way', async () => {
    const ada = await org.enter()
    await ada.post('/app/sign-out')
    const [began, ended, ...more] = await eventsOf()
    assert.deepEqual(more, [])
    assert.match(began?.about ?? '', /^per_\w{12}$/)
    assert.ok(began?.from)
    assert.deepEqual(began, { ...began, action: 'signed_in', actor: 'Ada', detail: { name: 'Ada', by: 'link' } })
    assert.deepEqual(ended, { ...began, action: 'session_ended' })
  })

  it('leave an event for each session that a person ends, by whatever form', async () => {
    const ada = await org.enter()
    const personId = await org.idOf()
    const [begun, ended] = ['Ada signed_in', 'Ada session_ended']
    await ada.post('/app/link', { t: await org.link({ personId }) })
    assert.deepEqual(await said(), [begun, begun, ended])
    await spend(await org.link({ personId }))
    const [, id = ''] = /\/sessions\/(\w{16})\/end/.exec((await ada.get('/app/account')).text) ?? []
    await ada.post(`/app/account/sessions/${id}/end`)
    assert.deepEqual((await said()).slice(3), [begun, ended])
    for (let i = 0; i < 2; i += 1) await spend(await org.link({ personId }))
    await ada.post('/app/account/sign-out-everywhere')
    assert.deepEqual((await said()).slice(5), [begun, begun, ended, ended, ended])
  })

  it('name the role of the database where somebody ends a session in psql', async () => {
    await org.enter()
    await endInPsql()
    const [, ended] = await eventsOf()
    assert.equal(ended?.action, 'session_ended')
    assert.notEqual(ended.actor, 'Ada')
    assert.equal(ended.from, null)
  })

  it('leave no event where a session had ended, or ends with its membership', async () => {
    await org.add('Ada', 'owner')
    const personId = await org.add('Olu')
    const enterSession = (idleMinutes: number) =>
      org.rows(
        `insert into session (token_hash, person_id, org_id, made_by, seen_at, ends_at)
         values (sha256($2::text::bytea), $3::text, $1::text, 'openid',
           clock_timestamp() - make_interval(mins => $4::int), clock_timestamp() + interval '1 day')`,
        newSessionToken(),
        personId,
        idleMinutes,
      )
    const ended = async () => (await said()).filter((event) => event.endsWith('session_ended')).length
    for (const idleMinutes of [IDLE_HOURS * 60 - 1, IDLE_HOURS * 60]) {
      await enterSession(idleMinutes)
      await endInPsql()
      assert.equal(await ended(), 1)
    }
    await enterSession(0)
    await org.rows(`update session set ends_at = clock_timestamp() where org_id = $1::text`)
    await endInPsql()
    await enterSession(0)
    await rows('delete from membership where person_id = $1::text', personId)
    assert.equal(await ended(), 1)
  })

  it('leave events in both organisations where a person switches', async () => {
    const roads = await organisation()
    const ada = await org.enter()
    await roads.join(await org.idOf())
    for (const { orgId } of [roads, roads]) await ada.post('/app/organisation', { organisation: orgId })
    assert.deepEqual(await said(), ['Ada signed_in', 'Ada session_ended'])
    assert.deepEqual(
      (await eventsOf(roads)).map(({ action, actor, detail }) => [action, actor, detail['by']]),
      [['signed_in', 'Ada', 'switch']],
    )
  })
})
