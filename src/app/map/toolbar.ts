/** Draws the forms of the map: its search and its colours, the choices of its legend, a box, and a shape. */
import { besideOf, type Colour, type MapData } from './data.js'
import { choiceText, NO_PLACE, queryOf, SHAPE_MAX, type MapView } from './view.js'
import { priceText } from './words.js'
import { option, textInput } from '../shell/components.js'
import { html, type Html } from '../shell/html.js'
import { CLASSINGS, type Classing } from './classing.js'
import { changeOnMap, comparableOf } from './change.js'
import { QUESTION_MAX } from '../../core/insight/index.js'

/** A select has one value: the page takes it apart, and leads to the address with both. */
const colourValue = ({ dataset, attribute }: Colour): string =>
  choiceText({ dataset: dataset.layerId, attribute: attribute.name })

/** A form keeps what the address holds, except `own`, which it asks for itself. */
export const keptFields = (view: MapView, own: Partial<MapView>): Html =>
  html`${Array.from(
    new URLSearchParams(queryOf({ ...view, ...own })),
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  )}`

/**
 * The field on top of the map finds a frame id, a place or a unit, and asks anything else about what is picked. `about` names
 * that; undefined: no question about it is answered.
 */
export const askField = ({ path, view, misread }: Pick<MapData, 'path' | 'view' | 'misread'>, about?: string): Html =>
  html`<form class="ask" role="search" aria-label="Map" action="${path}">
    <label for="ask" id="ask-label" class="one-line">${askLabel(about)}</label>
    <input
      id="ask"
      type="search"
      name="q"
      value="${view.search ?? view.question ?? (misread?.search || misread?.question)}"
      maxlength="${QUESTION_MAX}"
      autocomplete="off"
      spellcheck="false"
      title="A question, a unit, a frame id, or a latitude and longitude"
      placeholder="How many people live here? A unit, an id or a place"
    />
    ${keptFields(view, { feature: undefined, search: undefined, question: undefined })}
    <button>Go</button>
  </form>`

export const askLabel = (about: string | undefined): string =>
  about === undefined ? 'Find' : `Ask about ${about}, or find`

export function colourForm(data: MapData): Html | false {
  const { path, view, colours, colour, priced } = data
  if (colours.length === 0) return false
  return html`<form class="map-colour" action="${path}">
    <label for="colour">Colour by</label>
    <select id="colour" name="colour">
      ${optionsOf(colours, colour)}
      ${
        priced.length > 0 &&
        html`<optgroup label="At a price: Ask reads them">
          ${priced.map(({ name, price }) => html`<option disabled>${name}, ${priceText(price ?? 0)}</option>`)}
        </optgroup>`
      }
    </select>
    <label for="with">Beside</label>
    <select id="with" name="with" title="Shows a second map beside the first">
      <option value="">no second map</option>
      ${optionsOf(colours, besideOf(data)?.colour)}
    </select>
    ${keptFields(view, { ...NO_PLACE, pick: view.pick, feature: view.feature, dataset: undefined, attribute: undefined, beside: undefined, brush: undefined })}
    <button>Show</button>
  </form>`
}

/** Only a script draws the map, and reads this. */
export const baseChoice = ({ view }: MapData): Html =>
  html`<label class="choice map-base"
    ><input type="checkbox" id="base" ${view.base !== 'off' && html`checked`} /> Base map: waters, roads, places</label
  >`

/** Names and codes are offered only where a link chose one. */
function optionsOf(colours: readonly Colour[], chosen: Colour | undefined): Html {
  const offered = colours.filter((each) => !each.isName || each === chosen)
  const datasets = [...new Set(offered.map(({ dataset }) => dataset))]
  return html`${datasets.map(
    (dataset) =>
      html`<optgroup label="${dataset.name}">
        ${offered.filter((each) => each.dataset === dataset).map((each) => colourOption(each, each === chosen))}
      </optgroup>`,
  )}`
}

const colourOption = (colour: Colour, isChosen: boolean): Html => {
  const { dataset, attribute } = colour
  const label = dataset.kind === 'frames' ? attribute.label : `Number of features: ${attribute.label}`
  return option(colourValue(colour), label, isChosen)
}

/** Four numbers with all their digits are shorter. */
const BOX_LENGTH = 100

