/** Draws the form of the legend: how numbers are put into classes, and what units and blocks show of a sum. */
import { html, type Html } from '../shell/html.js'
import { CLASSINGS, type Classing } from './classing.js'
import type { Colour, MapData } from './data.js'
import { hiddenFields } from './toolbar.js'
import { choiceText, featureText, pickFields } from './view.js'

const CLASSING_NAMES: Readonly<Record<Classing, string>> = {
  quantiles: 'Quantiles',
  equal: 'Equal steps',
  log: 'Log steps',
  natural: 'Natural breaks',
}

export const legendForm = ({ path, view }: MapData, { dataset, attribute }: Colour): Html =>
  html`<form class="legend-form" action="${path}">
    <label
      >Classes
      <select name="classes">
        ${CLASSINGS.map((each) => option(each, CLASSING_NAMES[each], each === (view.classes ?? 'quantiles')))}
      </select></label
    >
    ${
      attribute.summary === 'sum' &&
      html`<label
        >Units and blocks
        <select name="per">
          ${option('km2', 'Per km²', view.per === undefined)} ${option('total', 'Totals', view.per === 'total')}
        </select></label
      >`
    }
    ${hiddenFields([
      ['dataset', dataset.layerId],
      ['attribute', attribute.name],
      ['with', view.beside && choiceText(view.beside)],
    ])}
    ${view.pick && hiddenFields(pickFields(view.pick))}
    ${view.feature && hiddenFields([['feature', featureText(view.feature)]])}
    <button>Show</button>
  </form>`

const option = (value: string, label: string, isChosen: boolean): Html =>
  html`<option value="${value}" ${isChosen && html`selected`}>${label}</option>`
