/** Reads the boxes and the frames that people type, and says in the words of the forms what cannot be read. */
import { isQueryNumber } from '../../decimal.js'
import { invalidBox } from '../../errors.js'
import { LAT_MAX, LON_MAX } from '../../http/param-schemas.js'
import type { Box } from '../../http/params.js'

const NAMED_MAX = 20

const SIDES = [
  { side: 'West', most: LON_MAX },
  { side: 'South', most: LAT_MAX },
  { side: 'East', most: LON_MAX },
  { side: 'North', most: LAT_MAX },
]

export function boxOf(text: string): Box {
  const typed = text.split(',')
  if (typed.length !== SIDES.length)
    throw invalidBox(`A box has four numbers between commas: West, South, East, North. Here are ${typed.length}.`)
  const [minLon = 0, minLat = 0, maxLon = 0, maxLat = 0] = SIDES.map(({ side, most }, i) => {
    const value = (typed[i] ?? '').trim()
    if (isQueryNumber(value) && Math.abs(Number(value)) <= most) return Number(value)
    throw invalidBox(`${side} is a number from -${most} to ${most}; "${value.slice(0, NAMED_MAX)}" is none.`)
  })
  if (minLon > maxLon) throw invalidBox(`West, ${minLon}, is greater than East, ${maxLon}.`)
  if (minLat > maxLat) throw invalidBox(`South, ${minLat}, is greater than North, ${maxLat}.`)
  return { minLon, minLat, maxLon, maxLat }
}

/** Says why these ids cannot be read. */
export function framesFault(text: string): string {
  const ids = text.split(',').map((id) => id.trim())
  const wrong = ids.find((id) => !/^\d{1,18}$/.test(id))
  if (wrong === '') return 'There is a comma too many: ids stand between commas.'
  if (wrong !== undefined) return `"${wrong.slice(0, NAMED_MAX)}" is no id. Ids are whole numbers, such as 322074005.`
  return `${ids.length} ids were typed, and fewer are accepted. The map takes larger places.`
}
