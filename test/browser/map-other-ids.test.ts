/** An index may come with ids of its own, which do not say where a frame lies. */
import assert from 'node:assert/strict'
import { signIn } from '../support/browse.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { newOrganisation, startService } from '../support/service.js'
import { openTab, type Tab } from './tabs.js'

const TABLES = ['frame', 'frame_order', 'frame_unit', 'baseline_row', 'value_row', 'frame_interval', 'feature_frame']
/** Numbers of JavaScript do not hold these exactly. */
const FURTHER = '9100000000000000000'

describe('the map of an index with ids of its own', () => {
  let database: TestDatabase
  let running: Awaited<ReturnType<typeof startService>>
  let tab: Tab

  before(async () => {
    database = await newDatabase('datasets')
    for (const table of TABLES) await database.db.rows(`update ${table} set frame_id = frame_id + ${FURTHER}`, [])
    await database.db.rows(`update frame_run set first_id = first_id + ${FURTHER}, last_id = last_id + ${FURTHER}`, [])
    running = await startService(database, { publicUrl: 'listening' })
    const visitor = await signIn(running.url, database.db, {
      orgId: await newOrganisation(database.db),
      role: 'member',
    })
    tab = await openTab({ visitor, drawsMaps: true })
  })
  after(async () => {
    await tab.close(running.url)
    await running.stop()
    await database.drop()
  })

  it('draws the shapes of its frames in the classes of the legend, and the card tells of each', async () => {
    const { page } = tab
    await page.goto(`${running.url}/app/map?lat=0.105&lon=0.205&z=11&dataset=lyr_terrain&attribute=phy_landcov`)
    await page.locator('.map-area[aria-busy="false"]').waitFor()
    assert.ok(tab.asked.some((address) => address.includes('/tiles/frames/')))
    const box = await page.locator('#map').boundingBox()
    assert.ok(box)
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.mouse.move(x - 1, y)
    await page.mouse.move(x, y)
    await page.locator('#map-card:not([hidden])', { hasText: /^Frame 9100000000324378020/ }).waitFor()
    const [, card = ''] = await page.locator('#map-card p').allTextContents()
    await page.mouse.click(x, y)
    await page.locator('#panel-title', { hasText: 'Frame 9100000000324378020' }).waitFor()
    assert.equal(card, `Land cover: ${await page.locator('.chosen-value .large').textContent()}`)
  })
})
