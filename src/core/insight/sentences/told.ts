/** Gives sentences their parts: the typed values of a figure, and the words for its subject. */
import type { Facet } from '../figures/facets.js'
import { countText, frameCountText } from '../figures/figure-text.js'
import { isAre, manyOf, measureOf, refOf, thingsOf, thingsText, valueOf } from './nouns.js'

/** Label and value of a facet are for readers: no sentence is made of them. */
export type TypedFacet = Pick<Facet, 'typed' | 'category' | 'dataset'> & { source: Omit<Facet['source'], 'label'> }

/** `inCounts`: the sentence says in numbers on how many frames its figure stands, where the answer has these numbers. */
export type Told = TypedFacet & { inCounts: boolean }

/** Each wording is a whole sentence, true alone. One that begins with the frames may begin with "They" instead. */
export type Wordings = string | string[]

/** The words for a figure. The value of a single frame says how it was made. */
export function phrasesOf(told: Told, isOfFrame = told.typed.frames === 1) {
  const { named } = told.typed
  const { name, start, isOne } = refOf(told.typed)
  const things = thingsOf(named)
  return {
    name,
    start,
    isOne,
    has: isOne ? 'has' : 'have',
    things,
    many: manyOf(named, isOfFrame),
    measure: measureOf(named, isOfFrame),
    is: isAre(named),
    /** With its noun: "20,269 people (2026 estimate)", or "12.5 m". */
    amount: (number: string) => (things ? thingsText(named, number, isOfFrame) : valueOf(named, number)),
    /** Stands behind `measure`: "20,269 people". */
    value: (number: string) => valueOf(named, number),
    rec: recordedClause(told),
  }
}

/** A figure of a part of the frames must not pass for one of all. */
function recordedClause({ typed: { recorded, named }, inCounts }: Told): string {
  const isOfFrames = named.type === 'number' || named.type === 'category'
  if (!recorded || !isOfFrames || recorded.count >= recorded.of) return ''
  return inCounts
    ? `, recorded on ${frameCountText(recorded.count, recorded.of)}`
    : ', counting the frames that record it'
}

/** Counts what a list leaves out: all others, or those that share the last number. */
export function othersOf(more: number, tied: string | undefined, value: (number: string) => string): string {
  if (more === 0) return ''
  return tied === undefined
    ? `, and ${countText(more)} more`
    : `; ${countText(more)} more ${more === 1 ? 'has' : 'have'} ${value(tied)}`
}
