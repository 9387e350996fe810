/** Draws the panel of a box or a shape: its size, its totals, and its frames where they are few. */
import type { Box } from '../../api/http/params.js'
import { chosenOfTotals } from './chosen-value.js'
import type { MapData } from './data.js'
import { frameList, lgasText } from './frames-panel.js'
import { waysToBox, waysToShape } from './other-ways.js'
import { type Panel, pricedNote } from './panel.js'
import { cornersOfShape, shapeOutline } from './shape.js'
import { framesOfBox } from './statements.js'
import { boxLines, totalsTable } from './totals.js'
import { cornersInWords, count, valueText } from './words.js'
import { factList } from '../shell/components.js'
import { type Html, html } from '../shell/html.js'
import type { Reader } from '../../core/db/replicas/reader.js'
import { figuresOfFrames, framesInAreaPage, totalsOfArea } from '../../core/db/statements.js'
import type { TotalOfArea } from '../../core/db/unit-totals.js'
import { framesOfArea } from '../../core/insight/figures/frame-set.js'

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
  const { features } = await framesInAreaPage(reader, FRAMES_NAMED, area, '-1')
  return idsOfFeatures(reader, features)
}

/** Reads the ids of a page of frames, in their order. */
export function idsOfFeatures(reader: Reader, features: Buffer): string[] {
  const ids = Array.from(features.toString().matchAll(/"type":"Feature","id":"(\d+)"/g), ([, id = '']) => id)
  reader.release(features)
  return ids
}
