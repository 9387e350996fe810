/** Joins the readings of the parts of a question. */
import type { Reading } from './reading.js'

const firstOfEach = <Item>(items: readonly Item[]): Item[] => {
  const texts = items.map((item) => JSON.stringify(item))
  return items.filter((_, i) => texts.indexOf(texts[i] ?? '') === i)
}

export const merged = (readings: readonly Reading[]): Reading => ({
  asks: firstOfEach(readings.flatMap(({ asks }) => asks)),
  unknown: firstOfEach(readings.flatMap(({ unknown }) => unknown)),
  unanswered: firstOfEach(readings.flatMap(({ unanswered }) => unanswered)),
  compares: readings.some(({ compares }) => compares),
  places: readings.flatMap(({ places = [] }) => places),
  wants: 'figures',
})
