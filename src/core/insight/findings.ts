/** Finds what answers a question about frames: its figures, what it asks for, and the facets. Charges nothing. */
import { counted } from '../counted.js'
import { paidId } from '../credits/charging.js'
import type { Reader } from '../db/replicas/reader.js'
import { figuresOfFrames, type DatasetRow } from '../db/statements.js'
import { groupThousands } from '../decimal.js'
import { choiceOf, freeProfile, profileOf, subjectsOfAsk, type AnsweredAsk, type FacetChoice } from './choice.js'
import { figuresOfDatasets, readFigures, type Figures } from './figures/read-figures.js'
import { FRAMES_READ_MAX, isOfFew, isReadable, unitOf, type FrameSet, type UnitPath } from './figures/frame-set.js'
import type { Reads } from './figures/reads.js'
import { suggestionsFor, type Suggestion } from './follow-ups.js'
import { answerAsk } from './operations/ask.js'
import { placedAsks, placingOf, type Placing } from './operations/placing.js'
import type { PlannedQuestion } from './reading/by-model.js'
import { catalogueFor, type Catalogue, type CatalogueCache } from './reading/catalogue.js'
import { readQuestion } from './reading/read.js'
import type { Ask, NamedPlace, Operation, Reading, Subject } from './reading/reading.js'

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
  figures: Figures
  /** It is undefined where the caller asks no question. */
  reading: Reading | undefined
  /** The places that the question names. */
  placing: Placing
  answered: AnsweredAsk[]
  /** The labels of subjects that are near to the question and cost credits. */
  priced: string[]
  /** Sentences that say why a part of the question has no figure here. */
  reasons: string[]
  choice: FacetChoice
  /** Questions about these figures, each of which is read as the figure that it is made for. */
  suggestions: Suggestion[]
  readAgain: (question: string) => Reading
  catalogue: Catalogue
}

export async function findingsFor(scope: QuestionScope, question: string | undefined): Promise<Findings> {
  const { reader, datasets, reads, set, planned, catalogues } = scope
  const usual = await usualFigures(scope)
  const suggestions = suggestionsFor(usual, set)
  const catalogue = await catalogueFor({ reader, datasets, cache: catalogues }, question ?? '')
  const isCountry = unitOf(set)?.length === 0
  const own = question === undefined ? undefined : readQuestion(catalogue, question, { isCountry })
  const planning =
    question === undefined || !own ? undefined : withPlaces(await planned({ question, catalogue, reading: own }), own)
  const read = planning && withoutPlacesOfLargeBox(planning, set)
  const placing = await placingIn(scope, usual, read?.places ?? [])
  const reading = read && { ...read, asks: placedAsks(read.asks, placing, set.place !== undefined) }
  const asked = reading?.wants === 'figures' ? reading.asks : []
  const figures = await withDistances(scope, usual, asked)
  const sold = set.place ? asked.filter((ask) => soldIn(ask, datasets).length > 0) : []
  const wanted = asked.filter((ask) => !sold.includes(ask))
  const asks = wanted.filter((ask) => mayBeShown(ask, datasets))
  const priced = wanted.flatMap((ask) => (mayBeShown(ask, datasets) ? [] : [subjectLabel(ask.subject, catalogue)]))
  const ward = wardOf(usual, set)
  const answered = await Promise.all(
    asks.map(async (ask): Promise<AnsweredAsk> => ({ ask, ...(await answerAsk(reads, set, ask, ward)) })),
  )
  const readAgain = (suggestion: string) => {
    const again = catalogue.suggestions.get(suggestion) ?? readQuestion(catalogue, suggestion)
    catalogue.suggestions.set(suggestion, again)
    return again
  }
  const choice = chosen(figures, reading, answered)
  const isLarge =
    !isReadable(set) && (planning !== read || answered.some(({ ask, isAnswered }) => !isAnswered && !ask.isNearest))
  const reasons = [...sold.map((ask) => soldText(ask, { datasets, catalogue })), ...(isLarge ? [TOO_LARGE] : [])]
  return {
    figures,
    catalogue,
    reading,
    placing,
    answered,
    priced: [...new Set(priced)],
    reasons: [...new Set(reasons)],
    suggestions,
    readAgain,
    choice,
  }
}

/** The ward that all of a few frames lie in, with its state and its LGA. */
function wardOf({ frames: { wards } }: Figures, { count, place }: FrameSet): UnitPath | undefined {
  const [only = '', ...others] = wards ?? []
  const path = only.split(', ').toReversed()
  return !place && isOfFew({ frames: count }) && others.length === 0 && path.length === 3 ? path : undefined
}

const isUsual = ({ distanceTo }: DatasetRow) => distanceTo === null

/** Every frame has distances: a profile leaves them out, and a question that asks for them reads them. */
const usualFigures = async ({ reads, set, datasets }: QuestionScope): Promise<Figures> =>
  figuresOfDatasets(await readFigures(reads, set, datasets.filter(isUsual)), isUsual)

