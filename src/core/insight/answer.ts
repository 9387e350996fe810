/**
 * This file answers a question about frames, in six steps:
 * 1. figures.ts reads the usual figures of the frames.
 * 2. reading/ reads what the question asks for, and operations/ computes it.
 * 3. choice.ts chooses the facets (facets.ts): those that answer the question, and the rest of their subjects.
 * 4. credits/charging.ts charges for the datasets of those facets; choice.ts chooses again without unpaid datasets.
 * 5. table.ts reads the value of each frame, and headline.ts writes the answer in one line.
 * 6. paid-words.ts gets a narrative: sentences/ writes true sentences, and narrate.ts lets the model choose among them.
 */
import { chargeCall, refundCall, type Bill } from '../credits/charging.js'
import type { Reader } from '../db/replicas/reader.js'
import { frameBoxes, type DatasetRow } from '../db/statements.js'
import { setOfIds, type FrameSet, type Place } from './figures/frame-set.js'
import { readsOf, setInPlace, type Reads, type SentStatement } from './figures/reads.js'
import type { FacetChoice } from './choice.js'
import type { Facet } from './figures/facets.js'
import type { Source } from './figures/typed.js'
import { findingsFor, paidFindings, unansweredIn, type Findings } from './findings.js'
import { followUps } from './follow-ups.js'
import { FIGURES_MAX, headlineOf, notesBeforeFigures, NO_FRAMES, type HeadlineInput } from './headline.js'
import { NOTICES, plannedReading, wordsFor, type WordingCall, type WordingInput } from './paid-words.js'
import type { PlannedQuestion } from './reading/by-model.js'
import type { CatalogueCache } from './reading/catalogue.js'
import type { Reading } from './reading/reading.js'
import { unknownWordsIn } from './reading/unused.js'
import type { Paragraph } from './sentences/compose.js'
import { tableOf, type Table } from './table.js'
import type { LabelledValue } from './numbers/verify.js'

/** A unit and a box may have more frames than a call takes. Datasets with a price are not read there. */
export type AskedFrames = { frameIds: string[] } | { place: Place }
export type InsightRequest = AskedFrames & { question: string | undefined; format: WordingInput['format'] }
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
  narrative?: string
  facets: LabelledValue[]
  followUps: string[]
  confidence: 'exact'
  engine: 'claude' | 'deterministic'
  model?: string
  register: 'plain'
  frameIds: string[]
  /** An answer about a place names it, and counts its frames. */
  place?: Place
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
  /** Words of the question that no dataset has a name for, parts without a figure, and places where no frame lies. */
  unread: readonly string[]
}

/** Returns undefined if the client hangs up before the answer is complete. */
export async function answerQuestion(call: InsightCall, request: InsightRequest): Promise<InsightAnswer | undefined> {
  const { ledger, reader, datasets, caller, requestId } = call
  const payer = { caller, requestId }
  const reads = readsOf(reader, datasets)
  const set = await setAsked(call, reads, request)
  if (set.count === 0) {
    call.onOutcome({ unworded: 'no_frames' })
    return answerWithoutFrames()
  }
  const planned = call.planned ?? ((asked: PlannedQuestion) => plannedReading(call, request.format, asked))
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

async function setAsked({ reader }: InsightCall, reads: Reads, request: InsightRequest): Promise<FrameSet> {
  if (!('place' in request)) return setOfIds(await knownFrames(reader, request.frameIds))
  return await setInPlace(reads, request.place)
}

/** Drops ids that the index does not know, and keeps the caller's order. */
async function knownFrames(reader: Reader, frameIds: string[]): Promise<string[]> {
  const boxes = await frameBoxes(reader, frameIds)
  return boxes.sort((a, b) => a.place - b.place).flatMap(({ place }) => frameIds[place - 1] ?? [])
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
  const told: HeadlineInput = {
    about: reading === undefined || reading.wants === 'profile' ? 'overview' : reading.wants,
    answers,
    nearest: choice.nearest,
    unknown: reading?.unknown ?? [],
    unanswered: unansweredIn(findings),
    reasons: findings.reasons,
    places: { absent: placing.absent, partial: reading?.wants === 'figures' ? [] : placing.partial },
    frames: set.count,
    leftOut: question === undefined ? [] : bill.leftOut,
  }
  const headline = headlineOf(told)
  const words = await wordsFor(call, {
    question,
    format,
    facts: { headline, facets, frames: set.count, frameIds },
    answers: placesOf(withTheirWards(answers, facets), facets),
    nearest: placesOf(choice.nearest, facets),
    notes: notesBeforeFigures(told),
  })
  if (!words) return undefined
  return {
    intent: 'frames',
    headline,
    ...('narrative' in words ? { narrative: words.narrative } : {}),
    facets: facets.map(({ label, value }) => ({ label, value })),
    followUps: followUps(findings, set),
    confidence: 'exact',
    engine: 'narrative' in words ? 'claude' : 'deterministic',
    ...('model' in words ? { model: words.model } : {}),
    register: 'plain',
    frameIds,
    ...(set.place ? { place: set.place, frames: set.count } : {}),
    sources: facets.map(({ source }) => source),
    table,
    ...('notice' in words ? { notice: words.notice } : {}),
    shown: {
      ...('narrative' in words ? { paragraphs: words.paragraphs } : {}),
      statements: reads.sent(),
      facets,
      named: answers.length > 0 ? answers : choice.nearest,
      unread: [...told.unknown, ...told.unanswered, ...placing.absent],
    },
    ...bill,
  }
}

/** A dataset without a record on these frames costs nothing, though "none" may be the answer. */
function datasetsToCharge({ shown }: FacetChoice, datasets: readonly DatasetRow[]): DatasetRow[] {
  const used = new Set(shown.filter(({ frames }) => frames > 0).map(({ dataset }) => dataset))
  return datasets.filter((dataset) => used.has(dataset))
}

/** The figure of a few frames and that of their ward are told together. */
const withTheirWards = (answers: readonly Facet[], facets: readonly Facet[]): Facet[] =>
  answers.flatMap((answer) => {
    const { layerId, attribute, unit } = answer.source
    const isOfWard = ({ source }: Facet) =>
      source.unit !== undefined && source.layerId === layerId && source.attribute === attribute
    return unit === undefined ? [answer, ...facets.filter(isOfWard)] : [answer]
  })

/** A narrative begins with the figures that the headline names. */
const placesOf = (some: readonly Facet[], facets: readonly Facet[]): number[] =>
  some.slice(0, FIGURES_MAX).flatMap((facet) => {
    const place = facets.indexOf(facet)
    return place < 0 ? [] : [place]
  })

const answerWithoutFrames = (): InsightAnswer => ({
  intent: 'frames',
  headline: NO_FRAMES,
  facets: [],
  followUps: [],
  confidence: 'exact',
  engine: 'deterministic',
  register: 'plain',
  frameIds: [],
  sources: [],
  table: { columns: [{ key: 'frameId', label: 'Frame' }], rows: [] },
  notice: NOTICES.no_frames,
  shown: { statements: [], facets: [], named: [], unread: [] },
  charged: [],
  leftOut: [],
})
