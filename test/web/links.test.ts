import assert from 'node:assert/strict'
import { newLinkToken, newSessionToken } from '../../src/core/access/secret.js'
import { signIn, visit } from '../support/browse.js'
import { enterMember } from '../support/people.js'
import { newOrganisation, service, startService } from '../support/service.js'
import { cellsOf } from './pages.js'
import { guest, linkFor, personOf, rows, signedIn, tokenIn } from './visitors.js'

describe('a sign-in link', () => {
  let orgId: string
  before(async () => (orgId = await newOrganisation(service().db)))

  const spend = (t: string) => guest().post('/app/link', { t })
  const count = async (table: 'membership' | 'session') =>
    (await rows<{ n: number }>(`select count(*)::int as n from ${table} where org_id = $1::text`, orgId))[0]?.n ?? 0

  it('works once, by its button: a second use signs nobody in, and neither does its page', async () => {
    const t = await linkFor({ orgId, name: 'Ada Eze' })
    for (let i = 0; i < 2; i += 1) {
      const page = await guest().get(`/app/link?t=${t}`)
      assert.equal(page.status, 200)
      assert.match(page.text, /<strong>Ada Eze<\/strong>, you sign in/)
      assert.deepEqual(page.setCookies, [])
    }
    assert.equal((await spend(t)).headers.location, '/app')
    const answer = await spend(t)
    assert.equal(answer.status, 410)
    assert.deepEqual(answer.setCookies, [])
    assert.equal((await guest().get(`/app/link?t=${t}`)).status, 410)
  })

  it('works once where 20 browsers send it at the same time', async () => {
    const t = await linkFor({ orgId, name: 'One of twenty' })
    const [people, sessions] = [await count('membership'), await count('session')]
    const answers = await Promise.all(Array.from({ length: 20 }, () => spend(t)))
    const statuses = answers.map(({ status }) => status)
    assert.deepEqual(
      [303, 410].map((each) => statuses.filter((status) => status === each).length),
      [1, 19],
    )
    assert.deepEqual([await count('membership'), await count('session')], [people + 1, sessions + 1])
  })

  it('signs nobody in after its end', async () => {
    const t = await linkFor({ orgId, minutes: -1 })
    assert.equal((await spend(t)).status, 410)
    assert.equal((await guest().get(`/app/link?t=${t}`)).status, 410)
  })

  it('signs nobody in where its token is mistyped, another’s, or no text', async () => {
    const t = await linkFor({ orgId })
    const wrong = [
      '',
      t.slice(0, -1),
      `${t}x`,
      t.toLowerCase(),
      t.replace('svc_in_', 'svc_se_'),
      newLinkToken(),
      "' or true --",
      '%00',
      '{"$ne":""}',
    ]
    for (const value of wrong) {
      assert.equal((await spend(value)).status, 410, value)
      assert.equal((await guest().get(`/app/link?t=${encodeURIComponent(value)}`)).status, 410, value)
    }
    assert.equal((await guest().post('/app/link', { t: [t, t] })).status, 400)
    assert.equal((await guest().get('/app/link')).status, 410)
    assert.equal((await spend(t)).status, 303)
  })

  it('for a member signs that person in, and changes no role', async () => {
    const first = await signedIn({ orgId, role: 'member', name: 'Known' })
    const t = await linkFor({ orgId, role: 'owner', personId: await personOf(orgId, 'Known') })
    const visitor = guest()
    await visitor.post('/app/link', { t })
    assert.match((await visitor.get('/app/account')).text, /<dd>Known<\/dd>/)
    assert.equal((await visitor.get('/app/members')).status, 403)
    assert.equal((await first.get('/app/account')).status, 200)
  })

  it('enters who joined, and from where, in the events', async () => {
    await signedIn({ orgId, role: 'admin', name: 'Joining' })
    const [event] = await rows<object>(
      `select actor, from_address as address, detail from key_event where action = 'joined' and org_id = $1::text
       order by event_id desc limit 1`,
      orgId,
    )
    assert.deepEqual(event, { actor: 'Joining', address: '127.0.0.1', detail: { name: 'Joining', role: 'admin' } })
  })

  it('that is guessed spends the bucket of the address, and those who are signed in there go on', async () => {
    const size = { burst: 900, perMinute: 900 }
    const buckets = { key: size, organisation: size, insight: size, address: { burst: 5, perMinute: 1 } }
    const limited = await startService(service().database, { publicUrl: 'listening', buckets })
    try {
      const session = await signIn(limited.url, service().db, { orgId })
      assert.equal((await session.get('/app/account')).status, 200)
      const guess = async (headers: Record<string, string>) => {
        const statuses: number[] = []
        for (let i = 0; i < 8; i += 1)
          statuses.push((await visit(limited.url).post('/app/link', { t: newLinkToken() }, headers)).status)
        return statuses
      }
      assert.deepEqual(await guess({}), [410, 410, 410, 410, 410, 429, 429, 429])
      // Behind a proxy no visitor has an address: they share a bucket.
      assert.deepEqual(await guess({ via: '1.1 proxy' }), [410, 410, 410, 410, 410, 429, 429, 429])
      const refused = await visit(limited.url).post('/app/link', { t: newLinkToken() })
      assert.ok(Number(refused.headers['retry-after']) > 0)
      assert.match(refused.text, /<h1>Too many requests<\/h1>/)
      // A forged session costs a query as well.
      const forged = visit(limited.url)
      forged.cookies.set(`frames-${limited.port}`, newSessionToken())
      assert.equal((await forged.get('/app/account')).status, 429)
      assert.equal((await session.get('/app/account')).status, 200)
      assert.equal((await visit(limited.url).get('/app/sign-in')).status, 200)
    } finally {
      await limited.stop()
    }
  })
})

