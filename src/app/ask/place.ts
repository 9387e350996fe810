/** The frames that a question is about: named by their ids, or all of a unit, of a box, of a shape or of the index. */
import { FRAME_IDS_MAX } from '../../api/http/body.js'
import { BEFORE_ALL, pageInUnit } from '../../api/http/unit-pages.js'
import { type Page, pageOf } from '../../core/db/page.js'
import type { Reader } from '../../core/db/replicas/reader.js'
import { frameBoxes, framesInAreaPage, framesInBox } from '../../core/db/statements.js'
import { isFrameId } from '../../core/frame-id.js'
import type { AskedFrames } from '../../core/insight/answer.js'
import { setOfPlace } from '../../core/insight/figures/frame-set.js'
import { shapeOf } from '../../core/shape.js'
import { idsOfFeatures } from '../map/frames-panel.js'
import { queryOf, type Pick as AskedPlace } from '../map/view.js'
import { noFrameText, unitArgs } from '../map/words.js'
import { html, type Html } from '../shell/html.js'

type AskedArea = Exclude<AskedPlace, { kind: 'frames' }>

/** A place of few frames is asked by their ids: only then are datasets with a price read. */
export async function framesAsked(reader: Reader, place: AskedPlace | undefined): Promise<AskedFrames> {
  if (!place) return askedFramesOf(place)
  if (place.kind === 'frames') return { frameIds: await knownIds(reader, place.ids) }
  const frameIds = await frameIdsOf(reader, place, FRAME_IDS_MAX)
  return frameIds ? { frameIds } : askedFramesOf(place)
}

/** Returns the ids of the frames that the index has; undefined where there are more than `most`. */
export async function frameIdsOf(reader: Reader, place: AskedPlace, most: number): Promise<string[] | undefined> {
  if (place.kind === 'frames') {
    const known = await knownIds(reader, place.ids)
    return known.length > most ? undefined : known
  }
  const page = await firstPage(reader, place, most)
  const ids = idsOfFeatures(reader, page.features)
  return page.next === undefined ? ids : undefined
}

async function knownIds(reader: Reader, ids: readonly string[]): Promise<string[]> {
  const asked = ids.filter(isFrameId)
  const known = new Set((await frameBoxes(reader, asked)).map(({ place }) => place))
  return asked.filter((_id, i) => known.has(i + 1))
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

async function firstPage(reader: Reader, place: AskedArea, most: number): Promise<Page> {
  if (place.kind === 'box') {
    const { minLon, minLat, maxLon, maxLat } = place.box
    return await pageOf(framesInBox, reader, minLon, minLat, maxLon, maxLat, most)
  }
  if (place.kind === 'shape') {
    const shape = await shapeOf(reader, place.shape)
    return await pageOf(framesInAreaPage, reader, setOfPlace({ shape }, 0).frames, BEFORE_ALL, most)
  }
  return await pageInUnit(reader, place.unit, BEFORE_ALL, most)
}

/** Says what the index lacks of a place, where `found` are its frames. */
export function lackingNote(app: string, place: AskedPlace, found: readonly string[]): Html | false {
  const note = (text: Html | string) => html`<p class="notice warn">${text}</p>`
  if (place.kind === 'frames') {
    const unknown = place.ids.filter((id) => !found.includes(id))
    return unknown.length > 0 && note(noFrameText(unknown))
  }
  if (found.length > 0) return false
  if (place.kind !== 'unit') return note('No frame of the index lies here.')
  const names = unitArgs(place.unit).flatMap((name) => name ?? [])
  return note(
    html`The index has no unit of this name: ${names.toReversed().join(', ')}.
      <a href="${app}/map${queryOf({ search: names.at(-1) })}">Search for it</a>`,
  )
}
