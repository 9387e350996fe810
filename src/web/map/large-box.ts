/** Adds up a box of many frames: by the totals that are kept for blocks, and by the frames around the blocks. */
import type { Box } from '../../http/params.js'
import { html, type Html } from '../html.js'
import type { MapData } from './data.js'
import { pricedNote } from './panel.js'
import { totalsOfBox } from './statements.js'
import { totalsTable, type TotalLine } from './totals.js'
import { count, valueText } from './words.js'

export async function largeBoxBody(data: MapData, { minLon, minLat, maxLon, maxLat }: Box): Promise<Html> {
  const { free } = data
  const layers = free.map(({ layerId }) => layerId)
  const rows = await totalsOfBox(data.reader, minLon, minLat, maxLon, maxLat, layers)
  const { blocks = 0, inBlocks = 0, onRim = 0 } = rows[0] ?? {}
  const frames = inBlocks + onRim
  const lines = rows.flatMap((row): TotalLine[] => {
    // An attribute without a total has nothing to tell about several frames.
    if (row.layer === null || row.summary === 'none') return []
    const { label, unit, number, summary, recorded } = row
    const value = number === null ? null : valueText(number, unit)
    return [{ dataset: free[row.layer - 1], label, value, summary, recorded, frames }]
  })
  return html`
    <dl class="facts">
      <dt>Size</dt>
      <dd>${count(frames, 'frame', 'frames')}</dd>
    </dl>
    <p class="quiet">
      Added up from ${count(blocks, 'block', 'blocks')} of 0.1° that lie wholly inside, with
      ${count(inBlocks, 'frame', 'frames')}, and from ${count(onRim, 'frame', 'frames')} around them. The sums and means
      are exact. In so large a box weighted means, commonest classes and numbers of features have no total: they cannot
      be worked out from those of blocks.
    </p>
    ${totalsTable(lines)} ${pricedNote(data)}
  `
}
