/** Draws tables of totals, with the share of frames that each rests on. */
import { totalsOfUnit } from '../../core/db/statements.js'
import type { TotalLevel, TotalOfArea, UnitTotal } from '../../core/db/rows.js'
import type { Unit } from '../../api/http/params.js'
import { html, type Html } from '../shell/html.js'
import type { MapData, MapDataset } from './data.js'
import { coverageText, intervalText, spreadText, unitArgs, valueText } from './words.js'

/** sql/totals_of_unit.sql takes these parameters. */
type TotalsArgs = [TotalLevel, string | null, string | null, string | null, null, string[]]

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
  /** A box or a shape has it: each frame counts by its share inside. It has the unit of `value`, and is null for classes. */
  byArea?: string | null
  /** "between 18,900 and 21,700 (95 %)". */
  interval?: string | undefined
}

/** Says how several frames were summarised; a sum needs no word. */
const SUMMARY_TEXTS: Readonly<Record<Summary, string>> = {
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
  return telling.map((row) => ({ ...unitTotalLine(row), dataset: free[row.layer - 1] }))
}

/** An attribute without a total has nothing to tell about several frames. */
export const boxLines = (rows: readonly TotalOfArea[], datasets: readonly MapDataset[]): TotalLine[] =>
  rows.flatMap((row) => {
    if (row.layer === null || row.summary === 'none') return []
    const [first] = row.classes ?? []
    const total: UnitTotal = { ...row, class: first?.class ?? null, classFrames: first?.frames ?? null }
    if (row.summary === 'mode' && !isCommon(commonestOf(total))) return []
    const byArea = row.byArea === null ? null : valueText(row.byArea, null)
    return [{ ...unitTotalLine(total), byArea, dataset: datasets[row.layer - 1] }]
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

function unitTotalLine(row: UnitTotal) {
  const { attribute, label, unit, summary, number, recorded, frames, lower, upper } = row
  const measured = number === null ? null : valueText(number, unit)
  const value = row.class === null ? measured : commonestText(commonestOf(row))
  const interval = lower === null || upper === null ? undefined : intervalText({ lower, upper }, true)
  return { attribute, label: attribute === 'features' ? 'Number' : label, value, summary, recorded, frames, interval }
}

/** The table stays one on a phone, since its three columns are short. With totals by area, coverage stands under the name. */
export function totalsTable(lines: readonly TotalLine[], { byArea: hasBoth = false } = {}): Html | false {
  if (lines.length === 0) return false
  const datasets = [...new Set(lines.map(({ dataset }) => dataset))]
  const [total, last] = hasBoth ? ['Whole frames', 'By area'] : ['Total', 'Coverage']
  return html`<table class="dense ${hasBoth && 'four'}">
    <caption>
      Totals by dataset
    </caption>
    <thead>
      <tr>
        <th scope="col">Attribute</th>
        <th scope="col" class="number">${total}</th>
        <th scope="col" class="number">${last}</th>
      </tr>
    </thead>
    ${datasets.map(
      (dataset) =>
        html`<tbody>
          <tr>
            <th scope="rowgroup" colspan="3">${dataset?.name} <span class="quiet">${dataset?.vintage}</span></th>
          </tr>
          ${lines.filter((line) => line.dataset === dataset).map((line) => totalRow(line, hasBoth))}
        </tbody>`,
    )}
  </table>`
}

function totalRow(line: TotalLine, hasBoth: boolean) {
  const { dataset, label, value, byArea, summary = 'sum', recorded, frames, interval } = line
  const coverage = dataset?.kind === 'frames' ? coverageText(recorded, frames) : spreadText(recorded)
  const notes = [SUMMARY_TEXTS[summary], hasBoth ? coverage : '', interval ?? '']
    .filter((note) => note !== '')
    .join(', ')
  return html`<tr>
    <td>${label}${notes !== '' && html` <span class="quiet">${notes}</span>`}</td>
    <td class="number">${value ?? html`<span class="quiet">no total</span>`}</td>
    <td class="number">${hasBoth ? byArea : coverage}</td>
  </tr>`
}
