import assert from 'node:assert/strict'
import type { Visitor } from '../support/browse.js'
import { service } from '../support/service.js'
import { organisation, type Organisation } from './organisation.js'
import { guest } from './visitors.js'

const DEEP = '/app/map?frame=324378020&dataset=lyr_terrain&attribute=phy_landcov'

describe('a person who has to sign in', () => {
  let org: Organisation
  before(async () => void (org = await organisation()))

  const signIn = async (visitor: Visitor) => (await visitor.post('/app/link', { t: await org.link() })).headers.location

  it('comes back to the page that was opened, once', async () => {
    const visitor = guest()
    assert.equal((await visitor.get(DEEP)).headers.location, '/app/sign-in')
    assert.match((await visitor.get('/app/sign-in')).text, /you come back to the page that you opened/)
    assert.equal(await signIn(visitor), DEEP)
    assert.equal(await signIn(visitor), '/app')
  })

  const KINDS = ['/map', '/keys/key_0123456789ab', '/datasets/lyr_population', '/?state=marembe', '/find?q=lakeside']
  it('comes back to every kind of page, and to the place on the map that another program named', async () => {
    for (const page of KINDS) {
      const visitor = guest()
      await visitor.get(`/app${page}`)
      assert.equal(await signIn(visitor), `/app${page}`)
    }
    const visitor = guest()
    assert.equal((await visitor.get('/app?state=marembe&lga=lakeside')).headers.location, '/app/sign-in')
    const back = String(await signIn(visitor))
    assert.equal((await visitor.get(back)).headers.location, '/app/map?state=marembe&lga=lakeside')
  })

  it('comes back after a session that ended, also from a part of a page, a file or a form', async () => {
    const sendForm = async (visitor: Visitor, referer: string) => {
      const answer = await visitor.post('/app/keys/new', {}, { referer })
      assert.equal(answer.status, 401)
      assert.match(answer.text, /<a href="\/app\/sign-in">Sign in<\/a>/)
    }
    const leaving: readonly [leave: (visitor: Visitor) => Promise<unknown>, back: string][] = [
      [(visitor) => visitor.get(`${DEEP}&part=panel`), DEEP],
      [(visitor) => visitor.get('/app/usage.csv?period=7d'), '/app/usage?period=7d'],
      [(visitor) => sendForm(visitor, `${service().url}/app/keys/new`), '/app/keys/new'],
      // A tile is no page to come back to, and another site no referrer.
      [(visitor) => visitor.get('/app/tiles/units/0/0/0'), '/app'],
      [(visitor) => sendForm(visitor, 'http://evil.example/app/keys'), '/app'],
    ]
    for (const [leave, back] of leaving) {
      const visitor = await org.enter()
      await org.rows('delete from session where org_id = $1::text')
      await leave(visitor)
      assert.equal(await signIn(visitor), back)
    }
  })

  it('is led to pages of the app only, whatever the cookie holds', async () => {
    const noPages =
      '//evil.example /\\evil.example http://evil.example /%0d%0aX:y % /é /../../v1/docs /.. /map/../../v1/docs /./../v1/docs /%2e%2e/%2e%2e/v1/docs /..%2f..%2fv1 /\\..\\v1 /map//evil.example /map/ /map.html /sign-out /sign-in /sign-in/openid/callback /account/sign-out-everywhere /link /link?t=x /organisation /tiles/units/0/0/0 /assets/app.css'
    for (const sent of ['/a b', '/%0d%0aX: y', ...noPages.split(' ')])
      for (const value of [sent, encodeURIComponent(sent)]) {
        const visitor = await org.enter()
        const [cookie = ''] = visitor.cookies.keys()
        visitor.cookies.set(`${cookie}-to`, value)
        assert.equal(await signIn(visitor), '/app', value)
      }
  })
})
