import assert from 'node:assert/strict'
import fc from 'fast-check'
import { isOnEarth, pairOfDegrees } from '../../src/app/map/coordinates.js'
import { looksLikePlusCode, plusCodePoint } from '../../src/app/map/plus-code.js'

describe('the search of the map reads', () => {
  it('a latitude and a longitude in every usual form', () => {
    const abuja = { lat: 9.05, lon: 7.49 }
    for (const text of [
      '9.05, 7.49',
      ' 9.05 ; 7.49 ',
      '+9.05 +7.49',
      '9.05°N, 7.49°E',
      'n9.05 e7.49',
      '7.49 E, 9.05 N',
      `9°03'00"N 7°29'24"E`,
      '9° 3′ N, 7° 29′ 24″ E',
    ])
      assert.deepEqual(pairOfDegrees(text), abuja, text)
    assert.deepEqual(pairOfDegrees('-1.5, -2'), { lat: -1.5, lon: -2 })
    assert.deepEqual(pairOfDegrees('−1.5 −2'), { lat: -1.5, lon: -2 })
    assert.deepEqual(pairOfDegrees('1.5 S 2 W'), { lat: -1.5, lon: -2 })
    assert.deepEqual(pairOfDegrees('-90 180'), { lat: -90, lon: 180 })
  })

  it('nothing into a text that is no place', () => {
    for (const text of ['', '9.05', 'Ward 7 9', '9,05 7,49', '9.05 N 7.49 N', '-9.05 S, 7 E', `9°61' 7°`, '1e2 3'])
      assert.equal(pairOfDegrees(text), undefined, text)
    for (const text of ['91, 7', '7, 181']) {
      const pair = pairOfDegrees(text)
      assert.ok(pair && !isOnEarth(pair), text)
    }
  })

  it('the coordinates that it shows', () => {
    const degrees = (most: number) => fc.integer({ min: -most * 1e5, max: most * 1e5 }).map((each) => each / 1e5)
    fc.assert(
      fc.property(degrees(90), degrees(180), (lat, lon) => {
        assert.deepEqual(pairOfDegrees(`${lat.toFixed(5)}, ${lon.toFixed(5)}`), {
          lat: Number(lat.toFixed(5)),
          lon: Number(lon.toFixed(5)),
        })
      }),
    )
  })
})

/** The test data of the specification has these codes, with the corners of their areas. */
const CODES: readonly [code: string, south: number, west: number, north: number, east: number][] = [
  ['7FG49Q00+', 20.35, 2.75, 20.4, 2.8],
  ['7FG49QCJ+2V', 20.37, 2.782125, 20.370125, 2.78225],
  ['7FG49QCJ+2VXGJ', 20.370113, 2.782234375, 20.370114, 2.78223632813],
  ['4VCPPQGP+Q9', -41.273125, 174.785875, -41.273, 174.786],
  ['22220000+', -90, -180, -89, -179],
]

describe('a Plus Code', () => {
  it('names the middle of its area', () => {
    for (const [code, south, west, north, east] of CODES)
      for (const text of [code, code.toLowerCase()]) {
        assert.ok(looksLikePlusCode(text))
        const point = plusCodePoint(text)
        assert.ok(point && Math.abs(point.lat - (south + north) / 2) < 1e-6, text)
        assert.ok(Math.abs(point.lon - (west + east) / 2) < 1e-6, text)
      }
  })

  it('that is short, padded wrongly or misspelt is none', () => {
    for (const code of ['9QCJ+2V', '7FG49QCJ+2', '7FG400CJ+', '7FG49Q00+22', '7FG49QAJ+2V'])
      assert.equal(plusCodePoint(code), undefined, code)
    for (const text of ['Lakeside', '9.05 7.49', 'a+b c', '324378020']) assert.ok(!looksLikePlusCode(text), text)
  })
})
