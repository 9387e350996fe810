/** Draws the table of what the map colours. It serves screen readers, people without scripts, and spreadsheets. */
import type { Request, RequestHandler } from 'express'
import { roundOutwards } from '../../core/decimal.js'
import { profileByUnit } from '../../core/db/statements.js'
import { foldName, type UnitLevel, type UnitPath } from '../../core/place.js'
import { placeName } from '../../core/place-name.js'
import { commonestText, labelsApart, type UnitFigure } from '../../core/figures/index.js'
import type { Services } from '../../services.js'
import { type CsvColumns, sendRows } from '../shell/csv.js'
import { html, type Html } from '../shell/html.js'
import { noSuchPage } from '../shell/refusals.js'
import { showSql } from '../shell/show-sql.js'
import { boundsOfChange, changeOnMap, percentBetween, percentChange, spreadArgs } from './change.js'
import { besideOf, type Colour, type MapData, readMapData } from './data.js'
import { waysToUnitsBelow } from './other-ways.js'
import { showsDensity } from './legend.js'
import { type MapView, queryOf, UNIT_TITLES } from './view.js'
import { argsBelow, coverageText, pathOf, perKm2, spreadText, unitLink, valueText } from './words.js'

/** Most LGAs have fewer wards, and most states fewer LGAs. The CSV file has all. */
const UNITS_SHOWN = 50

/** The table has the units below: the states of the index, the LGAs of a state, the wards of an LGA. */
const unitAbove = ({ pick }: MapView): UnitPath => (pick && 'unit' in pick ? pick.unit.slice(0, 2) : [])

type TwinArgs = [frames: string[], level: UnitLevel, layer: string, attribute: string]

const argsOf = (above: UnitPath, { dataset, attribute }: Colour): TwinArgs => [
  ...argsBelow(above),
  dataset.layerId,
  attribute.name,
]

export async function twinSection(req: Request, data: MapData): Promise<Html> {
  const { colour, view, path } = data
  if (!colour) return html`<section id="twin"></section>`
  const above = unitAbove(view)
  const args = argsOf(above, colour)
  const [, level] = args
  const beside = besideOf(data)?.colour
  const argsBeside = beside && argsOf(above, beside)
  const [rows, others] = await Promise.all([
    profileByUnit(data.reader, ...args),
    argsBeside ? profileByUnit(data.reader, ...argsBeside) : [],
  ])
  const change = changeOnMap(data)
  const { attribute, dataset } = colour
  const { pick, as, beside: against } = view
  const csv = queryOf({
    dataset: dataset.layerId,
    attribute: attribute.name,
    pick,
    ...(change && { as, beside: against }),
  })
  return html`<section id="twin" aria-labelledby="twin-title">
    <div class="row apart">
      <h2 id="twin-title">
        ${UNIT_TITLES[level]}s${above.length > 0 && ` of ${placeName(foldName(above.at(-1) ?? ''))}`}
      </h2>
      <a href="${path}.csv${csv}" download>CSV</a>
    </div>
    ${rows.length === 0 ? html`<p class="quiet">No units here.</p>` : twinTable(data, rows.slice(0, UNITS_SHOWN), { colour, beside, others })}
    ${rows.length > UNITS_SHOWN && html`<p class="quiet">The first ${UNITS_SHOWN} of ${rows.length.toLocaleString('en')}: the CSV file has all.</p>`}
    ${showSql(req, {
      of: 'units',
      subject: `${attribute.label} by ${level}`,
      statements: [
        { name: 'profile_by_unit', args },
        { name: 'map/legend_of_attribute', args: args.slice(2) },
        ...(argsBeside ? [{ name: 'profile_by_unit', args: argsBeside }] : []),
        ...(change ? [{ name: 'map/spread_of_change', args: spreadArgs(change) }] : []),
        ...(showsDensity(colour, view) ? [{ name: 'map/densities_of_attribute', args: args.slice(2) }] : []),
      ],
      ...waysToUnitsBelow(above, dataset.layerId, attribute.name),
    })}
  </section>`
}

/** `others` are the totals of the second map. */
type TwinColours = { colour: Colour; beside: Colour | undefined; others: readonly UnitFigure[] }

