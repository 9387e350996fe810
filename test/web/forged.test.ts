import assert from 'node:assert/strict'
import { signIn, visit, type Visitor } from '../support/browse.js'
import type { TestDatabase } from '../support/database.js'
import { databaseOfPeople } from '../support/people.js'
import { newOrganisation, startService } from '../support/service.js'
import { stateOfOrganisation } from './state.js'

describe('an owner of another organisation', () => {
  let database: TestDatabase
  let running: Awaited<ReturnType<typeof startService>>
  let [own, other] = ['', '']
  let mallory: Visitor
  let victim: { personId: string; invitationId: string; sessionId: string }

  const rows = <Row>(text: string, ...args: unknown[]) => database.db.rows<Row>(text, args)
  const idOf = async (name: string) =>
    (
      await rows<{ id: string }>(
        'select person_id as id from person join membership using (person_id) where name = $1::text and org_id in ($2::text, $3::text)',
        name,
        own,
        other,
      )
    )[0]?.id ?? ''

  before(async () => {
    database = await databaseOfPeople()
    running = await startService(database, { publicUrl: 'listening' })
    own = await newOrganisation(database.db)
    other = await newOrganisation(database.db)
    mallory = await signIn(running.url, database.db, { orgId: own, name: 'Mallory' })
    const owner = await signIn(running.url, database.db, { orgId: other, name: 'Olu' })
    await signIn(running.url, database.db, { orgId: other, role: 'member', name: 'Victim' })
    await owner.post('/app/members', { name: 'Invited', role: 'admin' })
    const [link] = await rows<{ id: string }>(
      `select left(encode(token_hash, 'hex'), 16) as id from sign_in_link where name = 'Invited' and org_id = $1::text`,
      other,
    )
    const [session] = await rows<{ id: string }>(
      `select left(encode(token_hash, 'hex'), 16) as id from session join person using (person_id) where name = 'Victim' and org_id = $1::text`,
      other,
    )
    victim = { personId: await idOf('Victim'), invitationId: link?.id ?? '', sessionId: session?.id ?? '' }
  })
  after(() => running.stop())

  const stateOf = (org: string) => stateOfOrganisation(database.db, org)

  const forgedFields = () => ({ org: other, org_id: other, orgId: other, organisation: other, organisation_id: other })

  it('changes nothing there by the ids of its members, invitations and sessions', async () => {
    const before = await stateOf(other)
    const { personId, invitationId, sessionId } = victim
    assert.ok(personId && invitationId && sessionId)
    const attacks: [path: string, fields: Record<string, string>][] = [
      [`/app/members/${personId}/role`, { role: 'owner' }],
      [`/app/members/${await idOf('Olu')}/role`, { role: 'member' }],
      [`/app/members/${personId}/remove`, {}],
      [`/app/members/invitations/${invitationId}/withdraw`, {}],
      [`/app/account/sessions/${sessionId}/end`, {}],
      ['/app/organisation', { organisation: other }],
      ['/app/organisation', { organisation: '' }],
    ]
    for (const [path, fields] of attacks)
      for (const forged of [{}, forgedFields(), { ...forgedFields(), person_id: personId, role: 'owner' }]) {
        const answer = await mallory.post(path, { ...forged, ...fields })
        assert.equal(answer.status, 404, path)
        assert.deepEqual(await stateOf(other), before, path)
      }
  })

  it('invites to the organisation of the session, whatever organisation the form and the address name', async () => {
    const before = await stateOf(other)
    for (const [name, value] of Object.entries(forgedFields())) {
      const path = `/app/members?${name}=${value}`
      const answer = await mallory.post(path, {
        ...forgedFields(),
        name: `By ${name}`,
        role: 'owner',
        created_by: victim.personId,
      })
      assert.equal(answer.status, 200)
      const [link] = await rows<{ org: string; by: string }>(
        'select org_id as org, created_by as by from sign_in_link where name = $1::text',
        `By ${name}`,
      )
      assert.deepEqual(link, { org: own, by: await idOf('Mallory') })
    }
    assert.deepEqual(await stateOf(other), before)
  })

  it('sees no name of its people on any page', async () => {
    for (const path of ['/members', '/account', `/members?org=${other}`, `/account?person=${victim.personId}`]) {
      const { text } = await mallory.get(`/app${path}`)
      for (const name of ['Olu', 'Victim', 'Invited']) assert.ok(!text.includes(name), `${path} shows ${name}`)
    }
  })

  it('who joins it as a member switches to it, with the role there, and back', async () => {
    await rows(
      `insert into membership (person_id, org_id, role) values ($1::text, $2::text, 'member')`,
      await idOf('Mallory'),
      other,
    )
    assert.equal((await mallory.post('/app/organisation', { organisation: other })).headers.location, '/app')
    assert.equal((await mallory.get('/app/members')).status, 403)
    assert.equal((await mallory.post('/app/members', { name: 'x', role: 'owner' })).status, 403)
    assert.equal((await mallory.post('/app/organisation', { organisation: own })).status, 303)
    assert.equal((await mallory.get('/app/members')).status, 200)
  })
})

