/**
 * This file answers a question about frames, in five steps:
 * 1. figures.ts reads every figure of the frames.
 * 2. plan.ts reads the topics of the question, and choice.ts chooses the facets (facets.ts) that answer it.
 * 3. credits/charging.ts charges for the datasets of those facets; choice.ts chooses again without unpaid datasets.
 * 4. table.ts reads the value of each frame, and headline.ts writes the answer in one line.
 * 5. paid-words.ts gets a narrative: narrate.ts asks with prompt.ts, and slots.ts and verify.ts refuse other numbers.
 */
import { chargeCall, refundCall, type Bill } from '../credits/charging.js'
import type { Reader } from '../db/replicas/reader.js'
import { frameBoxes, type DatasetRow } from '../db/statements.js'
import { chooseFacets, type FacetChoice } from './choice.js'
import type { Facet, Source } from './facets.js'
import { readFigures, withoutUnpaid, type Figures } from './figures.js'
import { followUps } from './follow-ups.js'
import { headlineOf, NO_FRAMES } from './headline.js'
import { NOTICES, wordsFor, type WordingCall, type WordingInput } from './paid-words.js'
import { planOf, type QuestionPlan } from './plan.js'
import { comparisonFacets, tableOf, type Table } from './table.js'
import type { LabelledValue } from './verify.js'

export type InsightRequest = { frameIds: string[]; question: string | undefined; format: WordingInput['format'] }
/** The context of one call says who asks, and holds everything that makes the answer. */
export type InsightCall = WordingCall & {
  reader: Reader
  /** The datasets that the key may read. */
  datasets: readonly DatasetRow[]
}
type InsightAnswer = {
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
  sources: Source[]
  table: Table
  notice?: string
} & Bill

/** Returns undefined if the client hangs up before the answer is complete. */
export async function answerQuestion(call: InsightCall, request: InsightRequest): Promise<InsightAnswer | undefined> {
  const { ledger, reader, datasets, caller, requestId } = call
  const payer = { caller, requestId }
  const frameIds = await knownFrames(reader, request.frameIds)
  if (frameIds.length === 0) {
    call.onOutcome({ unworded: 'no_frames' })
    return answerWithoutFrames()
  }
  const figures = await readFigures(reader, frameIds, datasets)
  const plan = request.question === undefined ? undefined : await planOf(reader, datasets, request.question)
  const wanted = chooseFacets(figures, plan)
  if (call.hangUp.aborted) return undefined
  const bill = await chargeCall(ledger, payer, datasetsToCharge(wanted, datasets))
  try {
    const paid = bill.leftOut.length === 0 ? figures : withoutUnpaid(figures, bill.charged)
    const choice = bill.leftOut.length === 0 ? wanted : chooseFacets(paid, plan)
    const answer = await answerFrom(call, { request, frameIds, figures: paid, plan, choice, bill })
    if (!answer) refundCall(ledger, payer, bill)
    return answer
  } catch (error) {
    refundCall(ledger, payer, bill)
    throw error
  }
}

/** Drops ids that the index does not know, and keeps the caller's order. */
async function knownFrames(reader: Reader, frameIds: string[]): Promise<string[]> {
  const boxes = await frameBoxes(reader, frameIds)
  return boxes.sort((a, b) => a.place - b.place).flatMap(({ place }) => frameIds[place - 1] ?? [])
}

/** This is everything that the API knows once the call is charged. */
type ChargedRequest = {
  request: InsightRequest
  frameIds: string[]
  figures: Figures
  plan: QuestionPlan | undefined
  choice: FacetChoice
  bill: Bill
}

async function answerFrom(
  call: InsightCall,
  { request: { question, format }, frameIds, figures, plan, choice, bill }: ChargedRequest,
): Promise<InsightAnswer | undefined> {
  const table = await tableOf(call.reader, frameIds, choice)
  const facets = plan?.compares ? withComparison(choice, table) : choice.facets
  const headline = headlineOf({
    isProfile: question === undefined,
    first: choice.isMatched ? facets[0] : undefined,
    frames: frameIds.length,
    leftOut: question === undefined ? [] : bill.leftOut,
  })
  const facts = { headline, facets: facets.map(labelledValue), frames: frameIds.length, frameIds }
  const words = await wordsFor(call, { question, format, facts, sections: sectionsByCategory(facets) })
  if (!words) return undefined
  return {
    intent: 'frames',
    headline,
    ...('narrative' in words ? { narrative: words.narrative } : {}),
    facets: facts.facets,
    followUps: followUps(figures, choice),
    confidence: 'exact',
    engine: 'narrative' in words ? 'claude' : 'deterministic',
    ...('model' in words ? { model: words.model } : {}),
    register: 'plain',
    frameIds,
    sources: facets.map(({ source }) => source),
    table,
    ...('notice' in words ? { notice: words.notice } : {}),
    ...bill,
  }
}

const labelledValue = ({ label, value }: Facet) => ({ label, value })

/** A dataset without a record on these frames costs nothing, though "none" may be the answer. */
function datasetsToCharge(
  { facets, attributes, features }: FacetChoice,
  datasets: readonly DatasetRow[],
): DatasetRow[] {
  const recorded = facets.filter(({ source }) => source.frames > 0)
  const counted = features.filter((figures) => figures.features > 0)
  const used = new Set([...recorded, ...attributes, ...counted].map(({ dataset }) => dataset))
  return datasets.filter((dataset) => used.has(dataset))
}

const COMPARED_FACETS = 40
const withComparison = (choice: FacetChoice, table: Table): Facet[] =>
  [...comparisonFacets(table, choice), ...choice.facets].slice(0, COMPARED_FACETS)

function sectionsByCategory(facets: readonly Facet[]): { title: string; facets: number[] }[] {
  const sections = new Map<string, number[]>()
  facets.forEach(({ category }, place) => sections.set(category, [...(sections.get(category) ?? []), place]))
  return [...sections].map(([title, places]) => ({ title, facets: places }))
}

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
  charged: [],
  leftOut: [],
})
