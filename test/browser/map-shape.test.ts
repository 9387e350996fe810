/** A shape on the map: drawn corner by corner with the mouse or the keyboard, opened as a file, dropped, or pasted. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { until } from '../support/until.js'
import { newOrganisation, service } from '../support/service.js'
import { signedIn } from '../web/visitors.js'
import { openTab, type Tab } from './tabs.js'

const RING = '[[0.1,0.05],[0.3,0.08],[0.22,0.13],[0.1,0.05]]'
const WKT = 'POLYGON((0.1 0.05,0.3 0.08,0.22 0.13,0.1 0.05))'

describe('a shape on the map in a browser', () => {
  let tab: Tab
  let page: Page

  before(async () => {
    const visitor = await signedIn({ orgId: await newOrganisation(service().db), role: 'member' })
    tab = await openTab({ visitor, drawsMaps: true })
    page = tab.page
  })
  after(() => tab.close(service().url))
  beforeEach(async () => {
    await page.goto(`${service().url}/app/map?lat=0.105&lon=0.205&z=11`)
    await page.locator('.map-area[aria-busy="false"]').waitFor()
    await page.getByText('Add up a shape').click()
  })

  const titled = () => page.locator('#panel-title', { hasText: 'Shape' }).waitFor()
  const shapeNow = () => new URL(page.url()).searchParams.get('shape')
  const middle = async () => {
    const box = await page.locator('#map').boundingBox()
    assert.ok(box)
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }

  const placeOnMap = async (dx: number, dy: number) => {
    const { x, y } = await middle()
    return { x: x + dx, y: y + dy }
  }
  /** A shorter hint lets the page scroll. */
  const inked = async (dx: number, dy: number): Promise<number> => {
    const { x, y } = await placeOnMap(dx, dy)
    return await inkedIn({ x: x - 12, y: y - 12, width: 24, height: 24 })
  }
  /** Counts the pixels that are more red and blue than green, as only what is picked is. */
  const inkedIn = async (clip: { x: number; y: number; width: number; height: number }): Promise<number> => {
    const picture = await page.screenshot({ clip })
    return await page.evaluate<number>(`(async () => {
      const picture = await createImageBitmap(new Blob([Uint8Array.from(atob('${picture.toString('base64')}'), (c) => c.charCodeAt(0))]))
      const pen = new OffscreenCanvas(picture.width, picture.height).getContext('2d')
      pen.drawImage(picture, 0, 0)
      const { data } = pen.getImageData(0, 0, picture.width, picture.height)
      return data.filter((red, i) => i % 4 === 0 && Math.min(red, data[i + 2]) > data[i + 1] + 40).length
    })()`)
  }

  it('is seen while it is drawn, and told of over the map, until it is given up', async () => {
    const hint = await page.locator('#shape-note').textContent()
    await page.getByRole('button', { name: 'Draw on the map' }).click()
    const click = async (dx: number, dy: number) => {
      const { x, y } = await placeOnMap(dx, dy)
      await page.mouse.click(x, y)
    }
    await click(-80, 40)
    await until(async () => (await inked(-80, 40)) > 0)
    await click(80, 40)
    await until(async () => (await inked(0, 40)) > 0)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.emulateMedia({ colorScheme: 'light' })
    await until(async () => (await inked(0, 40)) > 0)
    assert.equal(await page.locator('#shape-bar span').textContent(), '2 corners.')
    await page.getByRole('button', { name: 'Give up' }).click()
    await page.locator('#shape-bar').waitFor({ state: 'hidden' })
    await until(async () => (await inked(0, 40)) === 0)
    assert.equal(await page.locator('#shape-note').textContent(), hint)
    assert.equal(await page.locator('#panel-title').textContent(), 'The whole index')
  })

  it('is drawn by a click for each corner, which picks no frame, and closed by the button', async () => {
    await page.getByRole('button', { name: 'Draw on the map' }).click()
    const { x, y } = await middle()
    for (const [dx, dy] of [
      [-80, -60],
      [80, -60],
      [0, 60],
    ] as const) {
      await page.mouse.click(x + dx, y + dy)
      // Two clicks in the time of one double click would end the shape.
      await page.locator('#shape-note', { hasText: /^[123] corners\.$/ }).waitFor()
      assert.equal(await page.locator('#panel-title').textContent(), 'The whole index')
    }
    await page.getByRole('button', { name: 'Close the shape' }).click()
    await titled()
    assert.match(shapeNow() ?? '', /^POLYGON\(\((0\.\d+ 0\.\d+,){3}0\.\d+ 0\.\d+\)\)$/)
    assert.match((await page.locator('#panel').textContent()) ?? '', /Whole frames[^]*By area/)
    assert.ok(await page.getByRole('button', { name: 'Draw on the map' }).isVisible())
  })

  it('is drawn by the keyboard alone, and Escape gives it up', async () => {
    await page.locator('#shape-draw').focus()
    await page.keyboard.press('Enter')
    const corner = async (count: number, ...keys: string[]) => {
      for (const key of keys) {
        const before = page.url()
        await page.keyboard.press(key)
        await page.waitForURL((url) => url.href !== before)
      }
      await page.keyboard.press('Enter')
      await page.locator('#shape-note', { hasText: `${count} corners.` }).waitFor()
    }
    await corner(1)
    await page.keyboard.press('Escape')
    assert.equal(await page.locator('#shape-draw').getAttribute('aria-pressed'), 'false')
    await page.locator('#shape-draw').focus()
    await page.keyboard.press('Enter')
    await corner(1)
    await page.locator('#shape-draw').focus()
    await page.keyboard.press('Enter')
    await page.locator('#shape-note', { hasText: 'three corners at least' }).waitFor()
    await page.locator('.maplibregl-canvas').focus()
    await corner(2, 'ArrowUp')
    await corner(3, 'ArrowRight')
    await page.locator('#shape-draw').focus()
    await page.keyboard.press('Enter')
    await titled()
    assert.ok(await page.evaluate("document.activeElement?.id === 'panel-title'"), 'the focus follows')
  })

  it('is shown whole beside the legend, and whole again where the window changes', async () => {
    await page.goto(`${service().url}/app/map?shape=POLYGON((-0.9 -0.9,0.9 -0.9,0.9 0.4,-0.9 0.4,-0.9 -0.9))`)
    for (const size of [
      { width: 1280, height: 900 },
      { width: 390, height: 800 },
    ]) {
      await page.setViewportSize(size)
      await page.waitForFunction(
        'document.querySelector(".maplibregl-canvas").clientWidth === document.querySelector("#map").clientWidth',
      )
      await page.locator('.map-area[aria-busy="false"]').waitFor()
      const [map, legend, side] = await Promise.all(
        ['#map', '#legend', '.map-side'].map((part) => page.locator(part).boundingBox()),
      )
      assert.ok(map && legend && side)
      const isPhone = side.y > legend.y + legend.height
      const left = isPhone ? map.x : legend.x + legend.width
      const y = isPhone ? (legend.y + legend.height + side.y) / 2 : map.y + map.height / 2
      const half = { x: left, y, width: (map.x + map.width - left) / 2, height: 4 }
      assert.ok((await inkedIn(half)) > 0)
      assert.ok((await inkedIn({ ...half, x: left + half.width })) > 0)
    }
    await page.setViewportSize({ width: 920, height: 400 })
  })

  it('is opened as a file of GeoJSON, and written in one form', async () => {
    const feature = `{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[${RING}]}}`
    const buffer = Buffer.from(`{"type":"FeatureCollection","features":[${feature}]}`)
    await page.locator('#shape-file').setInputFiles({ name: 'area.geojson', mimeType: 'application/geo+json', buffer })
    await titled()
    assert.equal(shapeNow(), `MULTI${WKT.replace('((', '(((').replace('))', ')))')}`)
  })

  it('is dropped on the map as a file of WKT', async () => {
    await page.evaluate(`(() => {
      const data = new DataTransfer()
      data.items.add(new File(['${WKT}\\n'], 'area.wkt'))
      document.querySelector('#map').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
    })()`)
    await titled()
    assert.equal(shapeNow(), WKT)
  })

  it('that is too long for an address is refused beside the form, with another way', async () => {
    const buffer = Buffer.from(`POLYGON((${'0.1234567 0.1234567,'.repeat(400)}0 0))`)
    await page.locator('#shape-file').setInputFiles({ name: 'area.wkt', mimeType: 'text/plain', buffer })
    await page
      .locator('#shape-note', { hasText: /takes 8\d{3} characters, and an address 6000\. frames export/ })
      .waitFor()
    assert.equal(shapeNow(), null)
  })

  it('that crosses itself comes back with the place of the crossing', async () => {
    await page.getByLabel('A polygon, as WKT or GeoJSON').fill('POLYGON((0 0,0.2 0.2,0.2 0,0 0.2,0 0))')
    await page.getByRole('button', { name: 'Add up' }).last().click()
    await page.locator('#shape-note', { hasText: 'self-intersection at lon 0.1, lat 0.1' }).waitFor()
    // Chromium itself tells the console of each 400.
    assert.match(tab.complaints.splice(0).join(), /^Failed to load resource: .* 400 .*$/)
  })
})
