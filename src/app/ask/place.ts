/** The frames that a question is about: named by their ids, or all of a unit, of a box, of a shape or of the index. */
import { FRAME_IDS_MAX } from '../../api/http/body.js'
import type { Page } from '../../core/db/page.js'
import type { Reader } from '../../core/db/replicas/reader.js'
import { framesInAreaPage, framesInBox, framesInLga, framesInState, framesInWard } from '../../core/db/statements.js'
import { isFrameId } from '../../core/frame-id.js'
import type { AskedFrames } from '../../core/insight/answer.js'
import { setOfPlace } from '../../core/insight/figures/frame-set.js'
import { shapeOf } from '../../core/shape.js'
import { idsOfFeatures } from '../map/frames-panel.js'
import type { Pick as AskedPlace } from '../map/view.js'
import { unitArgs } from '../map/words.js'

type AskedArea = Exclude<AskedPlace, { kind: 'frames' }>

/** A place of few frames is asked by their ids: only then are datasets with a price read. */
export async function framesAsked(reader: Reader, place: AskedPlace | undefined): Promise<AskedFrames> {
  if (!place) return askedFramesOf(place)
  if (place.kind === 'frames') return { frameIds: place.ids.filter(isFrameId) }
  const frameIds = await frameIdsOf(reader, place, FRAME_IDS_MAX)
  return frameIds ? { frameIds } : askedFramesOf(place)
}

/** Returns the ids of the frames; undefined where there are more than `most`. */
export async function frameIdsOf(reader: Reader, place: AskedPlace, most: number): Promise<string[] | undefined> {
  if (place.kind === 'frames') {
    const ids = place.ids.filter(isFrameId)
    return ids.length > most ? undefined : ids
  }
  const page = await firstPage(reader, place, most)
  const ids = idsOfFeatures(reader, page.features)
  return page.next === undefined ? ids : undefined
}

/** Undefined: the whole index. */
export function askedFramesOf(place: AskedArea | undefined): AskedFrames {
  if (!place) return { place: { unit: [] } }
  // SQL folds the names again: these are the ones that a person reads.
  if (place.kind === 'unit')
    return { place: { unit: unitArgs(place.unit).flatMap((name) => name?.toUpperCase() ?? []) } }
  if (place.kind === 'shape') return { place: { shape: place.shape } }
  const { minLon, minLat, maxLon, maxLat } = place.box
  return { place: { box: [minLon, minLat, maxLon, maxLat] } }
}

/** Every id is higher. */
const FROM_THE_FIRST = '-1'

async function firstPage(reader: Reader, place: AskedArea, most: number): Promise<Page> {
  if (place.kind === 'box') {
    const { minLon, minLat, maxLon, maxLat } = place.box
    return await framesInBox(reader, most, minLon, minLat, maxLon, maxLat)
  }
  if (place.kind === 'shape') {
    const shape = await shapeOf(reader, place.shape)
    return await framesInAreaPage(reader, most, setOfPlace({ shape }, 0).frames, FROM_THE_FIRST)
  }
  const { unit } = place
  if (unit.level === 'state') return await framesInState(reader, most, unit.state, FROM_THE_FIRST)
  if (unit.level === 'lga') return await framesInLga(reader, most, unit.state, unit.lga, FROM_THE_FIRST)
  return await framesInWard(reader, most, unit.state, unit.lga, unit.ward, FROM_THE_FIRST)
}
