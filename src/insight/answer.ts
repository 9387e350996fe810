/** A worded answer about frames: figures from SQL, facets that answer the question, words that add none. */
import { giveBack, post, reserve, type CoveredBy } from '../credits/allowance.js'
import { chargeFor, takeBack, type Charged } from '../credits/charging.js'
import type { Database } from '../db/connect.js'
import type { Reads } from '../db/replicas.js'
import { frameBoxes, topicsOfQuestion, type DatasetRow } from '../db/statements.js'
import { answering, profile, type Chosen, type Topic } from './choose.js'
import { figuresOf, type Facet, type Figures, type Source } from './figures.js'
import { followUps } from './follow-ups.js'
import type { Narrated, NarrativeInput } from './narrate.js'
import { asked } from './question.js'
import { comparison, tableOf, type Table } from './table.js'

export type Question = { frameIds: string[]; question: string | undefined; format: 'plain' | 'report' }
export type Asker = { orgId: string; keyId: string; plan: string }
export type Narrate = (input: NarrativeInput) => Promise<Narrated>
/** How an answer ended: worded, by what covered it, or why it came unworded. */
export type Outcome = { worded: CoveredBy } | { unworded: keyof typeof UNWORDED; reason?: string }
/** Told once for every answer, for the log and the metrics. */
export type Told = (outcome: Outcome) => void

export type Answer = {
  intent: 'frames'
  headline: string
  narrative?: string
  facets: { label: string; value: string }[]
  followUps: string[]
  confidence: 'exact'
  engine: 'claude' | 'deterministic'
  model?: string
  register: 'plain'
  frameIds: string[]
  sources: Source[]
  table: Table
  notice?: string
} & Charged

type Words = { narrative: string; model: string } | { notice: string }

/** What is paid with, and what is read from. */
type Servers = { db: Database; reads: Reads }

