/** Chooses the facets that answer a question, the right one first; without a question, a profile. */
import {
  attributeFacet,
  classFacet,
  featureFacets,
  indexFacets,
  type AttributeOf,
  type Facet,
  type Figures,
  type Statistic,
} from './figures.js'
import type { Asked } from './question.js'

const FACETS_MAX = 40
const CLASSES_MAX = 5
/** Topics that score less than this part of the best are not what was meant. */
const LIKELY = 0.5
const TOPICS_MAX = 6

/** An attribute, or a feature dataset where `attribute` is null. */
export type Topic = { layerId: string; attribute: string | null; score: number }

export type Chosen = { facets: Facet[]; matched: boolean; attributes: AttributeOf[]; features: Figures['features'] }

export function profile({ frames, attributes, features }: Figures): Chosen {
  const some = features.filter((figure) => figure.features > 0)
  const mains = attributes.filter(({ summary }) => summary !== 'none')
  const facets = [
    ...indexFacets(frames),
    ...mains.flatMap((figure) => mainFacets(figure, [], frames.frames).slice(0, 1)),
    ...some.flatMap((figure) => featureFacets(figure, frames.frames).slice(0, 1)),
    ...attributes.flatMap((figure) => attributeFacet(figure, 'odd', frames.frames) ?? []),
  ]
  return { facets: distinct(facets).slice(0, FACETS_MAX), matched: false, attributes: mains, features: some }
}

/** Topics as the search in SQL ranks them; undefined where the question is about nothing that is recorded on these frames. */
export function answering(figures: Figures, topics: readonly Topic[], { statistics }: Asked): Chosen | undefined {
  const { frames, attributes, features } = figures
  const best = topics[0]?.score ?? 0
  const likely = topics.filter(({ score }) => score >= best * LIKELY).slice(0, TOPICS_MAX)
  const chosen: Chosen = { facets: [], matched: true, attributes: [], features: [] }
  for (const topic of likely) {
    const attribute = attributes.find((each) => each.dataset.layerId === topic.layerId && each.name === topic.attribute)
    const feature =
      topic.attribute === null ? features.find((each) => each.dataset.layerId === topic.layerId) : undefined
    if (attribute) {
      chosen.attributes.push(attribute)
      chosen.facets.push(...mainFacets(attribute, statistics, frames.frames))
    } else if (feature) {
      chosen.features.push(feature)
      chosen.facets.push(...featureFacets(feature, frames.frames))
    }
  }
  if (chosen.facets.length === 0) return undefined
  const first = firstOfEach(chosen.facets)
  const others = chosen.facets.filter((facet) => !first.includes(facet))
  return { ...chosen, facets: distinct([...first, ...others, ...indexFacets(frames)]).slice(0, FACETS_MAX) }
}

/** The best facet of each attribute before the second of any. */
function firstOfEach(facets: readonly Facet[]): Facet[] {
  const seen = new Set<string>()
  return facets.filter(({ source }) => {
    const key = `${source.layerId} ${source.attribute}`
    return !seen.has(key) && seen.add(key)
  })
}

/** Of an attribute: what was asked first, then what it is usually summarised by, then the rest. */
function mainFacets(figure: AttributeOf, wanted: readonly Statistic[], ofFrames: number): Facet[] {
  const statistics = figure.type === 'category' ? categoryOrder(wanted) : numberOrder(figure, wanted)
  const facets = statistics.flatMap((statistic) => attributeFacet(figure, statistic, ofFrames) ?? [])
  const classes =
    figure.type === 'category' && figure.summary !== 'none'
      ? Array.from({ length: CLASSES_MAX }, (_, place) => classFacet(figure, place)).flatMap((facet) => facet ?? [])
      : []
  return [...facets, ...(classes.length > 1 ? classes : [])]
}

function numberOrder({ summary, frames }: AttributeOf, wanted: readonly Statistic[]): Statistic[] {
  if (summary === 'none') return ['value', 'odd']
  const usual: Statistic = summary === 'mode' ? 'mean' : summary
  // An average is weighted where the catalogue says so; what may not be added up is not.
  const fitting = wanted
    .map((statistic): Statistic => (statistic === 'mean' ? (summary === 'sum' ? 'mean' : usual) : statistic))
    .filter((statistic) => statistic !== 'share' && (statistic !== 'sum' || summary === 'sum'))
  const spread: Statistic[] = frames > 1 ? ['max', 'min'] : []
  const average: Statistic[] = summary === 'sum' && frames > 1 ? ['mean'] : []
  return [...new Set([...fitting, usual, ...spread, ...average, 'odd' as const])]
}

const categoryOrder = (wanted: readonly Statistic[]): Statistic[] =>
  wanted.includes('share') ? ['mode', 'share'] : ['mode']

function distinct(facets: readonly Facet[]): Facet[] {
  const seen = new Set<string>()
  return facets.filter(({ label, source }) => {
    const key = `${source.layerId} ${label}`
    return !seen.has(key) && seen.add(key)
  })
}
