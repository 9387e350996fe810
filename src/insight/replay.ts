/** Computes the figures of an answer again, from its sources. */
import { listDatasets } from '../access/licences.js'
import type { Database } from '../db/connect.js'
import type { DatasetRow } from '../db/statements.js'
import {
  attributeFacet,
  classFacet,
  featureFacets,
  figuresOf,
  indexFacets,
  type Facet,
  type Source,
  type Statistic,
} from './figures.js'
import { comparison, tableOf } from './table.js'

export type Given = { frameIds: string[]; facets: { label: string; value: string }[]; sources: Source[] }
export type Different = { label: string; given: string; computed: string | undefined }

const STATISTICS: Statistic[] = [
  'sum',
  'mean',
  'weighted_mean',
  'min',
  'max',
  'mode',
  'share',
  'value',
  'odd',
  'frames',
]

/** The facets that the database does not give as they are; the datasets may have changed since the answer. */
export async function replayed(db: Database, { frameIds, facets, sources }: Given): Promise<Different[]> {
  const computed = new Map<string, string>()
  for (const { source, label, value } of await everyFacet(db, frameIds, sources))
    computed.set(`${source.layerId} ${label}`, value)
  return facets.flatMap(({ label, value }, i) => {
    const found = computed.get(`${sources[i]?.layerId} ${label}`)
    return found === value ? [] : [{ label, given: value, computed: found }]
  })
}

/** Every facet that an answer about these frames could have had of the datasets it names. */
async function everyFacet(db: Database, frameIds: string[], sources: readonly Source[]): Promise<Facet[]> {
  const named = new Set(sources.map(({ layerId }) => layerId))
  const datasets = (await listDatasets(db.writes()))
    .filter(({ layerId }) => named.has(layerId))
    .map(({ layerId, name, category, kind, orgId }): DatasetRow => ({
      layerId,
      name,
      category,
      kind: kind as DatasetRow['kind'],
      orgId,
      version: '',
      price: null,
    }))
  const { frames, attributes, features } = await figuresOf(db, frameIds, datasets)
  const compared = attributes.filter(({ dataset, name }) =>
    sources.some(
      (source) => source.statistic === 'value' && source.layerId === dataset.layerId && source.attribute === name,
    ),
  )
  const sideBySide = { facets: [], matched: true, attributes: compared, features: [] }
  return [
    ...indexFacets(frames),
    ...attributes.flatMap((figure) => [
      ...STATISTICS.flatMap((statistic) => attributeFacet(figure, statistic, frames.frames) ?? []),
      ...(figure.classes ?? []).flatMap((_class, place) => classFacet(figure, place) ?? []),
    ]),
    ...features.flatMap((figure) => featureFacets(figure, frames.frames)),
    ...comparison(await tableOf(db, frameIds, sideBySide), sideBySide),
  ]
}
