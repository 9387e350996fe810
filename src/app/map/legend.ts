/** Draws the legend: the classes of each level, in the unit of the attribute, and how the values came about. */
import { barsOf, brushForm, brushLink, histogram } from './brush.js'
import { changeClasses, type ChangeOnMap, changeOnMap, haveOneMeasure, labelOfChange } from './change.js'
import { classesOf, type Paint } from './classes.js'
import type { Density, LegendRow } from './rows.js'
import { CLASS_COLOURS, classBounds, type Classing, classColours, type Spread, usualClassing } from './classing.js'
import { besideOf, type Colour, type MapData, type MapDataset } from './data.js'
import { marksList } from './marks-list.js'
import { bothForm, CLASSING_NAMES, legendForm, levelForm } from './toolbar.js'
import { densitiesOfAttribute, legendOfAttribute } from './statements.js'
import { priceText, provenance } from './words.js'
import { html, type Html } from '../shell/html.js'
import { FEATURES, type UnitFigure, unitOfOne } from '../../core/figures/index.js'

/** Numbers have seven classes. The first twelve categories by name have a colour each, and all others share one. */
const COLOURS = 7

/** The map is coloured by another level at each zoom. The table has wards. */
const LEVEL_NOUNS: Readonly<Record<LegendRow['level'], string>> = {
  state: 'states',
  lga: 'LGAs',
  ward: 'wards',
  frame: 'frames',
}

/** The numbers of a level, and the bounds of their classes. */
type LegendLevel = {
  level: LegendRow['level']
  /** Some of its units or frames have no value. */
  hasGaps: boolean
  spread: Spread | undefined
  classing: Classing | undefined
  bounds: number[]
  isDensity: boolean
}

/** Larger areas have larger sums: a map of sums shows areas, unless it divides by them. */
export const showsDensity = ({ attribute }: Colour, { per }: MapData['view']): boolean =>
  attribute.summary === 'sum' && per !== 'total'

/** `like`: the colour of the other map, whose classes this one takes where it can. */
type LegendName = { id: string; label: string; like?: Colour | undefined }

const FIRST_LEGEND: LegendName = { id: 'legend', label: 'Legend' }

/** The name of the colour of a unit; undefined where it has no value. */
export function paintOf(
  paint: Paint,
  level: LegendRow['level'],
  { number, km2, class: commonest }: Pick<UnitFigure, 'number' | 'km2' | 'class'>,
): string | undefined {
  const { palette, classOf } = classesOf(paint, level)
  return palette[classOf({ value: commonest ?? (number === null ? null : Number(number)), km2: km2 ?? 0 })]
}

/** The colours and the list of classes of one level, apart from the map. */
export const legendOfLevel = (data: MapData, colour: Colour, level: LegendRow['level']): Promise<LegendPart> =>
  valuesPart(data, colour, { first: level })

type LegendPart = {
  title: string
  measure: string | null
  summary: string
  paint: Paint
  list: Html
  unsure?: Html | false
}

/** `first`: the level that a page shows before its script runs; undefined where the script chooses among all. */
export async function legendSection(
  data: MapData,
  first?: LegendRow['level'],
  name: LegendName = FIRST_LEGEND,
): Promise<Html> {
  const { id, label } = name
  const { colour } = data
  // The first legend has the form and the marks of both maps.
  const isFirst = id === FIRST_LEGEND.id
  const marks = isFirst && marksList(data)
  if (!colour)
    return html`<section id="${id}" class="legend" aria-label="${label}">${uncolouredNote(data)} ${marks}</section>`
  const { dataset, attribute } = colour
  const change = isFirst && changeOnMap(data)
  const { title, measure, summary, paint, list, unsure } = change
    ? await changePart(data, change)
    : await valuesPart(data, colour, { first, like: name.like, isBrushed: isFirst })
  return html`<section
    id="${id}"
    class="legend"
    aria-label="${label}"
    data-dataset="${dataset.layerId}"
    data-attribute="${attribute.name}"
    data-version="${dataset.version}"
    data-label="${title}"
    data-unit="${attribute.unit ?? ''}"
    data-one="${unitOfOne(attribute.unit ?? '')}"
    data-summary="${summary}"
    data-level="${data.view.level}"
    ${isFirst && !change && html`data-from="${data.view.brush?.from}" data-to="${data.view.brush?.to}"`}
    data-paint="${JSON.stringify(paint)}"
    ${!change && attribute.interval !== null && html`data-interval="${attribute.interval}"`}
  >
    <details open>
      <summary><h2>${title}</h2></summary>
      <p class="quiet">
        ${[measure, provenance(attribute.method, dataset.vintage, attribute.label)].filter(Boolean).join(' · ')}
      </p>
      ${list} ${unsure} ${isFirst && 'levels' in paint && legendForm(data, colour)} ${marks} ${licenceLine(dataset)}
    </details>
    ${isFirst && levelForm(data, colour)} ${isFirst && bothForm(data)}
  </section>`
}

