/** Finds frames and units for the page that finds anything, and names their neighbours. */
import type { Reader } from '../../core/db/replicas/reader.js'
import { framesAt, framesById } from '../../core/db/statements.js'
import { isFrameId } from '../../core/frame-id.js'
import { isOnEarth, pairOfDegrees } from '../map/coordinates.js'
import { isShortCode, looksLikePlusCode, nearestPoint, plusCodePoint, type Point } from '../map/plus-code.js'
import { extentOfIndex, framesOfBox, neighboursOfUnit, unitsNamed, type UnitNames } from '../map/statements.js'
import { queryOf } from '../map/view.js'
import { count, levelName, unitArgs, unitName, unitOf } from '../map/words.js'
import { html, type Html } from '../shell/html.js'

export type PlaceSearch = { reader: Reader; app: string }

const UNITS_SHOWN = 6
/** A frame in the middle of a grid touches eight others. */
const NEIGHBOURS = 9
/** Degrees: far less than a frame is wide. */
const RIM = 0.0005

export async function findPlaces(search: PlaceSearch, words: string): Promise<Html[]> {
  const { reader } = search
  if (isFrameId(words)) return await frameCards(search, await framesById(reader, [words]))
  const point = await pointOf(reader, words)
  if (point) return await frameCards(search, await framesById(reader, await idsAt(reader, point)))
  // An id of a request has digits between hyphens, and no unit has.
  return /^[\w-]{20,}$/.test(words) ? [] : await unitCards(search, words)
}

async function pointOf(reader: Reader, words: string): Promise<Point | undefined> {
  const compact = words.replace(/\s+/g, '')
  if (isShortCode(compact)) {
    const [extent] = await extentOfIndex(reader)
    const { minLon, minLat, maxLon, maxLat } = extent ?? {}
    return nearestPoint(compact, { lat: ((minLat ?? 0) + (maxLat ?? 0)) / 2, lon: ((minLon ?? 0) + (maxLon ?? 0)) / 2 })
  }
  if (looksLikePlusCode(compact)) return plusCodePoint(compact)
  const pair = pairOfDegrees(words)
  return pair && isOnEarth(pair) ? pair : undefined
}

const idsAt = async (reader: Reader, { lat, lon }: Point): Promise<string[]> =>
  (await framesAt(reader, [lon], [lat])).map(({ id }) => id)

type FoundFrame = Awaited<ReturnType<typeof framesById>>[number]

const frameCards = (search: PlaceSearch, frames: readonly FoundFrame[]): Promise<Html[]> =>
  Promise.all(frames.map((frame) => frameCard(search, frame)))

async function frameCard({ reader, app }: PlaceSearch, { id, bbox, state, lga, ward }: FoundFrame): Promise<Html> {
  const [minLon, minLat, maxLon, maxLat] = JSON.parse(bbox) as [number, number, number, number]
  const around = await framesOfBox(reader, minLon - RIM, minLat - RIM, maxLon + RIM, maxLat + RIM, NEIGHBOURS)
  const link = (frame: string) =>
    html`<a href="${app}/map${queryOf({ pick: { kind: 'frames', ids: [frame] } })}">${frame}</a>`
  return html`<section class="card">
    <h2>Frame ${link(id)}</h2>
    <p>${[ward, lga, state].filter((name) => name !== null).join(', ') || 'It lies in no unit.'}</p>
    <h3>Neighbours</h3>
    <ul class="chips">
      ${around
        .map((frame) => frame.id)
        .filter((other) => other !== id)
        .toSorted()
        .map((other) => html`<li>${link(other)}</li>`)}
    </ul>
  </section>`
}

async function unitCards({ reader, app }: PlaceSearch, words: string): Promise<Html[]> {
  const alike = await unitsNamed(reader, words, UNITS_SHOWN)
  const exact = alike.filter(({ alike: likeness }) => likeness === 2)
  const link = (names: UnitNames) =>
    html`<a href="${app}/map${queryOf({ pick: { kind: 'unit', unit: unitOf(names) } })}">${unitName(names)}</a>`
  const above = ({ state, lga, ward }: UnitNames) =>
    [ward === null ? null : lga, lga === null ? null : state].flatMap((name) => name ?? [])
  const line = (unit: UnitNames & { frames: number }) =>
    [levelName(unitOf(unit)), ...above(unit), count(unit.frames, 'frame', 'frames')].join(' · ')
  if (exact.length === 0) {
    return alike.length === 0
      ? []
      : [
          html`<section class="card">
            <h2>Units of a like name</h2>
            <ul>
              ${alike.map((unit) => html`<li>${link(unit)} <span class="quiet">${line(unit)}</span></li>`)}
            </ul>
          </section>`,
        ]
  }
  return await Promise.all(
    exact.map(async (unit) => {
      const neighbours = await neighboursOfUnit(reader, ...unitArgs(unitOf(unit)))
      return html`<section class="card">
        <h2>${link(unit)}</h2>
        <p>${line(unit)}</p>
        ${
          neighbours.length > 0 &&
          html`<h3>Neighbours</h3>
            <ul class="chips">
              ${neighbours.map((other) => html`<li>${link(other)}</li>`)}
            </ul>`
        }
      </section>`
    }),
  )
}
