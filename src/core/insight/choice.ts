/** Chooses the facets of an answer: those that answer a question and help to read it; or a profile. */
import {
  computeFigure,
  describedAttribute,
  describedFeatures,
  type Facet,
  type Figure,
  type FrameSet,
  INDEX,
  type Reads,
  type Recorded,
  type Subject,
  unitOf,
  usualStatistics,
} from '../figures/index.js'
import type { DatasetRow } from '../db/index.js'
import { UNIT_LEVELS } from '../place.js'
import type { Ask } from './reading/reading.js'

/** No answer has more facets. */
const FACETS_MAX = 40

/** The first facet answers the ask. Where nothing answers it, the facets are only near to it. */
export type AnsweredAsk = { ask: Ask; facets: Facet[]; isAnswered: boolean }
/**
 * The answers come first among the facets, and then those that are only near to the question. The table has a column for each
 * subject shown.
 */
export type FacetChoice = { facets: Facet[]; answers: Facet[]; nearest: Facet[]; shown: Recorded[] }
/** Without a question there are no answered asks. */
type Found = { recorded: readonly Recorded[]; answered: readonly AnsweredAsk[] | undefined }

/**
 * The answering facet of each ask comes first, in the order of the question; then those that are only near to it. A
 * caller without a question gets a profile of every dataset, and one whose question has no figure, of those without a
 * price: a question pays for no dataset that it does not ask for.
 */
export async function facetChoice(reads: Reads, set: FrameSet, { recorded, answered }: Found): Promise<FacetChoice> {
  const found = (answered ?? []).filter(({ facets }) => facets.length > 0)
  const ofIndex = await computed(reads, set, indexFigures(set))
  if (found.length === 0) {
    const isFree = ({ price }: DatasetRow) => answered === undefined || price === null
    const shown = recorded.filter(
      ({ dataset, frames, entry }) => isFree(dataset) && frames > 0 && entry?.summary !== 'none',
    )
    const facets = [...ofIndex, ...(await computed(reads, set, shown.map(usualFigure)))]
    return { facets: withoutRepeats(facets).slice(0, FACETS_MAX), answers: [], nearest: [], shown }
  }
  // A change is told with its interval.
  const firstOf = (asks: readonly AnsweredAsk[]) =>
    withoutRepeats(asks.flatMap(({ facets }) => facets.filter(({ source }, i) => i === 0 || source.of === 'change')))
  const answers = firstOf(found.filter(isAnswer))
  const near = firstOf(found.filter((each) => !isAnswer(each)))
  const nearest = near.filter(({ label }) => !answers.some((answer) => answer.label === label))
  const others = [...near, ...found.flatMap(({ facets: [, ...more] }) => more)]
  return {
    facets: withoutRepeats([...answers, ...nearest, ...others, ...ofIndex]).slice(0, FACETS_MAX),
    answers,
    nearest,
    shown: found.flatMap(({ ask }) => subjectsOfAsk(ask)).flatMap((subject) => recorded.filter(isOf(subject))),
  }
}

async function computed(reads: Reads, set: FrameSet, figures: readonly Figure[]): Promise<Facet[]> {
  const facets = await Promise.all(figures.map((figure) => computeFigure(reads, set, figure)))
  return facets.flatMap((facet) => facet ?? [])
}

/** How many frames there are, how large they are, and the units that they lie in. Those of a place are its own. */
function indexFigures(set: FrameSet): Figure[] {
  const of = (attribute: string, statistic: Figure['statistic']): Figure => ({
    layerId: INDEX.layerId,
    attribute,
    statistic,
  })
  const units = set.place ? UNIT_LEVELS.slice(0, unitOf(set)?.length ?? 0) : UNIT_LEVELS
  // One unit has a name, and several have a number.
  return [
    of('frame_id', 'count'),
    of('geom', 'sum'),
    ...units.flatMap((unit) => [of(unit, 'value'), of(unit, 'count')]),
  ]
}

function usualFigure({ dataset, entry }: Recorded): Figure {
  const subject = entry ? describedAttribute(entry, dataset) : describedFeatures(dataset)
  const { layerId, attribute } = subject.source
  return { layerId, attribute, statistic: usualStatistics(subject, false)[0] }
}

const isAnswer = ({ ask, isAnswered }: AnsweredAsk) => isAnswered && !ask.isNearest

/** The subjects of an ask are what it computes, what it compares that with, and what its conditions test. */
export function subjectsOfAsk({ subject, operation, where }: Ask): Subject[] {
  const other = 'other' in operation ? [operation.other] : operation.op === 'figure' ? operation.subjects : []
  const whole = 'whole' in operation ? operation.whole : []
  return [subject, ...other, ...[...where, ...whole].map((condition) => condition.subject)]
}

const isOf =
  (subject: Subject) =>
  ({ dataset, entry }: Recorded): boolean =>
    subject.kind !== 'index' &&
    subject.layerId === dataset.layerId &&
    (subject.kind !== 'attribute' || entry?.name === subject.attribute)

function withoutRepeats(facets: readonly Facet[]): Facet[] {
  const keys = new Set<string>()
  return facets.filter(({ label, source }) => {
    const key = `${source.layerId} ${label}`
    return !keys.has(key) && keys.add(key)
  })
}
