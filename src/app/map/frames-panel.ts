/** Draws the panel of several frames that a link names. */
import {
  figuresOfBaselines,
  figuresOfFeatures,
  figuresOfFrames,
  framesById,
  type AttributeFigure,
} from '../../core/db/statements.js'
import { isFrameId } from '../../core/frame-id.js'
import { factList } from '../shell/components.js'
import { html, type Html } from '../shell/html.js'
import { chosenOfTotals } from './chosen-value.js'
import { FEATURES, type MapData } from './data.js'
import { waysToFrames } from './other-ways.js'
import { pricedNote, type Panel } from './panel.js'
import { commonestText, isCommon, totalsTable, type Commonest, type TotalLine } from './totals.js'
import { count, frameLink, valueText } from './words.js'

/** The panel lists as many frames. */
const FRAMES_LISTED = 100

export async function framesPanel(data: MapData, ids: readonly string[]): Promise<Panel> {
  const known = await framesById(data.reader, ids.filter(isFrameId))
  const boxes = known.map(({ bbox }) => JSON.parse(bbox) as [number, number, number, number])
  const corners = {
    minLon: Math.min(...boxes.map(([minLon]) => minLon)),
    minLat: Math.min(...boxes.map(([, minLat]) => minLat)),
    maxLon: Math.max(...boxes.map(([, , maxLon]) => maxLon)),
    maxLat: Math.max(...boxes.map(([, , , maxLat]) => maxLat)),
  }
  const found = known.map(({ id }) => id)
  return {
    title: count(known.length, 'frame', 'frames'),
    ...(known.length > 0 && { corners }),
    outlines: known.map(({ geometry }) => geometry),
    // A question counts the ids of its address, also those that the index does not know.
    frames: ids.filter(isFrameId).length,
    ways: waysToFrames(found.length > 0 ? found : ids, layerIdsOf(data.free)),
    body: await framesBody(data, found),
  }
}

const layerIdsOf = (some: MapData['free']) => some.map(({ layerId }) => layerId)

async function framesBody(data: MapData, ids: string[]): Promise<Html> {
  const { reader, free } = data
  if (ids.length === 0) return html`<p class="quiet">No frame of the index lies here.</p>`
  const baselines = free.filter(({ kind }) => kind === 'frames')
  const others = free.filter(({ kind }) => kind !== 'frames')
  const [[whole], attributes, features] = await Promise.all([
    figuresOfFrames(reader, ids),
    baselines.length > 0 ? figuresOfBaselines(reader, ids, layerIdsOf(baselines)) : [],
    others.length > 0 ? figuresOfFeatures(reader, ids, layerIdsOf(others)) : [],
  ])
  const frames = whole?.frames ?? 0
  const lines = [
    // An attribute without a total has nothing to tell about several frames.
    ...attributes
      .filter((row) => (row.summary === 'mode' ? isCommon(commonestClass(row)) : row.summary !== 'none'))
      .map((row): TotalLine => ({ ...framesTotalLine(row), dataset: baselines[row.layer - 1], frames })),
    ...features.map((row): TotalLine => {
      const dataset = others[row.layer - 1]
      return {
        dataset,
        attribute: FEATURES,
        label: dataset?.name ?? '',
        value: row.features.toLocaleString('en'),
        recorded: row.frames,
        frames,
      }
    }),
  ]
  return html`
    ${chosenOfTotals(data, lines)}
    ${factList([
      ['Size', `${count(frames, 'frame', 'frames')}, ${valueText(whole?.area ?? '0', 'km²')}`],
      ['Units', lgasText(whole?.lgas ?? null)],
    ])}
    ${totalsTable(lines)} ${pricedNote(data)} ${frameList(data, ids)}
  `
}

export const frameList = (data: MapData, ids: readonly string[]): Html =>
  html`<details class="fold" ${ids.length <= 12 && html`open`}>
    <summary>Frames</summary>
    <p class="ids">
      ${ids
        .toSorted()
        .slice(0, FRAMES_LISTED)
        .map((id) => html`${frameLink(data, id)} `)}
    </p>
    ${ids.length > FRAMES_LISTED && html`<p class="quiet">The first ${FRAMES_LISTED} of ${ids.length.toLocaleString('en')}.</p>`}
  </details>`

export const lgasText = (lgas: readonly string[] | null): string => {
  if (lgas === null) return 'not assigned'
  return lgas.length > 5 ? `${lgas.slice(0, 5).join('; ')} and ${lgas.length - 5} more LGAs` : lgas.join('; ')
}

/** Takes the total that the attribute's own summary names. */
function framesTotalLine(row: AttributeFigure): Omit<TotalLine, 'dataset' | 'frames'> {
  const { label, unit, summary } = row
  const number = { sum: row.sum, mean: row.mean, weighted_mean: row.weightedMean, mode: null, none: null }[summary]
  const measured = number === null ? null : valueText(number, unit)
  const value = summary === 'mode' ? commonestText(commonestClass(row)) : measured
  return { attribute: row.name, label, value, summary, recorded: row.frames }
}

const commonestClass = ({ classes, frames }: AttributeFigure): Commonest => ({
  name: classes?.[0]?.value ?? '',
  frames: classes?.[0]?.frames ?? 0,
  recorded: frames,
})
