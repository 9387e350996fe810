/** Chooses the facets of an answer: those that answer a question and the rest of their subjects; or a profile. */
import type { Facet } from './figures/facets.js'
import { figuresOfDatasets, type AttributeFigures, type FeatureFigures, type Figures } from './figures/read-figures.js'
import { describedAttribute, usualStatistics } from './figures/subject.js'
import { attributeFacet, featureFacet, indexFacets } from './figures/usual-facets.js'
import type { Ask, Subject } from './reading/reading.js'

/** No answer has more facets. */
const FACETS_MAX = 40
const CLASSES_MAX = 5

/** The first facet answers the ask. Where nothing answers it, the facets are only near to it. */
export type AnsweredAsk = { ask: Ask; facets: Facet[]; isAnswered: boolean }
/** The table has a column for each. */
export type ShownSubjects = { attributes: AttributeFigures[]; features: FeatureFigures[] }
/** The answers, and the facets that are only near to the question, are among the facets. */
export type FacetChoice = ShownSubjects & { facets: Facet[]; answers: Facet[]; nearest: Facet[] }

/** A caller without a question gets every dataset. A question pays for no dataset that it does not ask for. */
export const freeProfile = (figures: Figures): FacetChoice =>
  profileOf(figuresOfDatasets(figures, ({ price }) => price === null))

export function profileOf({ frames, attributes, features }: Figures): FacetChoice {
  const present = features.filter((figures) => figures.features > 0)
  const summarised = attributes.filter(({ summary }) => summary !== 'none')
  const facets = [
    ...indexFacets(frames),
    ...summarised.flatMap((figures) => attributeFacets(figures, frames.frames).slice(0, 1)),
    ...present.map((figures) => featureFacet(figures, 'count', frames.frames)),
    ...attributes.flatMap((figures) => attributeFacet(figures, { statistic: 'odd' }, frames.frames) ?? []),
  ]
  return {
    facets: withoutRepeats(facets).slice(0, FACETS_MAX),
    answers: [],
    nearest: [],
    attributes: summarised,
    features: present,
  }
}

/**
 * The answering facet of each ask comes first, in the order of the question. The facets that are only near to it
 * follow. Returns undefined where no ask has a facet.
 */
export function choiceOf(figures: Figures, answered: readonly AnsweredAsk[]): FacetChoice | undefined {
  const found = answered.filter(({ facets }) => facets.length > 0)
  if (found.length === 0) return undefined
  const firstOf = (asks: readonly AnsweredAsk[]) => withoutRepeats(asks.flatMap(({ facets }) => facets.slice(0, 1)))
  const { attributes, features } = subjectsOf(
    figures,
    found.map(({ ask }) => ask),
  )
  const { frames } = figures
  const answers = firstOf(found.filter(isAnswer))
  const nearest = firstOf(found.filter((each) => !isAnswer(each)))
  const facets = [
    ...answers,
    ...nearest,
    ...found.flatMap(({ facets: [, ...others] }) => others),
    ...attributes.flatMap((each) => attributeFacets(each, frames.frames)),
    ...features.flatMap((each) =>
      (['count', 'frames'] as const).map((statistic) => featureFacet(each, statistic, frames.frames)),
    ),
    ...indexFacets(frames),
  ]
  return {
    facets: withoutRepeats(facets).slice(0, FACETS_MAX),
    answers,
    nearest: nearest.filter(({ label }) => !answers.some((answer) => answer.label === label)),
    attributes,
    features,
  }
}

const isAnswer = ({ ask, isAnswered }: AnsweredAsk) => isAnswered && !ask.isNearest

/** The subjects of an ask are what it computes, what it compares that with, and what its conditions test. */
export function subjectsOfAsk({ subject, operation, where }: Ask): Subject[] {
  const other = 'other' in operation ? [operation.other] : 'by' in operation ? [operation.by] : []
  return [subject, ...other, ...where.map((condition) => condition.subject)]
}

function subjectsOf({ attributes, features }: Figures, asks: readonly Ask[]): ShownSubjects {
  const subjects = asks.flatMap(subjectsOfAsk)
  const found: ShownSubjects = { attributes: [], features: [] }
  for (const subject of subjects) {
    if (subject.kind === 'index') continue
    const isOfLayer = ({ dataset }: { dataset: { layerId: string } }) => dataset.layerId === subject.layerId
    if (subject.kind === 'attribute')
      found.attributes.push(...attributes.filter((each) => isOfLayer(each) && each.name === subject.attribute))
    else found.features.push(...features.filter(isOfLayer))
  }
  return { attributes: [...new Set(found.attributes)], features: [...new Set(found.features)] }
}

function withoutRepeats(facets: readonly Facet[]): Facet[] {
  const keys = new Set<string>()
  return facets.filter(({ label, source }) => {
    const key = `${source.layerId} ${label}`
    return !keys.has(key) && keys.add(key)
  })
}

/** The usual statistic of the attribute comes first, then its spread, then its most common classes. */
function attributeFacets(figures: AttributeFigures, askedFrames: number): Facet[] {
  const { dataset, frames, type, summary, classes } = figures
  const usual = usualStatistics(describedAttribute(figures, dataset), frames > 1)
  const shown = type === 'category' && summary !== 'none' ? (classes ?? []).slice(0, CLASSES_MAX) : []
  const asked = [
    ...usual.filter((statistic) => statistic !== 'frames').map((statistic) => ({ statistic })),
    ...(shown.length > 1 ? shown.map(({ value }) => ({ statistic: 'share' as const, class: value })) : []),
  ]
  return asked.flatMap((each) => attributeFacet(figures, each, askedFrames) ?? [])
}
