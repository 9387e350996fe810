/** Words of a wish that point at the wish before: "and how many people live there", "what about Long Spit". */
import type { Ask, NamedPlace } from './reading.js'
import type { Word } from './words.js'

/** A wish as far as it matters here. */
export type Wish = { words: readonly Word[]; asks: readonly Ask[]; places: readonly NamedPlace[] }

const PLACERS = /^(in|of|on|for|within|inside|live|lives|living|reside|stay|dwell|people|population|households|at)$/
const POINTERS = /^(there|them|those|it)$/

/** "How many schools are there" points at nothing. "Those frames" and "live there" do. */
function pointsBack(words: readonly Word[]): boolean {
  return words.some(({ word }, i) => {
    const before = words[i - 1]?.word ?? ''
    // "Time to market there".
    const isSubject = /^(is|are|was|were|isnt|arent)$/.test(words[i + 1]?.word ?? '')
    if (word === 'there' && i > 0 && !isSubject && !/^(is|are|was|were|be|been|out)$/.test(before)) return true
    return POINTERS.test(word) && PLACERS.test(before) && !(word === 'it' && before !== 'in')
  })
}

/** The asks of a wish with what it takes from the wish before. */
export function linkedAsks(before: Wish | undefined, wish: Wish): Ask[] {
  if (!before) return [...wish.asks]
  if (wish.asks.length === 0 && wish.places.length > 0 && isElliptic(wish.words))
    return before.asks.map((ask) => ({ ...ask, places: [...wish.places] }))
  const selecting = before.asks.map(selectionOf).find(({ where, places = [] }) => where.length + places.length > 0)
  if (!selecting || !pointsBack(wish.words)) return [...wish.asks]
  return wish.asks.map((ask) => withSelection(ask, selecting))
}

/** "How many forest frames, and how many people live in them": the frames of the class are meant. */
const selectionOf = ({ subject, operation, where, places }: Ask): Pick<Ask, 'where' | 'places'> => ({
  where: operation.op === 'class' ? [...where, { subject, test: { test: 'class', value: operation.value } }] : where,
  ...(places ? { places } : {}),
})

function withSelection(ask: Ask, { where, places = [] }: Pick<Ask, 'where' | 'places'>): Ask {
  const all = [...places, ...(ask.places ?? [])]
  return { ...ask, where: [...where, ...ask.where], ...(all.length === 0 ? {} : { places: all }) }
}

/** "And in Lakeside?", "how does it compare with Long Spit": the wish before, of another place. */
const isElliptic = (words: readonly Word[]) =>
  words.length < 5 ||
  words.some(
    ({ word }, i) => word.startsWith('compar') || (word === 'about' && /^(what|how)$/.test(words[i - 1]?.word ?? '')),
  )
