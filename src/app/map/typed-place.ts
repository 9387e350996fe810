/** Reads the boxes and the frames that people type, and says in the words of the forms what cannot be read. */
import { isQueryNumber } from '../../core/decimal.js'
import { invalidBox } from '../../core/errors.js'
import { frameIdPattern, IDS_MAX, LAT_MAX, LON_MAX } from '../../api/http/param-schemas.js'
import type { Box } from '../../api/http/params.js'
import { decode } from '../../api/http/query.js'

const FRAMES_NAMED_MAX = 20

const SIDES = [
  { side: 'West', most: LON_MAX },
  { side: 'South', most: LAT_MAX },
  { side: 'East', most: LON_MAX },
  { side: 'North', most: LAT_MAX },
]

export function typedBox(text: string): Box {
  const typed = text.split(',')
  if (typed.length !== SIDES.length)
    throw invalidBox(`A box has four numbers between commas: West, South, East, North. Here are ${typed.length}.`)
  const [minLon = 0, minLat = 0, maxLon = 0, maxLat = 0] = SIDES.map(({ side, most }, i) => {
    const value = (typed[i] ?? '').trim()
    if (isQueryNumber(value) && Math.abs(Number(value)) <= most) return Number(value)
    throw invalidBox(`${side} is a number from -${most} to ${most}; "${value.slice(0, FRAMES_NAMED_MAX)}" is none.`)
  })
  if (minLon > maxLon) throw invalidBox(`West, ${minLon}, is greater than East, ${maxLon}.`)
  if (minLat > maxLat) throw invalidBox(`South, ${minLat}, is greater than North, ${maxLat}.`)
  return { minLon, minLat, maxLon, maxLat }
}

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
