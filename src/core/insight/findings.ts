/** Finds what answers a question about frames: its figures, what it asks for, and the facets. Charges nothing. */
import { counted } from '../counted.js'
import type { DatasetRow, Reader } from '../db/index.js'
import { paidId } from '../credits/index.js'
import { figuresOfFrames } from '../db/statements.js'
import { type AnsweredAsk, facetChoice, type FacetChoice, subjectsOfAsk } from './choice.js'
import {
  type FigureStatistic,
  type FrameSet,
  isOfFew,
  type Reads,
  type Recorded,
  recordedOn,
  STATISTIC_LABELS,
  type Subject,
  unitOf,
} from '../figures/index.js'
import { isUnitLevel, levelNoun, levelOf, placeText, type UnitPath } from '../place.js'
import { quotedWords } from './notes.js'
import { answerAsk } from './ask.js'
import { placedAsks, type Placing, placingOf } from './placing.js'
import type { PlannedQuestion } from './reading/by-model.js'
import { type Catalogue, type CatalogueCache, catalogueFor } from './reading/catalogue.js'
import { readQuestion } from './reading/read.js'
import type { Ask, Reading } from './reading/reading.js'

type QuestionScope = {
  reader: Reader
  datasets: readonly DatasetRow[]
  reads: Reads
  set: FrameSet
  /** May read anew what the deterministic reading leaves over. */
  planned: (asked: PlannedQuestion) => Promise<Reading>
  catalogues: CatalogueCache | undefined
}

export type Findings = {
  /** It is undefined where the caller asks no question. */
  reading: Reading | undefined
  /** The places that the question names. */
  placing: Placing
  recorded: Recorded[]
  answered: AnsweredAsk[]
  /** Sentences that say why a part of the question has no figure here. */
  reasons: string[]
  choice: FacetChoice
  catalogue: Catalogue
}

export async function findingsFor(scope: QuestionScope, question: string | undefined): Promise<Findings> {
  const { reader, datasets, reads, set, planned, catalogues } = scope
  const catalogue = await catalogueFor({ reader, datasets, cache: catalogues }, question ?? '')
  const path = unitOf(set)
  const level = path && levelOf(path)
  const own = question === undefined ? undefined : readQuestion(catalogue, question, { level, frames: set.count })
  const costly = new Set(datasets.flatMap(({ layerId, price }) => (price === null ? [] : [layerId])))
  const read =
    question === undefined || !own
      ? undefined
      : await planned({ question, catalogue, reading: own, priced: costly, about: aboutText(set), level })
  const placing = await placingOf(reads, set, read?.places ?? [])
  const reading = read && { ...read, asks: placedAsks(read.asks, placing, set.place !== undefined) }
  const asked = reading?.wants === 'figures' ? reading.asks : []
  const sold = set.place ? asked.filter((ask) => pricedIn(ask, datasets).length > 0) : []
  const wanted = asked.filter((ask) => !sold.includes(ask))
  const asks = wanted.filter((ask) => mayBeShown(ask, datasets))
  const priced = wanted.filter((ask) => !asks.includes(ask)).flatMap((ask) => pricedIn(ask, datasets))
  const askedDatasets = asked.flatMap((ask) => datasetsOfAsk(ask, datasets))
  const [ward, recorded] = await Promise.all([wardOf(reads, set), recordedOn(reads, set, askedDatasets)])
  const answered = await Promise.all(
    asks.map(async (ask): Promise<AnsweredAsk> => ({ ask, ...(await answerAsk(reads, set, ask, ward)) })),
  )
  const reasons = [
    ...(priced.length === 0 ? [] : [pricedText([...new Set(priced.map(({ name }) => name))])]),
    ...sold.map((ask) => soldText(ask, datasets)),
  ]
  return {
    catalogue,
    reading,
    placing,
    recorded,
    answered,
    reasons: [...new Set(reasons)],
    choice: await facetChoice(reads, set, { recorded, answered: reading && answered }),
  }
}

/** The frames of a question, for the model that plans it. */
const aboutText = ({ count, place }: FrameSet): string =>
  `${counted(count, 'frame')}${place ? ` of ${'unit' in place ? placeText(place) : 'an area on the map'}` : ' that the caller chose'}`

