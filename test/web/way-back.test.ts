import assert from 'node:assert/strict'
import type { Visitor } from '../support/browse.js'
import { newOrganisation, service } from '../support/service.js'
import { guest, linkFor, rows, signedIn } from './visitors.js'

const DEEP = '/app/map?frame=324378020&dataset=lyr_terrain&attribute=phy_landcov'

describe('a person who has to sign in', () => {
  let orgId: string
  before(async () => void (orgId = await newOrganisation(service().db)))

  const signIn = async (visitor: Visitor) =>
    (await visitor.post('/app/link', { t: await linkFor({ orgId }) })).headers.location

  it('comes back to the page that was opened, once', async () => {
    const visitor = guest()
    assert.equal((await visitor.get(DEEP)).headers.location, '/app/sign-in')
    assert.match((await visitor.get('/app/sign-in')).text, /you come back to the page that you opened/)
    assert.equal(await signIn(visitor), DEEP)
    assert.equal(await signIn(visitor), '/app')
  })

  it('comes to the place on the map that another program named', async () => {
    const visitor = guest()
    assert.equal((await visitor.get('/app?state=marembe&lga=lakeside')).headers.location, '/app/sign-in')
    const back = String(await signIn(visitor))
    assert.equal((await visitor.get(back)).headers.location, '/app/map?state=marembe&lga=lakeside')
  })

  it('comes back after a session that ended, also from a part of a page, a file or a form', async () => {
    const wayBack = async (leave: (visitor: Visitor) => Promise<unknown>) => {
      const visitor = await signedIn({ orgId })
      await rows('delete from session where org_id = $1::text', orgId)
      await leave(visitor)
      return await signIn(visitor)
    }
    assert.equal(await wayBack((visitor) => visitor.get(`${DEEP}&part=panel`)), DEEP)
    assert.equal(await wayBack((visitor) => visitor.get('/app/usage.csv?period=7d')), '/app/usage?period=7d')
    const referer = `${service().url}/app/keys/new`
    const refused = async (visitor: Visitor) => {
      const answer = await visitor.post('/app/keys/new', {}, { referer })
      assert.equal(answer.status, 401)
      assert.match(answer.text, /<a href="\/app\/sign-in">Sign in<\/a>/)
    }
    assert.equal(await wayBack(refused), '/app/keys/new')
    // A tile is no page to come back to, and another site no referrer.
    assert.equal(await wayBack((visitor) => visitor.get('/app/tiles/units/0/0/0')), '/app')
    assert.equal(
      await wayBack((visitor) => visitor.post('/app/keys/new', {}, { referer: 'http://evil.example/app/keys' })),
      '/app',
    )
  })

  it('comes back to every kind of page', async () => {
    for (const page of [
      '/map',
      '/keys/key_0123456789ab',
      '/datasets/lyr_population',
      '/?state=marembe',
      '/find?q=lakeside',
    ]) {
      const visitor = guest()
      await visitor.get(`/app${page}`)
      assert.equal(await signIn(visitor), `/app${page}`)
    }
  })

  it('is led to pages of the app only, whatever the cookie holds', async () => {
    const noPages =
      '//evil.example /\\evil.example http://evil.example /%0d%0aX:y % /é /../../v1/docs /.. /map/../../v1/docs /./../v1/docs /%2e%2e/%2e%2e/v1/docs /..%2f..%2fv1 /\\..\\v1 /map//evil.example /map/ /map.html /sign-out /sign-in /sign-in/openid/callback /account/sign-out-everywhere /link /link?t=x /organisation /tiles/units/0/0/0 /assets/app.css'
    for (const sent of ['/a b', '/%0d%0aX: y', ...noPages.split(' ')])
      for (const value of [sent, encodeURIComponent(sent)]) {
        const visitor = await signedIn({ orgId })
        const [cookie = ''] = visitor.cookies.keys()
        visitor.cookies.set(`${cookie}-to`, value)
        assert.equal(await signIn(visitor), '/app', value)
      }
  })
})
