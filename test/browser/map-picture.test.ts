/** The picture that the map is saved as. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { newOrganisation, service } from '../support/service.js'
import { signedIn } from '../web/visitors.js'
import { openTab } from './tabs.js'

type Size = { width: number; height: number }

describe('the map saved as a picture', () => {
  it('has the whole map, and below it the legend with its colours and stripes', async () => {
    const visitor = await signedIn({ orgId: await newOrganisation(service().db), role: 'member' })
    // Large pixels would blend the stripes.
    const tab = await openTab({ visitor, drawsMaps: true, deviceScaleFactor: 1 })
    const { page } = tab
    await page.goto(`${service().url}/app/map?lat=0.105&lon=0.205&z=11`)
    await page.locator('.map-area[aria-busy="false"]').waitFor()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save the map as a picture' }).click()
    const file = await saved
    assert.equal(file.suggestedFilename(), 'map.png')
    const bytes = readFileSync(await file.path())
    assert.equal(bytes.subarray(1, 4).toString(), 'PNG')
    const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
    const map = await page.evaluate<Size>(
      `(({ width, height }) => ({ width, height }))(document.querySelector('canvas'))`,
    )
    assert.equal(width, map.width)
    const { ofMap, ofLegend } = await page.evaluate<Record<'ofMap' | 'ofLegend', number[]>>(`(async () => {
      const picture = await createImageBitmap(new Blob([Uint8Array.from(atob('${bytes.toString('base64')}'), (c) => c.charCodeAt(0))]))
      const pen = new OffscreenCanvas(${width}, ${height}).getContext('2d', { willReadFrequently: true })
      pen.drawImage(picture, 0, 0)
      const colours = (y, h) => [...new Set(new Uint32Array(pen.getImageData(0, y, ${width}, h).data.buffer))]
      return { ofMap: colours(0, ${map.height}), ofLegend: colours(${map.height}, ${height - map.height}) }
    })()`)
    assert.ok(ofMap.length > 3)
    // The classes; the stripes of no value; the light line of stripes on a colour.
    const wanted = ['#c7e9b4', '#081d58', 'rgb(140 149 158)', 'color-mix(in srgb, white 74.5%, #1d91c0)']
    const missing = await page.evaluate<string[]>(`${JSON.stringify(wanted)}.filter((colour) => {
      const pen = new OffscreenCanvas(1, 1).getContext('2d')
      pen.fillStyle = colour
      pen.fillRect(0, 0, 1, 1)
      const wanted = pen.getImageData(0, 0, 1, 1).data
      const isNear = (seen) => [0, 8, 16].every((bits, i) => Math.abs(((seen >> bits) & 255) - wanted[i]) <= 3)
      return !${JSON.stringify(ofLegend)}.some(isNear)
    })`)
    assert.deepEqual(missing, [])
    await tab.close(service().url)
  })
})
