import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { makeBasemap } from '../support/basemap.js'
import { signIn } from '../support/browse.js'
import { newOrganisation, service, startService } from '../support/service.js'
import { newFolder } from '../support/temporary.js'
import { AXE, faultsOf, firstPixel } from './looking.js'
import { openTab, type Tab } from './tabs.js'

/** A sea lies in the west of the map, and a town on its land. */
const VIEW = 'lat=0.1&lon=-0.1&z=8.5&dataset=lyr_population&attribute=pop_demest26'

describe('the base map in a browser', function () {
  this.timeout(120_000)
  let running: Awaited<ReturnType<typeof startService>>
  let tab: Tab
  let page: Page
  before(async () => {
    const basemapFile = join(newFolder('basemap'), 'fixture.pmtiles')
    await makeBasemap(basemapFile, '<a href="https://example.org/licence">© Mappers</a>')
    running = await startService(service().database, { publicUrl: 'listening', basemapFile })
    const visitor = await signIn(running.url, service().db, {
      orgId: await newOrganisation(service().db),
      role: 'member',
    })
    tab = await openTab({ visitor, drawsMaps: true, viewport: { width: 1280, height: 720 } })
    page = tab.page
    await page.context().addInitScript(AXE)
    await page.goto(`${running.url}/app/map?${VIEW}`)
    await whole()
  })
  after(async () => {
    await tab.close(running.url)
    await running.stop()
  })

  const whole = () => page.locator('.map-area[aria-busy="false"]').waitFor()
  const colourAt = async (x: number, y: number) =>
    firstPixel(await page.screenshot({ clip: { x, y, width: 2, height: 2 } }))
  const credit = () => page.getByRole('link', { name: '© Mappers' })
  const town = () => page.locator('.map-label-place', { hasText: 'Crossing' })

  it('shows waters around the country, places upon it, and where they are from; a checkbox takes it out', async () => {
    const [red = 0, , blue = 0] = await colourAt(60, 680)
    assert.ok(blue - red > 20, 'the sea is blue')
    assert.equal(await town().count(), 1)
    assert.ok(await credit().isVisible())
    await page.getByLabel('Base map').uncheck()
    await page.waitForURL((url) => url.searchParams.get('base') === 'off')
    await town().waitFor({ state: 'detached' })
    await whole()
    const [without = 0, , other = 0] = await colourAt(60, 680)
    assert.ok(other - without < 15, 'the ground is grey')
    assert.equal(await credit().isVisible(), false)
    await page.goBack()
    await town().waitFor()
    assert.ok(await page.getByLabel('Base map').isChecked())
  })

  it('is readable at every width, in the light and in the dark', async () => {
    assert.deepEqual(await faultsOf(page), [])
  })
})
