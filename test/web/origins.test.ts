import assert from 'node:assert/strict'
import { visit } from '../support/browse.js'
import { service, startService } from '../support/service.js'
import { organisation } from './organisation.js'
import { guest } from './visitors.js'

describe('a form that another site sends', () => {
  /** A blank value leaves the header out. */
  const fetchSites = ['', 'same-origin', 'same-site', 'cross-site', 'none']
  const hosts = ['', 'evil.example']
  const origins = () => ['', service().url, 'https://evil.example', 'null']

  it('does nothing, whatever Sec-Fetch-Site, Origin and Host say: 40 combinations', async () => {
    const visitor = await (await organisation()).enter()
    let tried = 0
    for (const fetchSite of fetchSites)
      for (const origin of origins())
        for (const host of hosts) {
          const headers = { 'sec-fetch-site': fetchSite, origin, ...(host && { host }) }
          const isOurs = fetchSite === '' ? origin === service().url : fetchSite === 'same-origin'
          const answer = await visitor.post('/app/members', { name: '', role: 'member' }, headers)
          // 422: the form came through and lacks a name.
          assert.equal(answer.status, isOurs ? 422 : 403, JSON.stringify(headers))
          tried += 1
        }
    assert.equal(tried, 40)
  })

  it('is refused before its body is read, and before the session is looked at', async () => {
    const visitor = guest()
    const cross = { 'sec-fetch-site': 'cross-site' }
    for (const path of ['/app/members', '/app/sign-out', '/app/link', '/app/organisation'])
      assert.equal((await visitor.post(path, { t: 'x'.repeat(100_000) }, cross)).status, 403, path)
  })
})

describe('the address of the web app', () => {
  const signedInAt = async (publicUrl: string) => {
    const running = await startService(service().database, { publicUrl })
    const visitor = visit(running.url)
    const answer = await visitor.post('/app/link', { t: await (await organisation()).link() })
    return { running, visitor, answer }
  }

  it('is PUBLIC_URL with its path in redirects, links, files and invitations, whatever Host says', async () => {
    const { running, visitor, answer } = await signedInAt('https://example.org/geo/')
    try {
      const host = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
      assert.equal((await visitor.get('/', host)).headers.location, '/geo/app')
      assert.equal(answer.headers.location, '/geo/app')
      const page = await visitor.post('/app/members', { name: 'Ben', role: 'admin' }, host)
      assert.match(page.text, /https:\/\/example\.org\/geo\/app\/link\?t=svc_in_\w{43}/)
      const addresses = [...page.text.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, address = '']) => address)
      assert.ok(addresses.length > 8)
      for (const address of addresses) assert.match(address, /^(\/geo\/app|\/geo\/v1\/docs$|#)/)
      assert.doesNotMatch(page.text, /evil/)
      const asset = addresses.find((address) => address.endsWith('.css')) ?? ''
      assert.equal((await visitor.get(asset.replace('/geo', ''))).status, 200)
    } finally {
      await running.stop()
    }
  })

  it('with TLS makes a cookie that only this host can set, and that scripts and plain connections never get', async () => {
    const { running, answer } = await signedInAt('https://example.org')
    await running.stop()
    const [cookie = ''] = answer.setCookies
    assert.match(cookie, /^__Host-frames=svc_se_\w{43}; /)
    assert.deepEqual(
      cookie
        .split('; ')
        .slice(1)
        .filter((part) => !part.startsWith('Expires'))
        .sort(),
      ['HttpOnly', 'Max-Age=604800', 'Path=/', 'SameSite=Lax', 'Secure'],
    )
  })

  it('on this machine makes a cookie for the app and the port, as all ports of a machine share their cookies', async () => {
    const { running, answer } = await signedInAt('listening')
    await running.stop()
    assert.match(
      answer.setCookies[0] ?? '',
      new RegExp(`^frames-${running.port}=svc_se_\\w{43}; Max-Age=604800; Path=/app;`),
    )
    assert.doesNotMatch(answer.setCookies[0] ?? '', /Secure/)
  })
})
