import assert from 'node:assert/strict'
import { newOrganisation, service } from '../support/service.js'
import { signedIn } from '../web/visitors.js'
import { openTab, type Tab } from './tabs.js'

describe('the map on a phone', function () {
  this.timeout(120_000)
  let tab: Tab
  before(async () => {
    const visitor = await signedIn({ orgId: await newOrganisation(service().db), role: 'owner' })
    tab = await openTab({ visitor, drawsMaps: true, viewport: { width: 390, height: 844 } })
    await tab.page.goto(`${service().url}/app/map?question=how+many+people`)
    await tab.page.locator('.map-area[aria-busy="false"]').waitFor()
  })
  after(() => tab.close(service().url))

  it('a choice in the legend folds it, and leaves the sheet where the map is seen', async () => {
    const { page } = tab
    await page.locator('.legend > details > summary').click()
    await page.getByRole('combobox', { name: 'Colour by' }).selectOption('lyr_terrain phy_elevmean')
    await page.waitForURL((url) => url.searchParams.get('dataset') === 'lyr_terrain')
    await page.locator('#legend[data-dataset="lyr_terrain"]').waitFor()
    assert.equal(await page.locator('.legend > details[open]').count(), 0)
    assert.equal(await page.evaluate('scrollY'), 0)
  })

  it('the menu lies over the legend and the sheet', async () => {
    const { page } = tab
    await page.locator('.menu > summary').click()
    await page.locator('.menu').getByRole('link', { name: 'Keys' }).click()
    await page.waitForURL(/\/app\/keys$/)
  })
})
