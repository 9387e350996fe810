/** Draws the legend: the classes of each level, in the unit of the attribute, and how the values came about. */
import { html, type Html } from '../shell/html.js'
import { CLASS_COLOURS, classColours } from './class-colours.js'
import { classBounds, type Spread } from './classing.js'
import { changeClasses, changeList, changeOf, haveOneMeasure, labelOfChange, type Change } from './change.js'
import { besideOf, FEATURES, type Colour, type MapData, type MapDataset } from './data.js'
import { marksList } from './feature-marks.js'
import { bothForm, legendForm } from './legend-form.js'
import { densitiesOfAttribute, legendOfAttribute, type Density, type LegendRow } from './statements.js'
import { choiceText } from './view.js'
import { priceText, provenance } from './words.js'

/** Numbers have seven classes. The first twelve categories by name have a colour each, and all others share one. */
const COLOURS = 7

/** The map is coloured by another level at each zoom. */
const LEVEL_NOUNS: Readonly<Record<LegendRow['level'], string>> = {
  state: 'states',
  lga: 'LGAs',
  ward: 'wards',
  block: 'blocks of 0.1°',
  frame: 'frames',
}

/** The numbers of a level, and the bounds of their classes. */
type Level = {
  level: LegendRow['level']
  lacking: number
  spread: Spread | undefined
  bounds: number[]
  isDensity: boolean
}

/** Larger areas have larger sums: a map of sums shows areas, unless it divides by them. */
export const showsDensity = ({ attribute }: Colour, { per }: MapData['view']): boolean =>
  attribute.summary === 'sum' && per !== 'total'

/** `like`: the colour of the other map, whose classes this one takes where it can. */
type LegendName = { id: string; label: string; like?: Colour | undefined }

const FIRST_LEGEND: LegendName = { id: 'legend', label: 'Legend' }

/** `first`: the level that a page shows before its script runs; undefined where the script chooses among all. */
export async function legendSection(
  data: MapData,
  first?: LegendRow['level'],
  { id, label, like }: LegendName = FIRST_LEGEND,
): Promise<Html> {
  const { colour } = data
  // The first legend has the form and the marks of both maps.
  const isFirst = id === FIRST_LEGEND.id
  const marks = isFirst && marksList(data)
  if (!colour)
    return html`<section id="${id}" class="legend" aria-label="${label}">${uncolouredNote(data)} ${marks}</section>`
  const change = isFirst && changeOf(data)
  if (change) return await changeLegend(data, change, marks)
  const { dataset, attribute } = colour
  const isAlike = like !== undefined && haveOneMeasure(like, colour)
  const [{ rows, levels: own }, other] = await Promise.all([
    readLevels(data, colour),
    isAlike && readLevels(data, like),
  ])
  const isCategory = attribute.type === 'category'
  const classes = isCategory ? (rows[0]?.classes ?? []) : []
  const levels = other ? own.map((level) => inClassesOf(other.levels, level)) : own
  return html`<section
    id="${id}"
    class="legend"
    aria-label="${label}"
    data-dataset="${dataset.layerId}"
    data-attribute="${attribute.name}"
    data-label="${attribute.label}"
    data-unit="${attribute.unit ?? ''}"
    data-summary="${attribute.name === FEATURES ? FEATURES : attribute.summary}"
    data-per="${showsDensity(colour, data.view) ? 'km2' : 'total'}"
    data-bounds="${JSON.stringify(Object.fromEntries(levels.map(({ level, bounds }) => [level, bounds])))}"
    data-zeros="${JSON.stringify(levels.flatMap(({ level, spread }) => (spread?.isZeroApart ? level : [])))}"
    ${attribute.interval !== null && html`data-unsure`}
    data-classes="${JSON.stringify(classes)}"
    data-colours="${JSON.stringify(classColours(classes))}"
  >
    <details open>
      <summary><h2>${attribute.label}</h2></summary>
      <p class="quiet">
        ${[attribute.unit, provenance(attribute.method, dataset.vintage)].filter(Boolean).join(' · ')}
      </p>
      ${isCategory ? categoryList(classes, rows) : levels.map((level) => classList(level, colour, first))}
      ${attribute.interval !== null && unsureList(attribute.interval)}
      ${isFirst && !isCategory && legendForm(data, colour)} ${marks} ${licenceLine(dataset)}
    </details>
    ${isFirst && bothForm(data)}
  </section>`
}

