/** Draws the units of a level as a picture in the classes of the map's legend. It needs no script, and prints. */
import { html, type Html } from '../shell/html.js'
import type { UnitFigure } from '../../core/figures/index.js'
import type { UnitPath } from '../../core/place.js'
import type { LegendRow } from './rows.js'
import type { Paint } from './classes.js'
import { paintOf } from './legend.js'
import { pathOf } from './words.js'

/** In units of the picture. */
const SIDE_MOST = 600
/** The numbers of the first units stand in the picture, as in the ranking beside it. */
export const NUMBERED_MOST = 10

type Corner = readonly [lon: number, lat: number]
type Ring = readonly Corner[]

/** `geometries`: outlines in GeoJSON, one for each unit. `picked`: a unit among them. */
export function unitPicture(
  units: readonly UnitFigure[],
  geometries: readonly string[],
  drawn: { title: string; level: LegendRow['level']; paint: Paint; picked: UnitPath },
): Html {
  const shapes = geometries.map((text) => ringsOf(JSON.parse(text) as Geometry))
  const corners = shapes.flat(2)
  const [west, east] = extentOf(corners.map(([lon]) => lon))
  const [south, north] = extentOf(corners.map(([, lat]) => lat))
  // A degree of longitude is shorter than one of latitude, away from the equator.
  const narrow = Math.cos((((south + north) / 2) * Math.PI) / 180)
  const [wide, high] = [(east - west) * narrow, north - south]
  const scale = SIDE_MOST / Math.max(wide, high)
  const put = ([lon, lat]: Corner): Corner => [(lon - west) * narrow * scale, (north - lat) * scale]
  const parts = units.map((unit, i) => ({ unit, rings: (shapes[i] ?? []).map((ring) => ring.map(put)) }))
  const isPicked = (unit: UnitFigure) => pathOf(unit).join('\n') === drawn.picked.join('\n')
  return html`<svg class="units" viewBox="-2 -2 ${round(wide * scale + 4)} ${round(high * scale + 4)}" role="img">
    <title>${drawn.title}</title>
    ${parts.map(({ unit, rings }) => html`<path d="${rings.map(pathText).join('')}" fill="${fillOf(unit, drawn)}"></path>`)}
    ${parts.filter(({ unit }) => isPicked(unit)).map(({ rings }) => html`<path class="picked" d="${rings.map(pathText).join('')}"></path>`)}
    ${parts.slice(0, NUMBERED_MOST).map(({ unit, rings }, i) => unit.number !== null && numberAt(i + 1, rings))}
  </svg>`
}

type Geometry =
  | { type: 'Polygon'; coordinates: readonly Ring[] }
  | { type: 'MultiPolygon'; coordinates: readonly (readonly Ring[])[] }

const ringsOf = (of: Geometry): readonly Ring[] => (of.type === 'Polygon' ? of.coordinates : of.coordinates.flat())

const extentOf = (numbers: readonly number[]): [least: number, most: number] =>
  numbers.reduce<[number, number]>(
    ([least, most], each) => [Math.min(least, each), Math.max(most, each)],
    [Infinity, -Infinity],
  )

const round = (number: number): number => Math.round(number * 10) / 10

/** Corners that fall on the one before them add nothing. */
function pathText(ring: Ring): string {
  const points = ring.map((corner) => corner.map(round).join(' '))
  return `M${points.filter((point, i) => point !== points[i - 1]).join('L')}Z`
}

function fillOf(unit: UnitFigure, { level, paint }: { level: LegendRow['level']; paint: Paint }): string {
  const colour = paintOf(paint, level, unit)
  return colour === undefined ? 'none' : `var(--${colour})`
}

/** The centre of gravity of the largest part. */
function numberAt(place: number, rings: readonly Ring[]): Html {
  const [largest = []] = rings.toSorted((one, other) => Math.abs(areaOf(other)) - Math.abs(areaOf(one)))
  const area = areaOf(largest)
  const along = (axis: 0 | 1) =>
    sidesOf(largest).reduce((sum, [from, to]) => sum + (from[axis] + to[axis]) * crossed(from, to), 0) / (6 * area)
  return html`<text x="${round(along(0))}" y="${round(along(1))}">${place}</text>`
}

const sidesOf = (ring: Ring): (readonly [Corner, Corner])[] =>
  ring.slice(1).map((to, i) => [ring[i] ?? to, to] as const)

const crossed = ([x, y]: Corner, [toX, toY]: Corner): number => x * toY - toX * y

const areaOf = (ring: Ring): number => sidesOf(ring).reduce((sum, [from, to]) => sum + crossed(from, to), 0) / 2
