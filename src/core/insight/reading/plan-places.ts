/**
 * Finds the places that a plan names. A plan may name a state or an LGA of the index, a unit that a category of the
 * catalogue has as a class, or a place that the deterministic reading has found: no other.
 */
import { isOfUnits } from './topic.js'
import { PlanRefused, refuseIf, spanOf } from './plan-refusal.js'
import type { PlanContext, PlannedAsk } from './plan-schema.js'
import type { NamedPlace } from './reading.js'
import { plainWordsOf } from './words.js'

const PLACES_MAX = 4

const plain = (text: string) => plainWordsOf(text).join(' ')

/** The places of each ask. Without any, the places of the question stand for all of them. */
export function placesOfPlan(asks: readonly PlannedAsk[], context: PlanContext): NamedPlace[][] | undefined {
  refuseIf(
    asks.some(({ places, isOutside }) => isOutside && places.length === 0),
    'outside of no place',
  )
  if (asks.every(({ places }) => places.length === 0)) return undefined
  const named = asks.map((ask) => placesOfAsk(ask, context))
  const { places: own = [] } = context.reading
  const isNamed = (place: NamedPlace) => named.flat().some(({ text }) => plain(text) === plain(place.text))
  refuseIf(!own.every(isNamed), 'a place is passed over')
  return named
}

function placesOfAsk({ places, isOutside }: PlannedAsk, context: PlanContext): NamedPlace[] {
  refuseIf(places.length > PLACES_MAX, 'too many places')
  return places.map((words) => {
    const { isExcluded, ...place } = placeOf(spanOf(context.question, words), context)
    refuseIf(isExcluded === true && !isOutside, 'inside of a place that the question leaves out')
    return isOutside ? { ...place, isExcluded: true } : place
  })
}

function placeOf(text: string, { reading, choices, places }: PlanContext): NamedPlace {
  const own = reading.places?.find((place) => plain(place.text) === plain(text))
  if (own) return own
  const categories = choices.flatMap(({ topic }) =>
    topic && isOfUnits(topic)
      ? topic.classes.flatMap((value) =>
          plain(value) === plain(text) ? [{ subject: topic.subject, label: topic.label, value }] : [],
        )
      : [],
  )
  if (categories.length === 0 && !places.has(plain(text)))
    throw new PlanRefused('a place that neither the index nor the catalogue has')
  return { text, categories }
}
