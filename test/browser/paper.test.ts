import assert from 'node:assert/strict'
import { newOrganisation, service } from '../support/service.js'
import { signedIn } from '../web/visitors.js'
import { openTab, type Tab } from './tabs.js'

/** The address, the units in its picture, and the first of the ranking where the picture shows numbers. */
const PLACES = [
  ['', 4, '1. MAREMBE'],
  ['?state=marembe', 5, '1. MAREMBE NORTH'],
  ['?state=marembe&lga=lakeside', 6, '1. REED/MARSH'],
  ['?state=marembe&lga=lakeside&ward=lake+island', 6, '1. REED/MARSH'],
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

  it('prints by its button', async () => {
    const { page } = tab
    await page.goto(`${service().url}/app/map?state=marembe`)
    await page.locator('a', { hasText: 'Page to print' }).click()
    await page.evaluate('window.print = () => { document.title = "printed" }')
    await page.locator('button', { hasText: 'Print' }).click()
    assert.equal(await page.title(), 'printed')
  })
})
