/** The frames that a question is about: named by their ids, or all of a unit or of a box. */
import type { Page } from '../../core/db/page.js'
import type { Reader } from '../../core/db/replicas/reader.js'
import { framesInBox, framesInLga, framesInState, framesInWard } from '../../core/db/statements.js'
import { isFrameId } from '../../core/frame-id.js'
import type { Pick as AskedPlace } from '../map/view.js'

/** Returns the ids of the frames; undefined where there are more than `most`. */
export async function framesOfPlace(reader: Reader, place: AskedPlace, most: number): Promise<string[] | undefined> {
  if (place.kind === 'frames') {
    const ids = place.ids.filter(isFrameId)
    return ids.length > most ? undefined : ids
  }
  const page = await firstPage(reader, place, most)
  const ids = Array.from(page.features.toString().matchAll(/"type":"Feature","id":"(\d+)"/g), ([, id = '']) => id)
  reader.release(page.features)
  return page.next === undefined ? ids : undefined
}

/** Every id is higher. */
const FROM_THE_FIRST = '-1'

async function firstPage(reader: Reader, place: Exclude<AskedPlace, { kind: 'frames' }>, most: number): Promise<Page> {
  if (place.kind === 'box') {
    const { minLon, minLat, maxLon, maxLat } = place.box
    return await framesInBox(reader, most, minLon, minLat, maxLon, maxLat)
  }
  const { unit } = place
  if (unit.level === 'state') return await framesInState(reader, most, unit.state, FROM_THE_FIRST)
  if (unit.level === 'lga') return await framesInLga(reader, most, unit.state, unit.lga, FROM_THE_FIRST)
  return await framesInWard(reader, most, unit.state, unit.lga, unit.ward, FROM_THE_FIRST)
}
