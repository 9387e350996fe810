/** Reads what the form of the page Ask asks, and says in the words of the form what cannot be read. */
import { ApiError } from '../../errors.js'
import { decode, type Query } from '../../http/query.js'
import { questionOf, viewOf } from '../map/view.js'
import type { Asking } from './ask-page.js'

type ReadForm = { asking: Asking; isRead: boolean }

export function readAsked(query: Query): ReadForm {
  const question = questionOf(query)
  try {
    return { asking: { place: viewOf(query).pick, question }, isRead: true }
  } catch (error) {
    if (!(error instanceof ApiError) || !error.code.startsWith('invalid')) throw error
    return { asking: { place: undefined, question, ...faultOf(query) }, isRead: false }
  }
}

const textOf = (query: Query, name: string): string =>
  (query.get(name) ?? [])
    .map((value) => decode(value.replaceAll('+', ' ')) ?? value)
    .join(',')
    .trim()

const PLACES = ['frames', 'frame', 'state', 'box'] as const
const NAMED_MAX = 20

function faultOf(query: Query): Omit<Asking, 'place' | 'question'> {
  const named = PLACES.filter((name) => textOf(query, name) !== '')
  if (named.length > 1)
    return { notice: 'The address names several places, and a question is about one. Pick it again.' }
  const frames = textOf(query, 'frames') || textOf(query, 'frame')
  if (frames !== '') return { frames, framesFault: framesFault(frames) }
  if (named.includes('box'))
    return { notice: 'The box of this address cannot be read. It has four numbers: west, south, east, north.' }
  return {
    notice:
      'The place of this address cannot be read. An LGA has its state beside it, and a ward its LGA and its state.',
  }
}

function framesFault(text: string): string {
  const ids = text.split(',').map((id) => id.trim())
  const wrong = ids.find((id) => !/^\d{1,18}$/.test(id))
  if (wrong === '') return 'There is a comma too many: ids stand between commas.'
  if (wrong !== undefined) return `"${wrong.slice(0, NAMED_MAX)}" is no id. Ids are whole numbers, such as 322074005.`
  return `${ids.length} ids were typed, and fewer are accepted. The map takes larger places.`
}
