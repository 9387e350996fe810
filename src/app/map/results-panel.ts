/** Looks for what a person typed: a frame id, a place, or the name or code of a unit. */
import { framesAt, framesById } from '../../core/db/statements.js'
import type { UnitFound } from './rows.js'
import { html, type Html } from '../shell/html.js'
import type { UnitPath } from '../../core/place.js'
import type { OtherWays } from '../shell/show-sql.js'
import { mapLink, type MapData } from './data.js'
import { waysToFrame, waysToNames, waysToPoint } from './other-ways.js'
import type { Panel } from './panel.js'
import { beyondNote, noFrameAtText, type Point, roundedPoint, searchedPlace } from './searched-place.js'
import { unitsNamed } from './statements.js'
import type { MapView } from './view.js'
import { noFrameText, pathOf, unitLine, unitLink } from './words.js'

/** A person looks through as many units. */
const RESULTS_SHOWN = 12
/** The map comes so near to a frame that its neighbours can be told apart. */
const FRAME_ZOOM = 12

/** The page goes to the one thing that was found or asks a question; or a panel lists what is alike. */
export type SearchAnswer = { found: Partial<MapView> } | { panel: Panel }

export async function searchAnswer(data: MapData, words: string): Promise<SearchAnswer> {
  const place = searchedPlace(words)
  switch (place.is) {
    case 'frame':
      return await frameAnswer(data, words)
    case 'point':
      return await pointAnswer(data, words, place.point)
    case 'beyond':
      return beyondAnswer(data, words, place.pair)
    case 'name':
      return await unitAnswer(data, words)
  }
}

async function frameAnswer({ reader }: MapData, id: string): Promise<SearchAnswer> {
  const [frame] = await framesById(reader, [id])
  if (frame) return { found: { pick: { frames: [id] } } }
  return nothing(id, noFrameText([id]), waysToFrame(id, []))
}

async function pointAnswer({ reader }: MapData, words: string, point: Point): Promise<SearchAnswer> {
  const [frame] = await framesAt(reader, [point.lon], [point.lat])
  const { lat, lon } = roundedPoint(point)
  if (!frame) return nothing(words, noFrameAtText(point), waysToPoint(lat, lon))
  return { found: { pick: { frames: [frame.id] }, camera: { lat, lon, zoom: FRAME_ZOOM } } }
}

const beyondAnswer = (data: MapData, words: string, pair: Point): SearchAnswer => ({
  panel: {
    title: `Nothing found for “${words}”`,
    ways: undefined,
    body: html`<p>${beyondNote(pair, (search) => mapLink(data, { search }))}</p>
      <p class="quiet">No statement was run: no place has these degrees.</p>`,
  },
})

async function unitAnswer(data: MapData, words: string): Promise<SearchAnswer> {
  const alike = await unitsNamed(data.reader, words, RESULTS_SHOWN)
  const exact = alike.filter(({ alike: likeness }) => likeness === 2)
  const [only] = exact
  if (only && exact.length === 1) return { found: { pick: { unit: pathOf(only) } } }
  if (exact.length === 0 && isQuestion(data, words))
    return { found: { pick: data.view.pick, camera: data.view.camera, question: words } }
  if (alike.length === 0) return nothing(words, html`${ADVICE} ${otherMeans(data, words)}`, waysToNames(words))
  const lead = exact.length > 0 ? `${exact.length} units have this name.` : 'No unit has this name. These are alike:'
  return { panel: resultsPanel(data, words, lead, exact.length > 0 ? exact : alike) }
}

const QUESTION =
  /\?\s*$|^(?:how|which|what|who|where|when|is|are|do|does|tell|compare|list|share|average|total|top)\b|\b(?:most|least|fewest|(?:high|low|larg|small)est)\b/i
/** No name of a unit with those of the units above it has more. */
const NAME_WORDS_MAX = 8
const WORDS = /\p{L}{4,}/gu

/** Names of datasets and attributes, and the things that they count, are words of questions. */
function isQuestion({ colours }: MapData, words: string): boolean {
  const known = colours
    .filter(({ isName }) => !isName)
    .flatMap(({ dataset, attribute: { label, noun, plural } }) => [dataset.name, label, noun, plural])
  const topics = new Set(known.join(' ').toLowerCase().match(WORDS))
  return (
    QUESTION.test(words) ||
    words.split(/\s+/).length > NAME_WORDS_MAX ||
    (words.toLowerCase().match(WORDS) ?? []).some((word) => topics.has(word))
  )
}

const otherMeans = (data: MapData, words: string): Html =>
  html`<p>
    <a href="${mapLink(data, { pick: data.view.pick, question: words })}">Ask it as a question</a> or
    <a href="${data.path.replace(/map$/, 'find')}?q=${encodeURIComponent(words)}"
      >find it among datasets, keys and requests</a
    >.
  </p>`

/** Finds the unit of these names, however they are written. */
export async function unitNamed({ reader }: MapData, unit: UnitPath): Promise<UnitPath | undefined> {
  const alike = await unitsNamed(reader, unit.toReversed().join(' '), RESULTS_SHOWN)
  const known = alike.filter(({ alike: likeness }) => likeness === 2).map(pathOf)
  return known.find(({ length }) => length === unit.length)
}

const ADVICE = html`<p>
  Type the name or the code of a state, an LGA or a ward, a frame id, or a latitude and a longitude such as "9.05,
  7.49".
</p>`

const nothing = (words: string, advice: Html | string, ways?: OtherWays): SearchAnswer => ({
  panel: {
    title: `Nothing found for “${words}”`,
    ways,
    body: html`${typeof advice === 'string' ? html`<p>${advice}</p>` : advice}`,
  },
})

function resultsPanel(data: MapData, words: string, lead: string, units: readonly UnitFound[]): Panel {
  return {
    title: `Found for “${words}”`,
    ways: waysToNames(words),
    body: html`<p>${lead}</p>
      <ul class="results">
        ${units.map((unit) => html`<li>${unitLink(data, pathOf(unit))} <br /><span class="quiet small">${unitLine(pathOf(unit), unit.frames)}</span></li>`)}
      </ul>
      ${otherMeans(data, words)}`,
  }
}
