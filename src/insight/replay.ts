/** Computes an answer again from its sources: headline, figures, what they stand on, and the table. */
import { listDatasets } from '../access/licences.js'
import type { Database } from '../db/connect.js'
import type { DatasetRow } from '../db/statements.js'
import type { Chosen } from './choose.js'
import {
  attributeFacet,
  classFacet,
  featureFacets,
  figuresOf,
  indexFacets,
  type Facet,
  type Figures,
  type Source,
  type Statistic,
} from './figures.js'
import { headlineOf, NO_FRAMES } from './headline.js'
import { comparison, tableOf, type Table } from './table.js'

export type Given = {
  frameIds: string[]
  headline: string
  facets: { label: string; value: string }[]
  sources: Source[]
  table?: Table
  leftOut?: { name: string }[]
}
/** A part of the answer that the database does not give as it is. */
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

/** What the database does not give as the answer has it; the datasets may have changed since the answer. */
export async function replayed(db: Database, answer: Given): Promise<Different[]> {
  const { frameIds, facets, sources } = answer
  if (frameIds.length === 0) return different('headline', answer.headline, NO_FRAMES)
  const figures = await figuresOf(db, frameIds, await datasetsOf(db, answer))
  const table = await tableAgain(db, answer, figures)
  const known = new Map<string, Facet>()
  for (const facet of await everyFacet(db, answer, figures)) known.set(keyOf(facet.source.layerId, facet.label), facet)
  const computed = facets.map(({ label }, i) => known.get(keyOf(sources[i]?.layerId, label)))
  return [
    ...different('frames in the index', String(frameIds.length), String(figures.frames.frames)),
    ...headlineFaults(answer, computed[0]),
    ...facets.flatMap(({ label, value }, i) => different(label, value, computed[i]?.value)),
    ...sources.flatMap((source, i) => sourceFaults(source, computed[i]?.source)),
    ...tableFaults(answer.table, table),
  ]
}

const keyOf = (layerId: string | undefined, label: string) => `${layerId} ${label}`

const different = (label: string, given: string, computed: string | undefined): Different[] =>
  given === computed ? [] : [{ label, given, computed }]

/** An answer does not carry its question: its headline is one of three, and all of them follow from the figures. */
function headlineFaults({ headline, frameIds, leftOut = [] }: Given, first: Facet | undefined): Different[] {
  const of = (isProfile: boolean, answering: Facet | undefined) =>
    headlineOf({ isProfile, first: answering, frames: frameIds.length, leftOut })
  const possible = [of(false, first), of(true, undefined), of(false, undefined)]
  return possible.includes(headline) ? [] : different('headline', headline, possible[0])
}

function sourceFaults(given: Source, computed: Source | undefined): Different[] {
  // That there is no such figure is said of its facet.
  if (!computed) return []
  const names = new Set([...Object.keys(given), ...Object.keys(computed)]) as Set<keyof Source>
  return [...names].flatMap((name) =>
    different(`${given.label}, its source's ${name}`, String(given[name] ?? 'nothing'), textOf(computed[name])),
  )
}

const textOf = (value: string | number | undefined) => (value === undefined ? 'nothing' : String(value))

function tableFaults(given: Table = { columns: [], rows: [] }, computed: Table): Different[] {
  const heads = ({ columns }: Table) => columns.map(({ key, label, unit }) => [key, label, unit ?? ''].join(' | '))
  const frames = ({ rows }: Table) => rows.map(({ frameId }) => frameId).join()
  return [
    ...different('the columns of the table', heads(given).join('\n'), heads(computed).join('\n')),
    ...different('the frames of the table', frames(given), frames(computed)),
    ...given.rows.flatMap((row, i) => {
      const again = computed.rows[i] ?? {}
      const keys = new Set([...Object.keys(row), ...Object.keys(again)])
      return [...keys].flatMap((key) =>
        different(`table, frame ${row['frameId']}, ${key}`, textOf(row[key]), textOf(again[key])),
      )
    }),
  ]
}

/** A column of the table is "lyr_x.attribute", or "lyr_x" where it counts features. */
const columnsOf = ({ table }: Given) => (table?.columns ?? []).map(({ key }) => /^(\w+)(?:\.(.*))?$/s.exec(key) ?? [])

async function datasetsOf(db: Database, answer: Given): Promise<DatasetRow[]> {
  const named = new Set([
    ...answer.sources.map(({ layerId }) => layerId),
    ...columnsOf(answer).map(([, layerId]) => layerId),
  ])
  return (await listDatasets(db.writes()))
    .filter(({ layerId }) => named.has(layerId))
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

function tableAgain(db: Database, answer: Given, { attributes, features }: Figures): Promise<Table> {
  const chosen: Chosen = { facets: [], matched: true, attributes: [], features: [] }
  for (const [, layerId, attribute] of columnsOf(answer)) {
    const isOf = ({ dataset }: { dataset: DatasetRow }) => dataset.layerId === layerId
    if (attribute !== undefined)
      chosen.attributes.push(...attributes.filter((figure) => isOf(figure) && figure.name === attribute))
    else chosen.features.push(...features.filter(isOf))
  }
  return tableOf(db, answer.frameIds, chosen)
}

/** Every facet that an answer about these frames could have had of the datasets it names. */
async function everyFacet(
  db: Database,
  { frameIds, sources }: Given,
  { frames, attributes, features }: Figures,
): Promise<Facet[]> {
  const compared = attributes.filter(({ dataset, name }) =>
    sources.some(
      (source) => source.frameId !== undefined && source.layerId === dataset.layerId && source.attribute === name,
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
