import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { newOrganisation, service } from '../support/service.js'
import { panelTitle } from '../web/pages.js'
import { signedIn } from '../web/visitors.js'
import { openTab, type Tab } from './tabs.js'

/** The map shows some five hundred frames around Lake Island. */
const NEAR = 'lat=0.105&lon=0.205&z=11'

describe('the map in a browser', () => {
  let tab: Tab
  let page: Page

  // The browser keeps the scripts of the map, so a second opening takes less.
  before(async () => {
    const visitor = await signedIn({ orgId: await newOrganisation(service().db), role: 'member' })
    tab = await openTab({ visitor, viewport: { width: 1280, height: 900 } })
    page = tab.page
  })
  after(() => tab.close(service().url))

  /** Every tile of the view came and was drawn. */
  const whole = () => page.locator('.map-area[aria-busy="false"]').waitFor()
  const open = async (query: string) => {
    await page.goto(`${service().url}/app/map${query}`)
    await whole()
  }
  const title = () => page.locator('#panel-title').textContent()
  const titled = (text: string) => page.locator('#panel-title', { hasText: text }).waitFor()
  /** The level whose classes the legend shows. */
  const classesShown = async () =>
    (await page.locator('.classes:visible').allTextContents()).map((text) => text.trim().split('\n')[0])
  const queryNow = () => new URL(page.url()).searchParams
  const middle = async () => {
    const box = await page.locator('#map').boundingBox()
    assert.ok(box)
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }

  it('a click tells of the frame under the mouse, and the address shows the same to everybody', async () => {
    await open(`?${NEAR}`)
    const { x, y } = await middle()
    await page.mouse.click(x, y)
    await titled('Frame 324378020')
    assert.deepEqual([queryNow().get('frame'), queryNow().get('z')], ['324378020', '11'])
    const address = page.url()
    await page.mouse.click(x + 100, y)
    await page.waitForURL((url) => url.searchParams.get('frame') !== '324378020')
    const other = await title()
    await page.goBack()
    await titled('Frame 324378020')
    await page.goForward()
    await titled(other ?? '')
    assert.match((await page.locator('.maplibregl-ctrl-scale').textContent()) ?? '', /^\d+\s(m|km)$/)
    const colleague = await signedIn({ orgId: await newOrganisation(service().db), role: 'member' })
    assert.equal(panelTitle((await colleague.get(address.replace(service().url, ''))).text), 'Frame 324378020')
  })

  it('a search with a slip leads to the unit, which fills the map, and back', async () => {
    await open('')
    assert.deepEqual(await classesShown(), ['frames'], 'this index is small: its frames show at first')
    await page.getByRole('searchbox').fill('Lakesde')
    await page.keyboard.press('Enter')
    await titled('Found for “Lakesde”')
    await page.getByRole('link', { name: 'LAKESIDE', exact: true }).click()
    await titled('LAKESIDE')
    await page.waitForURL(/z=/)
    const [lat, lon] = [Number(queryNow().get('lat')), Number(queryNow().get('lon'))]
    assert.ok(Math.abs(lat + 0.155) < 0.02 && Math.abs(lon - 0.035) < 0.02, page.url())
    await page.getByRole('link', { name: 'MAREMBE', exact: true }).click()
    await titled('MAREMBE')
    await page.getByRole('link', { name: 'Whole index' }).click()
    await titled('The whole index')
    await page.goBack()
    await titled('MAREMBE')
  })

  it('Shift and the mouse draw a box, and so does the button; one that cannot be read stays in its form', async () => {
    await open(`?${NEAR}`)
    const { x, y } = await middle()
    const drag = async () => {
      await page.mouse.move(x - 60, y - 60)
      await page.mouse.down()
      await page.mouse.move(x, y, { steps: 3 })
      await page.mouse.move(x + 60, y + 60, { steps: 3 })
      await page.mouse.up()
      await titled('Box')
    }
    await page.keyboard.down('Shift')
    await drag()
    await page.keyboard.up('Shift')
    const first = queryNow().get('box') ?? ''
    assert.match(first, /^0\.1\d+,0\.0\d+,0\.2\d+,0\.1\d+$/)
    assert.equal(queryNow().get('z'), '11', 'the map did not move')
    await page.getByText('Add up a box of frames').click()
    await page.getByRole('button', { name: 'Draw on the map' }).click()
    await page.getByRole('link', { name: 'Whole index' }).waitFor()
    await drag()
    assert.equal(queryNow().get('box'), first)
    assert.match((await page.locator('#panel').textContent()) ?? '', /\d+ frames, [\d.]+ km²/)
    await page.getByLabel('West, south, east, north').fill('3, 0, 1, 2')
    await page.keyboard.press('Enter')
    await page.locator('#box-note', { hasText: 'West, 3, is greater than East, 1.' }).waitFor()
    assert.equal(await page.getByLabel('West, south, east, north').inputValue(), '3,0,1,2')
    // Chromium itself tells the console of each 400.
    assert.match(tab.complaints.splice(0).join(), /^Failed to load resource: .* 400 .*$/)
  })

  it('the keyboard alone moves the map, picks a frame, adds up a box and chooses a colour', async () => {
    await open(`?${NEAR}`)
    assert.deepEqual(await classesShown(), ['frames'])
    await page.locator('.maplibregl-canvas').focus()
    await page.keyboard.press('ArrowUp')
    await page.waitForURL((url) => Number(url.searchParams.get('lat')) > 0.106)
    await page.keyboard.press('ArrowDown')
    await page.waitForURL((url) => Number(url.searchParams.get('lat')) < 0.106)
    await whole()
    await page.keyboard.press('Enter')
    await titled('Frame 324378020')
    assert.equal(await page.locator('#map-said').textContent(), 'Frame 324378020')
    await page.getByText('Add up a box of frames').focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('West, south, east, north').fill('0.201, 0.101, 0.219, 0.119')
    await page.keyboard.press('Enter')
    await titled('Box')
    assert.ok(await page.evaluate("document.activeElement?.id === 'panel-title'"), 'the focus follows')
    await page.getByLabel('Colour by').selectOption('lyr_terrain phy_landcov')
    await page.locator('#legend h2', { hasText: 'Land cover' }).waitFor()
    assert.deepEqual(
      [queryNow().get('dataset'), queryNow().get('attribute'), queryNow().get('box')],
      ['lyr_terrain', 'phy_landcov', '0.201,0.101,0.219,0.119'],
    )
    await whole()
    assert.ok(tab.asked.some((address) => address.includes('/tiles/frames/') && address.includes('phy_landcov')))
  })

  it('a click on an LGA or a block tells of the LGA, and of the frame at that place', async () => {
    await open('?lat=-0.155&lon=0.035&z=5.5')
    assert.deepEqual(await classesShown(), ['LGAs'])
    const { x, y } = await middle()
    await page.mouse.click(x, y)
    await titled('LAKESIDE')
    assert.deepEqual([queryNow().get('lga'), queryNow().get('z')], ['LAKESIDE', '5.5'])
    await open('?lat=0.105&lon=0.205&z=7')
    await page.mouse.click(x, y)
    await titled('Frame 324378020')
    assert.equal(queryNow().get('z'), '7')
    assert.ok(tab.asked.some((address) => /\/tiles\/blocks\/7\//.test(address)))
  })

  it('works without JavaScript: the search, the forms, the tables and the links', async () => {
    const storageState = await page.context().storageState()
    const plain = await openTab({ javaScriptEnabled: false, storageState })
    const titledPlain = (text: string) => plain.page.locator('#panel-title', { hasText: text }).waitFor()
    await plain.page.goto(`${service().url}/app/map`)
    assert.ok(await plain.page.getByText('The map needs JavaScript').isVisible())
    assert.ok(!(await plain.page.locator('.map-area').isVisible()))
    await plain.page.getByRole('searchbox').fill('kirin gate')
    await plain.page.getByRole('button', { name: 'Search' }).click()
    await titledPlain('KIRIN GATE')
    await plain.page.getByLabel('Colour by').selectOption('lyr_schools features')
    await plain.page.getByRole('button', { name: 'Show' }).click()
    await plain.page.waitForURL(/dataset=lyr_schools/)
    await titledPlain('KIRIN GATE')
    await plain.page.getByText('Add up a box of frames').click()
    await plain.page.getByLabel('West, south, east, north').fill('0.201, 0.101, 0.219, 0.119')
    await plain.page.getByRole('button', { name: 'Add up', exact: true }).click()
    await titledPlain('Box')
    await plain.close(service().url)
  })

  it('works without WebGL as it does without JavaScript', async () => {
    const plain = await page.context().newPage()
    await plain.addInitScript('HTMLCanvasElement.prototype.getContext = () => null')
    await plain.goto(`${service().url}/app/map?state=marembe`)
    assert.ok(await plain.getByText('The map needs JavaScript and WebGL').isVisible())
    await plain.getByRole('link', { name: 'KIRIN GATE' }).click()
    await plain.locator('#panel-title', { hasText: 'KIRIN GATE' }).waitFor()
    await plain.close()
  })
})
