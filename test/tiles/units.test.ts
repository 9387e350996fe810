import assert from 'node:assert/strict'
import type { Visitor } from '../support/browse.js'
import { newOrganisation, service } from '../support/service.js'
import { rows, signedIn } from '../web/visitors.js'
import { askTile, featuresOf } from './ask-tile.js'
import { areaOf, type TileFeature } from './read-tile.js'

const areaOfAll = (features: readonly TileFeature[]) =>
  features.flatMap(({ rings }) => rings).reduce((sum, ring) => sum + areaOf(ring), 0)

const pointsOf = (features: readonly TileFeature[]) => features.flatMap(({ rings }) => rings.flat())

describe('the tiles of units', () => {
  let visitor: Visitor
  before(async () => (visitor = await signedIn({ orgId: await newOrganisation(service().db), role: 'member' })))

  const ask = async (path: string) => {
    const answer = await askTile(visitor, `units/${path}`)
    assert.equal(answer.status, 200, answer.text)
    return answer
  }

  it('have the states at every zoom, the LGAs from zoom 4 and the wards from zoom 8', async () => {
    for (const [path, layers] of [
      ['0/0/0', ['states']],
      ['4/8/7', ['states', 'lgas']],
      ['8/128/127', ['states', 'lgas', 'wards', 'outside']],
    ] as const)
      assert.deepEqual(Object.keys((await ask(path)).layers), layers, path)
  })

  it('name each unit and those that it lies in', async () => {
    const answer = await ask('8/128/127')
    const names = (layer: string) => featuresOf(answer, layer).map(({ id, properties }) => ({ id, ...properties }))
    const drawn = [...names('states'), ...names('lgas'), ...names('wards')]
    const stored = await rows<{ id: string }>(
      `select unit_id::int as id, state, lga, ward from unit_area
       where ST_Intersects(geom, ST_Transform(ST_TileEnvelope(8, 128, 127, margin => 1.0 / 64), 4326))`,
    )
    const bare = stored.map((unit) => Object.fromEntries(Object.entries(unit).filter(([, value]) => value !== null)))
    const byId = (one: { id?: unknown }, other: { id?: unknown }) => Number(one.id) - Number(other.id)
    assert.deepEqual(drawn.sort(byId), bare.sort(byId))
    assert.ok(names('wards').length > 10)
  })

  for (const path of ['4/8/7', '10/513/510'])
    it(`have no gap between neighbours and no overlap: ${path}`, async () => {
      const answer = await ask(path)
      const [states, lgas, wards] = ['states', 'lgas', 'wards'].map((layer) => featuresOf(answer, layer))
      assert.ok(states && lgas && wards)
      const whole = areaOfAll(states)
      assert.ok(whole > 0)
      // An end of a common edge may lie inside a slanted line of the country's outline, which the larger unit draws
      // without that point.
      const slack = pointsOf(states).length
      for (const parts of [lgas, wards].filter(({ length }) => length > 0))
        assert.ok(Math.abs(areaOfAll(parts) - whole) <= slack, `${areaOfAll(parts)} of ${whole}, slack ${slack}`)
    })

  it('have, from zoom 6 on, the part of the tile that no state has', async () => {
    for (const path of ['6/31/31', '8/128/127', '10/513/510', '11/1022/1026']) {
      const answer = await ask(path)
      const [states, outside] = ['states', 'outside'].map((layer) => featuresOf(answer, layer))
      assert.ok(states && outside)
      // A tile reaches 64 units beyond its edges.
      const [parts, whole] = [areaOfAll(states) + areaOfAll(outside), 4224 ** 2]
      assert.ok(Math.abs(parts - whole) <= 2 * pointsOf(states).length + 10, `${path}: ${parts} of ${whole}`)
    }
    assert.deepEqual(featuresOf(await ask('5/16/15'), 'outside'), [])
    assert.deepEqual(featuresOf(await ask('14/8201/8187'), 'outside'), [], 'a state fills the tile')
  })
})
