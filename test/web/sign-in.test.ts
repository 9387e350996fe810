import assert from 'node:assert/strict'
import { makeLink, signIn, visit } from '../support/browse.js'
import type { TestDatabase } from '../support/database.js'
import { databaseOfPeople } from '../support/people.js'
import { newOrganisation, startService } from '../support/service.js'

describe('signing in to the web app', () => {
  let database: TestDatabase
  let running: Awaited<ReturnType<typeof startService>>
  let orgId: string

  before(async () => {
    database = await databaseOfPeople()
    running = await startService(database, { publicUrl: 'listening' })
    orgId = await newOrganisation(database.db)
  })
  after(() => running.stop())

  const cookieName = () => `frames-${running.port}`

  it('leads from / to the sign-in page, which asks for no password', async () => {
    const visitor = visit(running.url)
    assert.equal((await visitor.get('/')).headers.location, '/app')
    assert.equal((await visitor.get('/app')).headers.location, '/app/sign-in')
    const page = await visitor.get('/app/sign-in')
    assert.equal(page.status, 200)
    assert.match(page.text, /<h1>Sign in<\/h1>/)
    assert.doesNotMatch(page.text, /type="password"/)
  })

  it('takes a button: looking at a link does not spend it', async () => {
    const token = await makeLink(database.db, { orgId, name: 'Ada Eze' })
    const visitor = visit(running.url)
    for (let i = 0; i < 3; i += 1) {
      const page = await visitor.get(`/app/link?t=${token}`)
      assert.equal(page.status, 200)
      assert.match(page.text, /<strong>Ada Eze<\/strong>, you sign in/)
      assert.deepEqual(page.setCookies, [])
    }
    const signed = await visitor.post('/app/link', { t: token })
    assert.equal(signed.status, 303)
    assert.equal(signed.headers.location, '/app')
    assert.equal((await visitor.get('/app/account')).status, 200)
  })

  it('opens a session whose token is random, and of which the database holds the hash only', async () => {
    const visitor = await signIn(running.url, database.db, { orgId })
    const token = visitor.cookies.get(cookieName()) ?? ''
    assert.match(token, /^svc_se_[0-9A-Za-z]{43}$/)
    const [row] = await database.db.rows<{ found: number }>(
      `select count(*)::int as found from session where token_hash = sha256($1::text::bytea)`,
      [token],
    )
    assert.equal(row?.found, 1)
  })

  it('ends with a sign-out: a copy of the cookie opens nothing any more', async () => {
    const visitor = await signIn(running.url, database.db, { orgId })
    const thief = visit(running.url)
    for (const [name, value] of visitor.cookies) thief.cookies.set(name, value)
    assert.equal((await thief.get('/app/account')).status, 200)
    assert.equal((await visitor.post('/app/sign-out')).status, 303)
    assert.equal(visitor.cookies.size, 0)
    assert.equal((await thief.get('/app/account')).headers.location, '/app/sign-in')
  })
})
