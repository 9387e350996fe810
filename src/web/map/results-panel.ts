/** Looks for what a person typed: a frame id, a place, or the name of a unit. */
import { framesAt, framesById } from '../../db/statements.js'
import { isFrameId } from '../../frame-id.js'
import { html } from '../html.js'
import { coordinatesOf } from './coordinates.js'
import type { MapData } from './data.js'
import type { Panel } from './panel.js'
import { looksLikePlusCode, plusCodePoint, type Point } from './plus-code.js'
import { unitsNamed, type UnitFound } from './statements.js'
import type { MapView } from './view.js'
import { count, levelName, unitLink, unitOf } from './words.js'

/** A person looks through as many units. */
const UNITS_SHOWN = 12
/** The map comes so near to a frame that its neighbours can be told apart. */
const FRAME_ZOOM = 12

/** The page goes to the one thing that was found, or a panel lists what is alike. */
export type SearchAnswer = { found: Pick<MapView, 'pick' | 'camera'> } | { panel: Panel }

export async function searchAnswer(data: MapData, words: string): Promise<SearchAnswer> {
  if (isFrameId(words)) return await frameAnswer(data, words)
  const compact = words.replace(/\s+/g, '')
  if (looksLikePlusCode(compact)) return await pointAnswer(data, words, plusCodePoint(compact))
  const point = coordinatesOf(words)
  return point ? await pointAnswer(data, words, point) : await unitAnswer(data, words)
}

async function frameAnswer({ reader }: MapData, id: string): Promise<SearchAnswer> {
  const [frame] = await framesById(reader, [id])
  return frame ? { found: { pick: { kind: 'frames', ids: [id] } } } : nothing(id, `The index has no frame ${id}.`)
}

async function pointAnswer({ reader }: MapData, words: string, point: Point | undefined): Promise<SearchAnswer> {
  if (!point) return nothing(words, 'Only full Plus Codes are read, such as 6FG22222+22, without the name of a town.')
  const [frame] = await framesAt(reader, [point.lon], [point.lat])
  const place = `${rounded(point.lat)}, ${rounded(point.lon)}`
  if (!frame) return nothing(words, `No frame contains ${place} (latitude, longitude).`)
  const camera = { lat: rounded(point.lat), lon: rounded(point.lon), zoom: FRAME_ZOOM }
  return { found: { pick: { kind: 'frames', ids: [frame.id] }, camera } }
}

const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6

async function unitAnswer(data: MapData, words: string): Promise<SearchAnswer> {
  const alike = await unitsNamed(data.reader, words, UNITS_SHOWN)
  const exact = alike.filter(({ alike: likeness }) => likeness === 2)
  const [only] = exact
  if (only && exact.length === 1) return { found: { pick: { kind: 'unit', unit: unitOf(only) } } }
  if (alike.length === 0) {
    return nothing(words, 'Type the name of a state, an LGA or a ward, a frame id, "9.05, 7.49", or a full Plus Code.')
  }
  const lead = exact.length > 0 ? `${exact.length} units have this name.` : 'No unit has this name. These are alike:'
  return { panel: resultsPanel(data, words, lead, exact.length > 0 ? exact : alike) }
}

const nothing = (words: string, advice: string): SearchAnswer => ({
  panel: { title: `Nothing found for “${words}”`, body: html`<p>${advice}</p>` },
})

function resultsPanel(data: MapData, words: string, lead: string, units: readonly UnitFound[]): Panel {
  const line = (unit: UnitFound) => {
    const above = [unit.ward === null ? null : unit.lga, unit.lga === null ? null : unit.state]
    const namesAbove = above.filter((name) => name !== null)
    return html`<li>
      ${unitLink(data, unit)}
      <span class="quiet">
        ${[levelName(unitOf(unit)), ...namesAbove, count(unit.frames, 'frame', 'frames')].join(' · ')}
      </span>
    </li>`
  }
  return {
    title: `Found for “${words}”`,
    body: html`<p>${lead}</p>
      <ul class="results">
        ${units.map(line)}
      </ul>`,
  }
}
