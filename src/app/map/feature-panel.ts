/** Draws the panel of one feature: its properties, and the frames that it lies on. */
import { html, type Html } from '../shell/html.js'
import { datasetCosts, noSuchDataset } from '../shell/refusals.js'
import type { MapData } from './data.js'
import { waysToFeature } from './other-ways.js'
import type { Panel } from './panel.js'
import { featureDescribed } from './statements.js'
import type { PickedFeature } from './view.js'
import { count, frameLink } from './words.js'

/** The panel lists as many frames. */
const FRAMES_LISTED = 20

type Properties = Record<string, unknown>

export async function featurePanel(data: MapData, { layerId, no, id }: PickedFeature): Promise<Panel> {
  const dataset = data.free.find((each) => each.layerId === layerId && each.kind !== 'frames')
  const priced = data.priced.find((each) => each.layerId === layerId)
  if (priced) throw datasetCosts(priced.name, priced.price ?? 0)
  if (!dataset) throw noSuchDataset(layerId)
  const [found] = await featureDescribed(data.reader, layerId, no, id, FRAMES_LISTED + 1)
  const panel = { title: `${dataset.name}: ${id}`, frames: 0, ways: waysToFeature(layerId, found) }
  if (!found)
    return {
      ...panel,
      body: html`<p class="quiet">
        The dataset has no such feature in this place. It may have been imported again: click the feature on the map.
      </p>`,
    }
  const properties = JSON.parse(found.properties) as Properties | null
  const { name } = properties ?? {}
  return {
    ...panel,
    title: typeof name === 'string' && name !== '' ? name : panel.title,
    corners: found,
    outlines: [found.geometry],
    body: html`<dl class="facts">
        <dt>Dataset</dt>
        <dd>${dataset.name} <span class="quiet">${dataset.vintage}</span></dd>
        <dt>Id</dt>
        <dd><code>${id}</code></dd>
      </dl>
      ${propertyList(properties ?? {})} ${frameSection(data, found.frames)}`,
  }
}

/** A value that is no plain one is written as JSON. */
function propertyList(properties: Properties): Html {
  const values = Object.entries(properties).filter(([, value]) => value !== null && value !== '')
  if (values.length === 0) return html`<p class="quiet">It has no properties.</p>`
  return html`<dl class="values">
    ${values.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${typeof value === 'string' ? value : JSON.stringify(value)}</dd>`,
    )}
  </dl>`
}

function frameSection(data: MapData, frames: readonly string[]): Html {
  if (frames.length === 0) return html`<p class="quiet">It lies on no frame of the index.</p>`
  const isMore = frames.length > FRAMES_LISTED
  const listed = frames.slice(0, FRAMES_LISTED)
  return html`<h3>${isMore ? `More than ${FRAMES_LISTED} frames` : count(frames.length, 'frame', 'frames')}</h3>
    <p class="ids">${listed.map((id) => html`${frameLink(data, id)} `)}</p>`
}
