import assert from 'node:assert/strict'
import { profile } from '../../src/core/db/statements.js'
import { sample } from '../support/sample.js'
import { service } from '../support/service.js'

/** Whole frames have the same figures whether they are named, or a unit or an area has them. */
const figuresOf = async (frames: string[], layers: string[]) =>
  (await profile(service().db, frames, layers)).map(
    ({ units: _u, inUnits: _i, cutFrames: _c, km2Inside: _k, byArea: _b, classes: _l, ...figure }) => figure,
  )

describe('a profile', () => {
  let layers: string[]
  let paths: string[][]
  before(async () => {
    const { rows } = service().db
    layers = (await rows<{ id: string }>('select layer_id as id from dataset order by layer_id', [])).map(
      ({ id }) => id,
    )
    paths = (
      await rows<{ path: string[] }>(
        "select array_remove(array['unit', state, lga, ward], null) as path from unit where block is null order by md5(unit_id::text)",
        [],
      )
    ).map(({ path }) => path)
  })

  const idsOf = async (place: string[]) =>
    (await service().db.rows<{ ids: string[] }>('select frame_set($1::text[])::text[] as ids', [place]))[0]?.ids ?? []

  it('of a unit is that of its frames, with classes and intervals', async () => {
    let intervals = 0
    for (const path of paths.slice(0, sample(25, 400))) {
      const figures = await figuresOf(path, layers)
      intervals += figures.filter(({ lower }) => lower !== null).length
      assert.deepEqual(figures, await figuresOf(await idsOf(path), layers), path.join())
    }
    assert.ok(intervals > 5)
  })

  it('of a box or a shape is that of the frames that touch it, each whole', async () => {
    let blocks = 0
    for (let turn = 0; turn < sample(12, 400); turn += 1) {
      const [west, south] = [-0.7 + ((turn * 37) % 110) / 100, -0.7 + ((turn * 53) % 100) / 100]
      const [east, north] = [west + 0.02 + ((turn * 29) % 80) / 197, south + 0.02 + ((turn * 61) % 70) / 189]
      const corners = [west, south, east, north].map((degrees) => degrees.toFixed(4))
      const [w, s, e, n] = corners
      const place =
        turn % 2 === 0 ? ['box', ...corners] : ['shape', `POLYGON((${w} ${s},${e} ${s},${w} ${n},${w} ${s}))`]
      const [first] = await profile(service().db, place, layers)
      blocks += first?.units ?? 0
      assert.deepEqual(await figuresOf(place, layers), await figuresOf(await idsOf(place), layers), place.join())
    }
    assert.ok(blocks > 5)
  })

  it('has one row without a figure where no dataset is asked for, and no frames where the index has none', async () => {
    const { db } = service()
    assert.deepEqual(
      (await profile(db, ['unit'], [])).map(({ layer, recorded }) => [layer, recorded]),
      [[null, null]],
    )
    for (const place of [['unit', 'nowhere'], ['box', '50', '50', '51', '51'], ['1']])
      assert.equal((await profile(db, place, layers))[0]?.frames, 0, place.join())
  })
})
