/** Draws the form of a file: its format, and its datasets, those that cost with their price and the balance. */
import type { DatasetRow } from '../../core/db/statements.js'
import { IDS_MAX } from '../../api/http/param-schemas.js'
import { queryOf, type Pick as Place } from '../map/view.js'
import { countText } from '../shell/amounts.js'
import { html, type Html } from '../shell/html.js'

export type Offer = {
  place: Place
  /** Undefined where there are more than a file takes. */
  ids: string[] | undefined
  free: DatasetRow[]
  /** These cost, and record something here; none where there are more frames than a call takes. */
  priced: DatasetRow[]
}

type Form = { offer: Offer; path: string; requestId: string; purse: string }

export const takeForm = ({ offer: { place, ids = [], free, priced }, path, requestId, purse }: Form): Html =>
  html`<form class="form sheet" method="post" action="${path}">
    <input type="hidden" name="place" value="${queryOf({ pick: place })}" />
    <input type="hidden" name="request" value="${requestId}" />
    <fieldset>
      <legend>Format</legend>
      ${format('csv', 'CSV, for tables: a row for each frame, with its corners', true)}
      ${format('geojson', 'GeoJSON, for maps: an outline for each frame', false)}
      ${format('parquet', 'GeoParquet, for analysis: the same with a type for each column', false)}
    </fieldset>
    <fieldset id="datasets">
      <legend>Datasets</legend>
      ${free.map((dataset) => choice(dataset, html`free`, true))}
      ${priced.map((dataset) => choice(dataset, html`<strong>${countText(dataset.price ?? 0, 'credit')}</strong>`, false))}
      ${priced.length > 0 && html`<p class="hint">${purse} The same form sent again costs nothing.</p>`}
      ${
        ids.length > IDS_MAX &&
        html`<p class="hint">
          A price is that of a call, which takes ${IDS_MAX} frames: datasets that cost are in files of so many.
        </p>`
      }
    </fieldset>
    <div class="actions"><button class="primary">Download</button></div>
  </form>`

const format = (value: string, label: string, isChosen: boolean): Html =>
  html`<label class="choice">
    <input type="radio" name="format" value="${value}" ${isChosen && html`checked`} />
    <span>${label}</span>
  </label>`

const choice = ({ layerId, name, vintage }: DatasetRow, price: Html, isChosen: boolean): Html =>
  html`<label class="choice">
    <input type="checkbox" name="dataset" value="${layerId}" ${isChosen && html`checked`} />
    <span>${name} <span class="quiet">${vintage}</span> ${price}</span>
  </label>`