async function withDistances(
  { reads, set, datasets }: QuestionScope,
  figures: Figures,
  asks: readonly Ask[],
): Promise<Figures> {
  const distances = asks.flatMap((ask) => datasetsOfAsk(ask, datasets)).filter((dataset) => !isUsual(dataset))
  if (distances.length === 0) return figures
  const isWanted = (dataset: DatasetRow) => isUsual(dataset) || distances.includes(dataset)
  return figuresOfDatasets(await readFigures(reads, set, datasets.filter(isWanted)), isWanted)
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

/** The units of a box are read, where a question names places. */
async function placingIn(
  { reads, set }: QuestionScope,
  figures: Figures,
  places: readonly NamedPlace[],
): Promise<Placing> {
  if (places.length === 0 || !set.place || unitOf(set)) return await placingOf(reads, set, { places, figures })
  const [frames = figures.frames] = await reads.rows(figuresOfFrames, set.frames)
  return await placingOf(reads, set, { places, figures: { ...figures, frames } })
}

/** A dataset with a price is sold for a call of few frames, and its totals are not. */
const soldIn = (ask: Ask, datasets: readonly DatasetRow[]) =>
  datasetsOfAsk(ask, datasets).filter(({ price }) => price !== null)

function soldText(
  ask: Ask,
  { datasets, catalogue }: { datasets: readonly DatasetRow[]; catalogue: Catalogue },
): string {
  const [dataset] = soldIn(ask, datasets)
  const label = subjectLabel(ask.subject, catalogue).replaceAll('"', "'")
  return `"${label}" costs ${counted(dataset?.price ?? 0, 'credit')} a call, and is sold for few frames: pick a smaller place.`
}

/** Where a plan of the model names no places, those of the question stand for all of its asks. */
function withPlaces(reading: Reading, { places = [] }: Reading): Reading {
  if (reading.places !== undefined) return reading
  return { ...reading, places, asks: reading.asks.map((ask): Ask => ({ places, ...ask })) }
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

/** "Mean elevation, total": a figure as its label names it. */
function askText({ subject, operation }: Ask, catalogue: Catalogue): string {
  const label = subjectLabel(subject, catalogue)
  if (operation.op === 'per') return `${label} per ${subjectLabel(operation.other, catalogue)}`
  if (operation.op === 'change') return `${label}, change from ${subjectLabel(operation.other, catalogue)}`
  if (operation.op === 'class') return `${label}, ${operation.value}`
  if (operation.op === 'by') return `${label} by ${subjectLabel(operation.by, catalogue)}`
  return `${label}, ${OPERATION_WORDS[operation.op] ?? operation.op}`
}

const INDEX_WORDS = { frames: 'Frames', area: 'Area', state: 'state', lga: 'LGA', ward: 'ward' } as const
/** Another operation has its own name. */
const OPERATION_WORDS: Partial<Record<Operation['op'], string>> = {
  usual: 'figure',
  sum: 'total',
  mean: 'average',
  min: 'lowest',
  max: 'highest',
  mode: 'most common',
  rank: 'ranking',
  portion: 'share',
  per_km2: 'per km²',
  extent: 'length or area',
}

/**
 * Drops the asks and the figures of datasets that the credits did not cover. It keeps those of a priced dataset that
 * records nothing on these frames: they are free.
 */
export function paidFindings(
  { figures, answered, ...findings }: Findings,
  set: FrameSet,
  leftOut: readonly { layerId: string }[],
): Findings {
  const isKept = (dataset: DatasetRow) => !leftOut.some(({ layerId }) => layerId === paidId(dataset))
  const paid = figuresOfDatasets(figures, isKept)
  const paidAnswers = answered.filter(({ ask }) => datasetsOfAsk(ask, datasetsIn(figures)).every(isKept))
  const suggestions = suggestionsFor(paid, set)
  return {
    ...findings,
    figures: paid,
    suggestions,
    answered: paidAnswers,
    choice: chosen(paid, findings.reading, paidAnswers),
  }
}

const chosen = (figures: Figures, reading: Reading | undefined, answered: readonly AnsweredAsk[]): FacetChoice =>
  reading ? (choiceOf(figures, answered) ?? freeProfile(figures)) : profileOf(figures)

/** Nobody pays for a figure that is only near to the question. */
const mayBeShown = (ask: Ask, datasets: readonly DatasetRow[]) =>
  !ask.isNearest || datasetsOfAsk(ask, datasets).every(({ price }) => price === null)

const datasetsIn = ({ attributes, features }: Figures) => [...attributes, ...features].map(({ dataset }) => dataset)

const layerOf = (subject: Subject) => (subject.kind === 'index' ? undefined : subject.layerId)

function datasetsOfAsk(ask: Ask, datasets: readonly DatasetRow[]): DatasetRow[] {
  const layers = new Set(subjectsOfAsk(ask).map(layerOf))
  return datasets.filter(({ layerId }) => layers.has(layerId))
}
