import assert from 'node:assert/strict'
import type { Visitor } from '../support/browse.js'
import { memberOf, rows } from '../web/visitors.js'
import { askTile, featuresOf } from './ask-tile.js'

const PEOPLE = 'dataset=lyr_population&attribute=pop_demest26'
const CHANGE = `${PEOPLE}&with=lyr_population+pop_demest25`

describe('a tile for the change between two attributes', () => {
  let visitor: Visitor
  before(async () => (visitor = await memberOf()))

  /** Reads a layer from the four tiles around 0, 0, where the fixture lies. */
  async function read(path: string, layer: string) {
    const tiles = ['127/127', '128/127', '127/128', '128/128'].map((at) =>
      askTile(visitor, path.replace('?', `/8/${at}?`)),
    )
    const features = (await Promise.all(tiles)).flatMap((tile) => featuresOf(tile, layer))
    return new Map(features.map(({ id, properties }) => [String(id), properties]))
  }

  it('has both values of each frame, and those before where they are recorded', async () => {
    const frames = await read(`frames?${CHANGE}`, 'frames')
    const known = await rows<{ id: string; then: number | null }>(
      `select frame_id::text as id, (recorded ->> 'pop_demest25')::float8 as then from baseline where layer_id = 'lyr_population'`,
    )
    const before = new Map(known.map(({ id, then }) => [id, then ?? undefined]))
    assert.ok(frames.size > 1000)
    for (const [id, properties] of frames) assert.equal(properties['before'], before.get(id), id)
    assert.ok([...frames.values()].some((properties) => properties['before'] === undefined))
    const now = await read(`frames?${PEOPLE}`, 'frames')
    for (const [id, { before: _before, ...rest }] of frames) assert.deepEqual(rest, now.get(id), id)
  })

  it('has both totals of each unit and block, but not where they are of other numbers of frames', async () => {
    for (const [path, layer] of [
      ['units', 'lgas'],
      ['blocks', 'blocks'],
    ] as const) {
      const found = await read(`${path}?${CHANGE}`, layer)
      const totals = await rows<{ id: string; number: number }>(
        `select unit_id::text as id, number::float8 from unit_total where attribute = 'pop_demest25'
           and version = (select version from dataset where layer_id = 'lyr_population')`,
      )
      const before = new Map(totals.map(({ id, number }) => [id, number]))
      assert.ok(found.size > 3)
      for (const [id, properties] of found) assert.equal(properties['before'], before.get(id), `${layer} ${id}`)
    }
    // An attribute that other frames record tells of them.
    const [other] = await rows<{ layer: string; attribute: string }>(
      `select layer_id as layer, total.attribute from unit_total as total join dataset using (version) join attribute using (layer_id)
       where attribute.name = total.attribute and attribute.type = 'number' and layer_id = 'lyr_terrain' limit 1`,
    )
    assert.ok(other)
    const recorded = await recordedOf(other.attribute)
    const ofOther = await read(`units?${PEOPLE}&with=${other.layer}+${other.attribute}`, 'lgas')
    const isSame = [...ofOther].map(([id, properties]) => recorded.get(id) === properties['recorded'])
    assert.deepEqual(
      [...ofOther.values()].map((properties) => 'before' in properties),
      isSame,
    )
    assert.ok(isSame.includes(false) && isSame.includes(true))
  })

  const recordedOf = async (attribute: string) =>
    new Map(
      (
        await rows<{ id: string; recorded: number }>(
          `select unit_id::text as id, recorded::int from unit_total join dataset using (version) where attribute = $1::text`,
          attribute,
        )
      ).map(({ id, recorded }) => [id, recorded]),
    )

  it('is refused for features, for a dataset that costs, and without the later attribute', async () => {
    for (const [query, status, text] of [
      [`${PEOPLE}&with=lyr_schools+features`, 400, /with: lyr_schools has features/],
      [`${PEOPLE}&with=lyr_market+features`, 403, /costs/],
      [`${PEOPLE}&with=lyr_population`, 400, /with: a dataset and an attribute are accepted/],
      [`${PEOPLE}&with=lyr_nowhere+people`, 400, /reads no dataset lyr_nowhere/],
      ['with=lyr_population+pop_demest25', 400, /with: needs dataset/],
    ] as const) {
      const answer = await askTile(visitor, `frames/9/256/255?${query}`)
      assert.equal(answer.status, status, `${query}: ${answer.text}`)
      assert.match(answer.text, text)
    }
  })

  it('is another tile than that of one attribute', async () => {
    const etags = await Promise.all(
      [PEOPLE, CHANGE, `${PEOPLE}&with=lyr_population+pop_demest26`].map(
        async (query) => (await askTile(visitor, `frames/9/256/255?${query}`)).headers.etag,
      ),
    )
    assert.equal(new Set(etags).size, 3)
  })
})
