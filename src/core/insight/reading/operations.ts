/** The operation that a statistic of the question means for a topic. */
import type { Topic } from './topic.js'
import type { Statistic } from './cues.js'
import { addAsk, type Part } from './part.js'
import type { Operation } from './reading.js'
import { isAdded, seriesOf } from './topics.js'

/** The question wants this statistic of its next topic. `n` counts frames: "the top three". */
export type Wanted = { statistic: Statistic | 'rank' | 'part' | undefined; n?: number; text: string }

const USUAL: Operation = { op: 'usual' }

/** Adds the asks of a statistic, or says that the topic has no such figure. */
export function addWanted(part: Part, topic: Topic, { statistic, n, text }: Wanted): void {
  const add = (operation: Operation) => addAsk(part, topic.subject, operation)
  switch (statistic) {
    case undefined:
      return add(USUAL)
    case 'range':
      if (!isNumber(topic)) return add(USUAL)
      if (!text.startsWith('differ') && !text.includes('minus')) {
        add({ op: 'max' })
        add({ op: 'min' })
      }
      return add({ op: 'range' })
    case 'share':
      // The frames of the conditions have a share of the total.
      return add(isAdded(topic) && part.where.length > 0 ? { op: 'portion' } : USUAL)
    case 'change':
    case 'trend':
      return addChange(part, topic, statistic, text)
    case 'max':
    case 'min':
    case 'mean':
    case 'median':
    case 'mode':
    case 'sum':
    case 'per_km2':
    case 'rank':
    case 'part':
      return add(operationOf(topic, statistic, n))
  }
}

const isNumber = ({ type }: Topic) => type === 'number'

type Computed = Exclude<Wanted['statistic'], undefined | 'range' | 'change' | 'trend' | 'share'>

function operationOf(topic: Topic, statistic: Computed, n: number | undefined): Operation {
  if (topic.type === 'category') return USUAL
  switch (statistic) {
    case 'max':
    case 'min':
      if (n !== undefined) return { op: 'rank', order: statistic === 'max' ? 'highest' : 'lowest', n }
      return { op: statistic }
    case 'rank':
      return { op: 'rank', order: 'highest', ...(n === undefined ? {} : { n }) }
    case 'mean':
      return isAdded(topic) ? { op: 'mean' } : USUAL
    case 'median':
      return { op: 'median' }
    case 'part':
      return isAdded(topic) ? { op: 'part', n: n ?? 1 } : USUAL
    case 'per_km2':
      return isAdded(topic) ? { op: 'per_km2' } : USUAL
    case 'mode':
    case 'sum':
      return USUAL
  }
}

/** From the oldest year to the newest, or between the two years of the question. */
function addChange(part: Part, topic: Topic, statistic: 'change' | 'trend', text: string): void {
  const series = seriesOf(part.catalogue, topic)
  const inYears = series.filter(({ years }) => years.some((year) => part.years.includes(year)))
  const compared = inYears.length > 1 ? inYears : series
  const [from, to] = [compared[0], compared.at(-1)]
  if (!from || !to || from === to) {
    addAsk(part, topic.subject, USUAL)
    part.unanswered.push(part.items.filter((item) => item.text === text))
    return
  }
  // "Is it going up" is answered by the newest figure first, "by how much" by the change.
  if (statistic === 'trend') addAsk(part, to.subject, USUAL)
  addAsk(part, to.subject, { op: 'change', other: from.subject })
}
