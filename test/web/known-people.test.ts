import assert from 'node:assert/strict'
import { makeLink, signIn, visit } from '../support/browse.js'
import type { TestDatabase } from '../support/database.js'
import { databaseOfPeople, enterMember } from '../support/people.js'
import { newOrganisation, startService } from '../support/service.js'

describe('a link for somebody whom the service knows', () => {
  let database: TestDatabase
  let running: Awaited<ReturnType<typeof startService>>
  before(async () => {
    database = await databaseOfPeople()
    running = await startService(database, { publicUrl: 'listening' })
  })
  after(() => running.stop())

  const rows = <Row>(text: string, ...args: unknown[]) => database.db.rows<Row>(text, args)
  const membersOf = async (orgId: string) =>
    (
      await rows<{ text: string }>(
        `select person_id || ' ' || role as text from membership where org_id = $1::text order by created_at`,
        orgId,
      )
    ).map(({ text }) => text)
  const onlyMember = async (orgId: string) => (await membersOf(orgId))[0]?.split(' ')[0] ?? ''
  const tokenIn = (text: string) => /svc_in_[0-9A-Za-z]{43}/.exec(text)?.[0] ?? ''

  it('says who is signed in, and joins with the present account where the person says so', async () => {
    const [own, other] = [await newOrganisation(database.db), await newOrganisation(database.db)]
    const ada = await signIn(running.url, database.db, { orgId: own, name: 'Ada' })
    const personId = await onlyMember(own)
    const elsewhere = visit(running.url)
    await elsewhere.post('/app/link', { t: await makeLink(database.db, { orgId: own, personId }) })
    const t = await makeLink(database.db, { orgId: other, role: 'admin', name: 'Ada two' })
    const page = (await ada.get(`/app/link?t=${t}`)).text
    assert.match(page, /You are signed in as <strong>Ada<\/strong>/)
    assert.match(page, /ends the session of Ada in this browser/)
    assert.match(page, /<button class="primary wide">Join as Ada<\/button>/)
    const cookies = new Map(ada.cookies)
    assert.equal((await ada.post('/app/link', { t, as: 'present' })).status, 303)
    assert.deepEqual(ada.cookies, cookies)
    assert.deepEqual(await membersOf(other), [`${personId} admin`])
    assert.equal((await ada.get('/app/keys')).status, 200)
    assert.equal((await ada.get('/app/members')).status, 403)
    // An owner of the first organisation may hold the other session.
    assert.equal((await elsewhere.get('/app/account')).status, 303)
    assert.equal((await visit(running.url).post('/app/link', { t })).status, 410)
  })

  it('changes no role of a member who joins once more, and says so', async () => {
    const orgId = await newOrganisation(database.db)
    const ada = await signIn(running.url, database.db, { orgId, name: 'Ada' })
    const t = await makeLink(database.db, { orgId, role: 'member', name: 'Ada two' })
    assert.match((await ada.get(`/app/link?t=${t}`)).text, /the link changes no role/)
    await ada.post('/app/link', { t, as: 'present' })
    assert.deepEqual(await membersOf(orgId), [`${await onlyMember(orgId)} owner`])
    assert.equal((await ada.get('/app/members')).status, 200)
  })

  it('is not spent by somebody who is signed out, or where it names somebody else', async () => {
    const orgId = await newOrganisation(database.db)
    const olu = await signIn(running.url, database.db, { orgId, name: 'Olu' })
    const carl = await enterMember(database.db, { orgId, role: 'admin', name: 'Carl' })
    const t = await makeLink(database.db, { orgId, role: 'owner', personId: carl })
    assert.equal((await visit(running.url).post('/app/link', { t, as: 'present' })).status, 401)
    assert.doesNotMatch((await olu.get(`/app/link?t=${t}`)).text, /Join as/)
    assert.equal((await olu.post('/app/link', { t, as: 'present' })).status, 410)
    assert.equal((await visit(running.url).post('/app/link', { t })).status, 303)
  })

  it('is made by an owner, leaves an event, and keeps the role', async () => {
    const orgId = await newOrganisation(database.db)
    const olu = await signIn(running.url, database.db, { orgId, name: 'Olu' })
    const carl = await enterMember(database.db, { orgId, role: 'member', name: 'Carl' })
    const answer = await olu.post(`/app/members/${carl}/link`, {})
    assert.equal(answer.status, 200)
    const [event] = await rows<object>(
      'select action, actor, person_id as person from key_event where org_id = $1::text order by event_id desc limit 1',
      orgId,
    )
    assert.deepEqual(event, { action: 'link_made', actor: 'Olu', person: carl })
    const again = visit(running.url)
    assert.equal((await again.post('/app/link', { t: tokenIn(answer.text) })).status, 303)
    assert.match((await again.get('/app/account')).text, /<dd>Carl<\/dd>/)
    assert.equal((await membersOf(orgId)).length, 2)
    assert.equal((await olu.post('/app/members/per_000000000000/link', {})).status, 404)
  })

  it('is not made in the app for a member who is in two organisations, or who has a provider', async () => {
    const [orgId, other] = [await newOrganisation(database.db), await newOrganisation(database.db)]
    const olu = await signIn(running.url, database.db, { orgId, name: 'Olu' })
    const carl = await enterMember(database.db, { orgId, role: 'member', name: 'Carl' })
    await rows(`insert into membership (person_id, org_id, role) values ($1::text, $2::text, 'owner')`, carl, other)
    assert.equal((await olu.post(`/app/members/${carl}/link`, {})).status, 409)
    const ife = await enterMember(database.db, { orgId, role: 'member', name: 'Ife' })
    await rows(`update person set issuer = 'https://id.example', subject = person_id where person_id = $1::text`, ife)
    assert.equal((await olu.post(`/app/members/${ife}/link`, {})).status, 409)
  })

  it('and who joins another organisation meanwhile signs nobody in, since it would open both', async () => {
    const [orgId, other] = [await newOrganisation(database.db), await newOrganisation(database.db)]
    const olu = await signIn(running.url, database.db, { orgId, name: 'Olu' })
    const carl = await enterMember(database.db, { orgId, role: 'member', name: 'Carl' })
    const t = tokenIn((await olu.post(`/app/members/${carl}/link`, {})).text)
    await rows(`insert into membership (person_id, org_id, role) values ($1::text, $2::text, 'owner')`, carl, other)
    assert.equal((await visit(running.url).get(`/app/link?t=${t}`)).status, 410)
    assert.equal((await visit(running.url).post('/app/link', { t })).status, 410)
    // The operator may sign in anybody.
    const ofOperator = await makeLink(database.db, { orgId, personId: carl })
    assert.equal((await visit(running.url).post('/app/link', { t: ofOperator })).status, 303)
  })

  it('is offered where the app refuses to invite an e-mail address that a member has', async () => {
    const orgId = await newOrganisation(database.db)
    const olu = await signIn(running.url, database.db, { orgId, name: 'Olu' })
    const carl = await enterMember(database.db, { orgId, role: 'member', name: 'Carl', email: 'carl@example.org' })
    const answer = await olu.post('/app/members', { name: 'Carl two', email: 'Carl@Example.org', role: 'owner' })
    assert.equal(answer.status, 422)
    assert.match(answer.text, /Carl is a member with this address/)
    assert.match(answer.text, new RegExp(`action="/app/members/${carl}/link"`))
    const links = await rows('select from sign_in_link where org_id = $1::text and used_at is null', orgId)
    assert.equal(links.length, 0)
  })
})
