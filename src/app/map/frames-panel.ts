/** Draws the panel of several frames: those that a link names, those of a box, and those of a shape. */
import {
  figuresOfBaselines,
  figuresOfFeatures,
  figuresOfFrames,
  framesById,
  framesInAreaPage,
  totalsOfArea,
} from '../../core/db/statements.js'
import { pageOf } from '../../core/db/page.js'
import type { AttributeFigure, TotalOfArea } from '../../core/db/rows.js'
import { isFrameId } from '../../core/frame-id.js'
import { factList } from '../shell/components.js'
import { html, type Html } from '../shell/html.js'
import { chosenOfTotals } from './chosen-value.js'
import { FEATURES, type MapData } from './data.js'
import { waysToFrames, waysToBox, waysToShape } from './other-ways.js'
import { pricedNote, type Panel } from './panel.js'
import { commonestText, isCommon, totalsTable, boxLines, type Commonest, type TotalLine } from './totals.js'
import { count, frameLink, noFrameText, valueText, cornersInWords } from './words.js'
import type { Box } from '../../api/http/params.js'
import { cornersOfShape, shapeOutline } from './shape.js'
import { framesOfBox } from './statements.js'
import type { Reader } from '../../core/db/replicas/reader.js'
import { framesOfArea } from '../../core/insight/figures/frame-set.js'

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
  const unknown = ids.filter((id) => !found.includes(id))
  return {
    title: count(known.length, 'frame', 'frames'),
    ...(known.length > 0 && { corners }),
    outlines: known.map(({ geometry }) => geometry),
    frames: found.length,
    ways: waysToFrames(found.length > 0 ? found : ids, layerIdsOf(data.free)),
    body: html`${unknown.length > 0 && html`<p class="notice warn">${noFrameText(unknown)}</p>`}
    ${found.length > 0 && (await framesBody(data, found))}`,
  }
}

const layerIdsOf = (some: MapData['free']) => some.map(({ layerId }) => layerId)

async function framesBody(data: MapData, ids: string[]): Promise<Html> {
  const { reader, free } = data
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

const frameList = (data: MapData, ids: readonly string[]): Html =>
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

const lgasText = (lgas: readonly string[] | null): string => {
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

/** The panel names the units of as many frames, and lists the first of them. */
const FRAMES_NAMED = 2000

export const boxPanel = (data: MapData, box: Box): Promise<Panel> => {
  const corners = [box.minLon, box.minLat, box.maxLon, box.maxLat] as const
  return areaPanel(data, framesOfArea({ box: [...corners] }), {
    panel: { title: 'Box', corners: box, outlines: [boxOutline(box)], ways: waysToBox(box) },
    lead: html`<p><code>${cornersInWords(...corners)}</code></p>`,
    readIds: () => idsInBox(data, box),
  })
}

export const shapePanel = (data: MapData, shape: string): Promise<Panel> => {
  const area = framesOfArea({ shape })
  return areaPanel(data, area, {
    panel: {
      title: 'Shape',
      corners: cornersOfShape(shape),
      outlines: [shapeOutline(shape)],
      ways: waysToShape(shape),
    },
    isShape: true,
    readIds: () => idsIn(data, area),
  })
}

type Area = { panel: Omit<Panel, 'body'>; lead?: Html; isShape?: boolean; readIds: () => Promise<string[]> }

async function areaPanel(data: MapData, area: string[], shown: Area): Promise<Panel> {
  const { panel, lead, isShape = false, readIds } = shown
  const { reader, free } = data
  const layers = free.map(({ layerId }) => layerId)
  const rows = await totalsOfArea(reader, area, layers)
  const [whole] = rows
  if (!whole || whole.frames === 0)
    return {
      ...panel,
      frames: 0,
      body: html`${lead}
        <p class="quiet">No frame of the index lies here.</p>`,
    }
  const { frames, km2, km2Inside } = whole
  const ids = frames > FRAMES_NAMED ? [] : await readIds()
  const [named] = ids.length === 0 ? [] : await figuresOfFrames(reader, ids)
  const lines = boxLines(rows, free)
  return {
    ...panel,
    body: html`
      ${lead} ${chosenOfTotals(data, lines)}
      ${factList([
        [
          'Size',
          `${count(frames, 'frame', 'frames')}, ${valueText(km2, 'km²')}${isShape ? `; ${valueText(km2Inside, 'km²')} inside` : ''}`,
        ],
        ['Units', named && lgasText(named.lgas)],
      ])}
      ${isShape ? SHAPE_NOTE : blocksNote(whole)} ${totalsTable(lines, { byArea: isShape })} ${pricedNote(data)}
      ${ids.length > 0 && frameList(data, ids)}
    `,
  }
}

const SHAPE_NOTE = html`<p class="quiet">
  “Whole frames” adds up every frame that touches the shape. “By area” takes of each frame the share that lies inside,
  and counts the features that touch the shape itself.
</p>`

const blocksNote = ({ blocks, inBlocks, onRim }: Pick<TotalOfArea, 'blocks' | 'inBlocks' | 'onRim'>): Html | false =>
  blocks > 0 &&
  html`<p class="quiet">
    Added up from ${count(blocks, 'block', 'blocks')} of 0.1° that lie wholly inside, with
    ${count(inBlocks, 'frame', 'frames')}, and from ${count(onRim, 'frame', 'frames')} around them.
  </p>`

const boxOutline = ({ minLon, minLat, maxLon, maxLat }: Box): string =>
  JSON.stringify({
    type: 'Polygon',
    coordinates: [
      [
        [minLon, minLat],
        [maxLon, minLat],
        [maxLon, maxLat],
        [minLon, maxLat],
        [minLon, minLat],
      ],
    ],
  })

async function idsInBox({ reader }: MapData, { minLon, minLat, maxLon, maxLat }: Box): Promise<string[]> {
  const found = await framesOfBox(reader, minLon, minLat, maxLon, maxLat, FRAMES_NAMED)
  // Ids in their order have runs, which take little of an address.
  return found.map(({ id }) => id).toSorted((one, other) => one.length - other.length || (one < other ? -1 : 1))
}

async function idsIn({ reader }: MapData, area: string[]): Promise<string[]> {
  const { features } = await pageOf(framesInAreaPage, reader, area, '-1', FRAMES_NAMED)
  return idsOfFeatures(reader, features)
}

/** Reads the ids of a page of frames, in their order. */
export function idsOfFeatures(reader: Reader, features: Buffer): string[] {
  const ids = Array.from(features.toString().matchAll(/"type":"Feature","id":"(\d+)"/g), ([, id = '']) => id)
  reader.release(features)
  return ids
}
