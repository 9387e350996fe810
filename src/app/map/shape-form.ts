/** Draws the form of a shape: paste it, or have the map's script read a file or draw it. */
import { html, type Html } from '../shell/html.js'
import type { MapData } from './data.js'
import { keptFields } from './toolbar.js'
import { NO_PLACE, SHAPE_MAX } from './view.js'

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
${misread?.shape ?? (view.pick?.kind === 'shape' ? view.pick.shape : '')}</textarea>
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
      <div class="actions">
        <button>Add up</button>
        <button type="button" id="shape-draw" aria-pressed="false" hidden>Draw on the map</button>
      </div>
    </form>
  </details>`
