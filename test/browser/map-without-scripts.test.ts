import assert from 'node:assert/strict'
import { until } from '../support/until.js'
import { newOrganisation, service } from '../support/service.js'
import { signedIn } from '../web/visitors.js'
import { openTab } from './tabs.js'

describe('the map page in a browser', () => {
  it('without scripts says that there is no map, and has the tables', async () => {
    const visitor = await signedIn({ orgId: await newOrganisation(service().db), role: 'member' })
    const { page, close } = await openTab({ visitor, javaScriptEnabled: false })
    await page.goto(`${service().url}/app/map`)
    assert.equal(await page.locator('#map-missing').isVisible(), true)
    assert.equal(await page.locator('.map-area').isVisible(), false)
    assert.equal(await page.locator('#twin table').isVisible(), true)
    assert.equal(await page.locator('.map-colour button').isVisible(), true)
    await page.setViewportSize({ width: 390, height: 844 })
    const [note, key] = await Promise.all([
      page.locator('#map-missing').boundingBox(),
      page.locator('.map-key').boundingBox(),
    ])
    assert.ok(note && key && note.y + note.height <= key.y, 'the legend lies on the note')
    await close(service().url)
  })

  it('covers the outline of the index with the map', async () => {
    const visitor = await signedIn({ orgId: await newOrganisation(service().db), role: 'member' })
    const { page, close } = await openTab({ visitor, drawsMaps: true })
    await page.goto(`${service().url}/app/map`)
    await page.locator('.map-area[aria-busy="false"]').waitFor()
    assert.equal(await page.locator('#map-skeleton').count(), 0)
    assert.equal(await page.locator('#map-loading').textContent(), '')
    await close(service().url)
  })

  it('has no button that goes away once its script runs', async () => {
    const visitor = await signedIn({ orgId: await newOrganisation(service().db), role: 'member' })
    const { page, close } = await openTab({ visitor, drawsMaps: true })
    const shown = () => page.getByRole('button', { name: 'Show', exact: true }).count()
    // The script waits until the page was seen.
    let go = () => {}
    const seen = new Promise<void>((resolve) => (go = resolve))
    await page.route('**/map.js', async (route) => {
      await seen
      await route.continue()
    })
    await page.goto(`${service().url}/app/map?lat=0.1&lon=0.2&z=11`, { waitUntil: 'commit' })
    // The style sheet hides it as soon as the page has the map, before the script comes.
    await page.locator('.map-area').waitFor()
    await until(async () => (await shown()) === 0, { ms: 5000 })
    go()
    await page.locator('.map-area[aria-busy="false"]').waitFor()
    assert.equal(await shown(), 0)
    await close(service().url)
  })

  it('asks for each tile of its first view once', async () => {
    const visitor = await signedIn({ orgId: await newOrganisation(service().db), role: 'member' })
    const { page, asked, close } = await openTab({ visitor, drawsMaps: true })
    await page.goto(`${service().url}/app/map`)
    await page.locator('.map-area[aria-busy="false"]').waitFor()
    const tiles = asked.filter((address) => address.includes('/app/tiles/'))
    assert.ok(tiles.length > 0)
    assert.deepEqual(tiles, [...new Set(tiles)])
    await close(service().url)
  })

  it('without WebGL says the same', async () => {
    const visitor = await signedIn({ orgId: await newOrganisation(service().db), role: 'member' })
    const { page, close } = await openTab({ visitor })
    await page.goto(`${service().url}/app/map`)
    await page.locator('#map-missing').waitFor()
    assert.equal(await page.locator('.map-colour button').isVisible(), true)
    assert.equal(await page.locator('.map-area').isVisible(), false)
    await close(service().url)
  })
})
