import assert from 'node:assert/strict'
import { docsFiles } from '../../src/api/routes/docs.js'
import { ask, errorOf, service } from '../support/service.js'

const at = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  ask(service().url + path, { headers, method })

describe('the page of the interface', () => {
  it('is served to everybody under a policy that lets no script in but its own', async () => {
    const page = await at('/v1/docs')
    assert.equal(page.status, 200)
    const policy = page.headers.get('content-security-policy') ?? ''
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/)
    assert.doesNotMatch(policy, /unsafe|https?:|\*/)
    assert.doesNotMatch(page.text, /<script>|<style|\son\w+=|https?:/)
  })

  it('has all that it names served beside it, typed, cached and compressed', async () => {
    const { text } = await at('/v1/docs')
    const named = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path)
    assert.deepEqual(new Set(named), new Set(docsFiles.map(([name]) => `/v1/docs/${name}`)))
    const types: Record<string, string> = { js: 'text/javascript', css: 'text/css', png: 'image/png' }
    for (const path of named) {
      const { status, headers, text: content } = await at(path, { 'accept-encoding': 'gzip, br' })
      assert.equal(status, 200, path)
      assert.equal(headers.get('content-type')?.split(';')[0], types[path.split('.').at(-1) ?? ''])
      assert.equal(headers.get('cache-control'), 'public, max-age=600')
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      const again = { 'accept-encoding': 'br', 'if-none-match': headers.get('etag') ?? '' }
      assert.equal((await at(path, again)).status, 304)
      assert.equal(headers.get('content-encoding'), content.length > 1024 && !path.endsWith('png') ? 'br' : null, path)
      assert.equal((await at(path, {}, 'POST')).status, 405)
    }
  })

  it('serves nothing else from there', async () => {
    const others = ['index.html', 'swagger-ui-bundle.js.map', 'package.json', 'console.js.map', 'x', '%2e%2e%2fapp.js']
    for (const path of others) {
      const answer = await at(`/v1/docs/${path}`)
      assert.deepEqual([answer.status, errorOf(answer).code], [404, 'not_found'], path)
    }
  })
})
