/** Draws the profile of a place as a table of totals, with the share of frames that each rests on. */
import {
  FEATURES,
  figureText,
  intervalText,
  type Profile,
  type ProfileFigure,
  profileOf,
  readsOf,
} from '../../core/figures/index.js'
import { placeName } from '../../core/place-name.js'
import { html, type Html } from '../shell/html.js'
import type { MapData } from './data.js'
import { coverageText, spreadText, valueText } from './words.js'

/** Says how several frames were summarised; a sum needs no word. */
const SUMMARY_TEXTS: Readonly<Record<ProfileFigure['summary'], string>> = {
  sum: '',
  count: '',
  length: 'length',
  area: 'area',
  mean: 'mean',
  weighted_mean: 'weighted mean',
  mode: 'commonest',
  none: '',
}

/** `frames`: as function frame_set of the database reads them. */
export const placeProfile = ({ reader, free }: MapData, frames: string[]): Promise<Profile | undefined> =>
  profileOf(readsOf(reader, free), { frames })

const SHARE_LEAST = 0.25

/**
 * An attribute without a total has nothing to tell about several frames. The commonest of many names sums up few frames,
 * and every frame of a unit has the names of the unit.
 */
const tells = (figure: ProfileFigure, names: readonly string[]): boolean =>
  figure.summary !== 'none' &&
  (figure.class === null ||
    ((figure.classFrames ?? 0) >= SHARE_LEAST * figure.recorded && !names.includes(figure.class)))

export const intervalOf = ({ lower, upper }: ProfileFigure): string | undefined =>
  lower === null || upper === null || lower === upper ? undefined : intervalText({ lower, upper }, true)

/** The table stays one on a phone, since its three columns are short. By area, coverage stands under the name. */
export function totalsTable(
  profile: Profile | undefined,
  names: readonly string[] = [],
  hasBoth = false,
): Html | false {
  const figures = profile?.figures.filter((figure) => tells(figure, names)) ?? []
  if (figures.length === 0) return false
  const datasets = [...new Set(figures.map(({ dataset }) => dataset))]
  const [total, last] = hasBoth ? ['Whole frames', 'By area'] : ['Total', 'Coverage']
  return html`<table class="dense">
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
            <th scope="rowgroup" colspan="3">${dataset.name} <span class="quiet">${dataset.vintage}</span></th>
          </tr>
          ${figures.filter((figure) => figure.dataset === dataset).map((figure) => totalRow(figure, hasBoth))}
        </tbody>`,
    )}
  </table>`
}

function totalRow(figure: ProfileFigure, hasBoth: boolean) {
  const { dataset, attribute, label, byArea, summary, recorded, frames } = figure
  const value = figureText(figure)
  const text = dataset.category === 'Administrative' && value !== null ? placeName(value) : value
  const coverage = dataset.kind === 'frames' ? coverageText(recorded, frames) : spreadText(recorded)
  const notes = [SUMMARY_TEXTS[summary], hasBoth ? coverage : '', intervalOf(figure)]
    .filter((note) => note !== undefined && note !== '')
    .join(', ')
  return html`<tr>
    <td>${attribute === FEATURES ? 'Number' : label}${notes !== '' && html` <span class="quiet">${notes}</span>`}</td>
    <td class="number">${text ?? html`<span class="quiet">no total</span>`}</td>
    <td class="number">${hasBoth ? byArea !== null && valueText(byArea, null) : coverage}</td>
  </tr>`
}
