/** Draws the panel of a box: its size, its totals, and its frames where they are few. */
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
import { type Html, html } from '../shell/html.js'
import { figuresOfFrames, framesInAreaPage, totalsOfArea } from '../../core/db/statements.js'
import type { TotalOfArea } from '../../core/db/unit-totals.js'
import { framesOfArea } from '../../core/insight/figures/frame-set.js'

/** The panel names the units of as many frames, and lists the first of them. */
const FRAMES_NAMED = 2000

export async function boxPanel(data: MapData, box: Box): Promise<Panel> {
  const { reader, free } = data
  const { minLon, minLat, maxLon, maxLat } = box
  const layers = free.map(({ layerId }) => layerId)
  const rows = await totalsOfArea(reader, framesOfArea({ box: [minLon, minLat, maxLon, maxLat] }), layers)
  const frames = rows[0]?.frames ?? 0
  const body =
    frames === 0 ? html`<p class="quiet">No frame of the index lies here.</p>` : await boxTotals(data, box, rows)
  return {
    title: 'Box',
    corners: box,
    outlines: [boxOutline(box)],
    ...(frames === 0 && { frames }),
    ways: waysToBox(box),
    body: html`<p><code>${cornersInWords(minLon, minLat, maxLon, maxLat)}</code></p>
      ${body}`,
  }
}

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

async function boxTotals(data: MapData, box: Box, rows: readonly TotalOfArea[]): Promise<Html> {
  const { blocks = 0, inBlocks = 0, onRim = 0, frames = 0, km2 = '0' } = rows[0] ?? {}
  const ids = frames > FRAMES_NAMED ? [] : await idsInBox(data, box)
  const [named] = ids.length === 0 ? [] : await figuresOfFrames(data.reader, ids)
  const lines = boxLines(rows, data.free)
  return html`
    ${chosenOfTotals(data, lines)}
    <dl class="facts">
      <dt>Size</dt>
      <dd>${count(frames, 'frame', 'frames')}, ${valueText(km2, 'km²')}</dd>
      ${
        named &&
        html`<dt>Units</dt>
          <dd>${lgasText(named.lgas)}</dd>`
      }
    </dl>
    ${
      blocks > 0 &&
      html`<p class="quiet">
        Added up from ${count(blocks, 'block', 'blocks')} of 0.1° that lie wholly inside, with
        ${count(inBlocks, 'frame', 'frames')}, and from ${count(onRim, 'frame', 'frames')} around them.
      </p>`
    }
    ${totalsTable(lines)} ${pricedNote(data)} ${ids.length > 0 && frameList(data, ids)}
  `
}

async function idsInBox({ reader }: MapData, { minLon, minLat, maxLon, maxLat }: Box): Promise<string[]> {
  const found = await framesOfBox(reader, minLon, minLat, maxLon, maxLat, FRAMES_NAMED)
  // Ids in their order have runs, which take little of an address.
  return found.map(({ id }) => id).toSorted((one, other) => one.length - other.length || (one < other ? -1 : 1))
}

/** The panel names the units of as many frames, and lists the first of them. */

export async function shapePanel(data: MapData, shape: string): Promise<Panel> {
  const { reader, free } = data
  const area = framesOfArea({ shape })
  const layers = free.map(({ layerId }) => layerId)
  const rows = await totalsOfArea(reader, area, layers)
  const frames = rows[0]?.frames ?? 0
  return {
    title: 'Shape',
    corners: cornersOfShape(shape),
    outlines: [shapeOutline(shape)],
    ...(frames === 0 && { frames }),
    ways: waysToShape(shape),
    body:
      frames === 0
        ? html`<p class="quiet">No frame of the index lies here.</p>`
        : await shapeTotals(data, rows, frames > FRAMES_NAMED ? [] : await idsIn(data, area)),
  }
}

async function shapeTotals(data: MapData, rows: readonly TotalOfArea[], ids: readonly string[]): Promise<Html> {
  const { frames = 0, km2 = '0', km2Inside = '0' } = rows[0] ?? {}
  const [named] = ids.length === 0 ? [] : await figuresOfFrames(data.reader, [...ids])
  const lines = boxLines(rows, data.free)
  return html`
    ${chosenOfTotals(data, lines)}
    <dl class="facts">
      <dt>Size</dt>
      <dd>${count(frames, 'frame', 'frames')}, ${valueText(km2, 'km²')}; ${valueText(km2Inside, 'km²')} inside</dd>
      ${
        named &&
        html`<dt>Units</dt>
          <dd>${lgasText(named.lgas)}</dd>`
      }
    </dl>
    <p class="quiet">
      “Whole frames” adds up every frame that touches the shape. “By area” takes of each frame the share that lies
      inside, and counts the features that touch the shape itself.
    </p>
    ${totalsTable(lines, { byArea: true })} ${pricedNote(data)} ${ids.length > 0 && frameList(data, ids)}
  `
}

/** Ids in their order have runs, which take little of an address. */
async function idsIn({ reader }: MapData, area: string[]): Promise<string[]> {
  const { features } = await framesInAreaPage(reader, FRAMES_NAMED, area, '-1')
  const ids = Array.from(features.toString().matchAll(/"type":"Feature","id":"(\d+)"/g), ([, id = '']) => id)
  reader.release(features)
  return ids
}