describe('the last owner of an organisation', () => {
  let database: TestDatabase
  let running: Awaited<ReturnType<typeof startService>>
  before(async () => {
    database = await databaseOfPeople()
    running = await startService(database, { publicUrl: 'listening' })
  })
  after(() => running.stop())

  const owners = async (orgId: string) =>
    await database.db.rows<{ id: string }>(
      `select person_id as id from membership where org_id = $1::text and role = 'owner' order by created_at`,
      [orgId],
    )

  it('can neither leave nor take another role, and learns why', async () => {
    const orgId = await newOrganisation(database.db)
    const owner = await signIn(running.url, database.db, { orgId })
    const id = (await owners(orgId))[0]?.id
    for (const [path, fields] of [
      [`/app/members/${id}/remove`, {}],
      [`/app/members/${id}/role`, { role: 'admin' }],
      [`/app/members/${id}/role`, { role: 'member' }],
    ] as const) {
      const answer = await owner.post(path, fields)
      assert.equal(answer.status, 409)
      assert.match(answer.text, /Make another member an Owner first/)
    }
    assert.equal((await owner.get('/app/members')).status, 200)
  })

  it('stays where two owners remove each other at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const orgId = await newOrganisation(database.db)
      const one = await signIn(running.url, database.db, { orgId, name: 'One' })
      const two = await signIn(running.url, database.db, { orgId, name: 'Two' })
      const [first, second] = await owners(orgId)
      const answers = await Promise.all([
        one.post(`/app/members/${second?.id}/remove`),
        two.post(`/app/members/${first?.id}/remove`),
      ])
      assert.equal((await owners(orgId)).length, 1)
      const statuses = answers.map(({ status }) => status)
      assert.equal(statuses.filter((status) => status === 303).length, 1, statuses.join())
    }
  })

  it('may go once there is another', async () => {
    const orgId = await newOrganisation(database.db)
    const one = await signIn(running.url, database.db, { orgId, name: 'First' })
    await signIn(running.url, database.db, { orgId, role: 'member', name: 'Second' })
    const members = (await one.get('/app/members')).text
    const ids = [...members.matchAll(/\/members\/(per_\w{12})\/role/g)].map(([, id = '']) => id)
    const ownId = (await owners(orgId))[0]?.id
    const secondId = ids.find((id) => id !== ownId) ?? ''
    assert.equal(
      (await one.post(`/app/members/${secondId}/role`, { role: 'owner' })).headers.location,
      '/app/members?done=role',
    )
    assert.equal((await one.post(`/app/members/${ownId}/remove`)).headers.location, '/app')
    assert.equal((await one.get('/app/account')).headers.location, '/app/sign-in')
    assert.deepEqual(
      (await owners(orgId)).map(({ id }) => id),
      [secondId],
    )
    const stays = visit(running.url)
    assert.equal((await stays.get('/app/members')).status, 303)
  })
})