/** Draws a box without a mouse: by its corners, or by what the map shows. */
export const boxForm = ({ path, view, misread }: MapData): Html =>
  html`<details class="fold box-form" ${misread?.box !== undefined && html`open`}>
    <summary>Add up a box of frames</summary>
    <form class="form" action="${path}">
      ${textInput({
        name: 'box',
        label: 'West, south, east, north',
        value: misread?.box ?? (view.pick && 'box' in view.pick ? view.pick.box.join(',') : ''),
        maxLength: BOX_LENGTH,
        hint: 'In degrees, such as 7.4, 9.0, 7.5, 9.1. On the map: press Shift and drag.',
        fault: misread?.box === undefined ? undefined : misread.fault,
      })}
      ${keptFields(view, NO_PLACE)}
      <div class="row">
        <button>Add up</button>
        <button type="button" id="box-view" hidden>What the map shows</button>
        <button type="button" id="box-draw" aria-pressed="false" hidden>Draw on the map</button>
      </div>
    </form>
  </details>`

export const shapeForm = ({ path, view, misread }: MapData): Html =>
  html`<details class="fold box-form" id="shape-fold" ${misread?.shape !== undefined && html`open`}>
    <summary>Add up a shape</summary>
    <form class="form" action="${path}">
      <div class="field ${misread?.shape !== undefined && 'faulty'}">
        <label for="shape">A polygon, as WKT or GeoJSON</label>
        <textarea
          id="shape"
          name="shape"
          rows="4"
          maxlength="${SHAPE_MAX}"
          spellcheck="false"
          aria-describedby="shape-note"
          ${misread?.shape !== undefined && html`aria-invalid="true"`}
        >
${misread?.shape ?? (view.pick && 'shape' in view.pick ? view.pick.shape : '')}</textarea>
        ${
          misread?.shape === undefined
            ? html`<p class="hint" id="shape-note">
                In degrees, such as POLYGON((7.4 9,7.5 9,7.4 9.1,7.4 9)). With SRID=32632; before it, in another system.
              </p>`
            : html`<p class="fault" id="shape-note">${misread.fault}</p>`
        }
      </div>
      ${keptFields(view, NO_PLACE)}
      <div class="field" id="shape-open" hidden>
        <label for="shape-file">Or a file of it</label>
        <input type="file" id="shape-file" accept=".geojson,.json,.wkt,.txt" />
      </div>
      <div class="row">
        <button>Add up</button>
        <button type="button" id="shape-draw" aria-pressed="false" hidden>Draw on the map</button>
      </div>
    </form>
  </details>`

/** It stands over the map while a shape is drawn. */
export const shapeBar = html`<div id="shape-bar" class="row" hidden>
  <span id="shape-count"></span>
  <button type="button" id="shape-close">Finish</button>
  <button type="button" id="shape-leave">Give up</button>
</div>`

export const CLASSING_NAMES: Readonly<Record<Classing, string>> = {
  quantiles: 'Quantiles',
  equal: 'Equal steps',
  log: 'Log steps',
  natural: 'Natural breaks',
}

/** Folded, it leaves more of the map in view. */
export const legendForm = ({ path, view }: MapData, colour: Colour): Html =>
  html`<details class="legend-choices">
    <summary>Change the classes</summary>
    <form class="row legend-form" action="${path}">
      <label
        >Classes
        <select name="classes">
          ${option('', 'Fit to the numbers', view.classes === undefined)}
          ${CLASSINGS.map((each) => option(each, CLASSING_NAMES[each], each === view.classes))}
        </select></label
      >
      ${
        colour.attribute.summary === 'sum' &&
        html`<label
          >Units
          <select name="per">
            ${option('km2', 'Per km²', view.per === undefined)} ${option('total', 'Totals', view.per === 'total')}
          </select></label
        >`
      }
      ${others(view, colour, { as: undefined, classes: undefined, per: undefined })}
    </form>
  </details>`

/** Nearer, the zoom shows frames, and farther away LGAs and states. Tiles have wards from zoom 8 on. */
export const levelForm = ({ path, view }: MapData, colour: Colour): Html =>
  html`<form class="row legend-form" action="${path}">
    <label
      >Level
      <select name="level">
        ${option('', 'By the zoom', view.level === undefined)} ${option('ward', 'Wards', view.level === 'ward')}
        ${option('lga', 'LGAs', view.level === 'lga')} ${option('state', 'States', view.level === 'state')}
      </select></label
    >
    ${others(view, colour, { level: undefined })}
  </form>`

/** Two attributes with one measure have a map each, or one map of the change. A folded legend has the choice, too. */
export const bothForm = (data: MapData): Html | false => {
  const { path, view, colour } = data
  const isChange = changeOnMap(data) !== undefined
  if (!colour || !comparableOf(data)) return false
  return html`<form class="row legend-form" action="${path}">
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