/** One map shows the change: its legend has the same classes at every level. */
async function changeLegend(data: MapData, change: Change, marks: Html | false): Promise<Html> {
  const { from, to } = change
  const classes = await changeClasses(data.reader, change)
  const before = choiceText({ dataset: from.dataset.layerId, attribute: from.attribute.name })
  return html`<section
    id="${FIRST_LEGEND.id}"
    class="legend"
    aria-label="${FIRST_LEGEND.label}"
    data-dataset="${to.dataset.layerId}"
    data-attribute="${to.attribute.name}"
    data-label="${labelOfChange(change)}"
    data-unit="${to.attribute.unit ?? ''}"
    data-summary="${to.attribute.summary}"
    data-change="${JSON.stringify({ before, ...classes })}"
  >
    <details open>
      <summary><h2>${labelOfChange(change)}</h2></summary>
      <p class="quiet">
        ${['in percent', provenance(to.attribute.method, to.dataset.vintage)].filter(Boolean).join(' · ')}
      </p>
      ${changeList(classes)} ${marks} ${licenceLine(to.dataset)}
    </details>
    ${bothForm(data)}
  </section>`
}

async function readLevels({ reader, view }: MapData, colour: Colour) {
  const { dataset, attribute } = colour
  const [rows, densities] = await Promise.all([
    legendOfAttribute(reader, dataset.layerId, attribute.name),
    showsDensity(colour, view) ? densitiesOfAttribute(reader, dataset.layerId, attribute.name) : [],
  ])
  return { rows, levels: attribute.type === 'category' ? [] : levelsOf(rows, densities, colour, view.classes) }
}

function inClassesOf(levels: readonly Level[], own: Level): Level {
  const other = levels.find(({ level }) => level === own.level)
  if (!own.spread || !other?.spread) return own
  const { isZeroApart, isWhole } = other.spread
  if (own.spread.isZeroApart !== isZeroApart || own.spread.isWhole !== isWhole) return own
  const lowest = Math.min(own.spread.lowest, other.spread.lowest)
  const highest = Math.max(own.spread.highest, other.spread.highest)
  return { ...own, bounds: other.bounds, spread: { ...own.spread, lowest, highest } }
}

const BESIDE_LEGEND: LegendName = { id: 'legend-beside', label: 'Legend of the second map' }

/** The script finds an empty section where there is one map. */
export async function besideLegend(data: MapData, first?: LegendRow['level']): Promise<Html> {
  const beside = changeOf(data) ? undefined : besideOf(data)
  return beside
    ? await legendSection(beside, first, { ...BESIDE_LEGEND, like: data.colour })
    : html`<section id="${BESIDE_LEGEND.id}" class="legend" hidden></section>`
}

/** A dataset that costs credits is named with its price: Ask reads it, after a yes. */
function uncolouredNote({ view, priced }: MapData): Html {
  const chosen = priced.find(({ layerId }) => layerId === view.dataset)
  if (!chosen) return html`<p>No dataset that you can read has an attribute to colour the map by.</p>`
  return html`<p>${chosen.name}: reading costs ${priceText(chosen.price ?? 0)}, so the map is not coloured by it.</p>`
}

function levelsOf(
  rows: readonly LegendRow[],
  densities: readonly Density[],
  colour: Colour,
  classes: MapData['view']['classes'],
): Level[] {
  const areSumsWhole = areWhole(rows, colour)
  return rows.map((row) => {
    const density = densities.find(({ level }) => level === row.level)
    const isWhole = density === undefined && (areSumsWhole || row.level === 'frame') && hasWholeBounds(row)
    const spread = spreadOf(density ?? row, colour, isWhole)
    return {
      level: row.level,
      lacking: row.lacking,
      spread,
      bounds: spread ? classBounds(spread, classes ?? 'quantiles') : [],
      isDensity: density !== undefined,
    }
  })
}

type Numbers = Pick<LegendRow | Density, 'lowest' | 'highest' | 'breaks' | 'bins'>

/** Undefined where nothing is recorded. */
function spreadOf({ lowest, highest, breaks, bins }: Numbers, { attribute }: Colour, isWhole: boolean) {
  if (lowest === null || highest === null) return undefined
  // The numbers of features are those above 0, and 0 is no missing value.
  const isCount = attribute.name === FEATURES
  const isZeroApart = isCount || Number(lowest) === 0
  return {
    lowest: isZeroApart ? 0 : Number(lowest),
    highest: Number(highest),
    breaks: breaks.map(Number),
    bins,
    isZeroApart,
    isWhole,
  }
}

