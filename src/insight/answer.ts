/** An answer about frames: figures from SQL, facets that answer the question, words that add none. */
import { chargeFor, takeBackCharge, type Charged } from '../credits/charging.js'
import type { Reads } from '../db/replicas/replicas.js'
import { frameBoxes, topicsOfQuestion, type DatasetRow } from '../db/statements.js'
import { answering, profile, type Chosen, type Topic } from './choose.js'
import { figuresOf, type Facet, type Figures, type Source } from './figures.js'
import { followUps } from './follow-ups.js'
import { headlineOf, NO_FRAMES } from './headline.js'
import { asked, yearsOf } from './question.js'
import { comparison, tableOf, type Table } from './table.js'
import { UNWORDED, worded, type Asking, type Means } from './worded.js'

export type Question = { frameIds: string[]; question: string | undefined; format: 'plain' | 'report' | 'figures' }
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

type Reading = Means & { reads: Reads }

/** Undefined where the client hung up before the answer was complete. `seen`: the datasets that the key can read. */
export async function answerOn(
  means: Reading,
  asking: Asking,
  question: Question,
  seen: readonly DatasetRow[],
): Promise<Answer | undefined> {
  const { ledger, reads, told } = means
  const boxes = await frameBoxes(reads, question.frameIds)
  const frameIds = boxes.sort((a, b) => a.place - b.place).flatMap(({ place }) => question.frameIds[place - 1] ?? [])
  if (frameIds.length === 0) {
    told({ unworded: 'no_frames' })
    return nothing()
  }
  const all = await figuresOf(reads, frameIds, seen)
  const choose = await chooser(reads, seen, question.question)
  const wanted = choose(all)
  if (asking.gone.aborted) return undefined
  const bill = await chargeFor(ledger, asking, contributing(wanted, seen))
  try {
    const figures = bill.leftOut.length === 0 ? all : without(all, bill.charged)
    const chosen = bill.leftOut.length === 0 ? wanted : choose(figures)
    const answer = await answerFrom(means, asking, { question, frameIds, figures, chosen, bill })
    if (!answer) takeBackCharge(ledger, asking, bill)
    return answer
  } catch (error) {
    takeBackCharge(ledger, asking, bill)
    throw error
  }
}

type Choose = (figures: Figures) => Chosen

/** A question that matches nothing gets a profile of what is free: it asked for no dataset that costs credits. */
async function chooser(reads: Reads, seen: readonly DatasetRow[], question: string | undefined): Promise<Choose> {
  if (question === undefined) return profile
  const topics = await topicsOf(reads, seen, question)
  const wish = asked(question)
  return (figures) => answering(figures, topics, wish) ?? profile(without(figures, []))
}

type Paid = { question: Question; frameIds: string[]; figures: Figures; chosen: Chosen; bill: Charged }

async function answerFrom(
  means: Reading,
  asking: Asking,
  { question, frameIds, figures, chosen, bill }: Paid,
): Promise<Answer | undefined> {
  const table = await tableOf(means.reads, frameIds, chosen)
  const { compares } = asked(question.question ?? '')
  const facets = compares ? compared(chosen, table) : chosen.facets
  const headline = headlineOf({
    isProfile: question.question === undefined,
    first: chosen.matched ? facets[0] : undefined,
    frames: frameIds.length,
    leftOut: question.question === undefined ? [] : bill.leftOut,
  })
  const words = await worded(means, asking, {
    question: question.question,
    format: question.format,
    figures: { headline, facets: facets.map(shown), frames: frameIds.length, frameIds },
    sections: sectionsOf(facets),
  })
  if (words === 'gone') return undefined
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

/** A topic that costs credits was asked for where the question has one of its names, or where nothing matches better. */
async function topicsOf(reads: Reads, seen: readonly DatasetRow[], question: string): Promise<Topic[]> {
  const layers = seen.map(({ layerId }) => layerId)
  const found = await topicsOfQuestion(reads, layers, question, yearsOf(question))
  const best = found[0]?.score ?? 0
  return found
    .filter(({ layer, score }) => seen[layer - 1]?.price === null || score >= Math.min(1, best))
    .map(({ layer, attribute, score }) => ({ layerId: layers[layer - 1] ?? '', attribute, score }))
}

/** A dataset that records nothing on these frames contributes nothing, though "none" may be the answer. */
function contributing({ facets, attributes, features }: Chosen, seen: readonly DatasetRow[]): DatasetRow[] {
  const telling = facets.filter(({ source }) => source.frames > 0)
  const counted = features.filter((figure) => figure.features > 0)
  const used = new Set([...telling, ...attributes, ...counted].map(({ dataset }) => dataset))
  return seen.filter((dataset) => used.has(dataset))
}

/** Drops datasets that cost credits and were not charged. */
function without({ frames, attributes, features }: Figures, charged: readonly string[]): Figures {
  const free = ({ dataset }: { dataset: DatasetRow }) => dataset.price === null || charged.includes(dataset.layerId)
  return { frames, attributes: attributes.filter(free), features: features.filter(free) }
}

const COMPARED_FACETS = 40
function compared(chosen: Chosen, table: Table): Facet[] {
  return [...comparison(table, chosen), ...chosen.facets].slice(0, COMPARED_FACETS)
}

function sectionsOf(facets: readonly Facet[]): { title: string; facets: number[] }[] {
  const sections = new Map<string, number[]>()
  facets.forEach(({ category }, place) => sections.set(category, [...(sections.get(category) ?? []), place]))
  return [...sections].map(([title, places]) => ({ title, facets: places }))
}

function nothing(): Answer {
  return {
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
    notice: UNWORDED.no_frames,
    charged: [],
    leftOut: [],
  }
}
