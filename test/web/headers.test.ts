import assert from 'node:assert/strict'
import { visit, type PageAnswer } from '../support/browse.js'
import { ask, service, startService } from '../support/service.js'
import { organisation } from './organisation.js'

describe('an answer of the web app', () => {
  /** test/support/browse.ts holds each to the policy. */
  it('bounds what a browser does with it, whether a page, a redirect, an error or a file', async () => {
    const owner = await (await organisation()).enter()
    const nobody = visit(service().url)
    const css = /href="([^"]*\.css)"/.exec((await owner.get('/app/account')).text)?.[1] ?? ''
    const answers: [status: number, answer: Promise<PageAnswer>][] = [
      [303, owner.get('/app')],
      [404, owner.get('/app/nothing')],
      [405, owner.post('/app/account')],
      [413, owner.post('/app/members', { name: 'x'.repeat(30_000), role: 'member' })],
      [400, owner.post('/app/members', { name: 'a\0b', role: 'member' })],
      [415, owner.post('/app/members', { name: 'x' }, { 'content-type': 'application/json' })],
      [401, nobody.post('/app/members')],
      [403, nobody.post('/app/members', {}, { 'sec-fetch-site': 'cross-site' })],
      [200, nobody.get(css)],
    ]
    for (const [status, answer] of answers) {
      const { status: came, headers } = await answer
      assert.equal(came, status)
      if (status !== 303) assert.match(headers['content-type'] ?? '', /^text\/(html|css); charset=utf-8$/)
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
