/** Computes a figure of the algebra: a source holds it as it is, but for its place, which is that of the answer. */
import type { FigureRow } from '../db/index.js'
import { compareDecimals } from '../decimal.js'
import { UNIT_LEVELS, type UnitLevel } from '../place.js'
import { defined } from '../defined.js'
import { unitOfMeasureNamed } from '../numbers/index.js'
import type { Figure as Asked, Filter, Measure } from './algebra.js'
import { saidOf } from './composed-sentence.js'
import { isByLand, textOfFigure } from './composed-text.js'
import type { Computed } from './facets.js'
import { NAMED_MAX } from './facet-text.js'
import { tiedNames } from './figure-text.js'
import { askedOf, both } from './measures.js'
import { placeName } from '../place-name.js'
import type { Reads } from './reads.js'
import { describe, type FigureCall } from './subject.js'
import type { Result, Said } from './typed.js'

export async function composedFigure({ reads, set, figure }: FigureCall): Promise<Computed | undefined> {
  const { figure: own, measure } = figure
  const text = own && (await textOfFigure(reads, own, measure))
  if (!own || !text) return undefined
  const asked = ofPlaces(inPlace(await weighted(reads, own), set.frames))
  const isList = own.by !== undefined && 'each' in own.by && own.having === undefined
  const rows = await askedOf(reads, isList && own.n === undefined ? { ...asked, list: NAMED_MAX } : asked).catch(
    nothingOfTooMany,
  )
  if (!rows) return undefined
  const unit = own.op === 'ratio' || measure === undefined ? text.unit : measure
  const factor = factorOf(text.of, own, measure)
  if (factor === undefined) return undefined
  const said = saidOf(text.names, own, measure)
  const result = resultOf(rows, { own, label: text.label, unit, factor, said })
  if (!result) return undefined
  const units = rows.filter(({ path }) => path.length > 0).map(({ path }) => path)
  return { result, frames: set.count, ...(own.by && 'level' in own.by && { units }) }
}

/** PostgreSQL refuses a figure of too many distances, and one that no question asks for: then there is none. */
function nothingOfTooMany(error: unknown): undefined {
  if ((error as { code?: string }).code !== 'invalid') throw error
}

/** Every measure has the same place. */
const inPlace = (figure: Asked, frames: readonly string[]): Asked =>
  JSON.parse(JSON.stringify(figure), (key, value: unknown) => (key === 'place' ? frames : value)) as Asked

/** Only units of the places that frames lie in are groups: another has no 0. */
function ofPlaces(figure: Asked): Asked {
  const { of, to, by } = figure
  if (!by || !('level' in by)) return figure
  const within = ({ where, ...measure }: Measure): Measure => {
    if (!where || (measure.things ?? 'frames') !== 'frames') return { ...measure, ...defined({ where }) }
    const all = 'all' in where ? where.all : [where]
    const [rest, among] = [both(...all.filter((each) => !isPlace(each))), both(measure.among, ...all.filter(isPlace))]
    return { ...measure, ...defined({ where: rest, among }) }
  }
  return { ...figure, of: within(of), ...(to && { to: within(to) }) }
}

const isPlace = (filter: Filter): boolean =>
  'not' in filter ? isPlace(filter.not) : 'units' in filter && 'named' in filter

/** A weighted mean without a weight has that of the catalogue. */
async function weighted(reads: Reads, figure: Asked): Promise<Asked> {
  const open: Subject[] = []
  JSON.stringify(figure, (_key, value: unknown) => {
    if (isOpen(value)) open.push(value.subject)
    return value
  })
  const weights = new Map<string, string | null>()
  for (const { of: layerId, name: attribute } of open)
    weights.set(`${layerId} ${attribute}`, (await describe(reads, { layerId, attribute }))?.weight ?? null)
  return JSON.parse(JSON.stringify(figure), (_key, value: unknown) => {
    if (!isOpen(value)) return value
    const { of, name } = value.subject
    const weight = weights.get(`${of} ${name}`)
    return { ...value, weight: weight === 'area' || weight === null ? LAND : { of, name: weight } }
  }) as Asked
}

