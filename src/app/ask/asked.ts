/** Reads what the form of the page Ask asks, and says in the words of the form what cannot be read. */
import { ApiError } from '../../core/errors.js'
import { decode, type Query } from '../../api/http/query.js'
import { framesFault } from '../map/typed-place.js'
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

function faultOf(query: Query): Omit<Asking, 'place' | 'question'> {
  const named = PLACES.filter((name) => textOf(query, name) !== '')
  if (named.length > 1)
    return { notice: 'The address names several places, and a question is about one. Pick it again.' }
  const frames = textOf(query, 'frames') || textOf(query, 'frame')
  const sent = query.get(textOf(query, 'frames') === '' ? 'frame' : 'frames') ?? []
  if (frames !== '') return { frames, framesFault: framesFault(sent) }
  if (named.includes('box'))
    return { notice: 'The box of this address cannot be read. It has four numbers: west, south, east, north.' }
  return {
    notice:
      'The place of this address cannot be read. An LGA has its state beside it, and a ward its LGA and its state.',
  }
}