/** The totals of a second map take the place of density and coverage. A map of the change has both totals and the change. */
function twinTable(data: MapData, rows: readonly UnitFigure[], { colour, beside, others }: TwinColours): Html {
  const { label, unit } = colour.attribute
  const isDensity = !beside && showsDensity(colour, data.view)
  const change = changeOnMap(data)
  const apart = change && labelsApart(change.from.attribute.label, change.to.attribute.label)
  const [heading, headingBeside] = apart
    ? [apart.to, apart.from]
    : [isDensity ? (unit ?? 'Number') : headingOf(colour), beside ? headingOf(beside) : 'Coverage']
  const otherOf = new Map(others.map((other) => [unitKey(other), other]))
  return html`<table class="dense">
    <caption>
      ${label}${beside && ` and ${beside.attribute.label}`} by unit, the largest first
    </caption>
    <thead>
      <tr>
        <th scope="col">Unit</th>
        <th scope="col" class="number">${heading}${!change && levelOf(colour)}</th>
        ${isDensity && html`<th scope="col" class="number">Per km²</th>`}
        <th scope="col" class="number">${headingBeside}${!change && levelOf(beside)}</th>
        ${change && html`<th scope="col" class="number">Change${levelOf(colour)}</th>`}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            <td>${unitLink(data, pathOf(row))}</td>
            <td class="number">${totalText(row, !change)}</td>
            ${isDensity && html`<td class="number">${densityText(row)}</td>`}
            <td class="number">
              ${beside ? totalText(otherOf.get(unitKey(row)), !change) : twinCoverage(row, colour)}
            </td>
            ${change && html`<td class="number">${changeText(otherOf.get(unitKey(row)), row)}</td>`}
          </tr>`,
      )}
    </tbody>
  </table>`
}

function changeText(before: UnitFigure | undefined, now: UnitFigure): Html | string {
  const change = changeBetween(before, now)
  const bounds = change === null ? '' : boundsOfChange(before?.number ?? null, now)
  return bounds === ''
    ? percentChange(change)
    : html`${percentChange(change)} <br /><span class="quiet small">${bounds}</span>`
}

/** As on the map, totals of other frames are not compared. */
const changeBetween = (before: UnitFigure | undefined, now: UnitFigure): number | null =>
  before?.recorded === now.recorded ? percentBetween(before.number, now.number) : null

const twinCoverage = ({ recorded, frames }: UnitFigure, { dataset }: Colour): string =>
  dataset.kind === 'frames' ? coverageText(recorded, frames) : spreadText(recorded)

const headingOf = ({ attribute: { label, unit } }: Colour): string => `${label}${unit === null ? '' : `, ${unit}`}`

const levelOf = (colour: Colour | undefined): Html | false =>
  colour?.attribute.interval === 'draws' && html` <br /><span class="quiet small">95 % interval</span>`

const unitKey = ({ state, lga, ward }: UnitFigure): string => JSON.stringify([state, lga, ward])

/**
 * Beside a change, the interval of the later total stands with the change: nobody says that the draws are of the same
 * runs.
 */
function totalText(row: UnitFigure | undefined, hasInterval: boolean): Html | string {
  const {
    number = null,
    class: commonest = null,
    classFrames = null,
    recorded = 0,
    lower = null,
    upper = null,
  } = row ?? {}
  if (commonest !== null) return commonestText({ class: commonest, classFrames, recorded })
  const bounds = boundsText({ lower, upper })
  if (hasInterval && number !== null && bounds !== '')
    return html`${valueText(number, null)} <br /><span class="quiet small">${bounds}</span>`
  if (number !== null) return valueText(number, null)
  return html`<span class="quiet">${recorded > 0 ? 'no total' : 'no value'}</span>`
}

/** The heading says which bounds these are. */
export function boundsText({ lower: low, upper: high }: Pick<UnitFigure, 'lower' | 'upper'>): string {
  if (low === null || high === null) return ''
  const { lower, upper } = roundOutwards({ lower: low, upper: high })
  return `${valueText(lower, null)} to ${valueText(upper, null)}`
}

const densityText = ({ number, km2 }: UnitFigure): string =>
  number === null || !km2 ? '' : valueText(perKm2(number, km2), null)

type TwinRow = UnitFigure & { before: UnitFigure | undefined }

const columnsOf = ({ dataset, attribute }: Colour, hasChange: boolean): CsvColumns<TwinRow> => ({
  state: ({ state }) => state,
  lga: ({ lga }) => lga,
  ward: ({ ward }) => ward,
  layer_id: () => dataset.layerId,
  attribute: () => attribute.name,
  summary: () => attribute.summary,
  unit: () => attribute.unit,
  total: (row) => numberOrNull(row.number) ?? row.class,
  frames_recorded: ({ recorded }) => recorded,
  frames: ({ frames }) => frames,
  km2: ({ km2 }) => km2,
  ...(attribute.interval === 'draws' && { total_lower_95: ({ lower }) => lower, total_upper_95: ({ upper }) => upper }),
  ...(hasChange && {
    total_before: ({ before }) => numberOrNull(before?.number),
    change_percent: ({ before, ...now }) => changeBetween(before, now),
  }),
})

/** GET /app/map.csv: every unit of the table. */
export function mapCsvRoute(services: Services): RequestHandler {
  return async (req, res) => {
    const data = await readMapData(services, req)
    const { colour, view } = data
    if (!colour) throw noSuchPage()
    const change = changeOnMap(data)
    const read = (subject: Colour) => profileByUnit(data.reader, ...argsOf(unitAbove(view), subject))
    const [rows, others] = await Promise.all([read(colour), change ? read(change.from) : []])
    const otherOf = new Map(others.map((other) => [unitKey(other), other]))
    const page = rows.map((row) => ({ ...row, before: otherOf.get(unitKey(row)) }))
    await sendRows(res, `${colour.attribute.name}.csv`, columnsOf(colour, change !== undefined), once(page))
  }
}

const numberOrNull = (text: string | null | undefined): number | null => (text == null ? null : Number(text))

async function* once<Page>(page: Page): AsyncGenerator<Page> {
  yield page
}