function classList(
  { level, lacking, spread, bounds, isDensity }: Level,
  { attribute }: Colour,
  first: LegendRow['level'] | undefined,
): Html {
  const isZeroApart = spread?.isZeroApart === true
  const texts = spread ? classTexts([...bounds, spread.highest], spread) : []
  const colours = isZeroApart ? texts.length - 1 : texts.length
  const measure = isDensity
    ? [attribute.unit, 'per km²'].filter(Boolean).join(' ')
    : level !== 'frame' && attribute.summary !== 'sum'
      ? 'mean'
      : ''
  return html`<div class="classes" data-level="${level}" ${first !== undefined && first !== level && html`hidden`}>
    <p class="quiet">${[LEVEL_NOUNS[level], measure].filter(Boolean).join(', ')}</p>
    <ul class="bare">
      ${texts.map((text, i) =>
        isZeroApart && i === 0
          ? html`<li class="swatch ramp-zero">${text}</li>`
          : html`<li class="swatch ramp-${rampPlace(isZeroApart ? i - 1 : i, colours)}">${text}</li>`,
      )}
      ${lacking > 0 && attribute.name !== FEATURES && html`<li class="swatch no-value">no value</li>`}
    </ul>
  </div>`
}

const hasWholeBounds = ({ lowest, highest, breaks }: LegendRow): boolean =>
  [lowest, highest, ...breaks].every((bound) => bound === null || Number.isInteger(Number(bound)))

/** Frames show whether values are whole numbers. Sums of such are whole, too, and means are not. */
const areWhole = (rows: readonly LegendRow[], { attribute: { name, summary } }: Colour): boolean =>
  name === FEATURES || (summary === 'sum' && rows.some((row) => row.level === 'frame' && hasWholeBounds(row)))

/** Few classes take their colours from the whole ramp. */
const rampPlace = (i: number, of: number): number => (of <= 1 ? 4 : 1 + Math.round((i * (COLOURS - 1)) / (of - 1)))

/** A class of whole numbers begins one above the end of the class before it. */
const classTexts = (ends: readonly number[], { lowest, isWhole, isZeroApart }: Spread): string[] =>
  ends.map((end, i) => {
    const from = i === 0 ? lowest : (ends[i - 1] ?? lowest) + (isWhole ? 1 : 0)
    if (from === end) return number(end)
    if (isZeroApart && i === 1 && !isWhole) return `up to ${number(end)}`
    return `${number(from)}${from < 0 ? ' to ' : '–'}${number(end)}`
  })

/** Writes as many digits as tell classes apart. */
const number = (value: number): string =>
  value.toLocaleString('en', Math.abs(value) < 1000 ? { maximumSignificantDigits: 4 } : { maximumFractionDigits: 0 })

const categoryList = (classes: readonly string[], rows: readonly LegendRow[]): Html => {
  if (classes.length === 0 && rows.some(({ recorded }) => recorded > 0)) return tooManyValues
  const others = classes.length - CLASS_COLOURS
  const colours = classColours(classes)
  return html`<div class="classes" data-level="all">
    <ul class="bare">
      ${colours.map((colour, i) => html`<li class="swatch class-${colour}">${classes[i]}</li>`)}
      ${others > 0 && html`<li class="swatch class-other">${others} others</li>`}
      <li class="swatch no-value">no value</li>
    </ul>
  </div>`
}

/** Bounds of a dataset's file are those of frames: its sums have none. */
const unsureList = (kind: 'draws' | 'bounds') =>
  html`<ul class="bare">
    <li class="swatch unsure-1">${kind === 'draws' ? '95 % interval' : 'bounds'} wider than half the value</li>
    <li class="swatch unsure-2">wider than the value</li>
  </ul>`

/** Function classes_keep keeps no classes of such an attribute, so units have no commonest one. */
const tooManyValues = html`<div class="classes" data-level="all">
  <p class="quiet">more than 200 different values</p>
  <ul class="bare">
    <li class="swatch class-other">any value of a frame</li>
    <li class="swatch no-value">no value, or no commonest</li>
  </ul>
</div>`

const licenceLine = ({ owner, isOwn }: MapDataset): Html =>
  html`<p class="quiet">Source: ${owner} · ${isOwn ? 'your own' : 'free'}</p>`
