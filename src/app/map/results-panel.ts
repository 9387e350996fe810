/** Looks for what a person typed: a frame id, a place, or the name or code of a unit. */
import type { Reader } from '../../core/db/replicas/reader.js'
import { framesAt, framesById } from '../../core/db/statements.js'
import { isFrameId } from '../../core/frame-id.js'
import { html } from '../shell/html.js'
import { LAT_MAX, LON_MAX } from '../../api/http/param-schemas.js'
import type { Unit } from '../../api/http/params.js'
import type { OtherWays } from '../shell/show-sql.js'
import { isOnEarth, pairOfDegrees } from './coordinates.js'
import { mapLink, type MapData } from './data.js'
import { waysToFrame, waysToNames, waysToPoint } from './other-ways.js'
import type { Panel } from './panel.js'
import { isShortCode, looksLikePlusCode, nearestPoint, plusCodePoint, type CodePoint } from './plus-code.js'
import { extentOfIndex, unitFacts, unitsNamed, type UnitFound } from './statements.js'
import type { MapView } from './view.js'
import { noFrameText, unitArgs, unitLine, unitLink, unitOfNames } from './words.js'

/** A person looks through as many units. */
const RESULTS_SHOWN = 12
/** The map comes so near to a frame that its neighbours can be told apart. */
const FRAME_ZOOM = 12

/** The page goes to the one thing that was found, or a panel lists what is alike. */
export type SearchAnswer = { found: Pick<MapView, 'pick' | 'camera'> } | { panel: Panel }

export async function searchAnswer(data: MapData, words: string): Promise<SearchAnswer> {
  if (isFrameId(words)) return await frameAnswer(data, words)
  const [, code = '', name = ''] = /^(\S+\+\S*)\s+(\S.*)$/.exec(words) ?? []
  if (isShortCode(code)) return await codeNearUnit(data, words, code, name)
  const compact = words.replace(/\s+/g, '')
  if (looksLikePlusCode(compact)) return await codeAnswer(data, words, compact)
  const pair = pairOfDegrees(words)
  if (pair) return isOnEarth(pair) ? await pointAnswer(data, words, pair) : beyondAnswer(data, words, pair)
  return await unitAnswer(data, words)
}

async function frameAnswer({ reader }: MapData, id: string): Promise<SearchAnswer> {
  const [frame] = await framesById(reader, [id])
  if (frame) return { found: { pick: { kind: 'frames', ids: [id] } } }
  return nothing(id, noFrameText([id]), waysToFrame(id, []))
}

async function codeAnswer(data: MapData, words: string, code: string): Promise<SearchAnswer> {
  const near = isShortCode(code) ? (data.view.camera ?? (await middleOfIndex(data.reader))) : undefined
  const point = near ? nearestPoint(code, near) : plusCodePoint(code)
  return point ? await pointAnswer(data, words, point) : nothing(words, NO_CODE)
}

const NO_CODE = 'This is no Plus Code. These are: 6FG22222+22, 2222+22 near the middle of the map, 2222+22 Lakeside.'

export async function middleOfIndex(reader: Reader): Promise<CodePoint> {
  const [extent] = await extentOfIndex(reader)
  const { minLon, minLat, maxLon, maxLat } = extent ?? {}
  return { lat: ((minLat ?? 0) + (maxLat ?? 0)) / 2, lon: ((minLon ?? 0) + (maxLon ?? 0)) / 2 }
}

/** A short code stands beside the name of a unit near by, as map services write it. */
async function codeNearUnit(data: MapData, words: string, code: string, name: string): Promise<SearchAnswer> {
  const [unit] = await unitsNamed(data.reader, name, 1)
  const [facts] = unit ? await unitFacts(data.reader, ...unitArgs(unitOfNames(unit))) : []
  if (!facts)
    return nothing(words, `No unit is named ${name}, so the place of ${code} is not known.`, waysToNames(name))
  const middle = { lat: (facts.minLat + facts.maxLat) / 2, lon: (facts.minLon + facts.maxLon) / 2 }
  const point = nearestPoint(code, middle)
  return point ? await pointAnswer(data, words, point) : nothing(words, NO_CODE)
}

async function pointAnswer({ reader }: MapData, words: string, point: CodePoint): Promise<SearchAnswer> {
  const [frame] = await framesAt(reader, [point.lon], [point.lat])
  const [lat, lon] = [roundedMiddle(point.lat), roundedMiddle(point.lon)]
  if (!frame) return nothing(words, `No frame contains ${lat}, ${lon} (latitude, longitude).`, waysToPoint(lat, lon))
  return { found: { pick: { kind: 'frames', ids: [frame.id] }, camera: { lat, lon, zoom: FRAME_ZOOM } } }
}

/** A person who writes the longitude first gets the other order as a link. */
function beyondAnswer(data: MapData, words: string, { lat, lon }: CodePoint): SearchAnswer {
  const fault =
    Math.abs(lat) > LAT_MAX
      ? `A latitude lies between -${LAT_MAX} and ${LAT_MAX}; ${lat} is none.`
      : `A longitude lies between -${LON_MAX} and ${LON_MAX}; ${lon} is none.`
  const swapped = { lat: lon, lon: lat }
  const text = `${lon}, ${lat}`
  const offer =
    isOnEarth(swapped) &&
    html` Are they swapped? <a href="${mapLink(data, { search: text })}">Latitude ${lon}, longitude ${lat}</a>`
  return {
    panel: {
      title: `Nothing found for “${words}”`,
      ways: undefined,
      body: html`<p>${fault}${offer}</p>
        <p class="quiet">No statement was run: no place has these degrees.</p>`,
    },
  }
}

const roundedMiddle = (degrees: number): number => Math.round(degrees * 1e6) / 1e6

async function unitAnswer(data: MapData, words: string): Promise<SearchAnswer> {
  const alike = await unitsNamed(data.reader, words, RESULTS_SHOWN)
  const exact = alike.filter(({ alike: likeness }) => likeness === 2)
  const [only] = exact
  if (only && exact.length === 1) return { found: { pick: { kind: 'unit', unit: unitOfNames(only) } } }
  if (alike.length === 0) return nothing(words, ADVICE, waysToNames(words))
  const lead = exact.length > 0 ? `${exact.length} units have this name.` : 'No unit has this name. These are alike:'
  return { panel: resultsPanel(data, words, lead, exact.length > 0 ? exact : alike) }
}

/** Finds the unit of these names, however they are written. */
export async function unitNamed({ reader }: MapData, unit: Unit): Promise<Unit | undefined> {
  const names = unitArgs(unit).flatMap((name) => name ?? [])
  const alike = await unitsNamed(reader, names.toReversed().join(' '), RESULTS_SHOWN)
  const known = alike.filter(({ alike: likeness }) => likeness === 2).map(unitOfNames)
  return known.find(({ level }) => level === unit.level)
}

const ADVICE =
  'Type the name or the code of a state, an LGA or a ward, a frame id, a latitude and a longitude such as "9.05, 7.49", or a Plus Code.'

const nothing = (words: string, advice: string, ways?: OtherWays): SearchAnswer => ({
  panel: { title: `Nothing found for “${words}”`, ways, body: html`<p>${advice}</p>` },
})

function resultsPanel(data: MapData, words: string, lead: string, units: readonly UnitFound[]): Panel {
  return {
    title: `Found for “${words}”`,
    ways: waysToNames(words),
    body: html`<p>${lead}</p>
      <ul class="results">
        ${units.map((unit) => html`<li>${unitLink(data, unit)} <span class="quiet">${unitLine(unit)}</span></li>`)}
      </ul>`,
  }
}