const LAND = { of: 'frames', name: 'geom' }
type Subject = { of: string; name: string }
const isOpen = (value: unknown): value is { subject: Subject } => {
  const { how, weight, subject } = Object(value) as { how?: string; weight?: unknown; subject?: Partial<Subject> }
  return how === 'weighted_mean' && weight === undefined && subject?.of !== undefined && subject.name !== undefined
}

/** How many of the unit asked for are one of `unit`, that of the first measure. A density is by area: the other way round. */
function factorOf(unit: string | null, figure: Asked, measure: string | undefined): number | undefined {
  if (measure === undefined) return 1
  const [own, other] = [unitOfMeasureNamed(isByLand(figure) ? 'km²' : unit), unitOfMeasureNamed(measure)]
  if (!own || !other || own.dimension !== other.dimension) return undefined
  const factor = Number(own.factor) / Number(other.factor)
  return isByLand(figure) ? 1 / factor : factor
}

type Told = { own: Asked; label: string; unit: string | null; factor: number; said: Said | undefined }

function resultOf(rows: readonly FigureRow[], { own, label, unit, factor, said }: Told): Result | undefined {
  const [first] = rows
  const common = { is: 'composed' as const, label, unit, ...defined({ said }) }
  const number = (row: FigureRow) => (row.value === null ? null : inUnit(row, factor))
  if (own.by) {
    const isNamed = isListOfNames(own)
    // The most common class of each group is its value.
    const valueOf = (row: FigureRow) => (own.of.how === 'mode' ? commonest(row) : (number(row) ?? ''))
    const found = rows.filter((row) => isNamed || row.value !== null)
    const isSorted = !isNamed && own.of.how !== 'mode' && own.order === undefined && 'level' in own.by
    const named = isSorted
      ? found.toSorted((one, other) => compareDecimals(other.value ?? '0', one.value ?? '0'))
      : found
    const shown = named.slice(0, NAMED_MAX)
    const ranked = shown.map((row) => ({ name: nameOf(rows, row, own.inEach), number: isNamed ? '' : valueOf(row) }))
    const all =
      'each' in own.by && first ? Math.max(own.having ? first.passing : first.groups, named.length) : named.length
    return { ...common, ranked, more: own.n === undefined ? all - shown.length : named.length - shown.length }
  }
  if (own.of.how === 'mode') {
    const [most] = first?.classes ?? []
    return most && { ...common, ranked: [{ name: most.value, number: '' }], more: 0 }
  }
  const value = first && number(first)
  if (!first || value === null || value === undefined) return undefined
  const isOfFrames = own.op === undefined && (own.of.things ?? 'frames') === 'frames' && own.of.subject?.name !== 'geom'
  const isPart = isOfFrames && own.of.subject !== undefined && first.recorded < first.things
  return { ...common, number: value, ...(isPart && { recorded: { count: first.recorded, of: first.things } }) }
}

/** All classes that are the most common. */
function commonest({ classes }: FigureRow): string {
  const tied = classes?.filter(({ things }) => things === classes[0]?.things) ?? []
  return tiedNames(tied.map(({ value }) => placeName(value)))
}

/** Names of things that pass need no number. */
const isListOfNames = ({ of, by, having, order }: Asked): boolean =>
  of.how === 'count' &&
  order === undefined &&
  by !== undefined &&
  ('each' in by || ('level' in by && having?.above === '0'))

function inUnit({ shown, value }: FigureRow, factor: number): string | null {
  if (factor === 1) return shown
  const exact = Number(value) * factor
  return String(Number(Math.abs(exact) < 1 ? exact.toPrecision(3) : exact.toFixed(2)))
}

/** The units above them tell two units of one name apart. */
function nameOf(rows: readonly FigureRow[], { path, class: group, name }: FigureRow, inEach?: UnitLevel): string {
  const own = path.at(-1)
  if (own === undefined) return name ?? group ?? 'not recorded'
  const within = inEach && path[UNIT_LEVELS.indexOf(inEach)]
  if (within !== undefined) return `${placeName(own)} (${placeName(within)})`
  const isShared = rows.filter((row) => row.path.at(-1) === own).length > 1
  const [_own, ...above] = path.toReversed()
  return isShared && above.length > 0 ? `${placeName(own)} (${placeName(above.join(', '))})` : own
}
