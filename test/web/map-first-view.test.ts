import assert from 'node:assert/strict'
import type { Visitor } from '../support/browse.js'
import { newOrganisation, service } from '../support/service.js'
import { signedIn } from './visitors.js'

describe('the first view of the map, before any script runs', () => {
  let visitor: Visitor
  before(async () => (visitor = await signedIn({ orgId: await newOrganisation(service().db) })))

  it('takes no more than 450 kB of scripts, as browsers ask for them', async () => {
    const { text } = await visitor.get('/app/map')
    const files = [
      ...Array.from(text.matchAll(/<link rel="modulepreload" href="([^"]+)"/g), ([, file = '']) => file),
      ...Array.from(text.matchAll(/<script type="module" src="([^"]+)"/g), ([, file = '']) => file),
      ...(/<meta name="ahead" content="([^"]+)"/.exec(text)?.[1]?.split(' ') ?? []),
    ]
    assert.ok(files.some((file) => file.endsWith('maplibre-gl-worker.mjs')))
    // Browsers ask for brotli over HTTPS and on this machine, and PUBLIC_URL is one of both.
    const answers = await Promise.all(
      files.map((file) => visitor.get(file, { 'accept-encoding': 'gzip, deflate, br' })),
    )
    for (const { status, headers } of answers) {
      assert.equal(status, 200)
      // A file of a few hundred bytes is sent as it is.
      assert.ok(headers['content-encoding'] === 'br' || Number(headers['content-length']) < 1000)
    }
    const bytes = answers.reduce((sum, { headers }) => sum + Number(headers['content-length']), 0)
    assert.ok(bytes <= 450_000, `${bytes} bytes`)
  })

  it('takes a quarter of its bytes as browsers ask for it, and what answers a form, which may hold a secret, is plain', async () => {
    const length = async (coding: string) => {
      const { headers, bytes } = await visitor.get('/app/map', { 'accept-encoding': coding })
      assert.equal(headers['content-encoding'], coding === 'identity' ? undefined : coding)
      assert.match(String(headers.vary), /Cookie.*Accept-Encoding/)
      return bytes.length
    }
    const plain = await length('identity')
    for (const coding of ['gzip', 'br']) assert.ok((await length(coding)) < plain / 4, coding)
    const form = await visitor.post('/app/ask', {}, { 'accept-encoding': 'gzip' })
    assert.equal(form.headers['content-encoding'], undefined)
  })
})
