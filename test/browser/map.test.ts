import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { newOrganisation, service } from '../support/service.js'
import { panelTitle } from '../web/pages.js'
import { signedIn } from '../web/visitors.js'
import { tooFaint, tooWide } from './looking.js'
import { openTab, type Tab } from './tabs.js'

/** The map shows some five hundred frames around Lake Island. */
const NEAR = 'lat=0.105&lon=0.205&z=11'

describe('the map in a browser', () => {
  let tab: Tab
  let page: Page

  before(async () => {
    const visitor = await signedIn({ orgId: await newOrganisation(service().db), role: 'member' })
    tab = await openTab({ visitor, drawsMaps: true })
    page = tab.page
  })
  after(() => tab.close(service().url))

  /** Every tile of the view came and was drawn. */
  const whole = () => page.locator('.map-area[aria-busy="false"]').waitFor()
  const titled = (text: string) => page.locator('#panel-title', { hasText: text }).waitFor()
  /** The level whose classes the legend shows, once it is unfolded. */
  const classesShown = async () =>
    (await page.locator('.classes:not([hidden])').allTextContents()).map((text) => text.trim().split('\n')[0]?.trim())
  const queryNow = () => new URL(page.url()).searchParams
  const middle = async () => {
    const box = await page.locator('#map').boundingBox()
    assert.ok(box)
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }

  before(async () => {
    await page.goto(`${service().url}/app/map?${NEAR}`)
    await whole()
  })
  beforeEach(() => page.locator('.maplibregl-canvas').focus())
  afterEach(async () => {
    await page.locator('.maplibregl-canvas').focus()
    await page.keyboard.press('Escape')
    await titled('The whole index')
  })

  it('the link that skips to the map leads to what takes the keys', async () => {
    await page.locator('.skip', { hasText: 'Skip to the map' }).press('Enter')
    assert.equal(await page.evaluate('document.activeElement.className'), 'maplibregl-canvas')
  })

  it('a click tells of the frame under the mouse, and the address shows the same to everybody', async () => {
    const { x, y } = await middle()
    await page.mouse.click(x, y)
    await titled('Frame 324378020')
    assert.deepEqual([queryNow().get('frame'), queryNow().get('z')], ['324378020', '11'])
    const address = page.url()
    await page.mouse.click(x + 100, y)
    await page.waitForURL((url) => url.searchParams.get('frame') !== '324378020')
    const other = (await page.locator('#panel-title').textContent()) ?? ''
    await page.goBack()
    await titled('Frame 324378020')
    await page.goForward()
    await titled(other)
    const colleague = await signedIn({ orgId: await newOrganisation(service().db), role: 'member' })
    assert.equal(panelTitle((await colleague.get(address.replace(service().url, ''))).text), 'Frame 324378020')
  })

  /** The lines of the card, once it has the name of a frame or a unit. */
  const cardOf = async (name: string): Promise<string[]> => {
    await page.locator('#map-card:not([hidden])', { hasText: name }).waitFor()
    return await page.locator('#map-card p').allTextContents()
  }

  it('a card beside the mouse says what the panel says of the frame, without a call', async () => {
    const { x, y: lake } = await middle()
    // Two frames to the South, where people live.
    const y = lake + 58
    const asked = tab.asked.length
    await page.mouse.move(x, y - 80)
    await page.mouse.move(x, y)
    const [, value = '', sure = ''] = await cardOf('Frame 324306020')
    assert.equal(tab.asked.length, asked)
    await page.mouse.click(x, y)
    await titled('Frame 324306020')
    assert.equal(value, `Population, 2026 estimate: ${await page.locator('.chosen-value .large').textContent()}`)
    assert.match(sure, /^between [\d,.]+ and [\d,.]+ \(95\u00a0%\)$/)
    await page.locator('.chosen-value', { hasText: `B${sure.slice(1)}.` }).waitFor()
    await page.mouse.move(1, 1)
    await page.locator('#map-card').waitFor({ state: 'hidden' })
  })

  it('the keyboard gets the card of the middle, which a screen reader hears after each move', async () => {
    await page.keyboard.press('ArrowUp')
    await page.waitForURL((url) => Number(url.searchParams.get('lat')) > 0.106)
    await whole()
    const lines = await cardOf('Frame ')
    assert.equal(await page.locator('#map-said').textContent(), lines.join(', '))
    await page.keyboard.press('ArrowDown')
    await page.waitForURL((url) => Number(url.searchParams.get('lat')) < 0.106)
    await whole()
  })

  it('names the wards in view, and the unit that was picked', async () => {
    await page.locator('.map-label', { hasText: 'Lake Island' }).waitFor()
    await page.getByRole('searchbox', { name: 'or find' }).fill('Marembe')
    await page.keyboard.press('Enter')
    await titled('Marembe')
    await page.locator('.map-label-picked', { hasText: /^Marembe$/ }).waitFor()
    await page.goBack()
    await whole()
  })

  it('Shift and the mouse draw a box', async () => {
    const { x, y } = await middle()
    await page.keyboard.down('Shift')
    await page.mouse.move(x - 60, y - 60)
    await page.mouse.down()
    await page.mouse.move(x, y, { steps: 3 })
    await page.mouse.move(x + 60, y + 60, { steps: 3 })
    await page.mouse.up()
    await titled('Box')
    await page.keyboard.up('Shift')
    assert.match(queryNow().get('box') ?? '', /^0\.1\d+,0\.0\d+,0\.2\d+,0\.1\d+$/)
    assert.equal(queryNow().get('z'), '11', 'the map did not move')
    assert.match((await page.locator('#panel').textContent()) ?? '', /\d+ frames, [\d.]+ km²/)
  })

  it('the keyboard alone moves the map, picks a frame, adds up a box that can be read, and chooses a colour', async () => {
    assert.deepEqual(await classesShown(), ['frames, log steps'])
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
    const box = page.getByLabel('West, south, east, north')
    await box.fill('3, 0, 1, 2')
    await page.keyboard.press('Enter')
    await page.locator('#box-note', { hasText: 'West, 3, is greater than East, 1.' }).waitFor()
    assert.equal(await box.inputValue(), '3,0,1,2')
    // Chromium itself tells the console of each 400.
    assert.match(tab.complaints.splice(0).join(), /^Failed to load resource: .* 400 .*$/)
    await box.fill('0.201, 0.101, 0.219, 0.119')
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
    assert.ok(tab.asked.some((address) => address.includes('/values/0/0?') && address.includes('phy_landcov')))
  })

  it('colours the level that a person chooses, which the card and a click then tell of', async () => {
    await page.goto(`${service().url}/app/map?${NEAR}`)
    await whole()
    await page.getByLabel('Level').selectOption('lga')
    await page.waitForURL((url) => url.searchParams.get('level') === 'lga')
    await whole()
    assert.deepEqual(await classesShown(), ['LGAs, people per km², quantiles'])
    const { x, y } = await middle()
    await page.mouse.move(x, y - 31)
    await page.mouse.move(x, y - 30)
    assert.match((await cardOf('Lakeside, Marembe'))[1] ?? '', /people, [\d.]+ per km²$/)
    await page.mouse.click(x, y - 30)
    await titled('Lakeside')
    assert.equal(queryNow().get('level'), 'lga')
    await page.getByLabel('Level').selectOption('')
    await page.waitForURL((url) => !url.searchParams.has('level'))
    await whole()
    assert.deepEqual(await classesShown(), ['frames, log steps'])
  })

  it('is readable on a small screen, light and dark', async () => {
    assert.deepEqual([await tooWide(page, [390]), await tooFaint(page)], [[], []])
  })
})
