/**
 * This file answers a question about frames, in six steps:
 * 1. figures.ts reads the usual figures of the frames.
 * 2. reading/ reads what the question asks for, and operations/ computes it.
 * 3. choice.ts chooses the facets (facets.ts): those that answer the question, and the rest of their subjects.
 * 4. credits/charging.ts charges for the datasets of those facets; choice.ts chooses again without unpaid datasets.
 * 5. table.ts reads the value of each frame, and headline.ts writes the answer in one line.
 * 6. paid-words.ts gets a narrative: sentences/ writes true sentences, and narrate.ts lets the model choose among them.
 */
import { type Bill, chargeCall, refundCall } from '../credits/index.js'
import type { DatasetRow, Reader } from '../db/index.js'
import { frameBoxes } from '../db/statements.js'
import { defined } from '../defined.js'
import { isFrameId } from '../frame-id.js'
import { citesOf } from './cite.js'
import type { FacetChoice } from './choice.js'
import {
  type Facet,
  type Filter,
  framesOf,
  framesPassing,
  type FrameSet,
  insideSentence,
  type LabelledValue,
  type Reads,
  readsOf,
  type Recorded,
  type SentStatement,
  setInPlace,
  setOfIds,
  type Source,
  type Subject,
} from '../figures/index.js'
import { type Area, foldName, levelNoun, type Place, UNIT_LEVELS, type UnitLevel, type UnitPath } from '../place.js'
import { type Findings, findingsFor, layerOfSubject, paidFindings, unansweredIn } from './findings.js'
import { type Confidence, confidenceOf, headlineOf, NO_FRAMES } from './headline.js'
import type { Notes } from './notes.js'
import { plannedReading, WORDING_NOTICES, type WordingCall, type WordingInput, wordsFor } from './paid-words.js'
import type { PlannedQuestion } from './reading/by-model.js'
import type { CatalogueCache } from './reading/catalogue.js'
import { readQuestion } from './reading/read.js'
import type { Ask, Operation, Reading } from './reading/reading.js'
import { isUnitLabel, sameSubject } from './reading/topic.js'
import { unknownWordsIn } from './reading/unused.js'
import type { Paragraph } from './sentences/compose.js'
import { type Table, tableOf } from './table.js'

/** An area may have more frames than a call takes. Datasets with a price are not read there. */
export type InsightRequest = {
  place: Place
  /** The question is about those frames of an area that pass. */
  where?: Filter | undefined
  question: string | undefined
  format: WordingInput['format']
}
/** The context of one call says who asks, and holds everything that makes the answer. */
export type InsightCall = WordingCall & {
  reader: Reader
  /** The datasets that the key may read. */
  datasets: readonly DatasetRow[]
  /** A command asks the model without an allowance. */
  planned?: (asked: PlannedQuestion) => Promise<Reading>
  /** Absent where one answer alone is made. */
  catalogues?: CatalogueCache
  /** Gets the words of an answered question that no name of these datasets has. */
  onUnknown?: (words: readonly string[]) => void
  /** Where a person has not agreed to the prices, it charges nothing. Absent for calls: they agree by calling. */
  charge?: (contributing: readonly DatasetRow[]) => Bill
}
export type InsightAnswer = {
  intent: 'frames'
  headline: string
  /** Absent where no frame is in the index. */
  notes?: Notes
  narrative?: string
  facets: LabelledValue[]
  followUps: string[]
  confidence: Confidence
  engine: 'claude' | 'deterministic'
  model?: string
  register: 'plain'
  frameIds: string[]
  /** An answer about a place names it, and counts its frames. */
  place?: Area
  frames?: number
  sources: Source[]
  table: Table
  notice?: string
  /** Calls do not send this. */
  shown: ShownAnswer
} & Bill

/** A page shows this beside an answer. */
type ShownAnswer = {
  /** The sentences of the narrative with their figures. */
  paragraphs?: readonly Paragraph[]
  /** In the order in which they were sent. */
  statements: readonly SentStatement[]
  /** The facets with their typed values. A facet of the profile of ids has no statements of its own. */
  facets: readonly Facet[]
  /** The headline names these facets. */
  named: readonly Facet[]
  /** The frames that pass the conditions of the first of these, and the unit that they name. */
  passing?: { where: Filter; unit?: UnitPath }
}

