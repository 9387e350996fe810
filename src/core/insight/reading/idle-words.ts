/** Words that ask for nothing more where they stand: verbs of a name, "per year" of a unit that has it, and words that join. */
import { unitOfMeasureAt, unitOfMeasureNamed } from '../../numbers/index.js'
import type { Catalogue } from './catalogue.js'
import type { Edge } from './chart.js'
import { cuesAt } from './cues.js'
import { NAMES, type Token, topicsOf } from './tokens.js'
import { isAdded, type Topic } from './topic.js'

/** "Languages spoken": the verb of a name that stands beside it. */
export const verbsOfNames = (
  { names: { verbs } }: Catalogue,
  tokens: readonly Token[],
  edges: readonly Edge[],
  at: number,
): [at: number, topics: readonly Topic[]][] => {
  const topics = verbs.get(tokens[at]?.word ?? '')
  if (!topics) return []
  const own = edges.filter(
    ({ category, value }) =>
      NAMES.has(category) && topicsOf({ category, value }).some((topic) => topics.includes(topic)),
  )
  // "How many languages are spoken in Marembe" asks for no average of its frames.
  const isOfFrames = tokens.some((_, i) => hasCue(tokens, i, OF_SINGLES))
  // "How much rain falls" does.
  const hasMean = own.some(({ category, value }) => category === 'series' && !(value as Topic[]).some((topic) => isAdded(topic) || unitOfMeasureNamed(topic.unit))) // prettier-ignore
  return own.length > 0 && (isOfFrames || !hasMean) ? [[at, topics]] : []
}

const PERIOD = /year|annual(?=ly|$)|month|week|da(?=y|ily)/
/** "Hours of sun per year", "a week": the unit of a name in the question, or its label, says so. */
export function periodsAt(tokens: readonly Token[], edges: readonly Edge[], at: number) {
  const isCalled = /^(year|month|week|day)$/.test(tokens[at]?.word ?? '') && /^an?$/.test(tokens[at]?.before ?? '')
  const ends = edges.flatMap(({ category, from, to }) => (category === 'period' && from === at ? [to] : []))
  return [...ends, ...(isCalled ? [at + 1] : [])].flatMap((to) => {
    const asked = periodIn(textOf(tokens.slice(at, to)))
    const isOwn = ({ unit = '', label }: Topic) =>
      periodIn(unit.split(' per ')[1] ?? /\b(annual|yearly|monthly|weekly|daily)\b/i.exec(label)?.[0] ?? '') === asked
    const topics = edges.flatMap((edge) => (NAMES.has(edge.category) ? topicsOf(edge).filter(isOwn) : []))
    return topics.length > 0 ? [{ from: at, to, topics }] : []
  })
}
const periodIn = (text: string) => PERIOD.exec(text.toLowerCase())?.[0].replace('annual', 'year')
const textOf = (tokens: readonly Token[]) => tokens.map(({ word }) => word).join(' ') // prettier-ignore
const OF_SINGLES = /^(average|median|highest|lowest|most|least|frames|each|by)$/
const MOVED = /^(change|grow|loss|gained)$/
const MOVING = /^(travel|travels|travelling|walk|walks|go|drive|drives|cycle|journey)$/
export const hasCue = (tokens: readonly Token[], at: number, kinds: RegExp): boolean =>
  cuesAt(tokens.slice(at).map(({ word }) => word), 0).some(({ cue }) => kinds.test(cue.kind)) // prettier-ignore
const isOfArea = (tokens: readonly Token[], at: number) =>
  unitOfMeasureAt(
    tokens.map(({ word }) => word),
    at,
  )?.unit.dimension === 'area'
/** The next word that is not free. */
const nextAt = (tokens: readonly Token[], at: number) => tokens.findIndex(({ isFree, at: place }, i) => i > at && !(isFree && place >= 0)) // prettier-ignore

/** "And clinics?", "how many schools does the state have", "which LGA are we in", "no people at all". */
export function isIdle(tokens: readonly Token[], at: number): boolean {
  const { word } = tokens[at] ?? { word: '' }
  const next = nextAt(tokens, at)
  const isPerfect = /^(have|has|had)$/.test(word) && tokens.some((_, i) => i > at && hasCue(tokens, i, MOVED))
  if (isPerfect && at === 0) return true
  // "Half an hour's walk from".
  const isWay = unitOfMeasureAt([tokens[at - 1]?.word ?? ''], 0)?.unit.dimension === 'time'
  if (isWay && /^(walk|drive|ride|journey|trip)$/.test(word)) return true
  // "Have to travel over 20 km", "have grown", "have between them".
  if (MOVING.test(word)) return hasCue(tokens, next, /^bound$/) || /^\d/.test(tokens[next]?.word ?? '')
  if (
    /^(have|has|had)$/.test(word) &&
    next > 0 &&
    (hasCue(tokens, next, /^(change|grow|loss|gained|total|average)$/) ||
      (/^(to|must)$/.test(tokens[next]?.word ?? '') && MOVING.test(tokens[nextAt(tokens, next)]?.word ?? '')))
  )
    return true
  if (/^(must|to)$/.test(word) && MOVING.test(tokens[next]?.word ?? '')) return true
  const rest = tokens.slice(at + 1)
  const end = rest.findIndex((token) => token.at === -1)
  const isLast = rest.slice(0, end < 0 ? rest.length : end).every(({ isFree }) => isFree)
  if (at === 0) return word === 'and' && rest.length > 0
  if (word === 'of' && tokens[at - 1]?.word === 'which') return true
  return (
    (/^(have|has|around|get|receive|hold)$/.test(word) && isLast) ||
    (word === 'in' &&
      isLast &&
      /^(which|what|#count (states?|lgas?|wards?))/.test(`${tokens[0]?.word} ${tokens[1]?.word}`)) ||
    (/^covers?$/.test(word) &&
      isLast &&
      (/^(this|it|they)$/.test(tokens[at]?.before ?? '') ||
        tokens.some((_, i) => hasCue(tokens, i, /^(land|size)$/) || isOfArea(tokens, i)))) ||
    (word === 'to' && rest.length > 0 && rest[0]?.isFree === true) ||
    (word === 'at' && rest[0]?.word === 'all')
  )
}
