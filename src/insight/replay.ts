/** Replays an answer: computes its headline, facets, sources and table again from its sources and its frames. */
import { listDatasets } from '../access/licences.js'
import type { Database } from '../db/connect.js'
import type { DatasetRow } from '../db/statements.js'
import type { ShownSubjects } from './choice.js'
import { attributeFacet, classFacet, featureFacets, indexFacets, type Facet, type Source } from './facets.js'
import { readFigures, type Figures, type Statistic } from './figures.js'
import { headlineOf, isPossibleHeadline, NO_FRAMES } from './headline.js'
import { comparisonFacets, tableOf, type Table } from './table.js'
import type { LabelledValue } from './verify.js'

/** The parts of a saved answer that figures stand in. */
export type SavedAnswer = {
  frameIds: string[]
  headline: string
  facets: LabelledValue[]
  sources: Source[]
  table?: Table
  leftOut?: { name: string }[]
}
/** A part of the answer that the database gives otherwise, or not at all. */
export type Difference = { label: string; given: string; computed: string | undefined }

const STATISTICS: readonly Statistic[] = [
  'sum',
  'mean',
  'weighted_mean',
  'min',
  'max',
  'mode',
  'mode_share',
  'value',
  'odd',
  'frames',
]

/** The datasets may have changed since the answer: then a difference is no fault of the answer. */
export async function replay(db: Database, answer: SavedAnswer): Promise<Difference[]> {
  const { frameIds, facets, sources } = answer
  if (frameIds.length === 0) return difference('headline', answer.headline, NO_FRAMES)
  const figures = await readFigures(db, frameIds, await datasetsIn(db, answer))
  const table = await computedTable(db, answer, figures)
  const known = new Map<string, Facet>()
  for (const facet of await possibleFacets(db, answer, figures))
    known.set(facetKey(facet.source.layerId, facet.label), facet)
  const computed = facets.map(({ label }, i) => known.get(facetKey(sources[i]?.layerId, label)))
  return [
    ...difference('frames in the index', String(frameIds.length), String(figures.frames.frames)),
    ...headlineDifferences(answer, computed),
    ...facets.flatMap(({ label, value }, i) => difference(label, value, computed[i]?.value)),
    ...sources.flatMap((source, i) => sourceDifferences(source, computed[i]?.source)),
    ...tableDifferences(answer.table, table),
  ]
}

const facetKey = (layerId: string | undefined, label: string) => `${layerId} ${label}`

const difference = (label: string, given: string, computed: string | undefined): Difference[] =>
  given === computed ? [] : [{ label, given, computed }]

/** The first facets that the database gives are those that a headline may name. */
function headlineDifferences(
  { headline, frameIds, leftOut = [] }: SavedAnswer,
  computed: readonly (Facet | undefined)[],
): Difference[] {
  const missing = computed.indexOf(undefined)
  const facets = computed.slice(0, missing < 0 ? undefined : missing).flatMap((facet) => facet ?? [])
  return isPossibleHeadline(headline, { facets, frames: frameIds.length, leftOut })
    ? []
    : difference('headline', headline, headlineWith(facets, frameIds.length, leftOut))
}

const headlineWith = (facets: readonly Facet[], frames: number, leftOut: readonly { name: string }[]) =>
  headlineOf({
    about: 'figures',
    answers: facets.slice(0, 1),
    nearest: [],
    unknown: [],
    unanswered: [],
    frames,
    leftOut,
  })

function sourceDifferences(given: Source, computed: Source | undefined): Difference[] {
  // The facet already reports that there is no such figure.
  if (!computed) return []
  const names = new Set([...Object.keys(given), ...Object.keys(computed)]) as Set<keyof Source>
  return [...names].flatMap((name) =>
    difference(`${given.label}, its source's ${name}`, orNothing(given[name] ?? undefined), orNothing(computed[name])),
  )
}

const orNothing = (value: unknown) =>
  value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value)

function tableDifferences(given: Table = { columns: [], rows: [] }, computed: Table): Difference[] {
  const heads = ({ columns }: Table) => columns.map(({ key, label, unit }) => [key, label, unit ?? ''].join(' | '))
  const frames = ({ rows }: Table) => rows.map(({ frameId }) => frameId).join()
  return [
    ...difference('the columns of the table', heads(given).join('\n'), heads(computed).join('\n')),
    ...difference('the frames of the table', frames(given), frames(computed)),
    ...given.rows.flatMap((row, i) => {
      const computedRow = computed.rows[i] ?? {}
      const keys = new Set([...Object.keys(row), ...Object.keys(computedRow)])
      return [...keys].flatMap((key) =>
        difference(`table, frame ${row['frameId']}, ${key}`, orNothing(row[key]), orNothing(computedRow[key])),
      )
    }),
  ]
}

/** The layer and the attribute of each column: its key is "lyr_x.attribute", or "lyr_x" where it counts features. */
const tableColumns = ({ table }: SavedAnswer) =>
  (table?.columns ?? []).map(({ key }) => {
    const [, layerId, attribute] = /^(\w+)(?:\.(.*))?$/s.exec(key) ?? []
    return { layerId, attribute }
  })

async function datasetsIn(db: Database, answer: SavedAnswer): Promise<DatasetRow[]> {
  const layers = new Set([...answer.sources, ...tableColumns(answer)].map(({ layerId }) => layerId))
  return (await listDatasets(db.run))
    .filter(({ layerId }) => layers.has(layerId))
    .map(({ layerId, name, category, kind, orgId, vintage = null }): DatasetRow => ({
      layerId,
      name,
      category,
      kind: kind as DatasetRow['kind'],
      orgId,
      vintage,
      version: '',
      price: null,
    }))
}

function computedTable(db: Database, answer: SavedAnswer, { attributes, features }: Figures): Promise<Table> {
  const choice: ShownSubjects = { attributes: [], features: [] }
  for (const { layerId, attribute } of tableColumns(answer)) {
    const isOfLayer = ({ dataset }: { dataset: DatasetRow }) => dataset.layerId === layerId
    if (attribute === undefined) choice.features.push(...features.filter(isOfLayer))
    else choice.attributes.push(...attributes.filter((figures) => isOfLayer(figures) && figures.name === attribute))
  }
  return tableOf(db, answer.frameIds, choice)
}

/** Every facet that an answer about these frames can have of its datasets. */
async function possibleFacets(
  db: Database,
  { frameIds, sources }: SavedAnswer,
  { frames, attributes, features }: Figures,
): Promise<Facet[]> {
  const compared = attributes.filter(({ dataset, name }) =>
    sources.some(
      (source) => source.frameId !== undefined && source.layerId === dataset.layerId && source.attribute === name,
    ),
  )
  const comparedFeatures = features.filter(({ dataset }) =>
    sources.some((source) => source.frameId !== undefined && source.layerId === dataset.layerId),
  )
  const comparison: ShownSubjects = { attributes: compared, features: comparedFeatures }
  return [
    ...indexFacets(frames),
    ...attributes.flatMap((figures) => [
      ...STATISTICS.flatMap((statistic) => attributeFacet(figures, statistic, frames.frames) ?? []),
      ...(figures.classes ?? []).flatMap(({ value }) => classFacet(figures, value, frames.frames) ?? []),
    ]),
    ...features.flatMap((figures) => featureFacets(figures, frames.frames)),
    ...comparisonFacets(await tableOf(db, frameIds, comparison), comparison),
  ]
}
