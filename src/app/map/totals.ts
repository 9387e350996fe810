/** Draws tables of totals, with the share of frames that each rests on. */
import { totalsOfUnit } from '../../core/db/statements.js'
import type { TotalOfArea, UnitLevel, UnitTotal } from '../../core/db/unit-totals.js'
import type { Unit } from '../../api/http/params.js'
import { html, type Html } from '../shell/html.js'
import type { MapData, MapDataset } from './data.js'
import { coverageText, spreadText, unitArgs, valueText } from './words.js'

/** sql/totals_of_unit.sql takes these parameters. */
type TotalsArgs = [UnitLevel, string | null, string | null, string | null, null, string[]]

type Summary = UnitTotal['summary']

export type TotalLine = {
  dataset: MapDataset | undefined
  attribute: string
  label: string
  /** Null where the attribute has no total. */
  value: string | null
  summary?: Summary
  recorded: number
  frames: number
  /** Of a box or a shape: by the share of each frame that lies inside. Null for classes. */
  byArea?: string | null
}

/** Says how several frames were summarised; a sum needs no word. */
const SUMMARIES: Readonly<Record<Summary, string>> = {
  sum: '',
  count: '',
  length: 'length',
  area: 'area',
  mean: 'mean',
  weighted_mean: 'weighted mean',
  mode: 'commonest',
  none: '',
}

function totalsArgs({ free }: MapData, unit: Unit | undefined): TotalsArgs {
  const [state, lga, ward] = unit ? unitArgs(unit) : [null, null, null]
  return [unit?.level ?? 'country', state, lga, ward, null, free.map(({ layerId }) => layerId)]
}

/** Lists the totals of a unit, or of the whole index. */
export async function totalLines(data: MapData, unit: Unit | undefined): Promise<TotalLine[]> {
  const { reader, free } = data
  const rows = await totalsOfUnit(reader, ...totalsArgs(data, unit))
  const names: readonly (string | null)[] = unit ? unitArgs(unit) : []
  const telling = rows.filter((row) => row.summary !== 'none' && (row.class === null || tells(row, names)))
  return telling.map((row) => ({ ...lineOf(row), dataset: free[row.layer - 1] }))
}

/** An attribute without a total has nothing to tell about several frames. */
export const boxLines = (rows: readonly TotalOfArea[], datasets: readonly MapDataset[]): TotalLine[] =>
  rows.flatMap((row) => {
    if (row.layer === null || row.summary === 'none') return []
    const [first] = row.classes ?? []
    const total: UnitTotal = { ...row, class: first?.class ?? null, classFrames: first?.frames ?? null }
    if (row.summary === 'mode' && !isCommon(commonestOf(total))) return []
    const byArea = row.byArea === null ? null : valueText(row.byArea, row.unit)
    return [{ ...lineOf(total), byArea, dataset: datasets[row.layer - 1] }]
  })

/** The commonest of many names sums up few frames, and every frame of a unit has the names of the unit. */
const tells = (row: UnitTotal, names: readonly (string | null)[]): boolean =>
  isCommon(commonestOf(row)) && !names.includes(row.class)

/** The class that most frames have: `frames` of the `recorded` frames have it. */
export type Commonest = { name: string; frames: number; recorded: number }

const commonestOf = (row: UnitTotal): Commonest => ({
  name: row.class ?? '',
  frames: row.classFrames ?? 0,
  recorded: row.recorded,
})

const SHARE_LEAST = 0.25

const shareOf = ({ frames, recorded }: Commonest): number => frames / Math.max(recorded, 1)

export const isCommon = (commonest: Commonest): boolean => shareOf(commonest) >= SHARE_LEAST

export const commonestText = (commonest: Commonest): string =>
  `${commonest.name} (${Math.round(100 * shareOf(commonest))}\u00a0%)`

function lineOf(row: UnitTotal) {
  const { attribute, label, unit, summary, number, recorded, frames } = row
  const measured = number === null ? null : valueText(number, unit)
  const value = row.class === null ? measured : commonestText(commonestOf(row))
  return { attribute, label: attribute === 'features' ? 'Number' : label, value, summary, recorded, frames }
}

/** The table stays one on a phone, since its three columns are short. */
export function totalsTable(lines: readonly TotalLine[], { byArea: hasBoth = false } = {}): Html | false {
  if (lines.length === 0) return false
  const datasets = [...new Set(lines.map(({ dataset }) => dataset))]
  return html`<table class="dense">
    <caption>
      Totals by dataset
    </caption>
    <thead>
      <tr>
        <th scope="col">Attribute</th>
        <th scope="col" class="number">${hasBoth ? 'Whole frames' : 'Total'}</th>
        ${hasBoth && html`<th scope="col" class="number">By area</th>`}
        <th scope="col" class="number">Coverage</th>
      </tr>
    </thead>
    ${datasets.map((dataset) =>
      datasetRows(
        dataset,
        lines.filter((line) => line.dataset === dataset),
        hasBoth,
      ),
    )}
  </table>`
}

const datasetRows = (dataset: MapDataset | undefined, lines: readonly TotalLine[], hasBoth: boolean): Html =>
  html`<tbody>
    <tr>
      <th scope="rowgroup" colspan="${hasBoth ? 4 : 3}">
        ${dataset?.name} <span class="quiet">${dataset?.vintage}</span>
      </th>
    </tr>
    ${lines.map(
      ({ label, value, byArea, summary = 'sum', recorded, frames }) =>
        html`<tr>
          <td>${label}${SUMMARIES[summary] !== '' && html` <span class="quiet">${SUMMARIES[summary]}</span>`}</td>
          <td class="number">${value ?? html`<span class="quiet">no total</span>`}</td>
          ${hasBoth && html`<td class="number">${byArea}</td>`}
          <td class="number">${dataset?.kind === 'frames' ? coverageText(recorded, frames) : spreadText(recorded)}</td>
        </tr>`,
    )}
  </tbody>`
