/**
 * Suggests questions that these figures answer and that the caller did not ask. The reading of each is the figure that
 * it is made for, so that the service answers each with that figure first.
 */
import { subjectsOfAsk } from './choice.js'
import { insideSentence } from './figures/figure-text.js'
import type { FrameSet } from './figures/frame-set.js'
import type { AttributeFigures, FeatureFigures, Figures } from './figures/read-figures.js'
import type { Ask, Operation, Reading, Subject } from './reading/reading.js'
import { isUnitLabel, sameSubject } from './reading/topic.js'

const FOLLOW_UPS = 3

/** The question asks for one figure of a subject. `ops`: readings of the question that give the same figure. */
export type Suggestion = { question: string; subject: Subject; ops: readonly Operation['op'][] }

type FollowUpContext = {
  suggestions: readonly Suggestion[]
  reading: Reading | undefined
  /** Reads a question as the service reads it when somebody asks it. */
  readAgain: (question: string) => Reading
}

/** A person compares the frames of a call, or the parts of a unit. */
type Ranked = { name: string; ops: (order: 'max' | 'min') => Operation['op'] } | undefined
const PART_TITLES = ['state', 'LGA', 'ward'] as const

function rankedIn({ count, place }: FrameSet): Ranked {
  if (!place) return count > 1 ? { name: 'frame', ops: (order) => order } : undefined
  const part = 'unit' in place ? PART_TITLES[place.unit.length] : undefined
  return part === undefined ? undefined : { name: part, ops: () => 'by' }
}

/** Lists the questions that these figures answer. */
export function suggestionsFor({ attributes, features }: Figures, set: FrameSet): Suggestion[] {
  const ranked = rankedIn(set)
  return [
    ...attributes.flatMap((each) => aboutAttribute(each, ranked)),
    ...features.flatMap((each) => aboutFeatures(each, ranked, set)),
  ]
}

/** Another figure of the question's subject comes first, then a figure of each subject, one dataset after another. */
export function followUps({ suggestions, reading, readAgain }: FollowUpContext): string[] {
  const asks = reading?.wants === 'figures' ? reading.asks : []
  const isAsked = (suggestion: Suggestion) => asks.some((ask) => isAnswerOf(suggestion, ask))
  const own = asks[0]?.subject
  const last = suggestions.findLastIndex(isAsked)
  // A follow-up of a follow-up goes on from there. A person who asks nothing in particular gets numbers before classes.
  const next =
    last >= 0
      ? [...suggestions.slice(last + 1), ...suggestions.slice(0, last)]
      : suggestions.toSorted((a, b) => Number(isCount(b)) - Number(isCount(a)))
  const ofOwn = next.filter(({ subject }) => own && sameSubject(subject, own)).slice(0, 1)
  const layers = new Set<string | undefined>([own && layerOf(own)])
  const ofLayers = next.filter(({ subject }) => !layers.has(layerOf(subject)) && layers.add(layerOf(subject)))
  const found: string[] = []
  for (const suggestion of new Set([...ofOwn, ...ofLayers, ...next])) {
    if (found.length === FOLLOW_UPS) break
    if (!isAsked(suggestion) && isReadAsMeant(suggestion, readAgain(suggestion.question)))
      found.push(suggestion.question)
  }
  return found
}

const isCount = ({ question }: Suggestion) => question.startsWith('How many')
const layerOf = (subject: Subject) => (subject.kind === 'index' ? undefined : subject.layerId)

const isAnswerOf = ({ subject, ops }: Suggestion, ask: Ask) =>
  ask.where.length === 0 && sameSubject(subject, ask.subject) && ops.includes(ask.operation.op)

function isReadAsMeant(suggestion: Suggestion, { asks, unknown, unanswered, wants }: Reading): boolean {
  const [ask, ...more] = asks
  if (!ask || more.length + unknown.length + unanswered.length > 0 || wants !== 'figures') return false
  return subjectsOfAsk(ask).length === (ask.operation.op === 'by' ? 2 : 1) && isAnswerOf(suggestion, ask)
}

function aboutAttribute(
  { dataset, name, label, unit, type, summary, frames }: AttributeFigures,
  ranked: Ranked,
): Suggestion[] {
  const subject: Subject = { kind: 'attribute', layerId: dataset.layerId, attribute: name }
  const suggest = (question: string, ...ops: Operation['op'][]): Suggestion => ({ question, subject, ops })
  // The frame is in the question already: "the average number of languages in the frame".
  const noun = nounOfLabel(label).replace(/ in the frame$/, '')
  // The units of the index are no finding: "the most common LGA" of a state.
  if (frames === 0 || summary === 'none' || (type === 'category' && isUnitLabel(label))) return []
  if (type === 'category') return [suggest(classQuestion(noun), 'usual', 'mode')]
  const counts = unit !== null && noun.split(' ').includes(unit.split(' ')[0] ?? '')
  const ofAverage = /^(?:mean|average)\b/.test(noun) ? noun : `average ${counts ? 'number of ' : ''}${noun}`
  const [most, fewest] = counts ? ['most', 'fewest'] : ['highest', 'lowest']
  const which = (words: string) => `Which ${ranked?.name} has the ${words} ${noun}?`
  const spreadOver = ranked ? [suggest(which(most), ranked.ops('max')), suggest(which(fewest), ranked.ops('min'))] : []
  if (summary !== 'sum') return [suggest(`What is the ${ofAverage}?`, 'usual', 'mean'), ...spreadOver]
  const total = counts ? `How many ${noun} are there?` : `What is the total ${noun}?`
  const average = ranked?.name === 'frame' ? [suggest(`What is the ${ofAverage} per frame?`, 'mean')] : []
  return [suggest(total, 'usual', 'sum'), ...spreadOver, ...average]
}

function classQuestion(noun: string): string {
  if (/\bor\b/.test(noun)) return `Are these frames mostly ${noun}?`
  return /^(?:main|most common)\b/.test(noun) ? `What is the ${noun}?` : `What is the most common ${noun}?`
}

function aboutFeatures(
  { dataset, features, frames }: FeatureFigures,
  ranked: Ranked,
  { count, place }: FrameSet,
): Suggestion[] {
  const subject: Subject = { kind: 'features', layerId: dataset.layerId }
  const suggest = (question: string, ...ops: Operation['op'][]): Suggestion => ({ question, subject, ops })
  const noun = nounOfLabel(dataset.name)
  return [
    suggest(`How many ${noun} are there?`, 'usual', 'sum'),
    ...(features > 0 && ranked ? [suggest(`Which ${ranked.name} has the most ${noun}?`, ranked.ops('max'))] : []),
    ...(frames < count && !place ? [suggest(`How many frames have no ${noun}?`, 'frames')] : []),
    ...(features > 0 && !place ? [suggest(`What are the names of the ${noun}?`, 'names')] : []),
  ]
}

/** "Population, 2026 estimate" is "population (2026 estimate)" inside a question. */
function nounOfLabel(label: string): string {
  const [name = '', ...parts] = label.split(', ')
  const noun = insideSentence(name)
  return parts.length === 0 ? noun : `${noun} (${parts.join(', ')})`
}