/** One map shows the change: its legend has the same classes at every level. */
async function changePart({ reader }: MapData, change: ChangeOnMap): Promise<LegendPart> {
  const { dataset, attribute } = change.from
  const { steps, texts, colours } = await changeClasses(reader, change)
  return {
    title: labelOfChange(change),
    measure: 'in percent',
    summary: 'change',
    paint: {
      before: { dataset: dataset.layerId, attribute: attribute.name, version: dataset.version },
      steps,
      colours,
    },
    list: classList([...texts.map((text, i) => swatch(colours[i], text)), noValue('no value, or none before')]),
    unsure:
      change.to.attribute.interval !== null &&
      html`<ul class="bare long">
        ${swatch('unsure-1', 'a change within its uncertainty')}
      </ul>`,
  }
}

async function valuesPart(
  data: MapData,
  colour: Colour,
  {
    first,
    like,
    isBrushed = false,
  }: { first?: LegendRow['level'] | undefined; like?: Colour | undefined; isBrushed?: boolean },
): Promise<LegendPart> {
  const { label: title, unit: measure, name, type, summary, interval } = colour.attribute
  const isAlike = like !== undefined && haveOneMeasure(like, colour)
  const [{ rows, levels }, other] = await Promise.all([readLevels(data, colour), isAlike && readLevels(data, like)])
  const part = { title, measure, summary: name === FEATURES ? FEATURES : summary }
  if (type === 'category') return { ...part, ...categoryPart(rows) }
  const drawn = levels
    .map((level) => (other ? inClassesOf(other.levels, level) : level))
    .map((level) => ({ ...level, classes: numberClasses(level) }))
  const paints = drawn.map(({ level, bounds, isDensity, classes }) => {
    return [level, { bounds, colours: classes.map(([of]) => of), isDensity }] as const
  })
  return {
    ...part,
    paint: { levels: Object.fromEntries(paints), isUnsure: interval !== null },
    list: html`${drawn.map((level) => levelList(level, colour, first, isBrushed ? data : undefined))}`,
    unsure: interval !== null && unsureList(interval),
  }
}

async function readLevels({ reader, view }: MapData, colour: Colour) {
  const { dataset, attribute } = colour
  const [rows, densities] = await Promise.all([
    legendOfAttribute(reader, dataset.layerId, attribute.name),
    showsDensity(colour, view) ? densitiesOfAttribute(reader, dataset.layerId, attribute.name) : [],
  ])
  return { rows, levels: attribute.type === 'category' ? [] : legendLevels(rows, densities, colour, view.classes) }
}

