import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sharedChromium } from '../support/chromium.js'
import { service, startService } from '../support/service.js'

describe('a page of another site', () => {
  it('calls with a key from a listed origin, and from no other', async () => {
    const site = createServer((_req, res) => res.setHeader('Content-Type', 'text/html').end('<p>A page</p>'))
    await new Promise<void>((done) => void site.listen(0, '127.0.0.1', done))
    const { port } = site.address() as AddressInfo
    const running = await startService(service().database, { corsOrigins: [`http://localhost:${port}`] })
    const chromium = await sharedChromium()
    try {
      const callFrom = async (origin: string) => {
        const tab = await chromium.newPage()
        await tab.goto(origin)
        const call = `fetch('${running.url}/v1/states', { headers: { authorization: 'Bearer ${running.secret}' } })
          .then(async (answer) => [answer.status, (await answer.json()).data.length, answer.headers.get('ratelimit')], () => 'refused')`
        const came: unknown = await tab.evaluate(call)
        await tab.close()
        return came
      }
      const [status, states, rateLimit] = (await callFrom(`http://localhost:${port}`)) as [number, number, string]
      assert.ok(status === 200 && states > 0 && /r=\d+/.test(rateLimit))
      assert.equal(await callFrom(`http://127.0.0.1:${port}`), 'refused')
    } finally {
      await running.stop()
      site.close()
    }
  })
})
