/** Replays an answer: computes its headline, facets, sources and table again from its sources and its frames. */
import { listDatasets } from '../access/index.js'
import type { Database, DatasetRow } from '../db/index.js'
import { figuresOfFrames, frameBoxes } from '../db/statements.js'
import { areNotes, isSource } from './answer-schema.js'
import {
  computeFigure,
  type Facet,
  type Figure,
  type FrameSet,
  type LabelledValue,
  type Reads,
  readsOf,
  recordedOn,
  setInPlace,
  setOfIds,
  type Source,
} from '../figures/index.js'
import type { Area } from '../place.js'
import { headlineOf, NO_FRAMES } from './headline.js'
import { type Notes, noteSentences } from './notes.js'
import { factsOf, unaccountedNumbers } from './verify/verify.js'
import { unknownPart } from './sentences/compose.js'
import { GENERAL_NOTES, menuOf } from './sentences/menu.js'
import { type Table, tableOf } from './table.js'

/** Figures stand in these parts of a saved answer. */
export type SavedAnswer = {
  frameIds: string[]
  /** An answer about a unit or a box has no ids. */
  place?: Area
  frames?: number
  headline: string
  /** An answer that was saved before there were notes has none: its headline is not compared. */
  notes?: Notes
  narrative?: string
  facets: LabelledValue[]
  sources: Source[]
  table?: Table
  leftOut?: { name: string }[]
}
/** The database gives this part of the answer otherwise, or not at all. */
export type Difference = { label: string; given: string; computed: string | undefined }

/** The datasets may have changed since the answer: then a difference is no fault of the answer. */
export async function replay(db: Database, answer: SavedAnswer): Promise<Difference[]> {
  const { facets, sources } = answer
  const datasets = await allDatasets(db)
  const reads = readsOf(db, datasets)
  const set = await setOf(reads, answer)
  if (set.count === 0) return difference('headline', answer.headline, NO_FRAMES)
  const scope: ReplayScope = { reads, set, datasets }
  const [table, computed, known, untrue] = await Promise.all([
    computedTable(scope, answer),
    computedFacets(scope, answer),
    set.place ? [] : frameBoxes(db, set.frames),
    untrueNotes(scope, answer),
  ])
  return [
    ...difference('frames in the index', String(askedCount(answer)), String(set.place ? set.count : known.length)),
    ...difference('sources, one for each figure', String(sources.length), String(facets.length)),
    ...headlineDifferences(answer, computed),
    ...narrativeDifferences(answer, computed),
    ...untrue.flatMap((place) => difference(`headline, ${place}`, answer.headline, undefined)),
    ...facets.flatMap(({ label, value }, i) => {
      const { label: ownLabel, value: ownValue, source } = computed[i] ?? {}
      return [
        ...differencesIn('label', label, ownLabel),
        ...differencesIn(label, value, ownValue),
        ...(source ? differencesIn(`${label}, its source`, withoutCite(sources[i]), source) : []),
      ]
    }),
    ...tableDifferences(answer.table, table),
  ]
}

/** A cite is verified by itself. */
const withoutCite = ({ cite: _cite, ...source }: Partial<Source> = {}) => source

type ReplayScope = { reads: Reads; set: FrameSet; datasets: readonly DatasetRow[] }

const setOf = async (reads: Reads, { frameIds, place }: SavedAnswer): Promise<FrameSet> =>
  place ? await setInPlace(reads, place) : setOfIds(frameIds)

const askedCount = ({ frames, frameIds }: SavedAnswer): number => frames ?? frameIds.length

/** The source of a facet and the frames of the answer say alone how to compute it. */
const computedFacets = (
  { reads, set }: ReplayScope,
  { facets, sources }: SavedAnswer,
): Promise<(Facet | undefined)[]> =>
  Promise.all(
    facets.map(async (_facet, i) => {
      const source = sources[i]
      const figure = source && figureOfSource(source)
      return figure && (await computeFigure(reads, set, figure).catch(nothingOfNoFigure))
    }),
  )

/** A file may hold a figure of the algebra that PostgreSQL refuses. */
export function nothingOfNoFigure(error: unknown): undefined {
  if (!/^(22|42|P0)/.test((error as { code?: string }).code ?? '')) throw error
}

const difference = (label: string, given: string, computed: string | undefined): Difference[] =>
  given === computed ? [] : [{ label, given, computed }]

/** The notes say which of the facets the headline names. */
function headlineDifferences(answer: SavedAnswer, computed: readonly (Facet | undefined)[]): Difference[] {
  const { headline, notes, frameIds, leftOut = [] } = answer
  if (!areNotes(notes)) return difference('headline, not compared without notes', headline, undefined)
  const namesOf = (left: readonly { name: string }[]) => left.map(({ name }) => name).join(', ')
  const facets = computed.flatMap((facet) => facet ?? [])
  return [
    ...difference('headline', headline, headlineOf(notes, { facets, frames: askedCount(answer), frameIds }).headline),
    ...(notes.leftOut.length === 0 ? [] : difference('leftOut', namesOf(leftOut), namesOf(notes.leftOut))),
  ]
}