function inClassesOf(levels: readonly LegendLevel[], own: LegendLevel): LegendLevel {
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
  const beside = changeOnMap(data) ? undefined : besideOf(data)
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

function legendLevels(
  rows: readonly LegendRow[],
  densities: readonly Density[],
  colour: Colour,
  classes: MapData['view']['classes'],
): LegendLevel[] {
  const areSumsWhole = areWhole(rows, colour)
  return rows.map((row) => {
    const density = densities.find(({ level }) => level === row.level)
    const isWhole = density === undefined && (areSumsWhole || row.level === 'frame') && hasWholeBounds(row)
    const spread = legendSpread(density ?? row, colour, isWhole)
    return {
      level: row.level,
      hasGaps: row.lacking > 0 && colour.attribute.name !== FEATURES,
      spread,
      classing: classes ?? (spread && usualClassing(spread)),
      bounds: spread ? classBounds(spread, classes) : [],
      isDensity: density !== undefined,
    }
  })
}

type LegendNumbers = Pick<LegendRow | Density, 'lowest' | 'highest' | 'breaks' | 'bins'>

/** Undefined where nothing is recorded. */
function legendSpread({ lowest, highest, breaks, bins }: LegendNumbers, { attribute }: Colour, isWhole: boolean) {
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

/** `brushed`: the map whose frames are brushed here. */
function levelList(
  { level, hasGaps, isDensity, classing, classes, bounds, spread }: LegendLevel & { classes: readonly Class[] },
  { attribute }: Colour,
  first: LegendRow['level'] | undefined,
  brushed: MapData | undefined,
): Html {
  const measure = isDensity
    ? [attribute.unit, 'per km²'].filter(Boolean).join(' ')
    : level !== 'frame' && attribute.summary !== 'sum'
      ? 'mean'
      : ''
  const isBrushed = level === 'frame' && brushed !== undefined
  const items = classes.map(([colour, text], i) =>
    swatch(colour, text, isBrushed ? brushLink(brushed, brushOfClass(bounds, i, spread)) : undefined),
  )
  const colourOf = (number: number) => (classes[bounds.findIndex((bound) => number <= bound)] ?? classes.at(-1))?.[0]
  const bars = spread ? barsOf(spread, colourOf) : []
  return classList([...items, hasGaps && noValue('no value')], {
    level,
    note: [LEVEL_NOUNS[level], measure, classing && CLASSING_NAMES[classing].toLowerCase()].filter(Boolean).join(', '),
    isHidden: first !== undefined && first !== level,
    isLong: classes.some(([, text]) => text.length > TEXT_IN_COLUMN),
    chart: bars.length > 1 && (isBrushed ? brushForm(brushed, bars) : histogram(bars)),
  })
}

/** The first class has no lower end, and the last no upper one. */
const brushOfClass = (bounds: readonly number[], i: number, spread: Spread | undefined): MapData['view']['brush'] => ({
  ...(i > 0 && { from: String((bounds[i - 1] ?? 0) + (spread?.isWhole ? 1 : 0)) }),
  ...(i < bounds.length && { to: String(bounds[i]) }),
})

/** Two columns of the key have room for so many letters. */
const TEXT_IN_COLUMN = 13

type Listed = { level: string; note?: string; isHidden?: boolean; isLong?: boolean; chart?: Html | false }

const classList = (
  items: readonly (Html | false)[],
  { level, note, isHidden = false, isLong = level === 'all', chart }: Listed = { level: 'all' },
) =>
  html`<div class="classes" data-level="${level}" ${isHidden && html`hidden`}>
    ${note !== undefined && html`<p class="quiet">${note}</p>`} ${chart}
    <ul class="bare ${isLong && 'long'}">
      ${items}
    </ul>
  </div>`

/** `look` is the name of a colour of map.css, or of a pattern. */
const swatch = (look: string | undefined, text: string | undefined, address?: string) =>
  html`<li class="swatch">
    <svg class="${look}" aria-hidden="true"><path d="M0 0h24v14H0z" fill="var(--${look}, transparent)"></path></svg>
    ${address === undefined ? html`<span>${text}</span>` : html`<a href="${address}" title="Filter to this class">${text}</a>`}
  </li>`
const noValue = (text: string) => swatch('no-value', text)

const hasWholeBounds = ({ lowest, highest, breaks }: LegendRow): boolean =>
  [lowest, highest, ...breaks].every((bound) => bound === null || Number.isInteger(Number(bound)))

/** Frames show whether values are whole numbers. Sums of such are whole, too, and means are not. */
const areWhole = (rows: readonly LegendRow[], { attribute: { name, summary } }: Colour): boolean =>
  name === FEATURES || (summary === 'sum' && rows.some((row) => row.level === 'frame' && hasWholeBounds(row)))

type Class = [colour: string, text: string]

/** Few classes take their colours from the whole ramp. */
function numberClasses({ spread, bounds }: LegendLevel): Class[] {
  if (!spread) return []
  const ofZero = spread.isZeroApart ? 1 : 0
  const most = bounds.length - ofZero
  const place = (i: number) => (most <= 0 ? 4 : 1 + Math.round(((i - ofZero) * (COLOURS - 1)) / most))
  return classTexts([...bounds, spread.highest], spread).map((text, i) => [
    i < ofZero ? 'ramp-zero' : `ramp-${place(i)}`,
    text,
  ])
}

/** A class of whole numbers begins one above the end of the class before it. */
const classTexts = (ends: readonly number[], { lowest, isWhole, isZeroApart }: Spread): string[] =>
  ends.map((end, i) => {
    const from = i === 0 ? lowest : (ends[i - 1] ?? lowest) + (isWhole ? 1 : 0)
    if (legendNumber(from) === legendNumber(end)) return legendNumber(end)
    if (isZeroApart && i === 1 && !isWhole) return `up to ${legendNumber(end)}`
    return `${legendNumber(from)}${from < 0 ? ' to ' : '–'}${legendNumber(end)}`
  })

/** Writes as many digits as tell classes apart. */
const legendNumber = (value: number): string =>
  value.toLocaleString('en', Math.abs(value) < 1000 ? { maximumSignificantDigits: 4 } : { maximumFractionDigits: 0 })

/** Function classes_keep keeps no classes of an attribute of more values, so units have no commonest one. */
const VALUES_MOST = 200

function categoryPart(rows: readonly LegendRow[]): Pick<LegendPart, 'paint' | 'list'> {
  const classes = rows[0]?.classes ?? []
  const colours = classColours(classes).map((colour) => `class-${colour}`)
  const others = classes.length - CLASS_COLOURS
  const hasTooMany = classes.length === 0 && rows.some(({ recorded }) => recorded > 0)
  return {
    paint: { classes, colours },
    list: hasTooMany
      ? classList([swatch('class-other', 'any value of a frame'), noValue('no value, or no commonest')], {
          level: 'all',
          note: `more than ${VALUES_MOST} different values`,
        })
      : classList([
          ...colours.map((colour, i) => swatch(colour, classes[i])),
          others > 0 && swatch('class-other', `${others} others`),
          noValue('no value'),
        ]),
  }
}

/** Bounds of a dataset's file are those of frames: its sums have none. */
const unsureList = (kind: 'draws' | 'bounds') =>
  html`<ul class="bare long">
    ${swatch('unsure-1', `${kind === 'draws' ? '95 % interval' : 'bounds'} wider than half the value`)}
    ${swatch('unsure-2', 'wider than the value')}
  </ul>`

const licenceLine = ({ owner, isOwn }: MapDataset): Html =>
  html`<p class="quiet">Source: ${owner} · ${isOwn ? 'your own' : 'free'}</p>`