/** Returns undefined if the client hangs up before the answer is complete. */
export async function answerQuestion(call: InsightCall, request: InsightRequest): Promise<InsightAnswer | undefined> {
  const { ledger, reader, datasets, caller, requestId } = call
  const payer = { caller, requestId }
  const reads = readsOf(reader, datasets)
  const set = await setAsked(call, reads, request)
  if (set.count === 0) {
    call.onOutcome({ unworded: 'no_frames' })
    return answerWithoutFrames(request.question)
  }
  const planned = call.planned ?? ((asked: PlannedQuestion) => plannedReading(call, asked))
  const findings = await findingsFor(
    { reader, datasets, reads, set, planned, catalogues: call.catalogues },
    request.question,
  )
  if (call.hangUp.aborted) return undefined
  const contributing = datasetsToCharge(findings.choice, datasets)
  const bill = call.charge ? call.charge(contributing) : await chargeCall(ledger, payer, contributing)
  try {
    const paid = bill.leftOut.length === 0 ? findings : await paidFindings({ reads, set }, findings, bill.leftOut)
    const answer = await answerFrom(call, { request, reads, set, findings: paid, bill })
    if (!answer) refundCall(ledger, payer, bill)
    else call.onUnknown?.(unknownWordsIn({ ...findings, question: request.question ?? '' }))
    return answer
  } catch (error) {
    refundCall(ledger, payer, bill)
    throw error
  }
}

async function setAsked({ reader }: InsightCall, reads: Reads, { place, where }: InsightRequest): Promise<FrameSet> {
  if ('frames' in place) return setOfIds(await knownFrames(reader, place.frames))
  const all = await setInPlace(reads, 'unit' in place ? { unit: place.unit.map(foldName) } : place)
  if (!where) return all
  const passing = { ...all, where }
  return { ...passing, count: (await framesOf(reads, passing)).count }
}

/** Drops ids that the index does not know, and keeps the caller's order. */
export async function knownFrames(reader: Reader, ids: readonly string[]): Promise<string[]> {
  const asked = ids.filter(isFrameId)
  const boxes = await frameBoxes(reader, asked)
  return boxes.sort((a, b) => a.place - b.place).flatMap(({ place }) => asked[place - 1] ?? [])
}

/** This is everything that the API knows once the call is charged. */
type ChargedRequest = { request: InsightRequest; reads: Reads; set: FrameSet; findings: Findings; bill: Bill }

async function answerFrom(call: InsightCall, charged: ChargedRequest): Promise<InsightAnswer | undefined> {
  const { request, reads, set, findings, bill } = charged
  const { question, format } = request
  const { reading, choice, placing } = findings
  const frameIds = set.place ? [] : set.frames
  const { facets, answers } = choice
  const table = await tableOf(reads, set, choice.shown)
  const notes: Notes = {
    profile: reading === undefined || reading.wants === 'profile',
    answers: answers.length,
    nearest: choice.nearest.length,
    leftOut: question === undefined ? [] : bill.leftOut.map(({ name, reason }) => ({ name, reason })),
    unknown: reading?.unknown ?? [],
    unanswered: unansweredIn(findings),
    reasons: findings.reasons,
    readAs: reading?.readAs ?? [],
    absent: placing.absent,
    partial: reading?.wants === 'figures' ? [] : placing.partial,
  }
  const { headline, input } = headlineOf(notes, { facets, frames: set.count, frameIds })
  const [words, cites] = await Promise.all([
    wordsFor(call, { ...input, question, format, headline }),
    citesOf(call, set, facets),
  ])
  if (!words) return undefined
  return {
    intent: 'frames',
    headline,
    notes,
    ...('narrative' in words ? { narrative: words.narrative } : {}),
    facets: facets.map(({ label, value }) => ({ label, value })),
    followUps: followUps(findings, set),
    confidence: confidenceOf(notes),
    engine: 'narrative' in words ? 'claude' : 'deterministic',
    ...('model' in words ? { model: words.model } : {}),
    register: 'plain',
    frameIds,
    ...(set.place ? { place: set.place, frames: set.count } : {}),
    sources: facets.map(({ source }, i) => ({ ...source, ...defined({ cite: cites[i] }) })),
    table,
    ...('notice' in words ? { notice: words.notice } : {}),
    shown: {
      ...('narrative' in words ? { paragraphs: words.paragraphs } : {}),
      statements: reads.sent(),
      facets,
      named: answers.length > 0 ? answers : choice.nearest,
      ...defined({ passing: await passingOf(reads, set, answers[0]) }),
    },
    ...bill,
  }
}

