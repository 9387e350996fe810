import assert from 'node:assert/strict'
import { rolesOf } from '../../src/app/openid/settings.js'
import { visit } from '../support/browse.js'
import { askProvider, startOpenIdProvider, whatWasMade, type OpenIdProvider } from '../support/openid-provider.js'
import { newOrganisation, service, startService } from '../support/service.js'
import { linkFor, rows } from './visitors.js'

describe('roles by a claim of the OpenID provider', () => {
  let provider: OpenIdProvider
  let running: Awaited<ReturnType<typeof startService>>
  let maps: string
  let roads: string

  before(async () => {
    provider = await startOpenIdProvider()
    maps = await newOrganisation(service().db)
    roads = await newOrganisation(service().db)
    const grants = [
      { value: 'maps', orgId: maps, role: 'member' },
      { value: 'maps-admins', orgId: maps, role: 'admin' },
      { value: 'maps-owners', orgId: maps, role: 'owner' },
      { value: 'roads', orgId: roads, role: 'member' },
      { value: 'gone', orgId: 'org_000000000000', role: 'owner' },
    ] as const
    running = await startService(service().database, {
      publicUrl: 'listening',
      openId: { ...provider.settings, roleClaim: { claim: 'groups', grants } },
    })
    provider.register(`${running.url}/app/sign-in/openid/callback`)
    // The organisations keep an owner, whatever the others lose.
    for (const orgId of [maps, roads])
      await visit(running.url).post('/app/link', { t: await linkFor({ orgId, name: 'Owner' }) })
  })
  after(async () => {
    await running.stop()
    await provider.stop()
  })

  const signInAs = async (subject: string, groups: unknown, link?: string) => {
    provider.people.set(subject, { name: subject, groups })
    provider.chosen.subject = subject
    const visitor = visit(running.url)
    const start = `/app/sign-in/openid${link === undefined ? '' : `?t=${link}`}`
    const answer = await visitor.get(await askProvider(visitor, start, running.url))
    return { visitor, answer }
  }
  const rolesIn = async (subject: string) =>
    Object.fromEntries(
      (
        await rows<{ orgId: string; role: string }>(
          `select org_id as "orgId", role from membership join person using (person_id)
           where issuer = $1::text and subject = $2::text`,
          provider.settings.issuer,
          subject,
        )
      ).map(({ orgId, role }) => [orgId, role]),
    )

  it('lets a person in whose groups give a role, the highest where several do', async () => {
    const { visitor, answer } = await signInAs('ada', ['maps', 'maps-admins', 'roads', 'gone', 'other'])
    assert.equal(answer.status, 303)
    assert.deepEqual(await rolesIn('ada'), { [maps]: 'admin', [roads]: 'member' })
    assert.equal((await visitor.get('/app/account')).status, 200)
    const events = await rows<{ actor: string; action: string }>(
      `select actor, action from key_event join person using (person_id)
       where issuer = $1::text and subject = 'ada' order by event_id`,
      provider.settings.issuer,
    )
    assert.deepEqual(Array.from(events), [
      { actor: 'ada', action: 'joined' },
      { actor: 'ada', action: 'joined' },
      { actor: 'ada', action: 'signed_in' },
    ])
  })

  it('lets nobody in whose groups give no role, and enters nobody', async () => {
    const before = await whatWasMade(service().database)
    for (const groups of [[], ['other'], 'MAPS', undefined, { maps: true }, ['gone'], [['maps']]]) {
      const { answer } = await signInAs('bob', groups)
      assert.equal(answer.status, 403)
      assert.match(answer.text, /not a member of an organisation/)
    }
    assert.deepEqual(await whatWasMade(service().database), before)
  })

  it('follows the groups at each sign-in: roles rise, fall and end, and sessions end with the membership', async () => {
    const first = await signInAs('cyn', ['maps-admins', 'roads'])
    assert.equal(first.answer.status, 303)
    await signInAs('cyn', ['maps', 'roads'])
    assert.deepEqual(await rolesIn('cyn'), { [maps]: 'member', [roads]: 'member' })
    await signInAs('cyn', ['maps-owners'])
    assert.deepEqual(await rolesIn('cyn'), { [maps]: 'owner' })
    const last = await signInAs('cyn', [])
    assert.equal(last.answer.status, 403)
    assert.match(last.answer.text, /not a member of an organisation/)
    assert.deepEqual(await rolesIn('cyn'), {})
    for (const { visitor } of [first, last])
      assert.equal((await visitor.get('/app/account')).headers.location, '/app/sign-in')
  })

  it('leaves a role alone that an invitation gave', async () => {
    const link = await linkFor({ orgId: maps, role: 'admin', name: 'Dee' })
    assert.equal((await signInAs('dee', [], link)).answer.status, 303)
    for (const groups of [['maps-owners'], ['maps'], []]) {
      assert.equal((await signInAs('dee', groups)).answer.status, 303)
      assert.deepEqual(await rolesIn('dee'), { [maps]: 'admin' })
    }
  })

  it('keeps by an invitation a person whose groups give the role no more', async () => {
    await signInAs('eve', ['roads'])
    const link = await linkFor({ orgId: roads, role: 'member', name: 'Eve' })
    assert.equal((await signInAs('eve', [], link)).answer.status, 303)
    assert.equal((await signInAs('eve', [])).answer.status, 303)
    assert.deepEqual(await rolesIn('eve'), { [roads]: 'member' })
  })

  it('signs the last Owner in no more, and leaves the organisation as it is', async () => {
    await signInAs('fay', ['maps-owners'])
    await rows(
      `delete from membership where org_id = $1::text and person_id in (select person_id from person where subject is null)`,
      maps,
    )
    const before = await whatWasMade(service().database)
    const { answer } = await signInAs('fay', ['roads'])
    assert.equal(answer.status, 409)
    assert.match(answer.text, /would lose its last Owner/)
    assert.deepEqual(await rolesIn('fay'), { [maps]: 'owner' })
    assert.deepEqual(await whatWasMade(service().database), before)
  })

  it('finds a claim by its whole name, and else by a path', () => {
    const grants = [{ value: 'x', orgId: 'org_000000000001', role: 'owner' }] as const
    const found = (claims: Record<string, unknown>, claim: string) => rolesOf(claims, { claim, grants }).size === 1
    assert.ok(found({ realm_access: { roles: ['x'] } }, 'realm_access.roles'))
    assert.ok(found({ 'https://example.org/roles': 'x' }, 'https://example.org/roles'))
    assert.ok(!found({ 'realm_access.roles': [], realm_access: { roles: ['x'] } }, 'realm_access.roles'))
    assert.ok(!found({ realm_access: null }, 'realm_access.roles'))
    assert.ok(!found({}, 'constructor.name'))
    assert.ok(!found({ groups: ['X', ' x', 'xx', ['x'], { x: 'x' }] }, 'groups'))
  })
})
