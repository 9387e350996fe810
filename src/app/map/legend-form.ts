/** Draws the form of the legend: how numbers are put into classes, and what units and blocks show of a sum. */
import { option } from '../shell/components.js'
import { html, type Html } from '../shell/html.js'
import { CLASSINGS, type Classing } from './classing.js'
import { changeOnMap, comparableOf } from './change.js'
import type { Colour, MapData } from './data.js'
import { keptFields } from './toolbar.js'
import { NO_PLACE, type MapView } from './view.js'

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
    ${others(view, colour, { as: undefined, classes: undefined, per: undefined })}
  </form>`

/** Two attributes with one measure have a map each, or one map of the change. A folded legend has the choice, too. */
export const bothForm = (data: MapData): Html | false => {
  const { path, view, colour } = data
  const isChange = changeOnMap(data) !== undefined
  if (!colour || !comparableOf(data)) return false
  return html`<form class="legend-form both" action="${path}">
    <label
      >Both
      <select name="as">
        ${option('beside', 'Side by side', !isChange)} ${option('change', 'Change in percent', isChange)}
      </select></label
    >
    ${others(view, colour, { as: undefined })}
  </form>`
}

/** The form keeps the frame or unit that was picked. The script of the page keeps the place of the map. */
const others = (view: MapView, { dataset, attribute }: Colour, own: Partial<MapView>): Html => {
  const colour = { dataset: dataset.layerId, attribute: attribute.name }
  return html`${keptFields({ ...view, ...colour }, { ...NO_PLACE, pick: view.pick, feature: view.feature, ...own })}
    <button>Show</button>`
}
