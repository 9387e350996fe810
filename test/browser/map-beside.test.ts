import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { newOrganisation, service } from '../support/service.js'
import { rows, signedIn } from '../web/visitors.js'
import { AXE, faultsOf } from './looking.js'
import { openTab, type Tab } from './tabs.js'

const PEOPLE = 'dataset=lyr_population&attribute=pop_demest26'
/** Nearer, the card tells of features. */
const ZOOM = 10.5

type Frame = Record<'id' | 'then' | 'now', string> & Record<'lon' | 'lat', number>
/** The frame of most people has another number in each year. */
const MOST_PEOPLE = `select frame_id::text as id, recorded ->> 'pop_demest25' as then, recorded ->> 'pop_demest26' as now,
    round(ST_X(ST_Centroid(geom))::numeric, 4)::float8 as lon, round(ST_Y(ST_Centroid(geom))::numeric, 4)::float8 as lat
  from baseline join frame using (frame_id) where layer_id = 'lyr_population'
  order by plain_number(recorded ->> 'pop_demest26') desc limit 1`

describe('two views of one map in a browser', function () {
  this.timeout(60_000)
  let tab: Tab
  let page: Page
  let frame: Frame
  before(async () => {
    const [most] = await rows<Frame>(MOST_PEOPLE)
    assert.ok(most)
    frame = most
    const visitor = await signedIn({ orgId: await newOrganisation(service().db), role: 'member' })
    tab = await openTab({ visitor, drawsMaps: true, viewport: { width: 1280, height: 720 } })
    page = tab.page
    await page.context().addInitScript(AXE)
    await page.goto(`${service().url}/app/map?${PEOPLE}&lat=${frame.lat}&lon=${frame.lon}&z=${ZOOM}`)
    await page.locator('.map-area[aria-busy="false"]').waitFor()
  })
  after(() => tab.close(service().url))

  const whole = async () => {
    await page.locator('.map-area[aria-busy="false"]').waitFor()
    await page.locator('#window-beside[aria-busy="false"]').waitFor()
  }
  const place = () => ['lat', 'lon', 'z'].map((name) => new URL(page.url()).searchParams.get(name))
  const boxOf = async (id: string) => {
    const box = await page.locator(id).boundingBox()
    assert.ok(box)
    return box
  }
  const canvasOf = (id: string) => page.locator(`${id} .maplibregl-canvas`)
  /** The keyboard's card has what lies in the middle of a map. */
  const middleOf = async (map: string, card: string) => {
    await canvasOf(map).press('Shift')
    await canvasOf(map).focus()
    await page.locator(`${card}:not([hidden])`).waitFor()
    const lines = await page.locator(`${card} p`).allTextContents()
    await canvasOf(map).blur()
    return lines
  }

  it('opens a second map beside the first, and the address holds it', async () => {
    assert.equal(await page.locator('#window-beside').isVisible(), false)
    await page.getByLabel('Beside').selectOption('lyr_population pop_demest25')
    await page.waitForURL((url) => url.searchParams.get('with') === 'lyr_population pop_demest25')
    await page.locator('#legend-beside h2').waitFor()
    await whole()
    const [one, other] = [await boxOf('#map'), await boxOf('#map-beside')]
    assert.ok(Math.abs(one.width - other.width) <= 2 && one.height === other.height)
    assert.ok(other.x >= one.x + one.width - 2)
    assert.deepEqual(place(), [frame.lat, frame.lon, ZOOM].map(String))
    assert.equal(await page.locator('#legend-beside .classes:not([hidden])').getAttribute('data-level'), 'frame')
    const names = await page.locator('.maplibregl-canvas').evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel))
    assert.match(names.join('; '), /^Map, Population, 2026 estimate; Second map, Population, 2025 estimate$/)
  })

  it('each map has its own values, of the same place', async () => {
    const people = (text: string) => `${Number(text).toLocaleString('en')} people`
    assert.notEqual(frame.then, frame.now)
    for (const [map, card, year, value] of [
      ['#map', '#map-card', 2026, frame.now],
      ['#map-beside', '#card-beside', 2025, frame.then],
    ] as const)
      assert.deepEqual((await middleOf(map, card)).slice(0, 2), [
        `Frame ${frame.id}`,
        `Population, ${year} estimate: ${people(value)}`,
      ])
  })

  it('each map takes the other one along, and the address follows', async () => {
    for (const [moved, card, followed, followedCard] of [
      ['#map', '#map-card', '#map-beside', '#card-beside'],
      ['#map-beside', '#card-beside', '#map', '#map-card'],
    ] as const) {
      const before = place()
      await canvasOf(moved).press('ArrowRight')
      await page.waitForURL((url) => url.searchParams.get('lon') !== before[1])
      await whole()
      const there = await middleOf(moved, card)
      assert.equal((await middleOf(followed, followedCard))[0], there[0])
      assert.notEqual(there[0], `Frame ${frame.id}`)
    }
  })

  it('a click on the second map picks there, too, and both maps keep their colours', async () => {
    const { x, y, width, height } = await boxOf('#map-beside')
    await page.mouse.click(x + width / 2, y + height / 2)
    await page.locator('#panel-title', { hasText: /^Frame \d+$/ }).waitFor()
    await whole()
    const query = new URL(page.url()).searchParams
    assert.deepEqual(
      ['attribute', 'with'].map((name) => query.get(name)),
      ['pop_demest26', 'lyr_population pop_demest25'],
    )
  })

  it('is readable and labelled, also on a phone, where one map stands above the other', async () => {
    assert.deepEqual(await faultsOf(page), [])
    await page.setViewportSize({ width: 390, height: 800 })
    const [one, other] = [await boxOf('#map'), await boxOf('#map-beside')]
    assert.ok(Math.abs(one.x - other.x) <= 1 && other.y >= one.y + one.height)
    assert.deepEqual(await faultsOf(page), [])
    await page.setViewportSize({ width: 1280, height: 720 })
  })

  it('shows the change on one map, in a colour of the legend', async () => {
    await page.goto(`${service().url}/app/map?${PEOPLE}&lat=${frame.lat}&lon=${frame.lon}&z=${ZOOM}`)
    await page.getByLabel('Beside').selectOption('lyr_population pop_demest25')
    await page.getByLabel('Both').selectOption('change')
    await page.waitForURL((url) => url.searchParams.get('as') === 'change')
    await page.locator('#window-beside').waitFor({ state: 'hidden' })
    await page.locator('.map-area[aria-busy="false"]').waitFor()
    const [name, change = ''] = await middleOf('#map', '#map-card')
    const [now, then] = [Number(frame.now), Number(frame.then)]
    const percent = (100 * (now - then)) / then
    const text = (number: number) => number.toLocaleString('en', { maximumFractionDigits: 2 })
    assert.deepEqual(
      [name, change],
      [
        `Frame ${frame.id}`,
        `Population, change from 2025 estimate to 2026 estimate: an increase of ${text(percent)} % (from ${text(then)} to ${text(now)} people)`,
      ],
    )
    assert.deepEqual(await faultsOf(page), [])
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.getByLabel('Both').selectOption('beside')
    await page.locator('#legend-beside h2').waitFor()
    await whole()
  })

  it('goes back to one map', async () => {
    const { width } = await boxOf('#map')
    await page.getByLabel('Beside').selectOption('')
    await page.waitForURL((url) => !url.searchParams.has('with'))
    await page.locator('#window-beside').waitFor({ state: 'hidden' })
    assert.equal(await page.locator('.maplibregl-canvas').count(), 1)
    assert.ok(Math.abs((await boxOf('#map')).width - width * 2) < 4)
    await page.goBack()
    await page.locator('#window-beside').waitFor()
    assert.equal(await page.getByLabel('Beside').inputValue(), 'lyr_population pop_demest25')
  })
})
