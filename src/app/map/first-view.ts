/** Works out what a person sees first: the level that colours the map, and what the page says to a newcomer. */
import { type Corners, levelNoun, UNIT_LEVELS, type UnitPath } from '../../core/place.js'
import type { LegendRow, Outline } from './rows.js'
import { type MapData, mapLink } from './data.js'
import { outlineOfIndex } from './statements.js'
import { html, type Html } from '../shell/html.js'
import type { Reader } from '../../core/db/index.js'
import { indexGeneration } from '../../core/db/statements.js'

/** A usual window leaves so many pixels to the map. The script of the page knows its true size, and corrects the level. */
/** More frames are ranked in seconds, which is long for a first question. */
const RANKED_MAX = 50_000
const MAP_PIXELS = { width: 570, height: 700 }
const WORLD_OF_VIEW = 512
const ZOOM_MOST = 12.5
/** As map-style.ts. */
const WARDS_FROM = 8

export function firstLevel(
  { view }: MapData,
  corners: Corners | undefined,
  framesFrom: number,
): LegendRow['level'] | undefined {
  if (view.level === 'state') return 'state'
  const zoom = view.camera?.zoom ?? (corners && zoomOf(corners))
  if (zoom === undefined) return undefined
  if (zoom < 4) return 'state'
  if (view.level === 'ward') return zoom < WARDS_FROM ? 'lga' : 'ward'
  return zoom < framesFrom || view.level === 'lga' ? 'lga' : 'frame'
}

/** As map-view.ts fits an area into the window. */
function zoomOf([minLon, minLat, maxLon, maxLat]: Corners): number {
  const north = (lat: number) => Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)
  const [wide, high] = [(maxLon - minLon) / 360, north(maxLat) - north(minLat)]
  const { width, height } = MAP_PIXELS
  return Math.min(ZOOM_MOST, Math.log2(Math.min(width / (wide * WORLD_OF_VIEW), height / (high * WORLD_OF_VIEW))))
}

/** Says what a frame is, and offers questions that the datasets of the organisation can answer. */
export const welcomeOnMap = (data: MapData): Html =>
  html`<p class="quiet">
      A frame is a cell of the grid, 0.01° wide and high: about 1.1 km. Every dataset has its values by frame.
    </p>
    ${questionList(data, questionsFor(data))}`

/** Its frames, and the units in it, are what a person looks for in a unit. */
export function questionsOfUnit(data: MapData, unit: UnitPath, frames: number): Html {
  const things = thingsOf(data)
  const below = UNIT_LEVELS[unit.length]
  return questionList(data, [
    ...(things && frames <= RANKED_MAX ? [`Which 5 frames have the most ${things}?`] : []),
    ...(things && below ? [`Which ${levelNoun(below)} has the most ${things}?`] : []),
  ])
}

const questionList = (data: MapData, questions: readonly string[]): Html =>
  html`<ul class="row close" aria-label="Questions to begin with">
    ${questions.map((question) => html`<li><a href="${mapLink(data, { pick: data.view.pick, question })}">${question}</a></li>`)}
  </ul>`

const QUESTIONS_MOST = 3

/** The plural of the things that the map counts, such as people; else of the first attribute that has a plural. */
function thingsOf({ colour, colours }: MapData): string | null | undefined {
  const sums = [colour, ...colours].filter(
    (each) => each?.dataset.kind === 'frames' && each.attribute.summary === 'sum' && each.attribute.plural !== null,
  )
  return sums[0]?.attribute.plural
}

function questionsFor(data: MapData): string[] {
  const things = thingsOf(data)
  const features = data.colours.find(({ dataset }) => dataset.kind === 'points')?.dataset.name.toLowerCase()
  return [
    ...(things ? [`How many ${things} are there?`, `Which ${levelNoun('state')} has the most ${things}?`] : []),
    ...(features === undefined
      ? []
      : [`Which ${levelNoun('lga')} has the most ${features}?`, `How many ${features} are there?`]),
    ...(things ? [`${things} per square kilometre`] : []),
  ].slice(0, QUESTIONS_MOST)
}

/** Keeps the outline of one index: to make it takes as long as all other reads of the page. */
export function skeletons(): (reader: Reader) => Promise<Html | false> {
  let kept: { generation: string; outline: Outline | undefined } | undefined
  return async (reader) => {
    const generation = JSON.stringify(await indexGeneration(reader))
    if (kept?.generation !== generation) kept = { generation, outline: (await outlineOfIndex(reader))[0] }
    const { outline } = kept
    return (
      outline !== undefined &&
      html`<svg id="map-skeleton" viewBox="0 -${outline.height} 1000 ${outline.height}" aria-hidden="true">
        <path d="${outline.path}"></path>
      </svg>`
    )
  }
}
