/** Draws the value that the map is coloured by, large and before all others, with its place among its neighbours. */
import { FEATURES, figureText, intervalText, type Profile, sumOf, type UnitFigure } from '../../core/figures/index.js'
import type { FrameRecords } from '../../core/datasets/index.js'
import type { FrameAmong, UnitFacts } from './rows.js'
import type { FrameRow } from '../../core/db/index.js'
import { placeName } from '../../core/place-name.js'
import { levelOf, levelPlural, setOf } from '../../core/place.js'
import { html, type Html } from '../shell/html.js'
import type { Colour, MapData } from './data.js'
import { interval as intervalOf, profileByUnit } from '../../core/db/statements.js'
import { showsDensity } from './legend.js'
import { frameAmong } from './statements.js'
import { intervalOf as intervalOfFigure } from './totals.js'
import { argsBelow, count, coverageText, pathOf, perKm2, provenance, valueText } from './words.js'

/** The frames of a larger LGA are not ranked: the read takes 3 ms for each thousand. */
const RANKED_MOST = 20_000

/** A number has its place in the LGA, and the mean over the frames of the state. */
export async function chosenOfFrame(
  { reader, colour }: MapData,
  frame: FrameRow,
  { records }: FrameRecords,
): Promise<Html | false> {
  if (!colour) return false
  const { id, state, lga } = frame
  const { dataset, attribute } = colour
  const subject = attribute.name === FEATURES ? null : attribute.name
  const isRanked = attribute.type === 'number' && state !== null && lga !== null
  const [[among], [interval]] = await Promise.all([
    isRanked ? frameAmong(reader, id, state, lga, dataset.layerId, subject, RANKED_MOST) : [],
    attribute.interval === null ? [] : intervalOf(reader, sumOf([id], dataset.layerId, attribute.name)),
  ])
  const found = [...records].find(([{ layerId }]) => layerId === dataset.layerId)?.[1]
  // A frame outside the units has no neighbours, and may have more features than a record lists.
  const listed = subject === null ? String(found?.features?.length ?? 0) : recordedValue(found?.values, subject)
  const isCut = subject === null && !among && found?.truncated === true
  const value = among?.number ?? listed
  return chosenBlock(colour, {
    value: value === undefined ? 'no value' : `${valueText(value, attribute.unit)}${isCut ? ' and more' : ''}`,
    note: among && amongText(among, attribute.unit, frame),
    interval:
      interval && interval.lower !== interval.upper ? intervalText(interval, interval.draws !== null) : undefined,
  })
}

function recordedValue(recorded: string | undefined, name: string): string | undefined {
  const value = recorded === undefined ? null : (JSON.parse(recorded) as Record<string, string | null>)[name]
  return value === null || value === undefined || value.trim() === '' ? undefined : value
}

function amongText({ place, frames, mean }: FrameAmong, unit: string | null, { state, lga }: FrameRow): string {
  return [
    place !== null &&
      `Rank ${place.toLocaleString('en')} of ${count(frames, 'frame', 'frames')} in ${placeName(lga ?? '')}.`,
    mean !== null && `The frames of ${placeName(state ?? '')} have ${valueText(mean, unit)} on average.`,
  ]
    .filter((part) => part !== false)
    .join(' ')
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The rank of a unit is that among the units of its level in the unit above; on paper, where it is read, among all, too. */
export async function chosenOfUnit(
  data: MapData,
  facts: UnitFacts,
  profile: Profile | undefined,
  isOnPaper = false,
): Promise<Html | false> {
  const { colour, reader } = data
  if (colour?.attribute.type !== 'number') return chosenOfTotals(data, profile)
  const { dataset, attribute } = colour
  const unit = pathOf(facts)
  const above = unit.at(-2)
  const [set, level] = argsBelow(unit.slice(0, -1))
  const unitsIn = (area: string[]) => profileByUnit(reader, area, level, dataset.layerId, attribute.name)
  const [siblings, all] = await Promise.all([
    unitsIn(set),
    isOnPaper && above !== undefined && unitsIn(setOf({ unit: [] })),
  ])
  const own = siblings.find(({ state, lga, ward }) => state === facts.state && lga === facts.lga && ward === facts.ward)
  if (own === undefined || own.number === null) return chosenOfTotals(data, profile)
  const isSum = attribute.summary === 'sum' && own.km2 !== null && own.km2 > 0
  const isByDensity = isSum && showsDensity(colour, data.view)
  const place = (units: readonly UnitFigure[], where: string) => {
    const { rank, among } = rankOf(own, units, isByDensity ? densityOf : totalOf)
    return `${rank.toLocaleString('en')} of ${where === '' ? 'all ' : ''}${among.toLocaleString('en')} ${levelPlural(levelOf(unit))}${where}`
  }
  const places = [
    place(siblings, above === undefined ? '' : ` in ${placeName(above)}`),
    ...(all ? [place(all, '')] : []),
  ].join(', ')
  const density = isSum && `${valueText(perKm2(own.number, own.km2 ?? 1), attribute.unit)} per km²`
  if (isByDensity) return chosenOfTotals(data, profile, `Rank ${places} by density, ${density}.`)
  return chosenOfTotals(data, profile, `Rank ${places}${isSum ? ` by total. ${density}` : ''}.`)
}

type Measure = (unit: UnitFigure) => number

const totalOf: Measure = ({ number }) => (number === null ? NaN : Number(number))
const densityOf: Measure = ({ number, km2 }) => (number === null || !km2 ? NaN : Number(number) / km2)

/** A larger unit has a larger sum: the rank is by what the map is coloured by. Units without a number have none. */
function rankOf(own: UnitFigure, units: readonly UnitFigure[], measure: Measure): { rank: number; among: number } {
  const numbers = units.map(measure).filter((number) => !Number.isNaN(number))
  return { rank: 1 + numbers.filter((number) => number > measure(own)).length, among: numbers.length }
}

/** The profile of a place has the figure of the attribute, unless it has none. */
export function chosenOfTotals({ colour }: MapData, profile: Profile | undefined, more?: string): Html | false {
  const figure = profile?.figures.find(
    ({ dataset, attribute }) => dataset.layerId === colour?.dataset.layerId && attribute === colour.attribute.name,
  )
  if (!colour || !figure || figure.summary === 'none') return false
  const { recorded, frames } = figure
  const isShare = figure.attribute !== FEATURES && recorded < frames
  return chosenBlock(colour, {
    value: figureText(figure) ?? 'no total',
    note: [more, isShare && `Recorded on ${coverageText(recorded, frames)} of the frames.`]
      .filter((part) => part !== undefined && part !== false)
      .join(' '),
    interval: intervalOfFigure(figure),
  })
}

const chosenBlock = (
  { dataset, attribute }: Colour,
  { value, note, interval }: { value: string; note?: string | undefined; interval?: string | undefined },
) =>
  html`<div class="chosen-value">
    <p class="quiet small">
      ${[attribute.label, provenance(attribute.method, dataset.vintage, attribute.label)].filter((part) => part !== '').join(' · ')}
    </p>
    <p class="large">${value}</p>
    ${note !== undefined && note !== '' && html`<p class="quiet">${note}</p>`}
    ${interval !== undefined && html`<p class="quiet">${sentence(interval)}.</p>`}
  </div>`
