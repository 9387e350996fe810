import assert from 'node:assert/strict'
import { newSessionToken } from '../../src/core/access/secret.js'
import { visit } from '../support/browse.js'
import { ask, bearer, mint, service, startService } from '../support/service.js'
import { organisation, type Organisation } from './organisation.js'
import { guest, rows } from './visitors.js'

describe('a session of the web app', () => {
  let org: Organisation
  before(async () => (org = await organisation()))

  const cookieName = () => `frames-${service().port}`
  const withCookie = (cookie: string) => guest().get('/app/account', { cookie })
  const opens = async (value: string) => (await withCookie(`${cookieName()}=${value}`)).status === 200
  const tokenOf = async (name = 'Ada') => (await org.enter(name)).cookies.get(cookieName()) ?? ''
  const ofToken = 'where token_hash = sha256($1::text::bytea)'

  it('has a new token after every sign-in: one that was planted before is worth nothing', async () => {
    for (const planted of [newSessionToken(), 'chosen', await tokenOf('Mallory')]) {
      const victim = guest()
      victim.cookies.set(cookieName(), planted)
      await victim.post('/app/link', { t: await org.link({ name: 'Victim' }) })
      assert.notEqual(victim.cookies.get(cookieName()), planted)
      assert.match((await victim.get('/app/account')).text, /<dd>Victim<\/dd>/)
      assert.equal(await opens(planted), false)
    }
  })

  it('is opened by its own token only', async () => {
    const token = await tokenOf()
    const flipped = token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    const { secret } = await mint(service().db, { org: org.orgId })
    const stored = await org.rows<{ hex: string }>(
      `select encode(token_hash, 'hex') as hex from session where org_id = $1::text`,
    )
    const cut = [token.toLowerCase(), token.slice(0, -1), `${token}A`, ` ${token}x`, encodeURIComponent(`${token}\0`)]
    const others = ['', newSessionToken(), secret, await org.link(), "' or true --"]
    const hashes = stored.flatMap(({ hex }) => [hex, `svc_se_${hex.slice(0, 43)}`])
    for (const value of [flipped, ...cut, ...others, ...hashes]) assert.equal(await opens(value), false, value)
    assert.ok(await opens(token))
    // Another page of the domain may have set one of two cookies.
    assert.equal((await withCookie(`${cookieName()}=${token}; ${cookieName()}=x`)).status, 303)
    for (const name of ['frames', '__Host-frames', `Frames-${service().port}`, `x${cookieName()}`])
      assert.equal((await withCookie(`${name}=${token}`)).status, 303, name)
  })

  it('means nothing under /v1, and a key means nothing under /app', async () => {
    const token = await tokenOf()
    const { secret } = await mint(service().db, { org: org.orgId })
    for (const headers of [
      { cookie: `${cookieName()}=${token}` },
      { cookie: `${cookieName()}=${secret}` },
      bearer(token),
      { authorization: `Basic ${Buffer.from(`x:${secret}`).toString('base64')}` },
    ])
      assert.equal((await ask(`${service().url}/v1/states`, { headers })).status, 401)
    assert.equal((await ask(`${service().url}/v1/states`, { headers: bearer(secret) })).status, 200)
    for (const authorization of [`Bearer ${secret}`, `Bearer ${token}`, `Cookie ${token}`])
      assert.equal((await guest().get('/app/account', { authorization })).status, 303)
    assert.equal((await guest().get(`/app/account?${cookieName()}=${token}&session=${token}`)).status, 303)
  })

  const ageing: readonly [what: string, change: string, isOpen: boolean][] = [
    ['11 hours without use', `seen_at = clock_timestamp() - interval '11 hours 59 minutes'`, true],
    ['12 hours without use', `seen_at = clock_timestamp() - interval '12 hours'`, false],
    ['its end', `ends_at = clock_timestamp()`, false],
    ['a minute before its end', `ends_at = clock_timestamp() + interval '1 minute'`, true],
  ]
  for (const [what, change, isOpen] of ageing)
    it(`${isOpen ? 'is still open at' : 'has ended at'} ${what}`, async () => {
      const token = await tokenOf()
      await rows(`update session set ${change} ${ofToken}`, token)
      assert.equal(await opens(token), isOpen)
    })

  it('ends after seven days, and the table refuses a longer one', async () => {
    const found = await rows<{ hours: number }>(
      `select round(extract(epoch from ends_at - created_at) / 3600)::int as hours from session ${ofToken}`,
      await tokenOf(),
    )
    assert.deepEqual([...found], [{ hours: 7 * 24 }])
    const longer = org.rows(`update session set ends_at = ends_at + interval '1 hour' where org_id = $1::text`)
    await assert.rejects(longer, /seven_days_at_most/)
  })

  it('writes when it was last seen once a minute at the most', async () => {
    const token = await tokenOf()
    const seen = async () =>
      (await rows<{ at: string }>(`select seen_at::text as at from session ${ofToken}`, token))[0]?.at ?? ''
    const first = await seen()
    for (let i = 0; i < 5; i += 1) assert.ok(await opens(token))
    assert.equal(await seen(), first)
    await rows(`update session set seen_at = seen_at - interval '61 seconds' ${ofToken}`, token)
    assert.ok(await opens(token))
    assert.ok((await seen()) > first)
  })

  it('is one of a list, and its person ends any of them, or all', async () => {
    const person = await org.enter('Many')
    const personId = await org.idOf('Many')
    const others = [guest(), guest(), guest()]
    const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/131.0' }
    for (const other of others) await other.post('/app/link', { t: await org.link({ personId }) }, browser)
    const { text } = await person.get('/app/account')
    const ids = [...text.matchAll(/\/sessions\/(\w{16})\/end/g)].map(([, id = '']) => id)
    assert.equal(ids.length, 3)
    assert.match(text, /this session/)
    assert.match(text, /Firefox on Linux/)
    assert.equal((await person.post(`/app/account/sessions/${ids[0]}/end`)).headers.location, '/app/account')
    const states = await Promise.all(others.map(async (other) => (await other.get('/app/account')).status))
    assert.deepEqual(
      states.toSorted((one, other) => one - other),
      [200, 200, 303],
    )
    const stranger = await org.enter('Stranger')
    assert.equal((await stranger.post(`/app/account/sessions/${ids[1]}/end`)).status, 404)
    assert.equal((await person.post('/app/account/sign-out-everywhere')).headers.location, '/app/sign-in')
    for (const each of [person, ...others]) assert.equal((await each.get('/app/account')).status, 303)
    assert.equal((await stranger.get('/app/account')).status, 200)
  })

  it('is shared by two processes, and outlives each', async () => {
    const other = await startService(service().database, { publicUrl: service().url })
    try {
      const token = await tokenOf()
      const there = visit(other.url)
      there.cookies.set(cookieName(), token)
      assert.equal((await there.get('/app/account')).status, 200)
      assert.equal((await there.post('/app/sign-out')).status, 303)
      assert.equal(await opens(token), false)
    } finally {
      await other.stop()
    }
  })

  it('begins with no passkey at an IP address', async () => {
    assert.equal((await guest().get('/')).headers.location, '/app')
    assert.equal((await guest().post('/app/sign-in/passkey/options')).status, 404)
  })
})
