import assert from 'node:assert/strict'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { docsFiles } from '../../src/routes/docs.js'
import { skippedWithoutChromium, startChromium } from '../support/chromium.js'
import { description } from '../support/description.js'
import { onPostgres } from '../support/database.js'
import { ask, errorOf, service } from '../support/service.js'
import { brightness, unreadable } from './reading.js'

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
      const { status, headers } = await at(path, { 'accept-encoding': 'gzip, br' })
      assert.equal(status, 200, path)
      assert.equal(headers.get('content-type')?.split(';')[0], types[path.split('.').at(-1) ?? ''])
      assert.equal(headers.get('cache-control'), 'public, max-age=600')
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      const again = { 'accept-encoding': 'br', 'if-none-match': headers.get('etag') ?? '' }
      assert.equal((await at(path, again)).status, 304)
      assert.equal(headers.get('content-encoding'), /bundle|css|console/.test(path) ? 'br' : null, path)
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

// The database makes no difference to the page.
if (!onPostgres) {
  describe(`the page in a browser${skippedWithoutChromium}`, () => {
    let browser: Browser
    let context: BrowserContext
    let page: Page
    let asked: string[] = []
    let complaints: string[] = []

    before(async function () {
      browser = await startChromium(this)
      context = await browser.newContext()
    })
    after(() => browser?.close())
    // Each test opens a page of its own, so that a failed click fails one test. All share the cache of files.
    beforeEach(async () => {
      asked = []
      complaints = []
      page = await context.newPage()
      page.on('request', (request) => asked.push(request.url()))
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
      })
      await page.addInitScript(
        "addEventListener('securitypolicyviolation', (event) => console.error('CSP', event.violatedDirective, event.blockedURI))",
      )
      page.setDefaultTimeout(20_000)
    })
    afterEach(() => page.close())

    const openPage = async () => {
      await page.goto(`${service().url}/v1/docs`)
      await page.locator('.opblock').first().waitFor()
    }
    const call = (id: string) => page.locator(`[id$="-${id}"]`)

    const authorise = async (key: string) => {
      await page.locator('.auth-wrapper > button.authorize').click()
      const dialogue = page.locator('.dialog-ux')
      await dialogue.locator('input').fill(key)
      await dialogue.locator('button.authorize').click()
      await dialogue.locator('button.btn-done').click()
    }

    /** Presses the buttons of a call as a reader does; what the server then answered. */
    const execute = async (id: string) => {
      const answered = page.waitForResponse((response) => response.url().includes('/v1/frames'))
      await call(id).locator('button.execute').click()
      const response = await answered
      const shown = call(id).locator('.live-responses-table .response').first()
      await shown
        .locator('.response-col_status')
        .filter({ hasText: String(response.status()) })
        .waitFor()
      return { status: response.status(), shown: await shown.innerText() }
    }

    const open = async (id: string) => {
      await call(id).locator('.opblock-summary-control').click()
      await call(id).locator('.try-out__btn').click()
    }

    it('calls the API with the reader’s key, and shows the answer', async () => {
      await openPage()
      await authorise(service().secret)
      await open('frameAt')
      const { status, shown } = await execute('frameAt')
      assert.equal(status, 200)
      assert.match(shown, /"324378020"/)
      assert.match(shown, /LAKE ISLAND/)
    })

    it('opens a call with one way of choosing filled in, so that it can be sent as it is', async () => {
      await openPage()
      await authorise(service().secret)
      await open('frames')
      const { status, shown } = await execute('frames')
      assert.equal(status, 200)
      assert.match(shown, /FeatureCollection/)
    })

    it('asks nobody but its own server, breaks no policy and complains of nothing', async () => {
      await openPage()
      await authorise(service().secret)
      await open('frames')
      await execute('frames')
      assert.deepEqual(complaints, [])
      assert.ok(asked.length >= 8, asked.join('\n'))
      for (const url of asked) assert.ok(url.startsWith(`${service().url}/`) || url.startsWith('data:'), url)
    })

    const count = (selector: string) => page.locator(selector).count()
    const codesOf = (text: string) => new Set(text.match(/"code":"\w+"/g))

    it('lists each call once: HEAD is told of in the prose', async () => {
      await openPage()
      assert.equal(await count('.opblock-head, .opblock-summary-method:text("HEAD")'), 0)
      const operations = Object.values(description.paths).flatMap((methods) => Object.keys(methods))
      assert.equal(await count('.opblock'), operations.filter((method) => method !== 'head').length)
      assert.equal(await count('.opblock-tag:text("Headers")'), 0)
    })

    it('keeps the prose behind the calls, closed until it is asked for', async () => {
      await openPage()
      const prose = page.locator('details.prose')
      assert.equal(await prose.locator('h2').first().isVisible(), false)
      assert.match(await prose.locator('summary').innerText(), /key, envelope, parameters, metering/)
      await prose.locator('summary').click()
      assert.match(await prose.innerText(), /HEAD answers as GET does, without the body/)
    })

    it('shows one example of each failure, all of them in a screen', async () => {
      await openPage()
      await open('frames')
      const rows = call('frames').locator('.responses-table:not(.live-responses-table) > tbody > tr.response')
      let height = 0
      for (const row of await rows.all()) {
        const status = await row.locator('.response-col_status').innerText()
        if (!/^[45]/.test(status)) continue
        const text = await row.innerText()
        assert.equal(await row.locator('pre').count(), codesOf(text).size, text)
        assert.ok(codesOf(text).size > 0, text)
        height += (await row.boundingBox())?.height ?? 0
      }
      assert.ok(height > 100 && height < 900, String(height))
    })

    for (const [width, screen] of [
      [1280, 900],
      [390, 800],
    ] as const) {
      for (const scheme of ['light', 'dark'] as const) {
        describe(`on a screen of ${width} by ${screen}, ${scheme}`, () => {
          beforeEach(async () => {
            await page.setViewportSize({ width, height: screen })
            await page.emulateMedia({ colorScheme: scheme })
            await openPage()
          })

          const bottomOf = async (selector: string) => {
            const box = await page.locator(selector).last().boundingBox()
            return (box?.y ?? Infinity) + (box?.height ?? 0)
          }
          const isReadable = async () => {
            assert.deepEqual(await page.evaluate(unreadable), [])
            assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width)
          }

          it('has Authorize and every call on the first screen', async () => {
            assert.ok((await bottomOf('.auth-wrapper > button.authorize')) <= 150)
            assert.ok((await bottomOf('[id$="-adminTree"]')) <= screen)
          })

          it('has the colours of its scheme, and nothing runs over its side', async () => {
            const bright = await page.evaluate<number>(brightness)
            assert.ok(scheme === 'dark' ? bright < 0.05 : bright > 0.9, String(bright))
            await isReadable()
          })

          it('is readable with a call open and answered, the dialogue for the key, and the prose', async () => {
            await page.locator('details.prose summary').click()
            await authorise(service().secret)
            for (const id of ['frames', 'insight']) {
              await open(id)
              await execute(id)
              await isReadable()
            }
            await page.locator('.auth-wrapper > button.authorize').click()
            await isReadable()
          })
        })
      }
    }

    it('keeps no key: it is gone with the page', async () => {
      await openPage()
      await authorise(service().secret)
      await open('frames')
      assert.equal((await execute('frames')).status, 200)
      assert.equal(await page.evaluate('localStorage.length + sessionStorage.length + document.cookie.length'), 0)
      await page.goto('about:blank')
      await openPage()
      await open('frames')
      const { status, shown } = await execute('frames')
      assert.equal(status, 401)
      assert.match(shown, /unauthorized/)
    })

    it('shows that a wrong key is wrong', async () => {
      await openPage()
      await authorise(`${service().secret}0`)
      await open('frames')
      const { status, shown } = await execute('frames')
      assert.equal(status, 401)
      assert.match(shown, /invalid_key/)
      // Chromium itself tells the console of each 401.
      assert.ok(
        complaints.every((complaint) => complaint.includes('status of 401')),
        complaints.join('\n'),
      )
    })
  })
}
