import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { description } from '../support/description.js'
import { until } from '../support/metrics.js'
import { service } from '../support/service.js'
import { keyboard } from './hands.js'
import { brightness, unreadable } from './reading.js'
import { openTab, type Tab } from './tabs.js'

describe('the page of the interface in a browser', () => {
  let tab: Tab
  let page: Page

  // The page takes seconds of the processor to open.
  before(async () => {
    tab = await openTab()
    page = tab.page
    await page.goto(`${service().url}/v1/docs`)
    await page.locator('.opblock').first().waitFor()
  })
  after(() => tab.close(service().url))

  const call = (id: string) => page.locator(`[id$="-${id}"]`)
  const authoriseButton = () => page.locator('.auth-wrapper > button.authorize')
  const prose = () => page.locator('details.prose')

  const open = async (id: string) => {
    if ((await call(id).locator('.try-out__btn').count()) > 0) return
    await call(id).locator('.opblock-summary-control').click()
    await call(id).locator('.try-out__btn').click()
  }

  /** Presses the button of a call as a reader does; what the server then answered. */
  const execute = async (id: string) => {
    const answered = page.waitForResponse(
      (response) => response.url().includes('/v1/') && response.request().method() === 'GET',
    )
    await call(id).locator('button.execute').click()
    const response = await answered
    const shown = call(id).locator('.live-responses-table .response').first()
    await shown.locator('.response-col_status', { hasText: String(response.status()) }).waitFor()
    return { status: response.status(), shown: await shown.innerText() }
  }

  const look = async (...screens: [width: number, colorScheme: 'light' | 'dark'][]) => {
    for (const [width, colorScheme] of screens) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      // Colours fade from one scheme to the other, from the next picture on.
      await until(async () => {
        const bright = await page.evaluate<number>(brightness)
        return colorScheme === 'dark' ? bright < 0.05 : bright > 0.9
      })
      await until(() => page.evaluate("document.getAnimations().every(({ playState }) => playState !== 'running')"))
      assert.deepEqual(await page.evaluate(unreadable), [], `${width}, ${colorScheme}`)
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, 'it scrolls sideways')
    }
  }

  const topOf = async (element: Locator) => (await element.boundingBox())?.y ?? Number.NaN

  it('has the key first, then the prose, closed until it is asked for, then every call once, in order', async () => {
    const calls = await page.locator('.opblock').all()
    const paths = await page
      .locator('.opblock-summary-path')
      .evaluateAll((found: { textContent: string }[]) =>
        found.map(({ textContent }) => textContent.replaceAll('\u200b', '')),
      )
    const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.keys(methods).flatMap((method) => (['head', 'options'].includes(method) ? [] : [path])),
    )
    assert.deepEqual(paths.toSorted(), operations.toSorted())
    assert.equal(await page.locator('.opblock-head, .opblock-tag:text("Headers")').count(), 0)
    const tops = await Promise.all([authoriseButton(), prose(), ...calls].map(topOf))
    assert.deepEqual(
      tops,
      tops.toSorted((one, other) => one - other),
    )
    for (const each of calls) assert.ok(await each.locator('.opblock-summary-control').isVisible())
    assert.equal(await prose().locator('h2').first().isVisible(), false)
    assert.match(await prose().locator('summary').innerText(), /key, envelope, parameters, metering/)
    await prose().locator('summary').click()
    assert.match(await prose().innerText(), /HEAD answers as GET does, without the body/)
    await prose().locator('summary').click()
  })

  it('is readable while it is closed', () => look([1280, 'light'], [390, 'dark']))

  describe('with a key', () => {
    before(async () => {
      const hands = keyboard(page)
      await hands.press(authoriseButton())
      await hands.write(page.locator('.dialog-ux input'), service().secret)
      await hands.press(page.locator('.dialog-ux button.authorize'))
      await hands.press(page.locator('.dialog-ux button.btn-done'))
    })

    it('calls the API by the keyboard alone', async () => {
      const hands = keyboard(page)
      await hands.press(call('states').locator('.opblock-summary-control'))
      await hands.press(call('states').locator('.try-out__btn'))
      await hands.press(call('states').locator('button.execute'))
      await call('states').locator('.response-col_status', { hasText: '200' }).first().waitFor()
    })

    it('is readable while it is open', async () => {
      await prose().locator('summary').click()
      for (const id of ['frameAt', 'frames']) await open(id)
      await authoriseButton().click()
      await look([390, 'light'], [1280, 'dark'])
      await page.locator('.dialog-ux button.btn-done').click()
    })

    it('sends a call as it is filled in, and shows the answer', async () => {
      await open('frameAt')
      const at = await execute('frameAt')
      assert.equal(at.status, 200)
      assert.match(at.shown, /"324378020"/)
      assert.match(at.shown, /LAKE ISLAND/)
    })

    it('shows one example of each failure', async () => {
      await open('frames')
      const rows = call('frames').locator('.responses-table:not(.live-responses-table) > tbody > tr.response')
      let failures = 0
      for (const row of await rows.all()) {
        if (!/^[45]/.test(await row.locator('.response-col_status').innerText())) continue
        const text = await row.innerText()
        const codes = new Set(text.match(/"code":"\w+"/g))
        assert.ok(codes.size > 0, text)
        assert.equal(await row.locator('pre').count(), codes.size, text)
        failures += 1
      }
      assert.ok(failures > 3)
    })

    it('keeps no key, and shows that a wrong key is wrong', async () => {
      const dialogue = page.locator('.dialog-ux')
      const callAs = async (act: () => Promise<void>, code: string) => {
        await authoriseButton().click()
        await act()
        await dialogue.locator('button.btn-done').click()
        await call('states').locator('button.execute').click()
        await call('states').locator('.live-responses-table', { hasText: code }).waitFor()
      }
      await callAs(() => dialogue.getByText('Logout').click(), 'unauthorized')
      await callAs(async () => {
        await dialogue.locator('input').fill(`${service().secret}0`)
        await dialogue.locator('button.authorize').click()
      }, 'invalid_key')
      const kept = `Promise.all([indexedDB.databases(), caches.keys(), Object.keys(localStorage), Object.keys(sessionStorage), [...document.cookie]])`
      assert.deepEqual(await page.evaluate(kept), [[], [], [], [], []])
      // Chromium itself tells the console of each 401.
      assert.match(tab.complaints.splice(0).join(), /^[^,]* status of 401[^,]*,[^,]* status of 401[^,]*$/)
    })
  })
})
