/** The frames that a question is about: named by their ids, or all of a unit, of a box, of a shape or of the index. */
import type { Reader } from '../../core/db/index.js'
import { FRAME_IDS_MAX, knownFrames } from '../../core/insight/index.js'
import { figure } from '../../core/db/statements.js'
import type { AlgebraFigure as Figure, Filter } from '../../core/figures/index.js'
import { type Place, setOf, unitText } from '../../core/place.js'
import { pageInPlace } from '../../core/place-reads.js'
import { shapeOf } from '../../core/shape.js'
import { idsOfFeatures } from '../map/frames-panel.js'
import { queryOf } from '../map/view.js'
import { noFrameText } from '../map/words.js'
import { html, type Html } from '../shell/html.js'

/** A place of few frames is asked by their ids: only then are datasets with a price read. */
export async function framesAsked(reader: Reader, place: Place, where?: Filter): Promise<Place> {
  if ('frames' in place) return { frames: await knownFrames(reader, place.frames) }
  const isWhole = 'unit' in place && place.unit.length === 0
  const frames = isWhole ? undefined : await frameIdsOf(reader, place, { most: FRAME_IDS_MAX, where })
  return frames ? { frames } : place
}

type FramesLimit = { most: number; where?: Filter | undefined }

/** Returns the ids of the frames that the index has and that pass; undefined where there are more than `most`. */
export async function frameIdsOf(
  reader: Reader,
  place: Place,
  { most, where }: FramesLimit,
): Promise<string[] | undefined> {
  if (where) {
    const passing: Figure = { of: { place: setOf(place), where, how: 'count' }, by: { each: true }, list: most }
    const rows = await figure(reader, JSON.stringify(passing))
    return (rows[0]?.groups ?? 0) > most ? undefined : rows.flatMap(({ name }) => name ?? [])
  }
  if ('frames' in place) {
    const known = await knownFrames(reader, place.frames)
    return known.length > most ? undefined : known
  }
  const area = 'shape' in place ? { shape: await shapeOf(reader, place.shape) } : place
  const page = await pageInPlace(reader, area, most)
  const ids = idsOfFeatures(reader, page.features)
  return page.next === undefined ? ids : undefined
}

/** Says what the index lacks of a place, where `found` are its frames. */
export function lackingNote(app: string, place: Place, found: readonly string[]): Html | false {
  const note = (text: Html | string) => html`<p class="notice warn">${text}</p>`
  if ('frames' in place) {
    const unknown = place.frames.filter((id) => !found.includes(id))
    return unknown.length > 0 && note(noFrameText(unknown))
  }
  if (found.length > 0) return false
  if (!('unit' in place)) return note('No frame of the index lies here.')
  return note(
    html`The index has no unit of this name: ${unitText(place.unit)}.
      <a href="${app}/map${queryOf({ search: place.unit.at(-1) })}">Search for it</a>`,
  )
}
