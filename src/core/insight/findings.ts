/** Finds what answers a question about frames: its figures, what it asks for, and the facets. Charges nothing. */
import { counted } from '../counted.js'
import type { DatasetRow } from '../db/rows.js'
import { paidId } from '../credits/charging.js'
import type { Reader } from '../db/replicas/reader.js'
import { figuresOfFrames } from '../db/statements.js'
import { groupThousands } from '../decimal.js'
import { facetChoice, subjectsOfAsk, type AnsweredAsk, type FacetChoice } from './choice.js'
import {
  FRAMES_READ_MAX,
  isOfFew,
  isReadable,
  UNIT_LEVELS,
  unitOf,
  type FrameSet,
  type UnitPath,
} from './figures/frame-set.js'
import { STATISTIC_LABELS } from './figures/facet-text.js'
import { recordedOn, type Recorded } from './figures/recorded.js'
import type { Reads } from './figures/reads.js'
import type { FigureStatistic } from './figures/typed.js'
import { quotedWords } from './headline.js'
import { answerAsk } from './operations/ask.js'
import { placedAsks, placingOf, type Placing } from './operations/placing.js'
import type { PlannedQuestion } from './reading/by-model.js'
import { catalogueFor, type Catalogue, type CatalogueCache } from './reading/catalogue.js'
import { readQuestion } from './reading/read.js'
import type { Ask, Reading, Subject } from './reading/reading.js'

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
  const level = path && (UNIT_LEVELS[path.length - 1] ?? 'country')
  const own = question === undefined ? undefined : readQuestion(catalogue, question, { level })
  const costly = new Set(datasets.flatMap(({ layerId, price }) => (price === null ? [] : [layerId])))
  const planning =
    question === undefined || !own ? undefined : await planned({ question, catalogue, reading: own, priced: costly })
  const read = planning && withoutPlacesOfLargeBox(planning, set)
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
  const isLarge =
    !isReadable(set) && (planning !== read || answered.some(({ ask, isAnswered }) => !isAnswered && !ask.isNearest))
  const reasons = [
    ...(priced.length === 0 ? [] : [pricedText([...new Set(priced.map(({ name }) => name))])]),
    ...sold.map((ask) => soldText(ask, datasets)),
    ...(isLarge ? [TOO_LARGE] : []),
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

/** The ward that all of a few frames lie in, with its state and its LGA. */
async function wardOf(reads: Reads, set: FrameSet): Promise<UnitPath | undefined> {
  // The figures of the index beside any answer are of the same row.
  const [row] = set.place ? [] : await reads.rows(figuresOfFrames, set.frames)
  const [only = '', ...others] = row?.wards ?? []
  const path = only.split(', ').toReversed()
  return isOfFew({ frames: set.count }) && others.length === 0 && path.length === 3 ? path : undefined
}

const TOO_LARGE = `Single frames are read in places of at most ${groupThousands(String(FRAMES_READ_MAX))} frames: ask about a smaller place.`

/** The units of a box are known from its frames. */
function withoutPlacesOfLargeBox(reading: Reading, set: FrameSet): Reading {
  const { asks, places = [], unanswered } = reading
  if (places.length === 0 || !set.place || unitOf(set) || isReadable(set)) return reading
  return {
    ...reading,
    asks: asks.filter((ask) => (ask.places ?? []).length === 0),
    places: [],
    unanswered: [...unanswered, ...places.map(({ text }) => text)],
  }
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
    ? INDEX_WORDS[subject.figure]
    : (topics.find((topic) => JSON.stringify(topic.subject) === JSON.stringify(subject))?.label ?? 'Frames')

/** "Mean elevation, total", "Buildings, by ward": a figure as its label names it. */
function askText({ subject, operation }: Ask, catalogue: Catalogue): string {
  const { op } = operation
  const other = 'other' in operation ? operation.other : op === 'by' ? operation.by : undefined
  const words = other ? `${op} ${subjectLabel(other, catalogue)}` : (STATISTIC_LABELS[op as FigureStatistic] ?? op)
  return `${subjectLabel(subject, catalogue)}, ${words}`
}

const INDEX_WORDS = { frames: 'Frames', area: 'Area', state: 'state', lga: 'LGA', ward: 'ward' } as const

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