/** Every sentence of a narrative is one that the figures give. */
function narrativeDifferences(answer: SavedAnswer, computed: readonly (Facet | undefined)[]): Difference[] {
  const { narrative, notes } = answer
  const facets = computed.flatMap((facet) => facet ?? [])
  // Figures that the database does not give are reported already.
  if (narrative === undefined || facets.length < computed.length) return []
  const said = [...(notes ? noteSentences(notes) : []), ...GENERAL_NOTES]
  const facts = { ...factsOf(answer), facets }
  const menu = menuOf({ facts, answers: [], nearest: [], notes: said }, unaccountedNumbers)
  const rest = unknownPart(narrative, menu)
  return rest === '' ? [] : [{ label: 'narrative', given: rest.slice(0, SHOWN_MAX), computed: undefined }]
}

const SHOWN_MAX = 100

/** Lists the units of the index of which a note says that no frame lies there, though some do. */
async function untrueNotes({ reads, set }: ReplayScope, { notes }: SavedAnswer): Promise<string[]> {
  const absent = notes?.absent ?? []
  const [row] = absent.length === 0 || set.place ? [] : await reads.rows(figuresOfFrames, set.frames)
  const units = row ? [row.states, row.lgas, row.wards].flatMap((paths) => paths ?? []) : []
  const names = units.map((path) => path.split(', ')[0]?.toLowerCase())
  return absent.filter((name) => names.includes(name.replace(/ (?:states?|lgas?|wards?)$/i, '').toLowerCase()))
}

/** Lists each member that is another one, at any depth. */
function differencesIn(label: string, given: unknown, computed: unknown): Difference[] {
  if (isObject(given) && isObject(computed)) {
    const names = new Set([...Object.keys(given), ...Object.keys(computed)])
    return [...names].flatMap((name) => differencesIn(`${label}, ${name}`, given[name], computed[name]))
  }
  return difference(label, orNothing(given), computed === undefined ? undefined : orNothing(computed))
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const orNothing = (value: unknown) =>
  value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value)

function tableDifferences({ columns, rows }: Table = { columns: [], rows: [] }, computed: Table): Difference[] {
  const frames = (some: Table['rows']) => some.map(({ frameId }) => frameId).join()
  return [
    ...differencesIn('table, column', columns, computed.columns),
    ...difference('the frames of the table', frames(rows), frames(computed.rows)),
    ...rows.flatMap((row, i) => differencesIn(`table, frame ${row['frameId']}`, row, computed.rows[i] ?? {})),
  ]
}

/** Reads the layer and the attribute of each column. A key is "lyr_x.attribute", or "lyr_x" for a count of features. */
const tableColumns = ({ table }: SavedAnswer) =>
  (table?.columns ?? []).map(({ key }) => {
    const [, layerId, attribute] = /^(\w+)(?:\.(.*))?$/s.exec(key) ?? []
    return { layerId, attribute }
  })

async function allDatasets(db: Database): Promise<DatasetRow[]> {
  return (await listDatasets(db.run)).map(
    ({ layerId, name, category, kind, orgId, vintage = null, distanceTo = null }): DatasetRow => ({
      layerId,
      name,
      category,
      kind,
      orgId,
      vintage,
      distanceTo,
      version: '',
      price: null,
    }),
  )
}

async function computedTable({ reads, set, datasets }: ReplayScope, answer: SavedAnswer): Promise<Table> {
  const columns = tableColumns(answer)
  const isIn = ({ layerId }: DatasetRow) => columns.some((column) => column.layerId === layerId)
  const recorded = await recordedOn(reads, set, datasets.filter(isIn))
  const shown = columns.flatMap(({ layerId, attribute }) =>
    recorded.filter(({ dataset, entry }) => dataset.layerId === layerId && entry?.name === attribute),
  )
  return tableOf(reads, set, shown)
}

/**
 * Returns undefined where a member cannot be one of a source: no figure is computed from it. PostgreSQL holds no NUL. The
 * most common class is a result, not a choice.
 */
export function figureOfSource(source: Source): Figure | undefined {
  if (!isSource(source) || JSON.stringify(source).includes('\\u0000')) return undefined
  const {
    label: _l,
    dataset: _d,
    frames: _f,
    weight: _w,
    vintage: _v,
    method: _m,
    class: counted,
    cite: _c,
    ...figure
  } = source
  return counted !== undefined && figure.statistic === 'share' ? { ...figure, class: counted } : figure
}
