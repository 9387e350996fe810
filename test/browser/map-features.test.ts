import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { newOrganisation, service } from '../support/service.js'
import { rows, signedIn } from '../web/visitors.js'
import { openTab, type Tab } from './tabs.js'

describe('features on the map in a browser', () => {
  let tab: Tab
  let page: Page
  let school: { id: string; name: string; lat: number; lon: number }

  before(async () => {
    const [found] = await rows<typeof school>(
      `select feature_id as id, properties ->> 'name' as name, ST_Y(geom)::float8 as lat, ST_X(geom)::float8 as lon
       from feature join dataset using (version) where layer_id = 'lyr_schools' order by feature_no limit 1`,
    )
    assert.ok(found)
    school = found
    const visitor = await signedIn({ orgId: await newOrganisation(service().db), role: 'member' })
    // The legend leaves the middle of the map free.
    tab = await openTab({ visitor, drawsMaps: true, viewport: { width: 1280, height: 720 } })
    page = tab.page
    await page.goto(`${service().url}/app/map?lat=${school.lat}&lon=${school.lon}&z=13`)
    await whole()
  })
  after(() => tab.close(service().url))

  const whole = () => page.locator('.map-area[aria-busy="false"]').waitFor()
  const middle = async () => {
    const box = await page.locator('#map').boundingBox()
    assert.ok(box)
    return [box.x + box.width / 2, box.y + box.height / 2] as const
  }

  it('are named by the card, and a click shows the properties', async () => {
    const [x, y] = await middle()
    await page.mouse.move(x - 1, y)
    await page.mouse.move(x, y)
    await page.locator('#map-card:not([hidden])', { hasText: school.id }).waitFor()
    await page.mouse.click(x, y)
    await page.locator('#panel-title', { hasText: school.name }).waitFor()
    assert.match(new URL(page.url()).searchParams.get('feature') ?? '', /^lyr_schools \d+ /)
    await whole()
    assert.equal(await page.locator('#map-cut').isVisible(), false)
  })

  it('are taken out in the legend, by the keyboard too, and stay out when the panel changes', async () => {
    await page.getByLabel('Schools').focus()
    await page.keyboard.press('Space')
    await whole()
    await page.mouse.click(...(await middle()))
    await page.locator('#panel-title', { hasText: /^Frame \d+$/ }).waitFor()
    assert.equal(await page.getByLabel('Schools').isChecked(), false)
    await page.getByLabel('Schools').check()
    await whole()
    await page.mouse.click(...(await middle()))
    await page.locator('#panel-title', { hasText: school.name }).waitFor()
  })

  it('are listed where they are drawn: from zoom 11', async () => {
    assert.equal(await page.locator('.marks').isVisible(), true)
    await page.goto(`${service().url}/app/map?lat=${school.lat}&lon=${school.lon}&z=10.5`)
    await whole()
    assert.equal(await page.locator('.marks').isVisible(), false)
  })
})
