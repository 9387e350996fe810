import assert from 'node:assert/strict'
import type { Visitor } from '../support/browse.js'
import { panelTitle } from './pages.js'
import { memberOf } from './visitors.js'

describe('the map keeps a form as it was filled, and says in its words what cannot be read', () => {
  let demo: Visitor
  before(async () => (demo = await memberOf()))

  const open = async (path: string) => {
    const { status, text } = await demo.get(`/app${path}`)
    return { status, text: text.replace(/\s+/g, ' ') }
  }
  const valueOf = (text: string, name: string) => new RegExp(`<input id="${name}"[^>]* value="([^"]*)"`).exec(text)?.[1]

  /** The parameters of the API, and those of its messages. */
  const API_NAMES = /\b(bbox|minLon|minLat|maxLon|maxLat|ids:|frameIds|lga:|ward:|lat:|lon:)/

  for (const [typed, fault] of [
    ['x, 0, 1, 2', 'West is a number from -180 to 180; &quot;x&quot; is none.'],
    ['3, 0, 1, 2', 'West, 3, is greater than East, 1.'],
  ] as const)
    it(`a box: ${typed}`, async () => {
      const fields = { box: typed, dataset: 'lyr_terrain', attribute: 'phy_landcov', question: 'how many people' }
      const { status, text } = await open(`/map?${String(new URLSearchParams(fields))}`)
      assert.equal(status, 400)
      assert.match(text, /<title>Error: Map/)
      assert.match(text, /This box cannot be read\./)
      assert.ok(text.includes(`<p class="fault" id="box-note">${fault}</p>`), fault)
      assert.match(text, /<details class="fold box-form" open>/)
      assert.match(text, /<input id="box"[^>]* aria-describedby="box-note" aria-invalid="true"/)
      assert.deepEqual([valueOf(text, 'box'), valueOf(text, 'question')], [typed, 'how many people'])
      assert.match(text, /<option value="lyr_terrain phy_landcov" selected>/)
      assert.doesNotMatch(text, API_NAMES)
      assert.match(panelTitle(text), /The whole index/)
    })
})
