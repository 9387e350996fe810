import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { newOrganisation, service } from '../support/service.js'
import { signedIn } from '../web/visitors.js'
import { AXE, faultsOf, firstPixel } from './looking.js'
import { openTab, type Tab } from './tabs.js'

/** The map shows LGAs, with Lakeside in its middle. */
const UNITS = 'lat=0.15&lon=0.25&z=5.9&dataset=lyr_population&attribute=pop_demest26'

describe('the legend of the map in a browser', () => {
  let tab: Tab
  let page: Page
  before(async () => {
    const visitor = await signedIn({ orgId: await newOrganisation(service().db), role: 'member' })
    // The legend leaves the middle of the map free.
    tab = await openTab({ visitor, drawsMaps: true, viewport: { width: 1280, height: 720 } })
    page = tab.page
    await page.context().addInitScript(AXE)
    await page.goto(`${service().url}/app/map?${UNITS}`)
    await whole()
  })
  after(() => tab.close(service().url))

  const whole = () => page.locator('.map-area[aria-busy="false"]').waitFor()
  const shown = async () =>
    (await page.locator('.classes:not([hidden]) p').allTextContents()).map((text) => text.trim())

  it('switches units to totals and to other classes, and the focus stays on the field', async () => {
    assert.deepEqual(await shown(), ['LGAs, people per km², quantiles'])
    await page.getByText('Change the classes').click()
    assert.equal(await page.locator('.legend-choices .legend-form button').isVisible(), false)
    await page.locator('.legend-form [name=per]').selectOption('total')
    await page.waitForURL((url) => url.searchParams.get('per') === 'total')
    await page.locator('.classes:not([hidden]) p', { hasText: /^LGAs, quantiles$/ }).waitFor()
    assert.ok(await page.evaluate("document.activeElement?.name === 'per'"))
    await page.getByLabel('Classes').selectOption('log')
    await page.waitForURL((url) => url.searchParams.get('classes') === 'log')
    await page.locator('.classes:not([hidden]) li', { hasText: '65,537–131,072' }).waitFor()
    assert.deepEqual(
      ['per', 'z'].map((name) => new URL(page.url()).searchParams.get(name)),
      ['total', '5.9'],
    )
  })

  for (const [what, view] of [
    ['a unit', `${UNITS}&per=total`],
    ['a frame', 'lat=0.1537&lon=0.2537&z=11&dataset=lyr_terrain&attribute=phy_elevmean'],
  ] as const)
    it(`has the colours of the map: ${what} is drawn in that of its class`, async () => {
      await page.goto(`${service().url}/app/map?${view}`)
      await whole()
      const box = await page.locator('#map').boundingBox()
      assert.ok(box)
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      await page.mouse.move(x - 1, y)
      await page.mouse.move(x, y)
      const card = await page.locator('#map-card:not([hidden])').innerText()
      const value = Number(/: ([\d.,]+) (people|m)\b/.exec(card)?.[1]?.replaceAll(',', ''))
      assert.ok(value > 0, card)
      await page.mouse.move(0, 0)
      await page.evaluate("document.querySelectorAll('.map-label').forEach((label) => label.remove())")
      const classes = await page
        .locator('.classes:not([hidden]) li')
        .evaluateAll((items) =>
          items.map((item) => [item.textContent, globalThis.getComputedStyle(item.querySelector('path')!).fill]),
        )
      const found = classes.find(([text = '']) => {
        const [from = NaN, to = from] = text.replaceAll(',', '').split('–').map(Number)
        return value >= from && value <= to
      })
      assert.ok(found)
      const shot = await page.screenshot({ clip: { x: x - 2, y: y - 2, width: 4, height: 4 } })
      const pixel = `rgb(${firstPixel(shot).join(', ')})`
      assert.equal(pixel, found[1])
    })

  it('is readable and labelled while it is open, on every screen', async () => {
    await page.getByText('Change the classes').click()
    assert.ok(await page.getByLabel('Classes').isVisible())
    assert.deepEqual(await faultsOf(page), [])
  })
})
