/** Gives each facet the names that the catalogue has for its subject: a narrative may use them. */
import type { Facet } from './facets.js'
import type { Topic } from './reading/topic.js'

/** Each list is of the facet at its place. */
export type Synonyms = readonly (readonly string[])[]

export const synonymsOf = (facets: readonly Facet[], topics: readonly Topic[]): Synonyms =>
  facets.map(({ source }) => topics.find(({ subject }) => isSubjectOf(subject, source))?.names ?? [])

/** A facet of the index itself has no topic of a dataset. */
function isSubjectOf(subject: Topic['subject'], { layerId, attribute, property }: Facet['source']): boolean {
  if (subject.kind === 'index' || subject.layerId !== layerId) return false
  if (subject.kind === 'attribute') return subject.attribute === attribute
  return subject.kind === 'property' ? subject.property === property : property === undefined && attribute === 'feature'
}
