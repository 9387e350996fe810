import assert from 'node:assert/strict'
import { newLinkToken, newSessionToken } from '../../src/access/secret.js'
import { visit } from '../support/browse.js'
import { freePort } from '../support/postgres-server.js'
import { ask, bearer, service, startService } from '../support/service.js'

describe('while the database of the web app is away', () => {
  it('nobody is let in or signed out, the pages say so, and the API answers', async () => {
    const lines: string[] = []
    const running = await startService(
      { ...service().database, consoleTarget: `postgres://frames_console@127.0.0.1:${await freePort()}/frames` },
      { publicUrl: 'listening', ops: true, logged: (line) => lines.push(line) },
    )
    try {
      const token = newSessionToken()
      const signedIn = visit(running.url)
      signedIn.cookies.set(`frames-${running.port}`, token)
      const link = newLinkToken()
      const pages = await Promise.all([
        signedIn.get('/app/account'),
        signedIn.get('/app/sign-in'),
        signedIn.post('/app/sign-out'),
        visit(running.url).get(`/app/link?t=${link}`),
        visit(running.url).post('/app/link', { t: link }),
      ])
      for (const { status, text, headers, setCookies } of pages) {
        assert.equal(status, 503)
        assert.match(text, /<h1>The database (is|went) away<\/h1>/)
        assert.equal(headers['retry-after'], '60')
        assert.ok(text.includes(String(headers['x-request-id'])))
        assert.doesNotMatch(text, /ECONN|postgres|127\.0\.0\.1/)
        assert.equal(headers['cache-control'], 'no-store')
        assert.deepEqual(setCookies, [])
      }
      assert.equal(signedIn.cookies.size, 1)
      assert.equal((await visit(running.url).get('/app/sign-in')).status, 200)
      assert.equal((await visit(running.url).get('/app/account')).headers.location, '/app/sign-in')
      assert.equal((await ask(`${running.url}/v1/states`, { headers: bearer(service().secret) })).status, 200)
      assert.equal((await ask(`${running.opsUrl}/metrics`)).status, 200)
      const logged = lines.join('')
      assert.match(logged, /"path":"\/app\/account","fault":\{/)
      for (const secret of [token, link]) assert.ok(!logged.includes(secret.slice(7)))
    } finally {
      await running.stop()
    }
  })
})
