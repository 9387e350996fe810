import assert from 'node:assert/strict'
import fc from 'fast-check'
import { searchedPlace } from '../../src/app/map/searched-place.js'

describe('the search of the map reads', () => {
  it('a latitude and a longitude in degrees', () => {
    for (const text of ['9.05, 7.49', ' 9.05 ; 7.49 ', '+9.05 +7.49'])
      assert.deepEqual(searchedPlace(text), { is: 'point', point: { lat: 9.05, lon: 7.49 } }, text)
    for (const text of ['-1.5, -2', '−1.5 −2'])
      assert.deepEqual(searchedPlace(text), { is: 'point', point: { lat: -1.5, lon: -2 } }, text)
    assert.deepEqual(searchedPlace('-90 180'), { is: 'point', point: { lat: -90, lon: 180 } })
  })

  it('nothing into a text that is no place', () => {
    for (const text of ['', '9.05', 'Ward 7 9', '9,05 7,49', '9.05 N 7.49 N', `9°03'N 7°29'E`, '1e2 3'])
      assert.deepEqual(searchedPlace(text), { is: 'name' }, text)
    for (const text of ['91, 7', '7, 181']) assert.equal(searchedPlace(text).is, 'beyond', text)
  })

  it('the coordinates that it shows', () => {
    const degrees = (most: number) => fc.integer({ min: -most * 1e5, max: most * 1e5 }).map((each) => each / 1e5)
    fc.assert(
      fc.property(degrees(90), degrees(180), (lat, lon) => {
        const point = { lat: Number(lat.toFixed(5)), lon: Number(lon.toFixed(5)) }
        assert.deepEqual(searchedPlace(`${lat.toFixed(5)}, ${lon.toFixed(5)}`), { is: 'point', point })
      }),
    )
  })
})
