import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { signIn } from '../support/browse.js'
import { newOrganisation, service, startService } from '../support/service.js'
import { rows } from '../web/visitors.js'
import { openTab, type Tab } from './tabs.js'

/** The map shows some five hundred frames around Lake Island. */
const NEAR = 'lat=0.105&lon=0.205&z=11'
const many = { burst: 900_000, perMinute: 900_000 }

/** Asks for tiles until the test says that the bucket is spent. */
const SPEND = `(async () => {
  const tile = (_, turn) => fetch('/app/tiles/units/5/16/15?turn=' + turn, { cache: 'no-store' })
  while (!globalThis.isSpent) await Promise.all(Array.from({ length: 20 }, tile))
})()`

describe('a map that waits', () => {
  let running: Awaited<ReturnType<typeof startService>>
  let tab: Tab
  let page: Page
  let orgId: string

  before(async () => {
    // A view of the map takes some twenty requests.
    const buckets = { key: many, organisation: many, insight: many, map: { burst: 80, perMinute: 600 } }
    running = await startService(service().database, { publicUrl: 'listening', buckets })
  })
  after(() => running.stop())
  beforeEach(async () => {
    orgId = await newOrganisation(service().db)
    tab = await openTab({
      visitor: await signIn(running.url, service().db, { orgId, role: 'member' }),
      viewport: { width: 1280, height: 900 },
    })
    page = tab.page
  })
  afterEach(() => page.context().close())

  const whole = () => page.locator('.map-area[aria-busy="false"]').waitFor()
  const open = async (query: string) => {
    await page.goto(`${running.url}/app/map${query}`)
    await whole()
  }
  const tilesAsked = () => tab.asked.filter((address) => address.includes('/app/tiles/'))
  const sessionEnded = () => page.locator('#map-note', { hasText: 'Your session has ended.' })
  /** The map needs tiles of the next zoom. */
  const zoomIn = async () => {
    await page.getByRole('button', { name: 'Zoom in' }).click()
  }

  it('asked ahead for each tile of its first view, and for no other', async () => {
    for (const query of ['', `?${NEAR}&dataset=lyr_terrain&attribute=phy_landcov`]) {
      tab.asked.length = 0
      await open(query)
      const turns = new Map<string, number>()
      for (const tile of tilesAsked()) turns.set(tile, (turns.get(tile) ?? 0) + 1)
      assert.ok(turns.size >= 3, query)
      assert.deepEqual(
        [...turns].filter(([, count]) => count !== 2),
        [],
        query,
      )
    }
    assert.deepEqual(tab.complaints, [])
  })

  it('folds its legend at first in a small window', async () => {
    for (const [width, height, isOpen] of [
      [1280, 680, false],
      [1280, 900, true],
    ] as const) {
      await page.setViewportSize({ width, height })
      await open(`?${NEAR}&dataset=lyr_terrain&attribute=phy_landcov`)
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
      await new Promise((resolve) => setTimeout(resolve, 300))
      await route.continue()
    })
    await page.goto(`${running.url}/app/map?${NEAR}`)
    await sign.getByText('Loading').waitFor()
    assert.equal(await sign.getAttribute('role'), 'status')
    await whole()
    assert.equal(await sign.textContent(), '')
  })

  it('says when the session has ended, and leads to the sign-in page', async () => {
    await open('')
    await rows('delete from session where org_id = $1::text', orgId)
    await zoomIn()
    await sessionEnded().waitFor()
    await page.locator('#map-note').getByRole('link', { name: 'Sign in' }).click()
    await page.waitForURL(/\/app\/sign-in/)
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
    await open(`?${NEAR}&frame=324378020`)
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
    await page.locator('.maplibregl-canvas').focus()
    await page.keyboard.press('Escape')
    await page.locator('#panel-title', { hasText: 'The whole index' }).waitFor()
    const later = new URL(page.url()).searchParams
    assert.deepEqual([later.get('z'), later.get('frame'), later.get('question')], ['11', null, null])
    await rows('delete from session where org_id = $1::text', orgId)
    await page.getByRole('searchbox').fill('Lakeside')
    await page.keyboard.press('Enter')
    await sessionEnded().waitFor()
  })
})
