/**
 * Suggests questions that these figures answer and that the caller did not ask. Each is read as a person's question is,
 * and suggested where that gives the figure it is made for.
 */
import { insideSentence } from './figures/figure-text.js'
import type { FrameSet } from './figures/frame-set.js'
import type { Recorded } from './figures/recorded.js'
import type { Findings } from './findings.js'
import { readQuestion } from './reading/read.js'
import type { Ask, Operation, Reading, Subject } from './reading/reading.js'
import { isUnitLabel, sameSubject } from './reading/topic.js'

const FOLLOW_UPS = 3

/** The question asks for one figure of a subject. */
type Suggestion = { question: string; subject: Subject; op: Operation['op'] }
/** A person compares the frames of a call, or the parts of a unit. */
type Ranked = { name: string; op?: 'by' } | undefined

const PART_TITLES = ['state', 'LGA', 'ward'] as const

function rankedIn({ count, place }: FrameSet): Ranked {
  if (!place) return count > 1 ? { name: 'frame' } : undefined
  const name = 'unit' in place ? PART_TITLES[place.unit.length] : undefined
  return name === undefined ? undefined : { name, op: 'by' }
}

/** Another figure of the question's subject comes first, then a figure of each dataset: of those behind it, then of the others. */
export function followUps(
  { recorded, reading, catalogue }: Pick<Findings, 'recorded' | 'reading' | 'catalogue'>,
  set: FrameSet,
): string[] {
  const asks = reading?.wants === 'figures' ? reading.asks : []
  const ranked = rankedIn(set)
  const suggestions = recorded.flatMap((each) => suggestionsOf(each, ranked, set))
  const last = suggestions.findLastIndex((each) => asks.some((ask) => isFigureOf(each, ask)))
  const next = [...suggestions.slice(last + 1), ...suggestions.slice(0, last + 1)].filter(
    (each) => !asks.some((ask) => isFigureOf(each, ask)) && isReadAsMeant(each, readAgain(each.question)),
  )
  const isOwn = ({ subject }: Suggestion) => asks[0] !== undefined && sameSubject(subject, asks[0].subject)
  const layers = new Set(asks.slice(0, 1).map(layerOf))
  const ofLayers = next.filter((each) => !layers.has(layerOf(each)) && layers.add(layerOf(each)))
  return [...new Set([...next.filter(isOwn).slice(0, 1), ...ofLayers, ...next])]
    .slice(0, FOLLOW_UPS)
    .map(({ question }) => question)

  function readAgain(question: string): Reading {
    const again = catalogue.suggestions.get(question) ?? readQuestion(catalogue, question)
    catalogue.suggestions.set(question, again)
    return again
  }
}

const layerOf = ({ subject }: { subject: Subject }) => (subject.kind === 'index' ? '' : subject.layerId)

const isFigureOf = ({ subject, op }: Suggestion, ask: Ask) =>
  ask.where.length === 0 && sameSubject(subject, ask.subject) && op === ask.operation.op

const isReadAsMeant = (suggestion: Suggestion, { asks, unknown, unanswered }: Reading): boolean =>
  asks.length === 1 && unknown.length + unanswered.length === 0 && asks.every((ask) => isFigureOf(suggestion, ask))

function suggestionsOf({ dataset, entry, frames }: Recorded, ranked: Ranked, { count, place }: FrameSet): Suggestion[] {
  const { layerId } = dataset
  const noun = nounOfLabel(entry?.label ?? dataset.name)
  const subject: Subject = entry ? { kind: 'attribute', layerId, attribute: entry.name } : { kind: 'features', layerId }
  const suggest = (question: string, op: Operation['op']): Suggestion => ({ question, subject, op })
  const which = (words: string, op: 'max' | 'min') =>
    ranked && frames > 0 ? [suggest(`Which ${ranked.name} has the ${words} ${noun}?`, ranked.op ?? op)] : []
  if (!entry)
    return [
      suggest(`How many ${noun} are there?`, 'usual'),
      ...which('most', 'max'),
      ...(frames < count && !place ? [suggest(`How many frames have no ${noun}?`, 'frames')] : []),
      ...(frames > 0 && !place ? [suggest(`What are the names of the ${noun}?`, 'names')] : []),
    ]
  const { type, unit, summary, label } = entry
  // The units of the index are no finding: "the most common LGA" of a state.
  if (summary === 'none' || (type === 'category' && isUnitLabel(label))) return []
  if (type === 'category')
    return [suggest(`What is the ${/^(?:main|most common)\b/.test(noun) ? '' : 'most common '}${noun}?`, 'usual')]
  const counts = unit !== null && noun.split(' ').includes(unit.split(' ')[0] ?? '')
  const [most, fewest] = counts ? ['most', 'fewest'] : ['highest', 'lowest']
  const total = counts ? `How many ${noun} are there?` : `What is the total ${noun}?`
  const average = `What is the ${/^(?:mean|average)\b/.test(noun) ? '' : 'average '}${noun}?`
  return [suggest(summary === 'sum' ? total : average, 'usual'), ...which(most, 'max'), ...which(fewest, 'min')]
}

/** "Population, 2026 estimate" is "population (2026 estimate)" inside a question. */
function nounOfLabel(label: string): string {
  const [name = '', ...parts] = label.split(', ')
  const noun = insideSentence(name)
  return parts.length === 0 ? noun : `${noun} (${parts.join(', ')})`
}
