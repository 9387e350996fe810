/** Replays an answer: computes its headline, facets, sources and table again from its sources and its frames. */
import { listDatasets } from '../access/licences.js'
import type { DatasetRow } from '../db/rows.js'
import type { Database } from '../db/connect.js'
import { figuresOfFrames, frameBoxes } from '../db/statements.js'
import { isPlainDecimal } from '../decimal.js'
import type { Facet } from './figures/facets.js'
import { type FrameSet, type Place, setOfIds } from './figures/frame-set.js'
import { type Reads, readsOf, setInPlace } from './figures/reads.js'
import { recordedOn } from './figures/recorded.js'
import type { Figure, Source } from './figures/typed.js'
import { headlineOf, isPossibleHeadline, NO_FRAMES, NO_QUESTION, notesBeforeFigures, plainInput } from './headline.js'
import { notesOf } from './numbers/headline-notes.js'
import { factsOf, type LabelledValue, unaccountedNumbers } from './numbers/verify.js'
import { computeFigure } from './operations/compute.js'
import { unknownPart } from './sentences/compose.js'
import { GENERAL_NOTES, menuOf } from './sentences/menu.js'
import { type Table, tableOf } from './table.js'

/** Figures stand in these parts of a saved answer. */
export type SavedAnswer = {
  frameIds: string[]
  /** An answer about a unit or a box has no ids. */
  place?: Place
  frames?: number
  headline: string
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
        ...(source ? differencesIn(`${label}, its source`, sources[i], source) : []),
      ]
    }),
    ...tableDifferences(answer.table, table),
  ]
}

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
      return figure && computeFigure(reads, set, figure)
    }),
  )

const difference = (label: string, given: string, computed: string | undefined): Difference[] =>
  given === computed ? [] : [{ label, given, computed }]

/** The first facets that the database gives are those that a headline may name. */
function headlineDifferences(answer: SavedAnswer, computed: readonly (Facet | undefined)[]): Difference[] {
  const { headline, leftOut = [] } = answer
  const missing = computed.indexOf(undefined)
  const facets = computed.slice(0, missing < 0 ? undefined : missing).flatMap((facet) => facet ?? [])
  const replayed = { facets, frames: askedCount(answer), leftOut }
  return isPossibleHeadline(headline, replayed)
    ? []
    : difference('headline', headline, headlineOf(plainInput(replayed)))
}

/** Every sentence of a narrative is one that the figures give. */
function narrativeDifferences(answer: SavedAnswer, computed: readonly (Facet | undefined)[]): Difference[] {
  const { narrative, headline, leftOut = [] } = answer
  const facets = computed.flatMap((facet) => facet ?? [])
  // Figures that the database does not give are reported already.
  if (narrative === undefined || facets.length < computed.length) return []
  const told = { ...plainInput({ facets: [], frames: 0, leftOut }), ...notesOf(headline) }
  const notes = [...notesBeforeFigures(told), NO_QUESTION, ...GENERAL_NOTES]
  const facts = { ...factsOf(answer), facets }
  const menu = menuOf({ facts, answers: [], nearest: [], notes }, unaccountedNumbers)
  const rest = unknownPart(narrative, menu)
  return rest === '' ? [] : [{ label: 'narrative', given: rest.slice(0, SHOWN_MAX), computed: undefined }]
}

const SHOWN_MAX = 100

/** Lists the units of the index of which a note says that no frame lies there, though some do. A note joins names by "or". */
async function untrueNotes({ reads, set }: ReplayScope, { headline }: SavedAnswer): Promise<string[]> {
  const absent = notesOf(headline).places.absent.flatMap((names) => names.split(' or '))
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

type MemberCheck = (value: unknown) => boolean
const orAbsent =
  (check: MemberCheck): MemberCheck =>
  (value) =>
    value === undefined || check(value)
const having =
  (checks: Readonly<Record<string, MemberCheck>>): MemberCheck =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(checks).every(([name, check]) => check((value as Record<string, unknown>)[name]))
const isOneOf =
  (...values: unknown[]): MemberCheck =>
  (value) =>
    values.includes(value)

/** PostgreSQL holds no NUL. */
const isText: MemberCheck = (value) => typeof value === 'string' && !value.includes('\0')
const isDecimal: MemberCheck = (value) => typeof value === 'string' && isPlainDecimal(value)
/** An answer takes no more frames, so no ranking has more. */
const RANKING_MAX = 1000
const isRankingCount: MemberCheck = (value) =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= RANKING_MAX

const bound = orAbsent(isDecimal)
const SUBJECT_MEMBERS = { layerId: isText, attribute: isText, property: orAbsent(isText) }
const TEST_SHAPES: readonly MemberCheck[] = [
  having({ test: isOneOf('none', 'any') }),
  having({ test: isOneOf('class', 'not_class'), value: isText }),
  having({ test: isOneOf('bounds'), above: bound, atLeast: bound, below: bound, atMost: bound }),
]
const isTest: MemberCheck = (value) => TEST_SHAPES.some((check) => check(value))
const isCondition: MemberCheck = (value) => having(SUBJECT_MEMBERS)(value) && isTest(value)

const areConditions: MemberCheck = (value) => Array.isArray(value) && value.every(isCondition)

const FIGURE: Record<keyof Figure, MemberCheck> = {
  ...SUBJECT_MEMBERS,
  statistic: isText,
  class: orAbsent(isText),
  n: orAbsent(isRankingCount),
  order: orAbsent(isOneOf('highest', 'lowest')),
  other: orAbsent(having(SUBJECT_MEMBERS)),
  times: orAbsent(isDecimal),
  of: orAbsent(isOneOf('per_km2', 'portion', 'mean')),
  by: orAbsent(having(SUBJECT_MEMBERS)),
  having: orAbsent(isTest),
  unit: orAbsent((value) => Array.isArray(value) && value.length <= 3 && value.every(isText)),
  where: orAbsent(areConditions),
  whole: orAbsent(areConditions),
}

/** Returns undefined where a member cannot be one of a source: no figure is computed from it. */
export function figureOfSource(source: Source): Figure | undefined {
  if (!having(FIGURE)(source)) return undefined
  const members = Object.entries(source).filter(
    // The most common class is a result, not a choice.
    ([name, value]) => name in FIGURE && value !== undefined && (name !== 'class' || source.statistic === 'share'),
  )
  return Object.fromEntries(members) as Figure
}