/** `seen`: the datasets that the key can read. */
export async function answerOn(
  { db, reads }: Servers,
  narrate: Narrate | undefined,
  asker: Asker,
  requestId: string,
  question: Question,
  seen: readonly DatasetRow[],
  told: Told,
): Promise<Answer> {
  const boxes = await frameBoxes(reads, question.frameIds)
  const frameIds = boxes.sort((a, b) => a.place - b.place).flatMap(({ place }) => question.frameIds[place - 1] ?? [])
  if (frameIds.length === 0) {
    told({ unworded: 'no_frames' })
    return nothing()
  }
  const all = await figuresOf(reads, frameIds, seen)
  const topics = question.question === undefined ? [] : await topicsOf(reads, seen, question.question)
  const wish = asked(question.question ?? '')
  const choose = (figures: Figures) => answering(figures, topics, wish) ?? profile(figures)

  const wanted = choose(all)
  const bill = await chargeFor(db, asker, requestId, contributing(wanted, seen))
  const figures = bill.leftOut.length === 0 ? all : without(all, bill.charged)
  const chosen = bill.leftOut.length === 0 ? wanted : choose(figures)
  const table = await tableOf(reads, frameIds, chosen).catch((error: unknown) => {
    takeBack(db, asker, requestId, bill)
    throw error
  })
  const facets = wish.compares ? compared(chosen, table) : chosen.facets
  const headline = headlineOf(question.question, chosen, facets, frameIds.length)
  const words = await worded(db, narrate, asker, requestId, told, {
    question: question.question,
    format: question.format,
    figures: { headline, facets: facets.map(shown), frames: frameIds.length, frameIds },
    sections: sectionsOf(facets),
  })
  return {
    intent: 'frames',
    headline,
    ...('narrative' in words ? { narrative: words.narrative } : {}),
    facets: facets.map(shown),
    followUps: followUps(figures, chosen),
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

const shown = ({ label, value }: Facet) => ({ label, value })

async function topicsOf(reads: Reads, seen: readonly DatasetRow[], question: string): Promise<Topic[]> {
  const layers = seen.map(({ layerId }) => layerId)
  const found = await topicsOfQuestion(reads, layers, question)
  return found.map(({ layer, attribute, score }) => ({ layerId: layers[layer - 1] ?? '', attribute, score }))
}

/** A dataset that records nothing on these frames contributes nothing, though "none" may be the answer. */
function contributing({ facets, attributes, features }: Chosen, seen: readonly DatasetRow[]): DatasetRow[] {
  const telling = facets.filter(({ source }) => source.frames > 0)
  const counted = features.filter((figure) => figure.features > 0)
  const used = new Set([...telling, ...attributes, ...counted].map(({ dataset }) => dataset))
  return seen.filter((dataset) => used.has(dataset))
}

/** What was not paid for is not there. */
function without({ frames, attributes, features }: Figures, charged: readonly string[]): Figures {
  const free = ({ dataset }: { dataset: DatasetRow }) => dataset.price === null || charged.includes(dataset.layerId)
  return { frames, attributes: attributes.filter(free), features: features.filter(free) }
}

const COMPARED_FACETS = 40
function compared(chosen: Chosen, table: Table): Facet[] {
  return [...comparison(table, chosen), ...chosen.facets].slice(0, COMPARED_FACETS)
}

function headlineOf(
  question: string | undefined,
  { matched }: Chosen,
  facets: readonly Facet[],
  frames: number,
): string {
  const over = frames === 1 ? '1 frame' : `${frames} frames`
  const [first] = facets
  if (matched && first) return `${first.label}: ${first.value} (${over} asked).`
  if (question === undefined) return `Profile of ${over}.`
  return `Nothing recorded on these frames matches the question: a profile of ${over}.`
}

function sectionsOf(facets: readonly Facet[]): { title: string; facets: number[] }[] {
  const sections = new Map<string, number[]>()
  facets.forEach(({ category }, place) => sections.set(category, [...(sections.get(category) ?? []), place]))
  return [...sections].map(([title, places]) => ({ title, facets: places }))
}

const UNWORDED = {
  no_frames: 'There is nothing to put into words: none of these frames is in the index.',
  not_configured: 'The figures come without words: wording is not configured here.',
  no_allowance: "The figures come without words: this month's worded answers are used up, and there are no credits.",
  daily_ceiling: "The figures come without words: today's worded answers of the organisation are used up.",
  unavailable: 'The figures come without words: wording is unavailable just now.',
  unverified: 'The figures come without words: the words could not be verified against the figures.',
} as const

/** Counted only when it is returned: a place is held before the words are asked for, and given back where none come. */
async function worded(
  db: Database,
  narrate: Narrate | undefined,
  asker: Asker,
  requestId: string,
  told: Told,
  input: NarrativeInput,
): Promise<Words> {
  const unworded = (why: keyof typeof UNWORDED, reason?: string): Words => {
    told({ unworded: why, ...(reason === undefined ? {} : { reason }) })
    return { notice: UNWORDED[why] }
  }
  if (!narrate) return unworded('not_configured')
  const reservation = await reserve(db, asker, requestId).catch(() => undefined)
  if (reservation === undefined) return unworded('unavailable', 'the allowance could not be read')
  if (reservation !== 'held') return unworded(reservation)
  const narrated = await narrate(input).catch((): Narrated => ({ failed: 'unavailable', reason: 'it threw' }))
  if ('failed' in narrated) {
    // What is not given back ends by itself.
    await giveBack(db, asker.orgId, requestId).catch(() => {})
    return unworded(narrated.failed, narrated.reason)
  }
  const coveredBy = await post(db, asker, requestId).catch(() => 'unknown' as const)
  if (coveredBy === 'unknown') return unworded('unavailable', 'it could not be counted')
  if (!coveredBy) return unworded('unavailable', 'the hold had expired')
  told({ worded: coveredBy })
  return narrated
}

function nothing(): Answer {
  return {
    intent: 'frames',
    headline: 'None of these frames is in the index.',
    facets: [],
    followUps: [],
    confidence: 'exact',
    engine: 'deterministic',
    register: 'plain',
    frameIds: [],
    sources: [],
    table: { columns: [{ key: 'frameId', label: 'Frame' }], rows: [] },
    notice: UNWORDED.no_frames,
    charged: [],
    leftOut: [],
  }
}
