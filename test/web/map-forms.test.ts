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
    ['a', 'A box has four numbers between commas: West, South, East, North. Here are 1.'],
    ['x, 0, 1, 2', 'West is a number from -180 to 180; &quot;x&quot; is none.'],
    ['0, 91, 1, 92', 'South is a number from -90 to 90; &quot;91&quot; is none.'],
    ['0, 0, 1, ', 'North is a number from -90 to 90; &quot;&quot; is none.'],
    ['3, 0, 1, 2', 'West, 3, is greater than East, 1.'],
  ] as const)
    it(`a box: ${typed}`, async () => {
      const fields = { box: typed, dataset: 'lyr_terrain', attribute: 'phy_landcov', question: 'how many people' }
      const { status, text } = await open(`/map?${String(new URLSearchParams(fields))}`)
      assert.equal(status, 400)
      assert.match(text, /This box cannot be read\./)
      assert.ok(text.includes(`<p class="fault" id="box-note">${fault}</p>`), fault)
      assert.match(text, /<details class="fold box-form" open>/)
      assert.match(text, /<input id="box"[^>]* aria-describedby="box-note" aria-invalid="true"/)
      assert.deepEqual([valueOf(text, 'box'), valueOf(text, 'question')], [typed, 'how many people'])
      assert.match(text, /<option value="lyr_terrain phy_landcov" selected>/)
      assert.doesNotMatch(text, API_NAMES)
      assert.match(panelTitle(text), /The whole index/)
    })

  it('an address that no form writes', async () => {
    for (const [query, fault] of [
      ['frame=x&q=lakeside', /&quot;x&quot; is no id\. Ids are whole numbers/],
      ['frames=1,,2', /There is a comma too many/],
      ['lga=lakeside', /An LGA has its state beside it, and a ward its LGA and its state\./],
      [`frames=${'322074005,'.repeat(101)}`, /101 ids were typed, and at most 100 are accepted\./],
      ['frames=1,+2', /Ids stand between commas, without blanks\./],
      ['frame=1&frame=2', /Frames: given 2 times, once is accepted\./],
      ['state=%00', /State: a NUL character is not accepted\./],
      ['state=marembe&lga=%FF', /LGA: this is not percent-encoded UTF-8\./],
      ['lat=91&lon=0&z=3', /The middle of the map has a latitude up to 90/],
      ['frame=1&state=marembe', /It names several places, and a map shows one\./],
      [`q=${'q'.repeat(201)}`, /Search: one text of at most 200 characters is accepted\./],
      ['box=1,2&box=3', /box: one text of at most 200 characters is accepted\./],
    ] as const) {
      const { status, text } = await open(`/map?${query}`)
      assert.equal(status, 400, query)
      assert.match(text, fault)
      assert.match(text, /This address cannot be read\./)
      assert.doesNotMatch(text, API_NAMES, query)
    }
    assert.equal(valueOf((await open('/map?frame=x&q=lakeside')).text, 'search'), 'lakeside')
    assert.equal((await open('/map.csv?frame=x')).status, 400)
  })

  it('a box that can be read stands in the form too', async () => {
    const { status, text } = await open('/map?box=+0.201,%200.101+,0.219,0.119')
    assert.deepEqual([status, valueOf(text, 'box')], [200, '0.201,0.101,0.219,0.119'])
  })

  it('a link to a dataset that the organisation does not read, as the tile does, with a way on', async () => {
    for (const path of ['/map?dataset=lyr_nothing', '/map.csv?dataset=lyr_nothing', '/datasets/lyr_nothing']) {
      const { status, text } = await open(path)
      assert.equal(status, 404, path)
      assert.match(text, /Your organisation reads no dataset lyr_nothing\./)
      assert.match(text, /<a href="\/app\/map">Open the map<\/a> <a href="\/app\/datasets">All datasets<\/a>/)
    }
    for (const path of ['/map?dataset=lyr_population&attribute=x', '/datasets/lyr_population?attribute=x']) {
      const { status, text } = await open(path)
      assert.equal(status, 404, path)
      assert.match(text, /The dataset lyr_population has no attribute x\./)
    }
    const tile = await open('/tiles/units/3/4/3?dataset=lyr_nothing&attribute=x')
    assert.match(tile.text, /your organisation reads no dataset lyr_nothing\./)
  })
})
