import assert from 'node:assert/strict'
import { frameFeature } from '../../src/tools/load/import-frames.js'
import { checkCrs } from '../../src/tools/load/geojson-shape.js'
import { FileFault } from '../../src/tools/load/faults.js'

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
/** A ring whose second corner is this one. */
const withCorner = (...corner: unknown[]) => withRings([ring[0], corner, ...ring.slice(2)])

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

const largest = '9223372036854775807'
const refused: [string, unknown, RegExp][] = [
  ['no object', [1], /a Feature is needed, and \[1\] came$/],
  [
    'another type',
    { ...feature, type: 'Polygon' },
    /an object of type "Feature" is needed, .* and type "Polygon" came$/,
  ],
  ['no type and no geometry', { id: 1 }, /and no type came$/],
  ['properties that are no object', withProperties([1]), /properties has to be an object or null, and \[1\] came$/],
  ['no id', { ...feature, id: undefined }, /an id is needed/],
  ['an id with a letter', { ...feature, id: 'NG-1' }, /id has to be a whole number .* and "NG-1" came$/],
  ['an id with white space', { ...feature, id: ' 1' }, /id has to be/],
  ['an id with leading zeros', { ...feature, id: '007' }, /without leading zeros, and "007" came$/],
  ['an id below zero', { ...feature, id: -1 }, /and -1 came$/],
  ['an id with a fraction', { ...feature, id: 1.5 }, /and 1\.5 came$/],
  ['an id past bigint', { ...feature, id: '9223372036854775808' }, new RegExp(`from 0 to ${largest}`)],
  ['an id of twenty digits', { ...feature, id: '10000000000000000000' }, new RegExp(`from 0 to ${largest}`)],
  ['no geometry', withGeometry(undefined), /geometry has to be a Polygon or a MultiPolygon, and nothing came$/],
  ['a null geometry', withGeometry(null), /and null came$/],
  ['a point', withGeometry({ type: 'Point', coordinates: [3, 6] }), /and type "Point" came$/],
  ['no coordinates', withGeometry({ type: 'Polygon' }), /coordinates has to be an array with rings, and nothing came$/],
  ['an empty Polygon', withRings(), /coordinates has to be an array with rings, and an empty array came$/],
  [
    'an empty MultiPolygon',
    withGeometry({ type: 'MultiPolygon', coordinates: [] }),
    /an array with polygons, and an empty/,
  ],
  [
    'an empty ring',
    withRings(ring, []),
    /coordinates\[1\] has to be an array with positions, and an empty array came$/,
  ],
  [
    'a Polygon called MultiPolygon',
    withGeometry({ ...polygon, type: 'MultiPolygon' }),
    /\[0\]\[0\]\[0\]: a position has to be .* and 3 came$/,
  ],
  ['a ring of three positions', withRings([ring[0], ring[1], ring[0]]), /at least 4 positions, and 3 came$/],
  ['an open ring', withRings(ring.slice(0, 4)), /has to end where it starts, at \[3,6\], and ends at \[3,6.01\]$/],
  ['a position of one number', withCorner(3), /coordinates\[0\]\[1\]: a position has to be .* and \[3\] came$/],
  ['a position of four numbers', withCorner(3, 6, 0, 0), /and \[3,6,0,0\] came$/],
  ['a position with text', withCorner('3', 6), /and \["3",6\] came$/],
  ['a position past every number', withCorner(JSON.parse('1e999'), 6), /2 or 3 finite numbers/],
  ['metres', withCorner(543210.5, 712345), /longitude has to be from -180 to 180 .* and 543210\.5, 712345 came$/],
  ['latitude first', withCorner(6, 120), /look swapped: GeoJSON order is longitude, latitude, and 6, 120 came$/],
  [
    'an lga without its state',
    withProperties({ lga: 'Ikeja' }),
    /lga needs a state beside it, and "Ikeja" came alone$/,
  ],
  ['a state without an lga', withProperties({ state: 'Lagos', lga: ' ' }), /state needs an lga beside it, and "Lagos"/],
  ['a ward without its lga', withProperties({ ward: 'Ojodu' }), /ward needs an lga beside it, and "Ojodu" came alone$/],
  [
    'a unit that is no text',
    withProperties({ State: true }),
    /State has to be a string, a number or null, and true came$/,
  ],
  ['a unit with a NUL', withProperties({ zone: 'a\0b' }), /zone has to be plain text/],
  ['a long name of a unit', withProperties({ zone: 'é'.repeat(201) }), /zone may have up to 200 .* one of 201 came/],
  ['half a surrogate pair', withProperties({ zone: 'a\ud800' }), /zone has to be plain text/],
  ['another coordinate system', { ...feature, crs: 'EPSG:26331' }, /crs has to be WGS 84 .* and "EPSG:26331" came$/],
]

describe('a feature is refused, by its number and its line,', () => {
  for (const [rule, value, message] of refused) {
    it(`for ${rule}`, () => {
      assert.throws(
        () => sourceOf(value),
        (error) => {
          assert.ok(error instanceof FileFault, String(error))
          assert.match(error.message, /^feature 4 \(line 9\): /)
          assert.match(error.message, message)
          assert.equal(error.line, 9)
          return true
        },
      )
    })
  }

  it('in a message of bounded length, however long the value', () => {
    assert.throws(
      () => sourceOf({ ...feature, id: '1'.repeat(10_000) }),
      (error: Error) => error.message.length < 300,
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
  const others = ['urn:ogc:def:crs:EPSG::26331', 'EPSG:3857', 'EPSG:43260', 'EPSG:32631', 'Minna', '', 1]

  for (const name of wgs84) it(`may be ${name}`, () => checkCrs({ crs: named(name), features: [] }, ''))
  it('may be null or absent', () => {
    for (const members of [{ crs: null }, {}, { data: [] }, { data: { crs: null } }]) checkCrs(members, '')
  })

  for (const name of others) {
    it(`may not be ${JSON.stringify(name)}, in the file or in our own envelope`, () => {
      for (const members of [{ crs: named(name) }, { data: { crs: named(name) } }, { crs: name }])
        assert.throws(() => checkCrs(members, ''), { name: 'FileFault', message: /crs has to be WGS 84/ })
    })
  }

  it('may not be a crs that names none', () => {
    for (const crs of [{}, [], 'x', { type: 'link', properties: { href: 'x' } }]) {
      assert.throws(() => checkCrs({ crs }, ''), { name: 'FileFault', message: /crs has to be WGS 84/ })
    }
  })
})
