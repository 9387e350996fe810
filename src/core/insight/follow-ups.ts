/**
 * Suggests questions that these figures answer and that the caller did not ask. The reading of each is the figure that
 * it is made for, so that the service answers each with that figure first.
 */
import { subjectsOfAsk } from './choice.js'
import type { AttributeFigures, FeatureFigures } from './figures/read-figures.js'
import type { FrameSet } from './figures/frame-set.js'
import { insideSentence } from './figures/figure-text.js'
import { isUnitLabel } from './reading/topic.js'
import type { Ask, Operation, Reading, Subject } from './reading/reading.js'

const FOLLOW_UPS = 3

/** The question asks for one figure of a subject. `ops`: readings of the question that give the same figure. */
export type Suggestion = { question: string; subject: Subject; ops: readonly Operation['op'][] }

type FollowUpContext = {
  suggestions: readonly Suggestion[]
  reading: Reading | undefined
  /** Reads a question as the service reads it when somebody asks it. */
  readAgain: (question: string) => Reading
}

type SuggestedFigures = {
  attributes: readonly SuggestedAttribute[]
  features: readonly Pick<FeatureFigures, 'dataset' | 'features' | 'frames'>[]
}
type SuggestedAttribute = Pick<AttributeFigures, 'dataset' | 'name' | 'label' | 'unit' | 'type' | 'summary' | 'frames'>

/** Lists the questions that these figures answer. */
export function suggestionsFor({ attributes, features }: SuggestedFigures, set: FrameSet): Suggestion[] {
  const ranked = rankedIn(set)
  return [
    ...attributes.flatMap((each) => (each.summary === 'none' ? [] : aboutAttribute(each, ranked))),
    ...features.flatMap((each) => aboutFeatures(each, ranked, set)),
  ]
}

/** A person compares the frames of a call, or the parts of a unit. */
type Ranked = { name: string; ops: (order: 'max' | 'min') => Operation['op'] } | undefined

function rankedIn({ count, place }: FrameSet): Ranked {
  if (!place) return count > 1 ? { name: 'frame', ops: (order) => order } : undefined
  const part = 'unit' in place ? PART_TITLES[place.unit.length] : undefined
  return part === undefined ? undefined : { name: part, ops: () => 'by' }
}

const PART_TITLES = ['state', 'LGA', 'ward'] as const

/** Another figure of the question's subject comes first, then its dataset's next subject, then the next datasets. */
export function followUps({ suggestions, reading, readAgain }: FollowUpContext): string[] {
  const asks = reading?.wants === 'figures' ? reading.asks : []
  const own = asks[0]?.subject
  const bySubject = groupedBySubject(own ? suggestions : countsFirst(suggestions))
  const place = own ? bySubject.findIndex(([first]) => first && isSame(first.subject, own)) : -1
  const others = rotated(bySubject, place + 1).filter((some) => some !== bySubject[place])
  const candidates = [
    ...nextOfOwn(bySubject[place] ?? [], asks),
    ...spread(others, own).flatMap((some) => some.slice(0, 1)),
    ...others.flatMap((some) => some.slice(1)),
  ]
  const found: string[] = []
  for (const suggestion of candidates) {
    if (found.length === FOLLOW_UPS) break
    if (!asks.some((ask) => isAnswerOf(suggestion, ask)) && isReadAsMeant(suggestion, readAgain(suggestion.question)))
      found.push(suggestion.question)
  }
  return found
}

/** A person who asks nothing in particular gets numbers before classes. */
const countsFirst = (suggestions: readonly Suggestion[]): Suggestion[] => {
  const isCount = ({ question }: Suggestion) => question.startsWith('How many')
  return [...suggestions.filter(isCount), ...suggestions.filter((each) => !isCount(each))]
}

function groupedBySubject(suggestions: readonly Suggestion[]): Suggestion[][] {
  const groups = new Map<string, Suggestion[]>()
  for (const suggestion of suggestions) {
    const key = JSON.stringify(suggestion.subject)
    groups.set(key, [...(groups.get(key) ?? []), suggestion])
  }
  return [...groups.values()]
}

/** Takes the figure after the one that was asked, so that a follow-up of a follow-up goes on. */
function nextOfOwn(suggestions: readonly Suggestion[], asks: readonly Ask[]): Suggestion[] {
  const current = suggestions.findIndex((suggestion) => asks.some((ask) => isAnswerOf(suggestion, ask)))
  return rotated(suggestions, current + 1).slice(0, 1)
}

/** Puts the next subject of the same dataset first, then a subject of each dataset in turn. */
function spread(others: readonly Suggestion[][], own: Subject | undefined): Suggestion[][] {
  const layerOf = (suggestions: readonly Suggestion[]) => layerOfSubject(suggestions[0]?.subject)
  const siblings = others.filter((suggestions) => own && layerOf(suggestions) === layerOfSubject(own)).slice(0, 1)
  const layers = new Set<string | undefined>([layerOfSubject(own)])
  const oneEach = others.filter((suggestions) => !layers.has(layerOf(suggestions)) && layers.add(layerOf(suggestions)))
  return [...new Set([...siblings, ...oneEach, ...others])]
}

const rotated = <Item>(items: readonly Item[], by: number): Item[] => [...items.slice(by), ...items.slice(0, by)]

const layerOfSubject = (subject: Subject | undefined) =>
  subject === undefined || subject.kind === 'index' ? undefined : subject.layerId

const isSame = (one: Subject, other: Subject) => JSON.stringify(one) === JSON.stringify(other)

const isAnswerOf = ({ subject, ops }: Suggestion, ask: Ask) =>
  ask.where.length === 0 && isSame(subject, ask.subject) && ops.includes(ask.operation.op)

const isReadAsMeant = (suggestion: Suggestion, { asks, unknown, unanswered, wants }: Reading) => {
  const [ask] = asks
  return (
    ask !== undefined &&
    asks.length === 1 &&
    wants === 'figures' &&
    unknown.length + unanswered.length === 0 &&
    subjectsOfAsk(ask).length === (ask.operation.op === 'by' ? 2 : 1) &&
    isAnswerOf(suggestion, ask)
  )
}

function aboutAttribute(
  { dataset, name, label, unit, type, summary, frames }: SuggestedAttribute,
  ranked: Ranked,
): Suggestion[] {
  const subject: Subject = { kind: 'attribute', layerId: dataset.layerId, attribute: name }
  const suggest = (question: string, ...ops: Operation['op'][]): Suggestion => ({ question, subject, ops })
  // The frame is in the question already: "the average number of languages in the frame".
  const noun = nounOfLabel(label).replace(/ in the frame$/, '')
  // The units of the index are no finding: "the most common LGA" of a state.
  if (frames === 0 || (type === 'category' && isUnitLabel(label))) return []
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
  { dataset, features, frames }: SuggestedFigures['features'][number],
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
