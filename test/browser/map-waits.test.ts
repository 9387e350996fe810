import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { signIn, type Visitor } from '../support/browse.js'
import { until } from '../support/metrics.js'
import { newOrganisation, service, startService } from '../support/service.js'
import { rows } from '../web/visitors.js'
import { cookiesOf, openTab, type Tab } from './tabs.js'

/** The map shows some five hundred frames around Lake Island. */
const NEAR = 'lat=0.105&lon=0.205&z=11'
const many = { burst: 900_000, perMinute: 900_000 }

describe('a map that waits', () => {
  let running: Awaited<ReturnType<typeof startService>>
  let visitor: Visitor
  let tab: Tab
  let page: Page
  let orgId: string

  before(async () => {
    // A view of the map takes some twenty requests.
    const buckets = { key: many, organisation: many, insight: many, map: { burst: 80, perMinute: 300 } }
    running = await startService(service().database, { publicUrl: 'listening', buckets })
  })
  after(() => running.stop())
  // The browser keeps the scripts of the map from test to test.
  before(async () => {
    tab = await openTab({ drawsMaps: true })
    page = tab.page
  })
  after(() => page.context().close())
  beforeEach(async () => {
    orgId = await newOrganisation(service().db)
    visitor = await signIn(running.url, service().db, { orgId, role: 'member' })
    await page.context().clearCookies()
    await page.context().addCookies(cookiesOf(visitor, '127.0.0.1'))
    tab.asked.length = 0
  })

  const whole = () => page.locator('.map-area[aria-busy="false"]').waitFor()
  const open = async (query: string) => {
    await page.goto(`${running.url}/app/map${query}`)
    await whole()
  }
  const isLegendOpen = async () => (await page.locator('#legend details').getAttribute('open')) !== null
  const sessionEnded = () => page.locator('#map-note', { hasText: 'Your session has ended.' })

  it('asked ahead for each tile of its first view, and for no other', async () => {
    await page.setViewportSize({ width: 1120, height: 720 })
    await open('')
    const turns = new Map<string, number>()
    for (const tile of tab.asked.filter((address) => address.includes('/app/tiles/')))
      turns.set(tile, (turns.get(tile) ?? 0) + 1)
    assert.ok(turns.size >= 3)
    assert.deepEqual(
      [...turns].filter(([, count]) => count !== 2),
      [],
    )
    assert.ok(await isLegendOpen())
    assert.deepEqual(tab.complaints, [])
    await page.setViewportSize({ width: 920, height: 400 })
  })

  it('says when it goes on after its bucket was spent, and goes on', async () => {
    const statuses: number[] = []
    page.on('response', (response) => {
      if (response.url().includes('/app/tiles/')) statuses.push(response.status())
    })
    // Another client of the same person keeps the bucket empty until the map has met that.
    const isRefused = async () => {
      const tile = () => visitor.get('/app/tiles/units/5/16/15')
      return (await Promise.all(Array.from({ length: 20 }, tile))).some(({ status }) => status === 429)
    }
    await until(isRefused)
    let isMet = false
    const spending = until(async () => (await isRefused()) && isMet)
    await page.goto(`${running.url}/app/map?lat=0.105&lon=0.205&z=9.5`)
    await page.locator('#map-note', { hasText: /It goes on in \d+ s\.$/ }).waitFor()
    isMet = true
    await spending
    await page.locator('#map-note').waitFor({ state: 'hidden' })
    await whole()
    await until(async () => statuses.slice(statuses.lastIndexOf(429) + 1).includes(200))
  })

  it('says that tiles are on their way, and keeps its view and its page while a question is answered', async () => {
    const sign = page.locator('#map-loading')
    await page.route('**/app/tiles/**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      await route.continue()
    })
    await page.goto(`${running.url}/app/map?${NEAR}&frame=324378020`)
    await sign.getByText('Loading').waitFor()
    assert.equal(await sign.getAttribute('role'), 'status')
    await whole()
    assert.equal(await sign.textContent(), '')
    await page.unroute('**/app/tiles/**')
    assert.ok(!(await isLegendOpen()), 'the window is small')
    await page.locator('#legend summary').click()
    assert.ok(await isLegendOpen())
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
  })

  it('leaves with Escape what was picked, says when the session has ended, and leads to the sign-in page', async () => {
    await page.locator('.maplibregl-canvas').focus()
    await page.keyboard.press('Escape')
    await page.locator('#panel-title', { hasText: 'The whole index' }).waitFor()
    const later = new URL(page.url()).searchParams
    assert.deepEqual([later.get('z'), later.get('frame'), later.get('question')], ['11', null, null])
    await rows('delete from session where org_id = $1::text', orgId)
    await page.getByRole('searchbox').fill('Lakeside')
    await page.keyboard.press('Enter')
    await sessionEnded().waitFor()
    // A map that moves hides its notes. It needs tiles of the next zoom.
    const refused = page.waitForResponse((answer) => answer.url().includes('/app/tiles/') && answer.status() === 401)
    await page.getByRole('button', { name: 'Zoom in' }).click()
    await refused
    await sessionEnded().waitFor()
    await page.locator('#map-note').getByRole('link', { name: 'Sign in' }).click()
    await page.waitForURL(/\/app\/sign-in/)
  })
})
