/** Draws the legend: the classes of each level, in the unit of the attribute, and how the values came about. */
import { html, type Html } from '../shell/html.js'
import { CLASS_COLOURS, classColours } from './class-colours.js'
import { FEATURES, type Colour, type MapData, type MapDataset } from './data.js'
import { legendOfAttribute, type LegendRow } from './statements.js'
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

export async function legendSection(data: MapData): Promise<Html> {
  const { colour } = data
  if (!colour) return html`<section id="legend">${uncolouredNote(data)}</section>`
  const { dataset, attribute } = colour
  const rows = await legendOfAttribute(data.reader, dataset.layerId, attribute.name)
  const classes = attribute.type === 'category' ? (rows[0]?.classes ?? []) : []
  const isWhole = areWhole(rows, colour)
  const bounds = Object.fromEntries(rows.map((row) => [row.level, boundsOf(row, colour)]))
  return html`<section
    id="legend"
    aria-label="Legend"
    data-dataset="${dataset.layerId}"
    data-attribute="${attribute.name}"
    data-label="${attribute.label}"
    data-unit="${attribute.unit ?? ''}"
    data-summary="${attribute.name === FEATURES ? FEATURES : attribute.summary}"
    data-bounds="${JSON.stringify(bounds)}"
    data-classes="${JSON.stringify(classes)}"
    data-colours="${JSON.stringify(classColours(classes))}"
  >
    <details open>
      <summary><h2>${attribute.label}</h2></summary>
      <p class="quiet">
        ${[attribute.unit, provenance(attribute.method, dataset.vintage)].filter(Boolean).join(' · ')}
      </p>
      ${attribute.type === 'category' ? categoryList(classes, rows) : rows.map((row) => classList(row, colour, isWhole))}
      ${licenceLine(dataset)}
    </details>
  </section>`
}

/** A dataset that costs credits is named with its price: Ask reads it, after a yes. */
function uncolouredNote({ view, priced }: MapData): Html {
  const chosen = priced.find(({ layerId }) => layerId === view.dataset)
  if (!chosen) return html`<p>No dataset that you can read has an attribute to colour the map by.</p>`
  return html`<p>${chosen.name}: reading costs ${priceText(chosen.price ?? 0)}, so the map is not coloured by it.</p>`
}

/** Returns the different upper bounds of all classes but the last. Few values, such as 0 and 1, have fewer classes. */
function boundsOf({ breaks, highest }: LegendRow, { attribute }: Colour): number[] {
  const bounds = breaks.filter((bound) => bound !== highest).map(Number)
  // The classes of numbers of features are made from those above 0, and 0 is no missing value.
  return [...new Set(attribute.name === FEATURES ? [0, ...bounds] : bounds)]
}

function classList(row: LegendRow, colour: Colour, isWhole: boolean): Html {
  const { attribute } = colour
  const { level, highest, lacking } = row
  const isCount = attribute.name === FEATURES
  const lowest = isCount ? '0' : row.lowest
  const ends = [...boundsOf(row, colour), Number(highest)]
  const step = (isWhole || level === 'frame') && hasWholeBounds(row) ? 1 : 0
  const texts = lowest === null ? [] : classTexts(ends, Number(lowest), step)
  const total = level === 'frame' || attribute.summary === 'sum' ? '' : ', mean'
  return html`<div class="classes" data-level="${level}">
    <p class="quiet">${LEVEL_NOUNS[level]}${total}</p>
    <ul class="bare">
      ${texts.map((text, i) => html`<li class="swatch ramp-${rampPlace(i, texts.length)}">${text}</li>`)}
      ${lacking > 0 && !isCount && html`<li class="swatch no-value">no value</li>`}
    </ul>
  </div>`
}

const hasWholeBounds = ({ lowest, highest, breaks }: LegendRow): boolean =>
  [lowest, highest, ...breaks].every((bound) => bound === null || Number.isInteger(Number(bound)))

/** Frames show whether values are whole numbers. Sums of such are whole, too, and means are not. */
const areWhole = (rows: readonly LegendRow[], { attribute: { name, summary } }: Colour): boolean =>
  name === FEATURES || (summary === 'sum' && rows.some((row) => row.level === 'frame' && hasWholeBounds(row)))

/** Few classes take their colours from the whole ramp. */
const rampPlace = (i: number, of: number): number => (of === 1 ? 4 : 1 + Math.round((i * (COLOURS - 1)) / (of - 1)))

/** A class of whole numbers begins one above the end of the class before it: `step` is 1. */
const classTexts = (ends: readonly number[], lowest: number, step: number): string[] =>
  ends.map((end, i) => {
    const from = i === 0 ? lowest : (ends[i - 1] ?? lowest) + step
    return from === end ? number(end) : `${number(from)}${from < 0 ? ' to ' : '–'}${number(end)}`
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
