import assert from 'node:assert/strict'
import { signIn, visit } from '../support/browse.js'
import { ask, newOrganisation, service, startService } from '../support/service.js'

describe('an answer of the web app', () => {
  it('bounds what a browser does with it, whether a page, a redirect, an error or a file', async () => {
    const owner = await signIn(service().url, service().db, { orgId: await newOrganisation(service().db) })
    const nobody = visit(service().url)
    const css = /href="([^"]*\.css)"/.exec((await owner.get('/app/account')).text)?.[1] ?? ''
    const answers = [
      await owner.get('/app'),
      await owner.get('/app/account'),
      await owner.get('/app/nothing'),
      await owner.post('/app/account'),
      await owner.post('/app/members', { name: 'x'.repeat(30_000), role: 'member' }),
      await owner.post('/app/members', { name: 'a\0b', role: 'member' }),
      await owner.post('/app/members', { name: 'x' }, { 'content-type': 'application/json' }),
      await nobody.get('/app/sign-in'),
      await nobody.get('/app/account'),
      await nobody.post('/app/members'),
      await nobody.post('/app/members', {}, { 'sec-fetch-site': 'cross-site' }),
      await nobody.get(css),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [303, 200, 404, 405, 413, 400, 415, 200, 303, 401, 403, 200],
    )
    for (const { headers, status, text } of answers) {
      const policy = String(headers['content-security-policy'])
      assert.match(policy, /^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'/)
      assert.doesNotMatch(policy, /unsafe|\*|https?:/)
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['referrer-policy'], 'same-origin')
      assert.ok(headers['x-request-id'])
      assert.equal(headers['access-control-allow-origin'], undefined)
      if (status !== 303) assert.match(headers['content-type'] ?? '', /^text\/(html|css); charset=utf-8$/)
      if (!text.startsWith('/*'))
        assert.deepEqual([headers['cache-control'], headers.vary], ['no-store', 'Cookie, Accept-Encoding'])
      assert.doesNotMatch(text, /<[^>]* (style|on\w+)=|<style|<script(?! type="module" src=)/)
    }
  })

  it('does not change the API: without the app, /app and / are unknown paths', async () => {
    const without = await startService(service().database)
    try {
      for (const path of ['/app', '/app/sign-in', '/', '/app/assets/x/app.css']) {
        const answer = await visit(without.url).get(path)
        assert.equal(answer.status, 404)
        assert.match(answer.text, /^\{"error":\{"code":"not_found"/)
        assert.equal(answer.headers.vary, 'Accept-Encoding, Authorization')
      }
    } finally {
      await without.stop()
    }
    const api = await ask(`${service().url}/v1/states`)
    assert.deepEqual([api.status, api.headers.get('vary')], [401, 'Accept-Encoding, Authorization'])
    assert.equal(api.headers.get('content-security-policy'), null)
  })
})
