/** Reads the values of baselines on frames, with the bounds of those that are modelled. */
import type { Reader } from '../db/index.js'
import { intervalsOfFrames, recordsOfBaselines } from '../db/statements.js'
import type { FrameValues } from './columns.js'

/** A dataset that is no baseline records null. */
export async function valuesOn(
  reader: Pick<Reader, 'rows'>,
  ids: string[],
  layers: string[],
): Promise<Map<string, FrameValues>> {
  const values = new Map(ids.map((id): [string, FrameValues] => [id, layers.map(() => null)]))
  if (layers.length === 0) return values
  const read = await Promise.all([recordsOfBaselines(reader, ids, layers), intervalsOfFrames(reader, ids, layers)])
  for (const { place, layer, recorded } of read.flat()) {
    const found = values.get(ids[place - 1] ?? '')
    if (found) found[layer - 1] = { ...found[layer - 1], ...(JSON.parse(recorded) as Record<string, string>) }
  }
  return values
}
