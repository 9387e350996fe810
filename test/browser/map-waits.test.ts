import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { signIn, type Visitor } from '../support/browse.js'
import { until } from '../support/until.js'
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
    tab.complaints.length = 0
  })

  const whole = () => page.locator('.map-area[aria-busy="false"]').waitFor()
  const sessionEnded = () => page.locator('#map-note', { hasText: 'Your session has ended.' })

  it('says when it goes on after its bucket was spent, and goes on', async () => {
    const statuses: number[] = []
    page.on('response', (response) => {
      if (/\/app\/(tiles|values)\//.test(response.url())) statuses.push(response.status())
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

  it('picks the frame of a click whose values are under way', async () => {
    let go = () => {}
    const clicked = new Promise<void>((resolve) => (go = resolve))
    await page.route('**/app/values/**', async (route) => {
      await clicked
      await route.continue()
    })
    await page.goto(`${running.url}/app/map?${NEAR}`)
    await page.locator('.map-label').first().waitFor()
    const { x, y, width, height } = (await page.locator('#map').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    await page.mouse.click(x + width / 2, y + height / 2)
    await page.locator('#panel-title', { hasText: 'Frame 324378020' }).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('frame'), '324378020')
    go()
    await whole()
    await page.unroute('**/app/values/**')
  })

  it('keeps the map without a connection, says so, and goes on when a person tries again', async () => {
    await page.goto(`${running.url}/app/map?${NEAR}`)
    await whole()
    await page.context().setOffline(true)
    const tryAll = [
      () => page.locator('#map').click(),
      () => page.locator('.ask').getByRole('button', { name: 'Go' }).click(),
    ]
    await page.getByRole('searchbox', { name: /^Ask about the whole index/ }).fill('how many people')
    for (const act of tryAll) {
      await page.evaluate("document.querySelector('#map-note').hidden = true")
      await act()
      await page.locator('#map-note', { hasText: /^No connection\./ }).waitFor()
      assert.equal(await page.locator('#panel').getAttribute('aria-busy'), 'false')
    }
    await page.locator('#panel').getByRole('link', { name: 'Show the SQL' }).click()
    await page.getByRole('dialog').getByRole('heading', { name: 'No connection' }).waitFor()
    await page.keyboard.press('Escape')
    assert.equal(await page.locator('#panel-title').textContent(), 'The whole index')
    await page.context().setOffline(false)
    await page.locator('#map').click()
    await page.locator('#panel-title', { hasText: /^Frame \d+$/ }).waitFor()
    await page.locator('#map-note').waitFor({ state: 'hidden' })
    for (const each of tab.complaints) assert.match(each, /ERR_INTERNET_DISCONNECTED/)
  })

  it('leaves with Escape what was picked, says when the session has ended, and leads to the sign-in page', async () => {
    await page.goto(`${running.url}/app/map?${NEAR}&frame=324378020`)
    await whole()
    await page.locator('.maplibregl-canvas').focus()
    await page.keyboard.press('Escape')
    await page.locator('#panel-title', { hasText: 'The whole index' }).waitFor()
    const later = new URL(page.url()).searchParams
    assert.deepEqual([later.get('z'), later.get('frame')], ['11', null])
    await rows('delete from session where org_id = $1::text', orgId)
    await page.getByRole('searchbox', { name: 'or find' }).fill('Lakeside')
    await page.keyboard.press('Enter')
    await sessionEnded().waitFor()
    // A map that moves hides its notes. It needs tiles of the next zoom.
    const refused = page.waitForResponse(
      (answer) => /\/app\/(tiles|values)\//.test(answer.url()) && answer.status() === 401,
    )
    await page.getByRole('button', { name: 'Zoom in' }).click()
    await refused
    await sessionEnded().waitFor()
    await page.locator('#map-note').getByRole('link', { name: 'Sign in' }).click()
    await page.waitForURL(/\/app\/sign-in/)
  })
})
