import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { service } from '../support/service.js'
import { keyboard } from './hands.js'
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

  const states = () => page.locator('[id$="-states"]')
  const authoriseButton = () => page.locator('.auth-wrapper > button.authorize')
  const dialogue = () => page.locator('.dialog-ux')

  it('calls the API by the keyboard alone', async () => {
    const hands = keyboard(page)
    await hands.press(authoriseButton())
    await hands.write(dialogue().locator('input'), service().secret)
    await hands.press(dialogue().locator('button.authorize'))
    await hands.press(dialogue().locator('button.btn-done'))
    await hands.press(states().locator('.opblock-summary-control'))
    await hands.press(states().locator('.try-out__btn'))
    await hands.press(states().locator('button.execute'))
    await states().locator('.response-col_status', { hasText: '200' }).first().waitFor()
  })

  it('keeps no key, and shows that a wrong key is wrong', async () => {
    const callAs = async (act: () => Promise<void>, code: string) => {
      await authoriseButton().click()
      await act()
      await dialogue().locator('button.btn-done').click()
      await states().locator('button.execute').click()
      await states().locator('.live-responses-table', { hasText: code }).waitFor()
    }
    await callAs(() => dialogue().getByText('Logout').click(), 'unauthorized')
    await callAs(async () => {
      await dialogue().locator('input').fill(`${service().secret}0`)
      await dialogue().locator('button.authorize').click()
    }, 'invalid_key')
    const kept = `Promise.all([indexedDB.databases(), caches.keys(), Object.keys(localStorage), Object.keys(sessionStorage), [...document.cookie]])`
    assert.deepEqual(await page.evaluate(kept), [[], [], [], [], []])
    // Chromium itself tells the console of each 401.
    assert.match(tab.complaints.splice(0).join(), /^[^,]* status of 401[^,]*,[^,]* status of 401[^,]*$/)
  })
})