describe('a link for somebody whom the service knows', () => {
  const newOrg = () => newOrganisation(service().db)
  const membersOf = async (orgId: string) =>
    (
      await rows<{ text: string }>(
        `select person_id || ' ' || role as text from membership where org_id = $1::text order by created_at`,
        orgId,
      )
    ).map(({ text }) => text)

  it('says who is signed in, and joins with the present account where the person says so', async () => {
    const [own, other] = [await newOrg(), await newOrg()]
    const ada = await signedIn({ orgId: own, name: 'Ada' })
    const personId = await personOf(own)
    const elsewhere = guest()
    await elsewhere.post('/app/link', { t: await linkFor({ orgId: own, personId }) })
    const t = await linkFor({ orgId: other, role: 'admin', name: 'Ada two' })
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
    assert.equal((await guest().post('/app/link', { t })).status, 410)
  })

  it('changes no role of a member who joins once more, and says so', async () => {
    const orgId = await newOrg()
    const ada = await signedIn({ orgId, name: 'Ada' })
    const t = await linkFor({ orgId, role: 'member', name: 'Ada two' })
    assert.match((await ada.get(`/app/link?t=${t}`)).text, /the link changes no role/)
    await ada.post('/app/link', { t, as: 'present' })
    assert.deepEqual(await membersOf(orgId), [`${await personOf(orgId)} owner`])
    assert.equal((await ada.get('/app/members')).status, 200)
  })

  it('is not spent by somebody who is signed out, or where it names somebody else', async () => {
    const orgId = await newOrg()
    const olu = await signedIn({ orgId, name: 'Olu' })
    const carl = await enterMember(service().db, { orgId, role: 'admin', name: 'Carl' })
    const t = await linkFor({ orgId, role: 'owner', personId: carl })
    assert.equal((await guest().post('/app/link', { t, as: 'present' })).status, 401)
    assert.doesNotMatch((await olu.get(`/app/link?t=${t}`)).text, /Join as/)
    assert.equal((await olu.post('/app/link', { t, as: 'present' })).status, 410)
    assert.equal((await guest().post('/app/link', { t })).status, 303)
  })

  it('is made by an owner, leaves an event, and keeps the role', async () => {
    const orgId = await newOrg()
    const olu = await signedIn({ orgId, name: 'Olu' })
    const carl = await enterMember(service().db, { orgId, role: 'member', name: 'Carl' })
    const answer = await olu.post(`/app/members/${carl}/link`, {})
    assert.equal(answer.status, 200)
    const [event] = await rows<object>(
      'select action, actor, person_id as person from key_event where org_id = $1::text order by event_id desc limit 1',
      orgId,
    )
    assert.deepEqual(event, { action: 'link_made', actor: 'Olu', person: carl })
    const again = guest()
    assert.equal((await again.post('/app/link', { t: tokenIn(answer.text) })).status, 303)
    assert.match((await again.get('/app/account')).text, /<dd>Carl<\/dd>/)
    assert.equal((await membersOf(orgId)).length, 2)
    assert.equal((await olu.post('/app/members/per_000000000000/link', {})).status, 404)
  })

  it('stands among the open links with what it is, and when it was made', async () => {
    const orgId = await newOrg()
    const olu = await signedIn({ orgId, name: 'Olu' })
    const mia = await enterMember(service().db, { orgId, role: 'member', name: 'Mia' })
    await olu.post('/app/members', { name: 'Mia', role: 'member' })
    await rows(
      `update sign_in_link set created_at = created_at - interval '1 second', valid_until = valid_until - interval '1 second'
       where org_id = $1::text`,
      orgId,
    )
    await olu.post('/app/members', { name: 'Mia', role: 'member' })
    await olu.post(`/app/members/${mia}/link`, {})
    const [newest, second, oldest, ...more] = cellsOf((await olu.get('/app/members')).text, 'Open links')
    assert.deepEqual(newest?.slice(0, 4), ['Mia', 'new sign-in link', 'Member', 'Olu'])
    assert.deepEqual(second?.slice(0, 4), ['Mia', 'invitation', 'Member', 'Olu'])
    for (const link of [second, oldest]) assert.match(link?.[4] ?? '', /^\d+ [A-Z][a-z]+ \d{4}, \d\d:\d\d:\d\d UTC$/)
    assert.notEqual(second?.[4], oldest?.[4])
    assert.equal(more.length, 0)
  })

  it('is not made in the app for a member who is in two organisations, or who has a provider', async () => {
    const [orgId, other] = [await newOrg(), await newOrg()]
    const olu = await signedIn({ orgId, name: 'Olu' })
    const carl = await enterMember(service().db, { orgId, role: 'member', name: 'Carl' })
    await rows(`insert into membership (person_id, org_id, role) values ($1::text, $2::text, 'owner')`, carl, other)
    assert.equal((await olu.post(`/app/members/${carl}/link`, {})).status, 409)
    const ife = await enterMember(service().db, { orgId, role: 'member', name: 'Ife' })
    await rows(`update person set issuer = 'https://id.example', subject = person_id where person_id = $1::text`, ife)
    assert.equal((await olu.post(`/app/members/${ife}/link`, {})).status, 409)
  })

  it('and who joins another organisation meanwhile signs nobody in, since it would open both', async () => {
    const [orgId, other] = [await newOrg(), await newOrg()]
    const olu = await signedIn({ orgId, name: 'Olu' })
    const carl = await enterMember(service().db, { orgId, role: 'member', name: 'Carl' })
    const t = tokenIn((await olu.post(`/app/members/${carl}/link`, {})).text)
    await rows(`insert into membership (person_id, org_id, role) values ($1::text, $2::text, 'owner')`, carl, other)
    assert.equal((await guest().get(`/app/link?t=${t}`)).status, 410)
    assert.equal((await guest().post('/app/link', { t })).status, 410)
    // The operator may sign in anybody.
    const ofOperator = await linkFor({ orgId, personId: carl })
    assert.equal((await guest().post('/app/link', { t: ofOperator })).status, 303)
  })

  it('is offered where the app refuses to invite an e-mail address that a member has', async () => {
    const orgId = await newOrg()
    const olu = await signedIn({ orgId, name: 'Olu' })
    const carl = await enterMember(service().db, { orgId, role: 'member', name: 'Carl', email: 'carl@example.org' })
    const answer = await olu.post('/app/members', { name: 'Carl two', email: 'Carl@Example.org', role: 'owner' })
    assert.equal(answer.status, 422)
    assert.match(answer.text, /Carl is a member with this address/)
    assert.match(answer.text, new RegExp(`action="/app/members/${carl}/link"`))
    const links = await rows('select from sign_in_link where org_id = $1::text and used_at is null', orgId)
    assert.equal(links.length, 0)
  })
})
