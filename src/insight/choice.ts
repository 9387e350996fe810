/** Chooses the facets that answer a plan, the best first. Without a plan it chooses a profile. */
import { attributeFacet, classFacet, featureFacets, indexFacets, type Facet } from './facets.js'
import { withoutUnpaid, type AttributeFigures, type FeatureFigures, type Figures, type Statistic } from './figures.js'
import type { QuestionPlan } from './plan.js'

const FACETS_MAX = 40
const CLASSES_MAX = 5
/** A topic below this part of the best score is not the one that the question means. */
const LIKELY_PART = 0.5
const TOPICS_MAX = 6

/** `isMatched`: the facets answer the plan. The table shows the attributes and the feature datasets. */
export type FacetChoice = {
  facets: Facet[]
  isMatched: boolean
  attributes: AttributeFigures[]
  features: FeatureFigures[]
}

/** A question that matches nothing asks for no dataset that costs credits: it gets a profile of the free ones. */
export const chooseFacets = (figures: Figures, plan: QuestionPlan | undefined): FacetChoice =>
  plan ? (matchedChoice(figures, plan) ?? profile(withoutUnpaid(figures, []))) : profile(figures)

function profile({ frames, attributes, features }: Figures): FacetChoice {
  const present = features.filter((figures) => figures.features > 0)
  const summarised = attributes.filter(({ summary }) => summary !== 'none')
  const facets = [
    ...indexFacets(frames),
    ...summarised.flatMap((figures) => attributeFacets(figures, [], frames.frames).slice(0, 1)),
    ...present.flatMap((figures) => featureFacets(figures, frames.frames).slice(0, 1)),
    ...attributes.flatMap((figures) => attributeFacet(figures, 'odd', frames.frames) ?? []),
  ]
  return {
    facets: withoutRepeats(facets).slice(0, FACETS_MAX),
    isMatched: false,
    attributes: summarised,
    features: present,
  }
}

/** Returns undefined where the frames record nothing about the topics. */
function matchedChoice(figures: Figures, { topics, statistics }: QuestionPlan): FacetChoice | undefined {
  const { frames, attributes, features } = figures
  const best = topics[0]?.score ?? 0
  const likely = topics.filter(({ score }) => score >= best * LIKELY_PART).slice(0, TOPICS_MAX)
  const choice: FacetChoice = { facets: [], isMatched: true, attributes: [], features: [] }
  for (const topic of likely) {
    const attribute = attributes.find((each) => each.dataset.layerId === topic.layerId && each.name === topic.attribute)
    const feature =
      topic.attribute === null ? features.find((each) => each.dataset.layerId === topic.layerId) : undefined
    if (attribute) {
      choice.attributes.push(attribute)
      choice.facets.push(...attributeFacets(attribute, statistics, frames.frames))
    } else if (feature) {
      choice.features.push(feature)
      choice.facets.push(...featureFacets(feature, frames.frames))
    }
  }
  if (choice.facets.length === 0) return undefined
  const first = firstOfEachAttribute(choice.facets)
  const others = choice.facets.filter((facet) => !first.includes(facet))
  return { ...choice, facets: withoutRepeats([...first, ...others, ...indexFacets(frames)]).slice(0, FACETS_MAX) }
}

const firstOfEachAttribute = (facets: readonly Facet[]) =>
  firstOfEach(facets, ({ source }) => `${source.layerId} ${source.attribute}`)

const withoutRepeats = (facets: readonly Facet[]) =>
  firstOfEach(facets, ({ label, source }) => `${source.layerId} ${label}`)

function firstOfEach(facets: readonly Facet[], keyOfFacet: (facet: Facet) => string): Facet[] {
  const keys = new Set<string>()
  return facets.filter((facet) => {
    const key = keyOfFacet(facet)
    return !keys.has(key) && keys.add(key)
  })
}

/** Puts the statistics of the plan first, then the attribute's usual ones, then its most common classes. */
function attributeFacets(figures: AttributeFigures, wanted: readonly Statistic[], askedFrames: number): Facet[] {
  const isCategory = figures.type === 'category'
  const statistics = isCategory ? categoryStatistics(wanted) : numberStatistics(figures, wanted)
  const facets = statistics.flatMap((statistic) => attributeFacet(figures, statistic, askedFrames) ?? [])
  const classes =
    isCategory && figures.summary !== 'none'
      ? (figures.classes ?? [])
          .slice(0, CLASSES_MAX)
          .flatMap(({ value }) => classFacet(figures, value, askedFrames) ?? [])
      : []
  return [...facets, ...(classes.length > 1 ? classes : [])]
}

function numberStatistics({ summary, frames }: AttributeFigures, wanted: readonly Statistic[]): Statistic[] {
  if (summary === 'none') return ['value', 'odd']
  const usual: Statistic = summary === 'mode' ? 'mean' : summary
  // An average is weighted where the catalogue says so. Only an attribute that is summed has a total.
  const fitting = wanted
    .map((statistic): Statistic => (statistic === 'mean' ? (summary === 'sum' ? 'mean' : usual) : statistic))
    .filter((statistic) => statistic !== 'share' && (statistic !== 'sum' || summary === 'sum'))
  const spread: Statistic[] = frames > 1 ? ['max', 'min'] : []
  const average: Statistic[] = summary === 'sum' && frames > 1 ? ['mean'] : []
  return [...new Set([...fitting, usual, ...spread, ...average, 'odd' as const])]
}

const categoryStatistics = (wanted: readonly Statistic[]): Statistic[] =>
  wanted.includes('share') ? ['mode', 'mode_share'] : ['mode']
