import assert from 'node:assert/strict'
import { newLinkToken, newSessionToken } from '../../src/core/access/secret.js'
import { signIn, visit } from '../support/browse.js'
import { newOrganisation, service, startService } from '../support/service.js'
import { look, organisation, spend, type Organisation } from './organisation.js'
import { cellsOf } from './pages.js'
import { guest, rows, tokenIn } from './visitors.js'

describe('a sign-in link', () => {
  let org: Organisation
  before(async () => (org = await organisation()))

  it('works once, by its button: a second use signs nobody in, and neither does its page', async () => {
    const t = await org.link({ name: 'Ada Eze' })
    for (let i = 0; i < 2; i += 1) {
      const page = await guest().get(`/app/link?t=${t}`)
      assert.equal(page.status, 200)
      assert.match(page.text, /<strong>Ada Eze<\/strong>, you sign in/)
      assert.deepEqual(page.setCookies, [])
    }
    assert.equal((await guest().post('/app/link', { t })).headers.location, '/app')
    const answer = await guest().post('/app/link', { t })
    assert.equal(answer.status, 410)
    assert.deepEqual(answer.setCookies, [])
    assert.equal(await look(t), 410)
  })

  it('works once where 20 browsers send it at the same time', async () => {
    const t = await org.link({ name: 'One of twenty' })
    const sessions = async () => (await org.rows('select from session where org_id = $1::text')).length
    const before = await sessions()
    const statuses = await Promise.all(Array.from({ length: 20 }, () => spend(t)))
    assert.equal(statuses.toSorted((one, other) => one - other).join(), [303, ...Array(19).fill(410)].join())
    assert.equal((await org.members()).filter((member) => member.startsWith('One of twenty')).length, 1)
    assert.equal(await sessions(), before + 1)
  })

  it('signs nobody in after its end', async () => {
    const t = await org.link({ minutes: -1 })
    assert.deepEqual([await spend(t), await look(t)], [410, 410])
  })

  it('signs nobody in where its token is mistyped, another’s, or no text', async () => {
    const t = await org.link()
    const mistyped = [t.slice(0, -1), `${t}x`, t.toLowerCase(), t.replace('svc_in_', 'svc_se_'), newLinkToken()]
    for (const value of ['', ...mistyped, "' or true --", '%00', '{"$ne":""}'])
      assert.deepEqual([await spend(value), await look(encodeURIComponent(value))], [410, 410], value)
    assert.equal((await guest().post('/app/link', { t: [t, t] })).status, 400)
    assert.equal((await guest().get('/app/link')).status, 410)
    assert.equal(await spend(t), 303)
  })

  it('for a member signs that person in, and changes no role', async () => {
    const first = await org.enter('Known', 'member')
    const again = await org.enter('Known', 'owner', await org.idOf('Known'))
    assert.match((await again.get('/app/account')).text, /<dd>Known<\/dd>/)
    assert.equal((await again.get('/app/members')).status, 403)
    assert.equal((await first.get('/app/account')).status, 200)
  })

  it('enters who joined, and from where, in the events', async () => {
    await org.enter('Joining', 'admin')
    const { about: _about, ...event } = (await org.events('joined')).at(-1) ?? {}
    const detail = { name: 'Joining', role: 'admin' }
    assert.deepEqual(event, { action: 'joined', actor: 'Joining', from: '127.0.0.1', detail })
  })

  it('that is guessed spends the bucket of the address, and those who are signed in there go on', async () => {
    const size = { burst: 900, perMinute: 900 }
    const buckets = { key: size, organisation: size, insight: size, address: { burst: 5, perMinute: 1 } }
    const limited = await startService(service().database, { publicUrl: 'listening', buckets })
    try {
      const session = await signIn(limited.url, service().db, { orgId: await newOrganisation(service().db) })
      assert.equal((await session.get('/app/account')).status, 200)
      const guess = (headers: Record<string, string> = {}) =>
        visit(limited.url).post('/app/link', { t: newLinkToken() }, headers)
      // Behind a proxy no visitor has an address: they share a bucket.
      for (const headers of [{}, { via: '1.1 proxy' }]) {
        const statuses: number[] = []
        for (let i = 0; i < 8; i += 1) statuses.push((await guess(headers)).status)
        assert.deepEqual(statuses, [410, 410, 410, 410, 410, 429, 429, 429])
      }
      const refused = await guess()
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
  let org: Organisation
  beforeEach(async () => (org = await organisation()))

  it('says who is signed in, and joins with the present account where the person says so', async () => {
    const other = await organisation()
    const ada = await org.enter('Ada')
    const elsewhere = await org.enter('Ada', 'owner', await org.idOf())
    const t = await other.link({ role: 'admin', name: 'Ada two' })
    const page = (await ada.get(`/app/link?t=${t}`)).text
    assert.match(page, /You are signed in as <strong>Ada<\/strong>/)
    assert.match(page, /ends the session of Ada in this browser/)
    assert.match(page, /<button class="primary wide">Join as Ada<\/button>/)
    const cookies = new Map(ada.cookies)
    assert.equal((await ada.post('/app/link', { t, as: 'present' })).status, 303)
    assert.deepEqual(ada.cookies, cookies)
    assert.deepEqual([await other.members(), await other.idOf()], [['Ada admin'], await org.idOf()])
    assert.equal((await ada.get('/app/keys')).status, 200)
    assert.equal((await ada.get('/app/members')).status, 403)
    // An owner of the first organisation may hold the other session.
    assert.equal((await elsewhere.get('/app/account')).status, 303)
    assert.equal(await spend(t), 410)
  })

  it('changes no role of a member who joins once more, and says so', async () => {
    const ada = await org.enter('Ada')
    const t = await org.link({ role: 'member', name: 'Ada two' })
    assert.match((await ada.get(`/app/link?t=${t}`)).text, /the link changes no role/)
    await ada.post('/app/link', { t, as: 'present' })
    assert.deepEqual(await org.members(), ['Ada owner'])
    assert.equal((await ada.get('/app/members')).status, 200)
  })

  it('is not spent by somebody who is signed out, or where it names somebody else', async () => {
    const olu = await org.enter('Olu')
    const t = await org.link({ role: 'owner', personId: await org.add('Carl', 'admin') })
    assert.equal((await guest().post('/app/link', { t, as: 'present' })).status, 401)
    assert.doesNotMatch((await olu.get(`/app/link?t=${t}`)).text, /Join as/)
    assert.equal((await olu.post('/app/link', { t, as: 'present' })).status, 410)
    assert.equal(await spend(t), 303)
  })

  it('is made by an owner, leaves an event, and keeps the role', async () => {
    const olu = await org.enter('Olu')
    const carl = await org.add('Carl')
    const answer = await olu.post(`/app/members/${carl}/link`, {})
    assert.equal(answer.status, 200)
    const made = (await org.events('link_made')).map(({ actor, about }) => [actor, about])
    assert.deepEqual(made, [['Olu', carl]])
    const again = guest()
    assert.equal((await again.post('/app/link', { t: tokenIn(answer.text) })).status, 303)
    assert.match((await again.get('/app/account')).text, /<dd>Carl<\/dd>/)
    assert.deepEqual(await org.members(), ['Carl member', 'Olu owner'])
    assert.equal((await olu.post('/app/members/per_000000000000/link', {})).status, 404)
  })

  it('stands among the open links with what it is, and when it was made', async () => {
    const olu = await org.enter('Olu')
    const mia = await org.add('Mia')
    await olu.post('/app/members', { name: 'Mia', role: 'member' })
    await org.rows(
      `update sign_in_link set created_at = created_at - interval '1 second', valid_until = valid_until - interval '1 second'
       where org_id = $1::text`,
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
    const other = await organisation()
    const olu = await org.enter('Olu')
    const [carl, ife] = [await org.add('Carl'), await org.add('Ife')]
    await other.join(carl)
    await rows(`update person set issuer = 'https://id.example', subject = person_id where person_id = $1::text`, ife)
    for (const each of [carl, ife]) assert.equal((await olu.post(`/app/members/${each}/link`, {})).status, 409)
  })

  it('and who joins another organisation meanwhile signs nobody in, since it would open both', async () => {
    const other = await organisation()
    const olu = await org.enter('Olu')
    const carl = await org.add('Carl')
    const t = tokenIn((await olu.post(`/app/members/${carl}/link`, {})).text)
    await other.join(carl)
    assert.deepEqual([await look(t), await spend(t)], [410, 410])
    // The operator may sign in anybody.
    assert.equal(await spend(await org.link({ personId: carl })), 303)
  })

  it('is offered where the app refuses to invite an e-mail address that a member has', async () => {
    const olu = await org.enter('Olu')
    const carl = await org.add('Carl', 'member', 'carl@example.org')
    const answer = await olu.post('/app/members', { name: 'Carl two', email: 'Carl@Example.org', role: 'owner' })
    assert.equal(answer.status, 422)
    assert.match(answer.text, /Carl is a member with this address/)
    assert.match(answer.text, new RegExp(`action="/app/members/${carl}/link"`))
    assert.equal((await org.rows('select from sign_in_link where org_id = $1::text and used_at is null')).length, 0)
  })
})
