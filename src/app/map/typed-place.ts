/** Reads the boxes and the frames that people type, and says in the words of the forms what cannot be read. */
import { frameIdPattern, IDS_MAX } from '../../core/parameters.js'
import { type Corners, readBox } from '../../core/place.js'
import { decode } from '../../api/http/query.js'

const FRAMES_NAMED_MAX = 20

const SIDES = ['West', 'South', 'East', 'North']

export const typedBox = (text: string | undefined): Corners | undefined =>
  text === undefined
    ? undefined
    : readBox(text.replaceAll(/\s*,\s*/g, ','), {
        count: (_text, numbers) =>
          `A box has four numbers between commas: West, South, East, North. Here are ${numbers}.`,
        number: (side, most, value) =>
          `${SIDES[side]} is a number from -${most} to ${most}; "${value.slice(0, FRAMES_NAMED_MAX)}" is none.`,
        order: (side, low, high) => `${SIDES[side]}, ${low}, is greater than ${SIDES[side + 2]}, ${high}.`,
      })

/** Says why these ids cannot be read. */
export function framesFault(sent: readonly string[]): string {
  const fault = typedFault(sent, 'Frames')
  if (fault !== undefined) return fault
  const ids = (decode(sent[0] ?? '') ?? '').split(',')
  const typed = ids.filter((id) => id.trim() !== '').length
  // An address of too many ids stays too long without its other faults.
  if (typed > IDS_MAX)
    return `${typed} ids were typed, and at most ${IDS_MAX} are accepted. The map takes larger places.`
  const wrong = ids.find((id) => !frameIdPattern.test(id))?.replaceAll('+', ' ')
  if (wrong?.trim() === '') return 'There is a comma too many: ids stand between commas.'
  if (wrong !== undefined && frameIdPattern.test(wrong.trim())) return 'Ids stand between commas, without blanks.'
  return `"${(wrong ?? '').slice(0, FRAMES_NAMED_MAX)}" is no id. Ids are whole numbers, such as 322074005.`
}

/** Says why these values of a parameter are not one text; undefined where they are. */
export function typedFault(sent: readonly string[], label: string): string | undefined {
  if (sent.length > 1) return `${label}: given ${sent.length} times, once is accepted.`
  const text = decode(sent[0] ?? '')
  if (text === undefined) return `${label}: this is not percent-encoded UTF-8.`
  return text.includes('\0') ? `${label}: a NUL character is not accepted.` : undefined
}