async function passingOf(reads: Reads, set: FrameSet, answer: Facet | undefined): Promise<ShownAnswer['passing']> {
  const { where: conditions = [] } = answer?.source ?? {}
  const { where, frames } = (conditions.length > 0 && (await framesPassing(reads, set, conditions))) || set
  return conditions.length > 0 && where ? { where, ...defined({ unit: unitOf(frames) }) } : undefined
}

const unitOf = ([kind, ...unit]: readonly string[]): UnitPath | undefined => (kind === 'unit' ? unit : undefined)

/** A dataset without a record on these frames costs nothing, though "none" may be the answer. */
function datasetsToCharge({ shown }: FacetChoice, datasets: readonly DatasetRow[]): DatasetRow[] {
  const used = new Set(shown.filter(({ frames }) => frames > 0).map(({ dataset }) => dataset))
  return datasets.filter((dataset) => used.has(dataset))
}

const answerWithoutFrames = (question: string | undefined): InsightAnswer => ({
  intent: 'frames',
  headline: NO_FRAMES,
  facets: [],
  followUps: [],
  confidence: question === undefined ? 'exact' : 'nearest',
  engine: 'deterministic',
  register: 'plain',
  frameIds: [],
  sources: [],
  table: { columns: [{ key: 'frameId', label: 'Frame' }], rows: [] },
  notice: WORDING_NOTICES.no_frames,
  shown: { statements: [], facets: [], named: [] },
  charged: [],
  leftOut: [],
})

/**
 * Suggests questions that these figures answer and that the caller did not ask. Each is read as a person's question is,
 * and suggested where that gives the figure it is made for.
 */
const FOLLOW_UPS = 3

/** The question asks for one figure of a subject. */
type Suggestion = { question: string; subject: Subject; op: Operation['op']; level?: UnitLevel }
/** A person compares the frames of a call, or the parts of a unit. */
type RankedSubject = { name: string; level?: UnitLevel } | undefined

function rankedIn({ count, place }: FrameSet): RankedSubject {
  if (!place) return count > 1 ? { name: 'frame' } : undefined
  const level = 'unit' in place ? UNIT_LEVELS[place.unit.length] : undefined
  return level && { name: levelNoun(level), level }
}

/** Another figure of the question's subject comes first, then a figure of each dataset: of those behind it, then of the others. */
function followUps(
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
  const layers = new Set(asks.slice(0, 1).map(layerOfAsk))
  const ofLayers = next.filter((each) => !layers.has(layerOfAsk(each)) && layers.add(layerOfAsk(each)))
  return [...new Set([...next.filter(isOwn).slice(0, 1), ...ofLayers, ...next])]
    .slice(0, FOLLOW_UPS)
    .map(({ question }) => question)

  function readAgain(question: string): Reading {
    const again = catalogue.suggestions.get(question) ?? readQuestion(catalogue, question)
    catalogue.suggestions.set(question, again)
    return again
  }
}

const layerOfAsk = ({ subject }: { subject: Subject }) => layerOfSubject(subject)

function isFigureOf({ subject, op, level }: Suggestion, { where, subject: own, operation }: Ask): boolean {
  const by = operation.op === 'figure' ? operation.figure.by : undefined
  const isSame = op === operation.op && (op !== 'figure' || (by !== undefined && 'level' in by && by.level === level))
  return where.length === 0 && sameSubject(subject, own) && isSame
}

const isReadAsMeant = (suggestion: Suggestion, { asks, unknown, unanswered }: Reading): boolean =>
  asks.length === 1 && unknown.length + unanswered.length === 0 && asks.every((ask) => isFigureOf(suggestion, ask))

function suggestionsOf(
  { dataset, entry, frames }: Recorded,
  ranked: RankedSubject,
  { count, place }: FrameSet,
): Suggestion[] {
  const { layerId } = dataset
  const noun = nounOfLabel(entry?.label ?? dataset.name)
  const subject: Subject = entry ? { kind: 'attribute', layerId, attribute: entry.name } : { kind: 'features', layerId }
  const suggest = (question: string, op: Operation['op']): Suggestion => ({ question, subject, op, ...ranked })
  const which = (words: string, op: 'max' | 'min') =>
    ranked && frames > 0
      ? [suggest(`Which ${ranked.name} has the ${words} ${noun}?`, ranked.level ? 'figure' : op)]
      : []
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
