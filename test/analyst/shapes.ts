/** Random shapes over the fixture, as WKT in degrees, and shapes that have a fault. */
import fc from 'fast-check'

/** Rounded, so that the text is the same number on both sides. */
const text = (number: number) => String(Math.round(number * 1e7) / 1e7)

/** A ring around a middle: a radius at each of its turns. It never crosses itself. */
function ring([x, y]: readonly [number, number], radii: readonly number[], scale = 1): string {
  const corners = radii.map((radius, i) => {
    const turn = (2 * Math.PI * i) / radii.length
    return `${text(x + radius * scale * Math.cos(turn))} ${text(y + radius * scale * Math.sin(turn))}`
  })
  return `(${[...corners, corners[0]].join(',')})`
}

const middle = fc.tuple(
  fc.double({ min: -0.7, max: 0.5, noNaN: true }),
  fc.double({ min: -0.7, max: 0.5, noNaN: true }),
)
const radii = fc
  .double({ min: 0.0005, max: 0.2, noNaN: true })
  .chain((size) =>
    fc
      .array(fc.double({ min: 0.4, max: 1, noNaN: true }), { minLength: 4, maxLength: 300 })
      .map((all) => all.map((part) => part * size)),
  )

/** A polygon, every second of them with a hole. */
export const polygons = fc
  .tuple(middle, radii, fc.boolean())
  .map(([at, all, hasHole]) => `POLYGON(${ring(at, all)}${hasHole ? `,${ring(at, all, 0.3)}` : ''})`)

const pairs = fc
  .tuple(middle, radii, radii)
  .map(([[x, y], one, other]) => `MULTIPOLYGON((${ring([x, y], one)}),(${ring([x + 0.5, y], other)}))`)

/** Its edges lie on those of cells: the frames beside it are touched alone. */
const aligned = fc
  .tuple(fc.integer({ min: -70, max: 40 }), fc.integer({ min: -70, max: 40 }), fc.integer({ min: 1, max: 15 }))
  .map(([col, row, size]) => {
    const [west, south, east, north] = [col, row, col + size, row + size].map((n) => n / 100)
    return `POLYGON((${west} ${south},${east} ${south},${east} ${north},${west} ${north},${west} ${south}))`
  })

/** A millionth of a degree high. */
const slivers = middle.map(
  ([x, y]) =>
    `POLYGON((${text(x)} ${text(y)},${text(x + 0.1)} ${text(y)},${text(x + 0.1)} ${text(y + 1e-6)},${text(x)} ${text(y)}))`,
)

export const shapes = fc.oneof(
  { weight: 5, arbitrary: polygons },
  { weight: 2, arbitrary: pairs },
  { weight: 2, arbitrary: aligned },
  { weight: 1, arbitrary: slivers },
)

/** Each with what its error says. */
export function faults(): [wkt: string, message: RegExp][] {
  const circle = (corners: number) =>
    `POLYGON(${ring(
      [0, 0],
      Array.from({ length: corners }, () => 0.1),
    )})`
  return [
    ['POLYGON((0 0,0.2 0.2,0.2 0,0 0.2,0 0))', /not valid: self-intersection at lon 0\.1, lat 0\.1\./],
    [
      'SRID=3857;POLYGON((0 0,20000 20000,20000 0,0 20000,0 0))',
      /self-intersection at lon 0\.08983\d+, lat 0\.0898\d+\./,
    ],
    [
      'POLYGON((0 0,0.1 0,0.1 0.1,0 0),(1 1,1.1 1,1.1 1.1,1 1))',
      /not valid: hole lies outside shell at lon 1, lat 1\./,
    ],
    ['MULTIPOLYGON(((0 0,1 0,1 1,0 0)),((0.1 0,1 0,1 0.9,0.1 0)))', /not valid: .* at lon [\d.]+, lat [\d.]+\./],
    ['POLYGON((0 0,0 0,0 0,0 0))', /not valid: too few points .* at lon 0, lat 0\./],
    ['POLYGON((0 0,200 0,200 1,0 0))', /a vertex at lon 200, lat 0: that is beyond -180, -90, 180, 90\./],
    [
      'POLYGON((179 0,-179 0,-179 1,179 1,179 0))',
      /ends at lon -179, lat 0 is over 180 degrees long: cut it at the antimeridian\./,
    ],
    ['POLYGON EMPTY', /is empty/],
    ['MULTIPOLYGON EMPTY', /is empty/],
    ['POINT(0 0)', /is a POINT: a polygon or a multipolygon is accepted/],
    ['LINESTRING(0 0,1 1)', /is a LINESTRING:/],
    ['GEOMETRYCOLLECTION(POLYGON((0 0,1 0,1 1,0 0)))', /is a GEOMETRYCOLLECTION:/],
    ['CURVEPOLYGON(CIRCULARSTRING(0 0,1 1,0 2,-1 1,0 0))', /is a CURVEPOLYGON:/],
    [circle(10_000), /has 10001 vertices: at most 10000 are accepted/],
    ['SRID=998877;POLYGON((0 0,1 0,1 1,0 0))', /knows no SRID 998877\./],
  ]
}