/** The ward that all of a few frames lie in, with its state and its LGA. */
async function wardOf(reads: Reads, set: FrameSet): Promise<UnitPath | undefined> {
  // The figures of the index beside any answer are of the same row.
  const [row] = set.place ? [] : await reads.rows(figuresOfFrames, set.frames)
  const [only = '', ...others] = row?.wards ?? []
  const path = only.split(', ').toReversed()
  return isOfFew({ frames: set.count }) && others.length === 0 && path.length === 3 ? path : undefined
}

/**
 * A dataset with a price is sold for a call of few frames, and its totals are not. The subject of a question may be free
 * and its condition have a price.
 */
const pricedIn = (ask: Ask, datasets: readonly DatasetRow[]) =>
  datasetsOfAsk(ask, datasets).filter(({ price }) => price !== null)

function soldText(ask: Ask, datasets: readonly DatasetRow[]): string {
  const [{ name, price } = { name: '', price: null }] = pricedIn(ask, datasets)
  return `"${name.replaceAll('"', "'")}" costs ${counted(price ?? 0, 'credit')} a call, and is sold for few frames: pick a smaller place.`
}

const pricedText = (names: readonly string[]) => {
  const [cost, them] = names.length === 1 ? ['costs', 'it'] : ['cost', 'them']
  return `${quotedWords(names)} ${cost} credits: only a question that is understood whole reads ${them}.`
}

/** The parts of the question that no figure answers: those that are not understood so far, and those without one. */
export const unansweredIn = ({ reading, answered, catalogue }: Findings): string[] => [
  ...new Set([
    ...(reading?.unanswered ?? []),
    ...answered.flatMap(({ ask, isAnswered }) => (isAnswered || ask.isNearest ? [] : [askText(ask, catalogue)])),
  ]),
]

const subjectLabel = (subject: Subject, { topics }: Catalogue) =>
  subject.kind === 'index'
    ? isUnitLevel(subject.figure)
      ? levelNoun(subject.figure)
      : INDEX_WORDS[subject.figure]
    : (topics.find((topic) => JSON.stringify(topic.subject) === JSON.stringify(subject))?.label ?? 'Frames')

/** "Mean elevation, total", "Buildings, by ward": a figure as its label names it. */
function askText({ subject, operation }: Ask, catalogue: Catalogue): string {
  if (operation.op === 'figure') return operation.words
  const { op } = operation
  const other = 'other' in operation ? operation.other : undefined
  const words = other ? `${op} ${subjectLabel(other, catalogue)}` : (STATISTIC_LABELS[op as FigureStatistic] ?? op)
  return `${subjectLabel(subject, catalogue)}, ${words}`
}

const INDEX_WORDS = { frames: 'Frames', area: 'Area' } as const

/**
 * Drops what the credits did not cover. It keeps the asks of a priced dataset that records nothing on these frames: they
 * are free.
 */
export async function paidFindings(
  { reads, set }: Pick<QuestionScope, 'reads' | 'set'>,
  findings: Findings,
  leftOut: readonly { layerId: string }[],
): Promise<Findings> {
  const isKept = ({ dataset }: Recorded) => !leftOut.some(({ layerId }) => layerId === paidId(dataset))
  const recorded = findings.recorded.filter(isKept)
  const unpaid = findings.recorded.filter((each) => !isKept(each) && each.frames > 0).map(({ dataset }) => dataset)
  const answered = findings.answered.filter(({ ask }) => datasetsOfAsk(ask, unpaid).length === 0)
  const choice = await facetChoice(reads, set, { recorded, answered: findings.reading && answered })
  return { ...findings, recorded, answered, choice }
}

/** Nobody pays for a figure that is only near to the question. */
const mayBeShown = (ask: Ask, datasets: readonly DatasetRow[]) => !ask.isNearest || pricedIn(ask, datasets).length === 0

export const layerOfSubject = (subject: Subject) => (subject.kind === 'index' ? undefined : subject.layerId)

function datasetsOfAsk(ask: Ask, datasets: readonly DatasetRow[]): DatasetRow[] {
  const layers = new Set(subjectsOfAsk(ask).map(layerOfSubject))
  return datasets.filter(({ layerId }) => layers.has(layerId))
}
