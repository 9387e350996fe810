import assert from 'node:assert/strict'
import { frameFeature } from '../../src/tools/load/import-frames.js'
import { checkCrs } from '../../src/tools/load/geojson-shape.js'

const ring = [
  [3, 6],
  [3.01, 6],
  [3.01, 6.01],
  [3, 6.01],
  [3, 6],
]
const polygon = { type: 'Polygon', coordinates: [ring] }
const feature = { type: 'Feature', id: '7', properties: {}, geometry: polygon }
const noAdmin = {
  state: null,
  stateCode: null,
  lga: null,
  lgaCode: null,
  ward: null,
  wardCode: null,
  zone: null,
  zoneCode: null,
}

const sourceOf = (value: unknown, text = JSON.stringify(value)) => frameFeature({ value, text, line: 9, number: 4 })
const withGeometry = (geometry: unknown) => ({ ...feature, geometry })
const withRings = (...coordinates: unknown[]) => withGeometry({ type: 'Polygon', coordinates })
const withProperties = (properties: unknown) => ({ ...feature, properties })

describe("a feature of an organisation's own grid", () => {
  it('gives its place, its id and its geometry, and no units where it states none', () => {
    const given = sourceOf({ ...feature, bbox: [3, 6, 3.01, 6.01], geometry: { ...polygon, bbox: [3, 6, 3.01, 6.01] } })
    assert.deepEqual(given, { line: 9, number: 4, id: '7', geometry: JSON.stringify(polygon), ...noAdmin })
  })

  it('may be a frame as this API answers it', () => {
    const admin = { state: 'LAGOS', lga: 'IKEJA', lgaCode: '25011' }
    const given = sourceOf({ id: '7', geometry: polygon, bbox: [3, 6, 3.01, 6.01], admin })
    assert.deepEqual(given, { line: 9, number: 4, id: '7', geometry: JSON.stringify(polygon), ...noAdmin, ...admin })
  })

  it('may be a MultiPolygon, with holes', () => {
    const geometry = { type: 'MultiPolygon', coordinates: [[ring, ring], [ring]] }
    assert.equal(sourceOf(withGeometry(geometry)).geometry, JSON.stringify(geometry))
  })

  it('loses the heights of its corners', () => {
    const high = ring.map((position) => [...position, 12.5])
    assert.equal(sourceOf(withRings(high)).geometry, JSON.stringify(polygon))
  })

  const ids: [string, object, string][] = [
    ['a string', { id: '0' }, '0'],
    ['a whole number', { id: 9007199254740991 }, '9007199254740991'],
    ['the largest bigint', { id: '9223372036854775807' }, '9223372036854775807'],
    ['properties.id', { id: undefined, properties: { id: 12, frame_id: 13 } }, '12'],
    ['properties.frame_id', { id: null, properties: { frame_id: '13' } }, '13'],
  ]
  for (const [rule, members, id] of ids) {
    it(`may have ${rule} for its id`, () => assert.equal(sourceOf({ ...feature, ...members }).id, id))
  }

  it('keeps every digit of a number that is its id or a code', () => {
    const text = `{"type":"Feature","id":599686042433355775,"geometry":null,"properties":{"state":"A","lga":"B","lgaCode":1.10,"stateCode":12345678901234567890}}`
    const { id, lgaCode, stateCode } = sourceOf(feature, text)
    assert.deepEqual([id, lgaCode, stateCode], ['599686042433355775', '1.10', '12345678901234567890'])
    assert.equal(sourceOf(feature, '{"id":7.0}').id, '7')
  })

  const spellings: [string, object][] = [
    [
      'camelCase',
      { state: 'A', stateCode: 'B', lga: 'C', lgaCode: 'D', ward: 'E', wardCode: 'F', zone: 'G', zoneCode: 'H' },
    ],
    [
      'snake_case',
      { state: 'A', state_code: 'B', lga: 'C', lga_code: 'D', ward: 'E', ward_code: 'F', zone: 'G', zone_code: 'H' },
    ],
    [
      'upper case',
      { STATE: 'A', STATE_CODE: 'B', LGA: 'C', LGACODE: 'D', WARD: 'E', WARD_CODE: 'F', ZONE: 'G', ZONECODE: 'H' },
    ],
    [
      'capitals',
      { State: 'A', StateCode: 'B', LGA: 'C', LGA_Code: 'D', Ward: 'E', WardCode: 'F', Zone: 'G', ZoneCode: 'H' },
    ],
  ]
  const units = spellings[0]?.[1]
  for (const [spelling, admin] of spellings) {
    it(`names its units in ${spelling}, in properties, properties.admin or admin`, () => {
      for (const members of [{ properties: admin }, { properties: { admin } }, { properties: null, admin }]) {
        assert.deepEqual({ ...sourceOf({ ...feature, ...members }) }, { ...sourceOf(feature), ...units })
      }
    })
  }

  it('takes a number as the text of a unit, and a blank as no unit', () => {
    const given = sourceOf(
      withProperties({ state: ' Lagos ', lga: 'Ikeja', lgaCode: 25011, ward: ' ', wardCode: '', zone: null }),
    )
    assert.deepEqual(
      [given.state, given.lgaCode, given.ward, given.wardCode, given.zone],
      ['Lagos', '25011', null, null, null],
    )
  })
})

describe('the coordinate system of a file', () => {
  const named = (name: unknown) => ({ type: 'name', properties: { name } })
  const wgs84 = [
    'urn:ogc:def:crs:OGC:1.3:CRS84',
    'urn:ogc:def:crs:EPSG::4326',
    'EPSG:4326',
    'epsg:4326',
    'WGS 84',
    'CRS84',
    'OGC:CRS84',
  ]

  for (const name of wgs84) it(`may be ${name}`, () => checkCrs({ crs: named(name), features: [] }, ''))
  it('may be null or absent', () => {
    for (const members of [{ crs: null }, {}, { data: [] }, { data: { crs: null } }]) checkCrs(members, '')
  })
})
