import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { makeLink } from '../support/browse.js'
import { observe, skippedWithoutChromium, startChromium, type Observed } from '../support/chromium.js'
import { newDatabase, onPostgres, type TestDatabase } from '../support/database.js'
import { newOrganisation, startService } from '../support/service.js'
import { lookAt } from './looking.js'

/** The map shows some five hundred frames around Lake Island. */
const NEAR = 'lat=0.105&lon=0.205&z=11'

// The database makes no difference to a browser.
if (!onPostgres) {
  describe(`the map in a browser${skippedWithoutChromium}`, function () {
    this.timeout(120_000)
    let browser: Browser
    let database: TestDatabase
    let running: Awaited<ReturnType<typeof startService>>
    let page: Page
    let observed: Observed

    before(async function () {
      browser = await startChromium(this)
      database = await newDatabase('datasets')
      running = await startService(database, { publicUrl: 'listening' })
    })
    after(async () => {
      await browser?.close()
      await running?.stop()
      await database?.drop()
    })
    beforeEach(async () => {
      const context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 1280, height: 900 } })
      observed = await observe(context)
      page = await context.newPage()
      page.setDefaultTimeout(15_000)
      const t = await makeLink(database.db, { orgId: await newOrganisation(database.db), role: 'member' })
      await page.goto(`${running.url}/app/link?t=${t}`)
      await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
      await whole()
    })
    afterEach(async () => {
      assert.deepEqual(observed.complaints, [])
      for (const address of observed.asked) assert.ok(address.startsWith(`${running.url}/`), address)
      await page.context().close()
    })

    /** Every tile of the view came and was drawn. */
    const whole = () => page.locator('.map-area[aria-busy="false"]').waitFor()
    const open = async (query: string) => {
      await page.goto(`${running.url}/app/map${query}`)
      await whole()
    }
    const title = () => page.locator('#panel-title').textContent()
    const titled = (text: string) => page.locator('#panel-title', { hasText: text }).waitFor()
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
      const colleague = await page.context().newPage()
      await colleague.goto(address)
      assert.equal(await colleague.locator('#panel-title').textContent(), 'Frame 324378020')
      assert.equal(colleague.url(), address)
      assert.match((await colleague.locator('.maplibregl-ctrl-scale').textContent()) ?? '', /^\d+\s(m|km)$/)
    })

    it('a search with a slip leads to the unit, which fills the map, and back', async () => {
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

    it('Shift and the mouse draw a box, and so does the button', async () => {
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
    })

    it('the keyboard alone moves the map, picks a frame, adds up a box and chooses a colour', async () => {
      await open(`?${NEAR}`)
      await page.locator('.maplibregl-canvas').focus()
      await page.keyboard.press('ArrowUp')
      await page.waitForFunction("Number(new URLSearchParams(location.search).get('lat')) > 0.106")
      await page.keyboard.press('ArrowDown')
      await page.waitForFunction("Number(new URLSearchParams(location.search).get('lat')) < 0.106")
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
      assert.ok(observed.asked.some((address) => address.includes('/tiles/frames/') && address.includes('phy_landcov')))
    })

    it('shows the classes of the level that it colours', async () => {
      const shown = async () =>
        (await page.locator('.classes:visible').allTextContents()).map((text) => text.trim().split('\n')[0])
      await open(`?lat=0&lon=0&z=3`)
      assert.deepEqual(await shown(), ['states'])
      await open(`?lat=0&lon=0&z=5`)
      assert.deepEqual(await shown(), ['LGAs'])
      await open(`?${NEAR}`)
      assert.deepEqual(await shown(), ['frames'])
    })

    it('a click on an LGA or a block tells of the LGA, and of the frame at that place', async () => {
      await open('?lat=-0.155&lon=0.035&z=5.5')
      const { x, y } = await middle()
      await page.mouse.click(x, y)
      await titled('LAKESIDE')
      assert.deepEqual([queryNow().get('lga'), queryNow().get('z')], ['LAKESIDE', '5.5'])
      await open('?lat=0.105&lon=0.205&z=7')
      await page.mouse.click(x, y)
      await titled('Frame 324378020')
      assert.equal(queryNow().get('z'), '7')
      assert.ok(observed.asked.some((address) => /\/tiles\/blocks\/7\//.test(address)))
    })

    it('keeps a box that cannot be read in its form, and says what is wrong', async () => {
      await page.getByText('Add up a box of frames').click()
      await page.getByLabel('West, south, east, north').fill('3, 0, 1, 2')
      await page.keyboard.press('Enter')
      await page.locator('#box-note', { hasText: 'West, 3, is greater than East, 1.' }).waitFor()
      assert.equal(await page.getByLabel('West, south, east, north').inputValue(), '3,0,1,2')
      assert.equal(await title(), 'The whole index')
      // Chromium itself tells the console of each 400.
      assert.match(observed.complaints.splice(0).join(), /^Failed to load resource: .* 400 .*$/)
    })

    it('works without JavaScript: the search, the forms, the tables and the links', async () => {
      const context = await browser.newContext({
        javaScriptEnabled: false,
        storageState: await page.context().storageState(),
      })
      const plain = await context.newPage()
      await plain.goto(`${running.url}/app/map`)
      assert.ok(await plain.getByText('The map needs JavaScript').isVisible())
      assert.ok(!(await plain.locator('.map-area').isVisible()))
      await plain.getByRole('searchbox').fill('kirin gate')
      await plain.getByRole('button', { name: 'Search' }).click()
      await plain.locator('#panel-title', { hasText: 'KIRIN GATE' }).waitFor()
      await plain.getByLabel('Colour by').selectOption('lyr_schools features')
      await plain.getByRole('button', { name: 'Show' }).click()
      await plain.waitForURL(/dataset=lyr_schools/)
      assert.equal(await plain.locator('#panel-title').textContent(), 'KIRIN GATE')
      await plain.getByText('Add up a box of frames').click()
      await plain.getByLabel('West, south, east, north').fill('0.201, 0.101, 0.219, 0.119')
      await plain.getByRole('button', { name: 'Add up', exact: true }).click()
      await plain.locator('#panel-title', { hasText: 'Box' }).waitFor()
      await context.close()
    })

    it('works without WebGL as it does without JavaScript', async () => {
      const context = await browser.newContext({ storageState: await page.context().storageState() })
      await context.addInitScript('HTMLCanvasElement.prototype.getContext = () => null')
      const plain = await context.newPage()
      await plain.goto(`${running.url}/app/map?state=marembe`)
      assert.ok(await plain.getByText('The map needs JavaScript and WebGL').isVisible())
      await plain.getByRole('link', { name: 'KIRIN GATE' }).click()
      await plain.locator('#panel-title', { hasText: 'KIRIN GATE' }).waitFor()
      await context.close()
    })

    it('is readable and labelled on both screens, light and dark', async () => {
      for (const query of ['', '?frame=324378020', '?state=marembe', '?dataset=lyr_terrain&attribute=phy_landcov']) {
        await open(query)
        await lookAt(page, `map${query}`)
        await page.setViewportSize({ width: 1280, height: 900 })
      }
    })
  })
}
