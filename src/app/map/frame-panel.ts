/** Draws the panel of one frame: its units, its corners, and all that the free datasets record on it. */
import { chosenOfFrame } from './chosen-value.js'
import type { FrameRow } from '../../core/db/index.js'
import type { MapData, MapDataset } from './data.js'
import { waysToFeature, waysToFrame } from './other-ways.js'
import { type Panel, pricedNote } from './panel.js'
import { featureDescribed } from './statements.js'
import type { PickedFeature } from './view.js'
import { cornersInWords, count, frameLink, pathOf, provenance, unitLink, valueText } from './words.js'
import { copyable, factList, folded } from '../shell/components.js'
import { mapLink } from './data.js'
import { html, type Html } from '../shell/html.js'
import { datasetCosts, noDatasetPage } from '../shell/refusals.js'
import { type DatasetRecords, type FrameRecords, recordsOn } from '../../core/datasets/index.js'
import { figuresOfFrames, framesById } from '../../core/db/statements.js'
import { exactNumber, exactText, parseExactly } from '../../core/exact-json.js'
import { FRAME_ID_MAX, isFrameId } from '../../core/frame-id.js'
import { placeName } from '../../core/place-name.js'
import { type Corners, cornersOf } from '../../core/place.js'

/** A person reads as many names of features at a glance. */
const FEATURES_SHOWN = 8

const NO_FRAME_ID = `Ids are whole numbers up to ${FRAME_ID_MAX}, without leading zeros: no statement was run, so there is no SQL to show.`

export async function framePanel(data: MapData, id: string): Promise<Panel> {
  const { reader, free } = data
  const [frame] = isFrameId(id) ? await framesById(reader, [id]) : []
  const title = `Frame ${id}`
  if (!frame)
    return {
      title,
      frames: 0,
      ways: isFrameId(id) ? waysToFrame(id, []) : undefined,
      body: html`<p class="quiet">The index has no frame of this id. ${!isFrameId(id) && NO_FRAME_ID}</p>`,
    }
  const [[figures], [found]] = await Promise.all([figuresOfFrames(reader, [id]), recordsOn(reader, [id], free)])
  const chosen = found && (await chosenOfFrame(data, frame, found))
  return {
    title,
    corners: boxOfRow(frame),
    outlines: [frame.geometry],
    ways: waysToFrame(
      id,
      free.map(({ layerId }) => layerId),
    ),
    value: chosen ?? false,
    body: html`
      ${factList([
        ...unitFacts(data, frame),
        ['Corners', html`<code>${cornersInWords(boxOfRow(frame))}</code>`],
        ['Area', figures?.area === null ? 'not known' : valueText(figures?.area ?? '', 'km²')],
      ])}
      ${found && categoryFolds(data, found)} ${found && silentNote(found, free)} ${pricedNote(data)}
    `,
  }
}

const boxOfRow = ({ bbox }: FrameRow) => JSON.parse(bbox) as Corners

function unitFacts(
  data: MapData,
  { state, lga, ward, zone }: FrameRow,
): [title: string, value: Html | string | false][] {
  if (state === null) return [['Units', html`<span class="quiet">not assigned</span>`]]
  return [
    ['Ward', ward !== null && unitLink(data, pathOf({ state, lga, ward }))],
    ['LGA', lga !== null && unitLink(data, [state, lga])],
    ['State', unitLink(data, [state])],
    ['Zone', zone !== null && placeName(zone)],
  ]
}

/** The records of a frame, a fold for each category: a frame of ten datasets has a hundred values. */
function categoryFolds(data: MapData, found: FrameRecords): Html {
  const labels = labelsOf(data)
  const categories = [...new Set(data.free.map(({ category }) => category))]
  return html`${categories.map((category) => {
    const sections = data.free
      .filter((dataset) => dataset.category === category)
      .flatMap((dataset) => recordSection(dataset, found, labels) || [])
    return sections.length > 0 && folded('fold', category, sections)
  })}`
}

type Label = { label: string; unit: string | null; method: string | null }

/** Finds the labels of attributes by dataset and name. */
const labelsOf = ({ colours }: MapData): Map<string, Label> =>
  new Map(
    colours.map(({ dataset, attribute: { name, label, unit, method } }) => [
      `${dataset.layerId} ${name}`,
      { label, unit, method },
    ]),
  )

function recordSection(dataset: MapDataset, { records }: FrameRecords, labels: Map<string, Label>): Html | false {
  const found = [...records].find(([{ layerId }]) => layerId === dataset.layerId)?.[1]
  if (!found) return false
  return html`<h3>${dataset.name} <span class="quiet">${dataset.vintage}</span></h3>
    ${found.values === undefined ? featureList(found) : valueList(dataset, found.values, labels)}`
}

