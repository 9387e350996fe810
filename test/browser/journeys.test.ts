import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { newOrganisation, service } from '../support/service.js'
import { linkFor, rows, signedIn } from '../web/visitors.js'
import { keyboard, type Hands } from './hands.js'
import { browserNames, openTab, type BrowserName } from './tabs.js'

/** These browsers draw no map: what leads on are the search, the forms, the tables and the drawer. */
for (const browser of browserNames)
  describe(`people who look for something with a keyboard alone, in ${browser}`, function () {
    this.timeout(120_000)
    let orgId: string
    before(async () => void (orgId = await newOrganisation(service().db)))

    const at = (path: string) => `${service().url}/app${path}`
    const inTab = async (as: 'member' | 'admin' | undefined, journey: (page: Page, hands: Hands) => Promise<void>) => {
      const visitor = as && (await signedIn({ orgId, role: as }))
      const tab = await openTab({ browser: browser satisfies BrowserName, ...(visitor && { visitor }) })
      await journey(tab.page, keyboard(tab.page))
      await tab.close(service().url)
    }
    const panel = (page: Page, title: string | RegExp) => page.locator('#panel-title', { hasText: title }).waitFor()

    it('a member finds an LGA, asks about it and takes its frames along', () =>
      inTab('member', async (page, hands) => {
        await page.goto(at('/map'))
        assert.equal(await page.getByRole('link', { name: 'Keys', exact: true }).count(), 0)
        await hands.write(page.getByLabel(/or find$/), 'lakeside')
        await page.keyboard.press('Enter')
        await panel(page, 'Lakeside')
        await hands.write(page.getByLabel(/^Ask about/), 'how many people live here?')
        await hands.press(page.getByRole('button', { name: 'Go', exact: true }))
        const [total] = await rows<{ people: number }>(
          `select sum((recorded ->> 'pop_demest26')::numeric)::float8 as people
           from baseline join frame using (frame_id) where layer_id = 'lyr_population' and lga = 'LAKESIDE'`,
        )
        await page
          .getByText(`${total?.people.toLocaleString('en')} people`)
          .first()
          .waitFor()
        await hands.press(page.getByRole('link', { name: 'Take along' }))
        const download = page.getByRole('button', { name: 'Download' })
        await download.waitFor()
        // Playwright's driver of Firefox waits for a file without end.
        if (browser === 'Firefox') return
        const coming = page.waitForEvent('download')
        await hands.press(download)
        const file = await readFile(await (await coming).path(), 'utf8')
        const [frames] = await rows<{ count: number }>(`select count(*)::int from frame where lga = 'LAKESIDE'`)
        assert.equal(file.trim().split('\n').length - 1, frames?.count)
      }))

    it('an analyst colours by land cover and reads the statements of the table in the drawer', () =>
      inTab('admin', async (page, hands) => {
        await page.goto(at('/map?state=marembe'))
        await hands.write(page.getByLabel('Colour by'), 'Land cover')
        await hands.press(page.locator('.map-colour').getByRole('button', { name: 'Show' }))
        await page.waitForURL((url) => url.searchParams.get('attribute') === 'phy_landcov')
        await hands.press(page.locator('#twin').getByRole('link', { name: 'Show the SQL' }))
        const drawer = page.locator('dialog.drawer')
        await drawer.getByText('profile_by_unit').first().waitFor()
        await hands.press(drawer.getByRole('link', { name: 'psql' }))
        await drawer.getByText('analyst.').first().waitFor()
        await page.keyboard.press('Escape')
        await drawer.waitFor({ state: 'hidden' })
        assert.equal(new URL(page.url()).searchParams.get('state')?.toLowerCase(), 'marembe')
      }))

    it('a stranger with a link to a frame signs in and comes to the frame', () =>
      inTab(undefined, async (page, hands) => {
        await page.goto(at('/map?frame=324378020'))
        await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
        await page.goto(at(`/link?t=${await linkFor({ orgId, role: 'member' })}`))
        await hands.press(page.getByRole('main').getByRole('button', { name: 'Sign in' }))
        await panel(page, 'Frame 324378020')
      }))
  })
