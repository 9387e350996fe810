import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { makeLink } from '../support/browse.js'
import { observe, skippedWithoutChromium, startChromium, type Observed } from '../support/chromium.js'
import { newDatabase, onPostgres, type TestDatabase } from '../support/database.js'
import { newOrganisation, startService } from '../support/service.js'

/** The map shows some five hundred frames around Lake Island. */
const NEAR = 'lat=0.105&lon=0.205&z=11'
const many = { burst: 900_000, perMinute: 900_000 }

/** Asks for tiles until the test says that the bucket is spent. */
const SPEND = `(async () => {
  const tile = (_, turn) => fetch('/app/tiles/units/5/16/15?turn=' + turn, { cache: 'no-store' })
  while (!globalThis.isSpent) await Promise.all(Array.from({ length: 20 }, tile))
})()`

// The database makes no difference to a browser.
if (!onPostgres) {
  describe(`a map that waits${skippedWithoutChromium}`, function () {
    this.timeout(120_000)
    let browser: Browser
    let database: TestDatabase
    let running: Awaited<ReturnType<typeof startService>>
    let page: Page
    let observed: Observed

    before(async function () {
      browser = await startChromium(this)
      database = await newDatabase('datasets')
      // A view of the map takes some twenty requests.
      const buckets = { key: many, organisation: many, insight: many, map: { burst: 80, perMinute: 240 } }
      running = await startService(database, { publicUrl: 'listening', buckets })
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
      page.setDefaultTimeout(20_000)
      const t = await makeLink(database.db, { orgId: await newOrganisation(database.db), role: 'member' })
      await page.goto(`${running.url}/app/link?t=${t}`)
      await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
      await whole()
    })
    afterEach(async () => {
      await page.context().close()
    })

    const whole = () => page.locator('.map-area[aria-busy="false"]').waitFor()
    const tilesAsked = () => observed.asked.filter((address) => address.includes('/app/tiles/'))
    /** The map needs tiles of the next zoom. */
    const zoomIn = async () => {
      await page.getByRole('button', { name: 'Zoom in' }).click()
    }

    it('asked ahead for each tile of its first view, and for no other', async () => {
      for (const query of ['', `?${NEAR}&dataset=lyr_terrain&attribute=phy_landcov`, '?lat=0&lon=0&z=5.5']) {
        if (query !== '') {
          observed.asked.length = 0
          await page.goto(`${running.url}/app/map${query}`)
          await whole()
        }
        const turns = new Map<string, number>()
        for (const tile of tilesAsked()) turns.set(tile, (turns.get(tile) ?? 0) + 1)
        assert.ok(turns.size >= 3, query)
        assert.deepEqual(
          [...turns].filter(([, count]) => count !== 2),
          [],
          query,
        )
      }
      assert.deepEqual(observed.complaints, [])
    })

    it('folds its legend at first in a small window', async () => {
      for (const [width, height, isOpen] of [
        [1024, 800, false],
        [1280, 680, false],
        [1280, 900, true],
      ] as const) {
        await page.setViewportSize({ width, height })
        await page.goto(`${running.url}/app/map?${NEAR}&dataset=lyr_terrain&attribute=phy_landcov`)
        await whole()
        const fold = page.locator('#legend details')
        assert.equal((await fold.getAttribute('open')) !== null, isOpen, `${width} by ${height}`)
        if (isOpen) continue
        await page.locator('#legend summary').click()
        assert.notEqual(await fold.getAttribute('open'), null)
      }
    })

    it('says that tiles are on their way', async () => {
      const sign = page.locator('#map-loading')
      await page.route('**/app/tiles/**', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 700))
        await route.continue()
      })
      await page.goto(`${running.url}/app/map?${NEAR}`)
      await sign.getByText('Loading').waitFor()
      assert.equal(await sign.getAttribute('role'), 'status')
      await whole()
      assert.equal(await sign.textContent(), '')
    })

    it('says when the session has ended, and leads to the sign-in page', async () => {
      await database.db.rows('delete from session', [])
      await zoomIn()
      await page.locator('#map-note', { hasText: 'Your session has ended.' }).waitFor()
      await page.locator('#map-note').getByRole('link', { name: 'Sign in' }).click()
      await page.waitForURL(/\/app\/sign-in/)
    })

    it('says so too where the panel is asked for first', async () => {
      await database.db.rows('delete from session', [])
      await page.getByRole('searchbox').fill('Lakeside')
      await page.keyboard.press('Enter')
      await page.locator('#map-note', { hasText: 'Your session has ended.' }).waitFor()
    })

    it('says when it goes on after its bucket was spent, and goes on', async () => {
      const statuses: number[] = []
      page.on('response', (response) => {
        if (response.url().includes('/app/tiles/')) statuses.push(response.status())
      })
      // Another tab of the same person keeps the bucket empty until the map has met that.
      const other = await page.context().newPage()
      await other.goto(`${running.url}/app/sign-in`)
      const refusal = other.waitForResponse((response) => response.status() === 429)
      const spending = other.evaluate(SPEND)
      await refusal
      await page.goto(`${running.url}/app/map?lat=0.105&lon=0.205&z=9.5`)
      await page.locator('#map-note', { hasText: /It goes on in \d+ s\.$/ }).waitFor()
      await other.evaluate('globalThis.isSpent = true')
      await spending
      await other.close()
      await page.locator('#map-note').waitFor({ state: 'hidden' })
      await whole()
      const refused = statuses.lastIndexOf(429)
      assert.ok(statuses.slice(refused + 1).includes(200), statuses.join())
    })

    it('keeps its view and its page while a question is answered, and Escape leaves what was picked', async () => {
      await page.goto(`${running.url}/app/map?${NEAR}&frame=324378020`)
      await whole()
      await page.evaluate('globalThis.sameDocument = true')
      await page.getByLabel('Ask about this frame').fill('How many people live here?')
      await page.keyboard.press('Enter')
      await page.locator('#asked .lead').waitFor()
      assert.ok(await page.evaluate('globalThis.sameDocument'), 'the page stays')
      const now = new URL(page.url()).searchParams
      assert.deepEqual(
        ['z', 'frame', 'question'].map((name) => now.get(name)),
        ['11', '324378020', 'How many people live here?'],
      )
      assert.match((await page.locator('#asked').getAttribute('data-lit')) ?? '', /Polygon/)
      const hiddenPixels =
        "document.querySelectorAll('#side .scrolled').values().map((e) => e.scrollWidth - e.clientWidth).toArray()"
      const beyond = await page.evaluate<number[]>(hiddenPixels)
      assert.ok(beyond.length > 0 && beyond.every((pixels) => pixels <= 0), `columns are cut off: ${beyond.join()}`)
      await page.locator('.maplibregl-canvas').focus()
      await page.keyboard.press('Escape')
      await page.locator('#panel-title', { hasText: 'The whole index' }).waitFor()
      const later = new URL(page.url()).searchParams
      assert.deepEqual([later.get('z'), later.get('frame'), later.get('question')], ['11', null, null])
    })
  })
}