function valueList({ layerId }: MapDataset, recorded: string, labels: Map<string, Label>): Html {
  const values = Object.entries(JSON.parse(recorded) as Record<string, string | number | boolean | null>)
  const line = ([name, value]: (typeof values)[number]) => {
    const known = labels.get(`${layerId} ${name}`)
    return html`<dt title="${provenance(known?.method ?? null, null)}">${known?.label ?? name}</dt>
      <dd class="number">${value === null ? 'no value' : valueText(String(value), known?.unit ?? null)}</dd>`
  }
  return html`<dl class="facts">
    ${values.filter(([name, value]) => value !== null || labels.has(`${layerId} ${name}`)).map(line)}
  </dl>`
}

function featureList({ features = [], truncated }: DatasetRecords): Html {
  const names = features.map((text) => {
    const { id, properties } = JSON.parse(text) as { id: string; properties: { name?: unknown } | null }
    return typeof properties?.name === 'string' ? properties.name : id
  })
  const more = names.length - FEATURES_SHOWN
  return html`<p>
    ${count(names.length, 'feature', 'features')}${truncated && ' and more'}:
    ${names.slice(0, FEATURES_SHOWN).join(', ')} ${more > 0 && html` <span class="quiet">and ${more} more</span>`}
  </p>`
}

/** Names the datasets without a record, so that nothing and "not looked at" differ. */
function silentNote({ records }: FrameRecords, free: readonly MapDataset[]): Html | false {
  const recorded = new Set([...records.keys()].map(({ layerId }) => layerId))
  const silent = free.filter(({ layerId }) => !recorded.has(layerId)).map(({ name }) => name)
  return silent.length > 0 && html`<p class="quiet">Nothing recorded here: ${silent.join(', ')}.</p>`
}

/** The panel lists as many frames. */
const FEATURE_FRAMES_LISTED = 20

type FeatureProperties = Record<string, unknown>

export async function featurePanel(data: MapData, { layerId, no, id }: PickedFeature): Promise<Panel> {
  const dataset = data.free.find((each) => each.layerId === layerId && each.kind !== 'frames')
  const priced = data.priced.find((each) => each.layerId === layerId)
  if (priced) throw datasetCosts(priced.name, priced.price ?? 0)
  if (!dataset) throw noDatasetPage(layerId)
  const [found] = await featureDescribed(data.reader, layerId, no, id, FEATURE_FRAMES_LISTED + 1)
  const panel = { title: `${dataset.name}: ${id}`, frames: 0, ways: waysToFeature(layerId, found) }
  if (!found)
    return {
      ...panel,
      body: html`<p class="quiet">
        The dataset has no such feature in this place. It may have been imported again: click the feature on the map.
      </p>`,
    }
  const frames = found.frames.slice(0, FEATURE_FRAMES_LISTED)
  const [frame] = frames.length === 0 ? [] : await framesById(data.reader, frames.slice(0, 1))
  const [west = 0, south = 0, east = 0, north = 0] = cornersOf(found) ?? []
  const spot = `${degrees((south + north) / 2)}, ${degrees((west + east) / 2)}`
  const properties = parseExactly(found.properties) as FeatureProperties | null
  const { name } = properties ?? {}
  return {
    ...panel,
    title: typeof name === 'string' && name !== '' ? name : panel.title,
    corners: cornersOf(found),
    outlines: [found.geometry],
    taken: frames,
    body: html`${factList([
      ['Dataset', html`${dataset.name} <span class="quiet">${dataset.vintage}</span>`],
      ['Id', html`<code>${id}</code>`],
      ...(frame ? unitFacts(data, frame) : []),
      ['Latitude, longitude', copyable('feature-spot', spot)],
      ['Frames', frames.length > 0 && html`<a href="${mapLink(data, { pick: { frames } })}">Ask about them</a>`],
    ])}
    ${propertyList(properties ?? {})} ${frameSection(data, found.frames)}`,
  }
}

const degrees = (value: number): string => value.toFixed(5)

/** A value that is no plain one is written as JSON. */
function propertyList(properties: FeatureProperties): Html {
  const values = Object.entries(properties).filter(([, value]) => value !== null && value !== '')
  if (values.length === 0) return html`<p class="quiet">It has no properties.</p>`
  return html`<dl class="facts">
    ${values.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${exactNumber(value) ?? (typeof value === 'string' ? value : exactText(value))}</dd>`,
    )}
  </dl>`
}

function frameSection(data: MapData, frames: readonly string[]): Html {
  if (frames.length === 0) return html`<p class="quiet">It lies on no frame of the index.</p>`
  const isMore = frames.length > FEATURE_FRAMES_LISTED
  const listed = frames.slice(0, FEATURE_FRAMES_LISTED)
  return html`<h3>${isMore ? `More than ${FEATURE_FRAMES_LISTED} frames` : count(frames.length, 'frame', 'frames')}</h3>
    <p class="ids">${listed.map((id) => html`${frameLink(data, id)} `)}</p>`
}
