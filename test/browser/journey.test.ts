import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { makeLink } from '../support/browse.js'
import { ask, bearer, newOrganisation, service, startService } from '../support/service.js'
import { keyboard, type Hands } from './hands.js'
import { browserNames, openTab, type Tab } from './tabs.js'

type Key = { keyId: string; secret: string }

/** test/web tests that pages work without scripts. */
for (const browser of browserNames)
  describe(`an owner with a keyboard alone, in ${browser}`, function () {
    this.timeout(120_000)
    let running: Awaited<ReturnType<typeof startService>>
    let tab: Tab
    let page: Page
    let hands: Hands

    before(async () => {
      running = await startService(service().database, { publicUrl: 'listening' })
      const permissions = browser === 'Chromium' ? ['clipboard-read', 'clipboard-write'] : []
      tab = await openTab({ browser, permissions })
      page = tab.page
      hands = keyboard(page)
    })
    after(async () => {
      await tab.close(running.url)
      await running.stop()
    })

    const statusWith = async ({ secret }: Key) =>
      (await ask(`${running.url}/v1/states`, { headers: bearer(secret) })).status
    const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
    /** Passes over the navigation. */
    const skip = () => hands.press(page.getByRole('link', { name: 'Skip to the content' }))
    const button = (name: string) => page.getByRole('button', { name, exact: true })

    async function newKey(): Promise<Key> {
      await heading('Copy the secret now')
      await skip()
      const secret = (await page.locator('#secret').textContent())?.trim() ?? ''
      assert.match(secret, /^svc_sk_[0-9A-Za-z]{36}$/)
      return { secret, keyId: (await page.locator('dl.facts code').first().textContent()) ?? '' }
    }

    async function mint(): Promise<Key> {
      await hands.press(page.getByRole('link', { name: 'New key' }))
      await heading('New key')
      await skip()
      await hands.write(page.getByLabel('1. Name'), 'Ada, notebook')
      await hands.choose(page.getByRole('radio', { name: 'Locality' }))
      await hands.choose(page.getByRole('radio', { name: 'Only these' }))
      await hands.choose(page.getByRole('checkbox').first())
      await hands.choose(page.getByRole('radio', { name: '30 days' }))
      await hands.press(button('Mint the key'))
      return await newKey()
    }

    async function copyAndTry({ secret }: Key): Promise<void> {
      await hands.press(button('Copy').first())
      await button('Copied').waitFor()
      assert.equal(await page.evaluate('navigator.clipboard.readText()'), secret)
      await hands.press(button('Try it'))
      await page.getByText('The key works: 200 came.').waitFor()
      assert.match((await page.getByRole('region', { name: 'Answer' }).textContent()) ?? '', /"layerId": "lyr_/)
      await hands.press(page.getByRole('link', { name: 'I have copied it' }))
      await heading('Ada, notebook')
    }

    async function roll(): Promise<Key> {
      await skip()
      await hands.choose(page.getByRole('radio', { name: '180 days' }))
      await hands.select(page.getByLabel('The present key'), '1h')
      await hands.press(button('Roll the key'))
      return await newKey()
    }

    async function revoke({ keyId }: Key): Promise<void> {
      await page.goto(`${running.url}/app/keys/${keyId}`)
      await skip()
      await hands.press(page.getByText('Revoke the key'))
      await hands.press(button('Revoke it now'))
      await page.getByText('The key was revoked.').waitFor()
    }

    it('who was sent a link mints a key, calls the API with it, rolls it, revokes it and signs out', async () => {
      await page.goto(
        `${running.url}/app/link?t=${await makeLink(service().db, { orgId: await newOrganisation(service().db) })}`,
      )
      await hands.press(page.getByRole('main').getByRole('button', { name: 'Sign in' }))
      await heading('Map')
      assert.ok(!page.url().includes('svc_in_'))
      // This browser has no WebGL.
      await page.getByText('The map needs JavaScript and WebGL').waitFor()
      await page.goto(`${running.url}/app/keys`)
      const first = await mint()
      await copyAndTry(first)
      const second = await roll()
      assert.deepEqual([await statusWith(first), await statusWith(second)], [200, 200])
      await revoke(first)
      assert.deepEqual([await statusWith(first), await statusWith(second)], [401, 200])
      await hands.press(button('Sign out').filter({ visible: true }))
      await heading('Sign in')
      assert.ok(tab.asked.length > 20)
      for (const address of tab.asked)
        for (const { secret } of [first, second]) assert.ok(!address.includes(secret.slice(7)), address)
    })
  })
