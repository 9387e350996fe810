import assert from 'node:assert/strict'
import { newLinkToken, newSessionToken } from '../../src/access/secret.js'
import { makeLink, signIn, visit } from '../support/browse.js'
import type { TestDatabase } from '../support/database.js'
import { databaseOfPeople } from '../support/people.js'
import { newOrganisation, startService } from '../support/service.js'

describe('a sign-in link', () => {
  let database: TestDatabase
  let running: Awaited<ReturnType<typeof startService>>
  let orgId: string

  before(async () => {
    database = await databaseOfPeople()
    running = await startService(database, { publicUrl: 'listening' })
    orgId = await newOrganisation(database.db)
  })
  after(() => running.stop())

  const spend = (t: string) => visit(running.url).post('/app/link', { t })
  const count = async (table: string) =>
    (await database.db.rows<{ n: number }>(`select count(*)::int as n from ${table}`, []))[0]?.n ?? 0

  it('works once: a second use signs nobody in, and neither does its page', async () => {
    const t = await makeLink(database.db, { orgId })
    assert.equal((await spend(t)).status, 303)
    for (let i = 0; i < 3; i += 1) {
      const answer = await spend(t)
      assert.equal(answer.status, 410)
      assert.deepEqual(answer.setCookies, [])
    }
    assert.equal((await visit(running.url).get(`/app/link?t=${t}`)).status, 410)
  })

  it('works once where 20 browsers send it at the same time', async () => {
    const t = await makeLink(database.db, { orgId, name: 'One of twenty' })
    const [people, sessions] = [await count('person'), await count('session')]
    const answers = await Promise.all(Array.from({ length: 20 }, () => spend(t)))
    const statuses = answers.map(({ status }) => status)
    assert.deepEqual(
      [303, 410].map((each) => statuses.filter((status) => status === each).length),
      [1, 19],
    )
    assert.deepEqual([await count('person'), await count('session')], [people + 1, sessions + 1])
  })

  it('signs nobody in after its end', async () => {
    const t = await makeLink(database.db, { orgId, minutes: -1 })
    assert.equal((await spend(t)).status, 410)
    assert.equal((await visit(running.url).get(`/app/link?t=${t}`)).status, 410)
  })

  it('signs nobody in where its token is mistyped, another’s, or no text', async () => {
    const t = await makeLink(database.db, { orgId })
    const wrong = [
      '',
      'x',
      t.slice(0, -1),
      `${t}x`,
      t.toLowerCase(),
      t.replace('svc_in_', 'svc_se_'),
      t.replace('svc_in_', ''),
      newLinkToken(),
      newSessionToken(),
      "' or true --",
      '%00',
      `${t} ${t}`,
      '*',
      '{"$ne":""}',
    ]
    for (const value of wrong) {
      assert.equal((await spend(value)).status, 410, value)
      assert.equal((await visit(running.url).get(`/app/link?t=${encodeURIComponent(value)}`)).status, 410, value)
    }
    assert.equal((await visit(running.url).post('/app/link', { t: [t, t] })).status, 400)
    assert.equal((await visit(running.url).get('/app/link')).status, 410)
    assert.equal((await spend(t)).status, 303)
  })

  it('for a member signs that person in, and changes no role', async () => {
    const first = await signIn(running.url, database.db, { orgId, role: 'member', name: 'Known' })
    const [person] = await database.db.rows<{ id: string }>(
      `select person_id as id from person where name = 'Known'`,
      [],
    )
    const t = await makeLink(database.db, { orgId, role: 'owner', personId: person?.id ?? '' })
    const visitor = visit(running.url)
    await visitor.post('/app/link', { t })
    assert.match((await visitor.get('/app/account')).text, /<dd>Known<\/dd>/)
    assert.equal((await visitor.get('/app/members')).status, 403)
    assert.equal((await first.get('/app/account')).status, 200)
  })

  it('enters who joined, and from where, in the events', async () => {
    await signIn(running.url, database.db, { orgId, role: 'admin', name: 'Joining' })
    const [event] = await database.db.rows<object>(
      `select actor, from_address as address, detail from key_event where action = 'joined' order by event_id desc limit 1`,
      [],
    )
    assert.deepEqual(event, { actor: 'Joining', address: '127.0.0.1', detail: { name: 'Joining', role: 'admin' } })
  })

  it('that is guessed spends the bucket of the address, and those who are signed in there go on', async () => {
    const size = { burst: 900, perMinute: 900 }
    const buckets = { key: size, organisation: size, insight: size, address: { burst: 5, perMinute: 1 } }
    const limited = await startService(database, { publicUrl: 'listening', buckets, ops: true })
    try {
      const session = await signIn(limited.url, database.db, { orgId })
      assert.equal((await session.get('/app/account')).status, 200)
      const statuses: number[] = []
      for (let i = 0; i < 8; i += 1)
        statuses.push((await visit(limited.url).post('/app/link', { t: newLinkToken() })).status)
      assert.deepEqual(statuses, [410, 410, 410, 410, 410, 429, 429, 429])
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
