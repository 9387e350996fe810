import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { service } from '../support/service.js'
import { organisation } from '../web/organisation.js'
import { AXE, faultsOf } from './looking.js'
import { openTab } from './tabs.js'

const FILE = {
  name: 'shops.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from('shop,lat,lon\nQuay,0.105,0.205\nSea,0.1,50\n'),
}
const ROWS = 'shop,lat,lon,frame,state,lga,ward,reason\nQuay,0.105,0.205,324378020,MAREMBE,LAKESIDE,LAKE ISLAND,\n'

const downloaded = async (page: Page): Promise<string> => {
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  return await readFile(await download.path(), 'utf8')
}

describe('the page Table', function () {
  this.timeout(120_000)

  it('takes a file that is dropped, and is used by the keyboard alone', async () => {
    const visitor = await (await organisation()).enter('Ada', 'member')
    const tab = await openTab({ visitor })
    const { page } = tab
    await page.context().addInitScript(AXE)
    await page.goto(`${service().url}/app/table`)
    await page.setInputFiles('#file', { ...FILE, buffer: Buffer.from('a,b\n1,2') })
    await page.focus('button[name=look]')
    await page.keyboard.press('Enter')
    await page.locator('[role=alert]:focus').waitFor()
    assert.match(String(await page.textContent('[role=alert]')), /columns lat and lon/)
    // Chromium itself tells the console of each 422.
    tab.complaints.splice(0)
    await page.evaluate(
      `{ const data = new DataTransfer()
         data.items.add(new File([${JSON.stringify(FILE.buffer.toString())}], 'shops.csv', { type: 'text/csv' }))
         document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })) }`,
    )
    await page.locator('#result:focus').waitFor()
    assert.match(String(await page.textContent('#result')), /2 rows, 1 with a place.*This costs nothing/s)
    assert.deepEqual(await faultsOf(page), [])
    await page.setViewportSize({ width: 1000, height: 400 })
    const id = page.locator('#result strong', { hasText: '324378020' })
    assert.equal(await id.evaluate((text) => text.getClientRects().length), 1, 'an id is broken')
    await page.keyboard.press('Tab')
    for (let i = 0; i < 3 && !(await page.locator('button[name=download]:focus').count()); i += 1)
      await page.keyboard.press('Tab')
    assert.ok((await downloaded(page)).startsWith(ROWS))
    await tab.close(service().url)
  })

  it('works without scripts, when the same file is chosen again', async () => {
    const visitor = await (await organisation()).enter('Ada', 'member')
    const tab = await openTab({ visitor, javaScriptEnabled: false })
    const { page } = tab
    await page.goto(`${service().url}/app/table`)
    await page.setInputFiles('#file', FILE)
    await page.click('button[name=look]')
    await page.getByText('choose the same file again first').waitFor()
    await page.setInputFiles('#file', FILE)
    await page.focus('button[name=download]')
    assert.ok((await downloaded(page)).startsWith(ROWS))
    await tab.close(service().url)
  })
})
