import assert from 'node:assert/strict'
import { newOrganisation, service } from '../support/service.js'
import { signedIn } from '../web/visitors.js'
import { openTab, type Tab } from './tabs.js'

/** The address, the units in its picture, and the first of the ranking where the picture shows numbers. */
const PLACES = [
  ['', 4, '1. Marembe'],
  ['?state=marembe', 5, '1. Marembe North'],
  ['?state=marembe&lga=lakeside', 6, '1. Reed/Marsh'],
  ['?state=marembe&lga=lakeside&ward=lake+island', 6, '1. Reed/Marsh'],
  ['?state=marembe&dataset=lyr_terrain&attribute=phy_landcov', 5, ''],
] as const

describe('the page of a place', () => {
  let tab: Tab
  before(async () => {
    const visitor = await signedIn({ orgId: await newOrganisation(service().db), role: 'member' })
    tab = await openTab({ visitor, viewport: { width: 1280, height: 900 } })
  })
  after(() => tab.close(service().url))

  for (const [query, units, first] of PLACES)
    it(`fits on two sheets of A4, with the units in their colours: ${query || 'the whole index'}`, async () => {
      const { page } = tab
      await page.goto(`${service().url}/app/place${query}`)
      const fills = await page
        .locator('.units path:not(.picked)')
        .evaluateAll((paths) => paths.map((path) => path.getAttribute('fill')))
      assert.equal(fills.length, units)
      for (const fill of fills) assert.match(fill ?? '', first === '' ? /^var\(--class-\d+\)$/ : /^var\(--ramp-\d\)$/)
      const shown = await page.locator('.units text').allTextContents()
      assert.deepEqual(
        shown,
        fills.slice(0, first === '' ? 0 : 10).map((_, i) => String(i + 1)),
      )
      if (first !== '') assert.equal(await page.locator('.beside tbody td').first().textContent(), first)
      const paper = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
      assert.equal(paper.match(/\/Type\s*\/Page\b/g)?.length, 2)
    })

  it('names the place and what is above it as people write them, and its rank beside that among all', async () => {
    const { page } = tab
    await page.goto(`${service().url}/app/place?state=marembe&lga=lakeside&ward=lake+island`)
    assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Lake Island, Lakeside')
    const sheet = (await page.locator('.sheet-of-place').innerText()).replace(/\s+/g, ' ')
    assert.match(sheet, /Rank \d of 6 wards in Lakeside, \d+ of all \d+ wards by density, [\d.]+ people per km²\./)
    assert.match(sheet, /Ward of Lakeside, Marembe Code \S+ Zone Northern Zone/)
    assert.doesNotMatch(sheet, /NORTHERN ZONE|psql -h/)
    assert.match(sheet, /Sources National Atlas Office, Administrative units, 2025/)
  })

  it('prints by its button', async () => {
    const { page } = tab
    await page.goto(`${service().url}/app/map?state=marembe`)
    await page.locator('a', { hasText: 'Page to print' }).click()
    await page.evaluate('window.print = () => { document.title = "printed" }')
    await page.locator('button', { hasText: 'Print' }).click()
    assert.equal(await page.title(), 'printed')
  })
})
