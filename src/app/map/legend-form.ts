/** Draws the form of the legend: how numbers are put into classes, and what units and blocks show of a sum. */
import { html, type Html } from '../shell/html.js'
import { CLASSINGS, type Classing } from './classing.js'
import { changeOf, comparableOf } from './change.js'
import type { Colour, MapData } from './data.js'
import { hiddenFields } from './toolbar.js'
import { choiceText, featureText, pickFields, type MapView } from './view.js'

const CLASSING_NAMES: Readonly<Record<Classing, string>> = {
  quantiles: 'Quantiles',
  equal: 'Equal steps',
  log: 'Log steps',
  natural: 'Natural breaks',
}

export const legendForm = ({ path, view }: MapData, colour: Colour): Html =>
  html`<form class="legend-form" action="${path}">
    <label
      >Classes
      <select name="classes">
        ${CLASSINGS.map((each) => option(each, CLASSING_NAMES[each], each === (view.classes ?? 'quantiles')))}
      </select></label
    >
    ${
      colour.attribute.summary === 'sum' &&
      html`<label
        >Units and blocks
        <select name="per">
          ${option('km2', 'Per km²', view.per === undefined)} ${option('total', 'Totals', view.per === 'total')}
        </select></label
      >`
    }
    ${keptFields(view, colour, {})}
  </form>`

/** Two attributes with one measure have a map each, or one map of the change. A folded legend has the choice, too. */
export const bothForm = (data: MapData): Html | false => {
  const { path, view, colour } = data
  const isChange = changeOf(data) !== undefined
  if (!colour || !comparableOf(data)) return false
  return html`<form class="legend-form both" action="${path}">
    <label
      >Both
      <select name="as">
        ${option('beside', 'Side by side', !isChange)} ${option('change', 'Change in percent', isChange)}
      </select></label
    >
    ${keptFields(view, colour, { classes: view.classes, per: view.per })}
  </form>`
}

const keptFields = (view: MapView, { dataset, attribute }: Colour, choices: Record<string, string | undefined>): Html =>
  html`${hiddenFields([
      ['dataset', dataset.layerId],
      ['attribute', attribute.name],
      ['with', view.beside && choiceText(view.beside)],
      ...Object.entries(choices),
    ])}
    ${view.pick && hiddenFields(pickFields(view.pick))}
    ${view.feature && hiddenFields([['feature', featureText(view.feature)]])} <button>Show</button>`

const option = (value: string, label: string, isChosen: boolean): Html =>
  html`<option value="${value}" ${isChosen && html`selected`}>${label}</option>`
