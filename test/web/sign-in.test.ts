import assert from 'node:assert/strict'
import { newOrganisation, service } from '../support/service.js'
import { guest, linkFor, rows, signedIn } from './visitors.js'

describe('signing in to the web app', () => {
  let orgId: string
  before(async () => (orgId = await newOrganisation(service().db)))

  it('leads from / to the sign-in page, which asks for no password', async () => {
    const visitor = guest()
    assert.equal((await visitor.get('/')).headers.location, '/app')
    assert.equal((await visitor.get('/app')).headers.location, '/app/sign-in')
    const page = await visitor.get('/app/sign-in')
    assert.equal(page.status, 200)
    assert.match(page.text, /<h1>Sign in<\/h1>/)
    assert.doesNotMatch(page.text, /type="password"/)
  })

  it('takes a button: looking at a link does not spend it', async () => {
    const token = await linkFor({ orgId, name: 'Ada Eze' })
    const visitor = guest()
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
    const visitor = await signedIn({ orgId })
    const token = visitor.cookies.get(`frames-${service().port}`) ?? ''
    assert.match(token, /^svc_se_[0-9A-Za-z]{43}$/)
    const found = await rows<object>('select from session where token_hash = sha256($1::text::bytea)', token)
    assert.equal(found.length, 1)
  })

  it('ends with a sign-out: a copy of the cookie opens nothing any more', async () => {
    const visitor = await signedIn({ orgId })
    const thief = guest()
    for (const [name, value] of visitor.cookies) thief.cookies.set(name, value)
    assert.equal((await thief.get('/app/account')).status, 200)
    assert.equal((await visitor.post('/app/sign-out')).status, 303)
    assert.equal(visitor.cookies.size, 0)
    assert.equal((await thief.get('/app/account')).headers.location, '/app/sign-in')
  })

  it('offers no passkeys at an IP address, and says why', async () => {
    const account = await (await signedIn({ orgId })).get('/app/account')
    assert.match(account.text, /Browsers refuse passkeys at an IP address/)
    assert.doesNotMatch((await guest().get('/app/sign-in')).text, /Sign in with a passkey/)
    assert.equal((await guest().post('/app/sign-in/passkey/options')).status, 404)
  })
})
