/** Computes a figure of the algebra: a source holds it as it is, but for its place, which is that of the answer. */
import type { FigureRow } from '../db/index.js'
import { defined } from '../defined.js'
import { unitOfMeasureNamed } from '../numbers/index.js'
import type { Bounds, Figure as Asked, Filter, Measure } from './algebra.js'
import { groupWordsOf, saidOf } from './composed-sentence.js'
import { isByLand, textOfFigure } from './composed-text.js'
import type { Computed } from './facets.js'
import { NAMED_MAX } from './facet-text.js'
import { withUnit } from './figure-text.js'
import type { FrameSet } from './frame-set.js'
import { groupsFigure, isOfGroups } from './groups.js'
import { askedOf, both } from './measures.js'
import type { Reads } from './reads.js'
import { describe, type FigureCall } from './subject.js'
import type { Result, Said } from './typed.js'

export async function composedFigure({ reads, set, figure, subject }: FigureCall): Promise<Computed | undefined> {
  const { figure: own, measure } = figure
  const isInterval = figure.statistic === 'interval'
  const said = own && withoutRecorded(own)
  const text = said && (await textOfFigure(reads, said, measure))
  if (!own || !text || (isInterval && !isOfGroups(own))) return undefined
  const unit = own.op === 'ratio' || measure === undefined ? text.unit : measure
  const factor = factorOf(text.unit === '%' ? '%' : text.of, own, measure)
  if (factor === undefined) return undefined
  const asked = ofPlaces(inPlace(boundsTold(await weighted(reads, own), factor), set))
  const number = (row: FigureRow) => (row.value === null ? null : inUnit(row, factor))
  if (text.by) {
    const label = isInterval ? `${text.label}, 95 % interval` : text.label
    const told = { label, unit, by: text.by, ...defined({ words: groupWordsOf(text.names, said, { measure, unit }) }) }
    const computed = await groupsFigure({ reads, set, asked, told, number, isInterval }).catch(nothingOfTooMany)
    const isWeighted = own.of.how === 'weighted_mean' && own.of.weight === undefined && subject.weight !== null
    return computed && { ...computed, ...(isWeighted && defined({ weight: subject.weight ?? undefined })) }
  }
  const isList = own.by !== undefined && 'each' in own.by && own.having === undefined
  const rows = await askedOf(reads, isList && own.n === undefined ? { ...asked, list: NAMED_MAX } : asked).catch(
    nothingOfTooMany,
  )
  const words = saidOf(text.names, said, measure)
  const units: Told['units'] =
    text.to === undefined || (factor !== 1 && !isByLand(own)) ? undefined : [text.of, text.to]
  const result = rows && resultOf(rows, { own, label: text.label, unit, units, number, said: words })
  return result && { result, frames: set.count }
}

/** PostgreSQL refuses a figure of too many distances, and one that no question asks for: then there is none. */
function nothingOfTooMany(error: unknown): undefined {
  if ((error as { code?: string }).code !== 'invalid') throw error
}

/** A density is over the land that records its subject, which needs no words. */
function withoutRecorded(figure: Asked): Asked {
  const { to } = figure
  if (!to?.where || !isByLand(figure)) return figure
  const { where, ...land } = to
  const all = 'all' in where ? where.all : [where]
  return { ...figure, to: { ...land, ...defined({ where: both(...all.filter((each) => !('recorded' in each))) }) } }
}

/** Every measure has the same place, and what is measured is that of the frames that pass. */
function inPlace(figure: Asked, { frames, where }: FrameSet): Asked {
  const placed = JSON.parse(JSON.stringify(figure), (key, value: unknown) =>
    key === 'place' ? frames : value,
  ) as Asked
  const passing = ({ among, ...measure }: Measure): Measure => ({
    ...measure,
    ...defined({ among: both(among, where) }),
  })
  const { of, to, ...more } = placed
  return { of: passing(of), ...more, ...(to && { to: passing(to) }) }
}

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

/** Bounds are told in the unit of measure that the value is told in. */
function boundsTold(figure: Asked, factor: number): Asked {
  if (!figure.having || factor === 1) return figure
  const having = Object.entries(figure.having).map(([bound, number]) => [bound, String(Number(number) / factor)])
  return { ...figure, having: Object.fromEntries(having) as Bounds }
}

type Unit = string | null
type Told = {
  own: Asked
  label: string
  unit: string | null
  /** A share and a ratio have two numbers, each with its unit. */
  units: [Unit, Unit] | undefined
  number: (row: FigureRow) => string | null
  said: Said | undefined
}

function resultOf(rows: readonly FigureRow[], { own, label, unit, units, number, said }: Told): Result | undefined {
  const [first] = rows
  const common = { is: 'composed' as const, label, unit, ...defined({ said }) }
  if (own.by) {
    // Names of things that pass need no number.
    const isNamed = own.of.how === 'count' && own.order === undefined && 'each' in own.by
    const named = rows.filter((row) => isNamed || row.value !== null)
    const shown = named.slice(0, NAMED_MAX)
    const ranked = shown.map((row) => ({
      name: row.name ?? row.class ?? 'not recorded',
      number: isNamed ? '' : (number(row) ?? ''),
    }))
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
  const amounts = units && bothText(first, own, units)
  const recorded = isPart ? { count: first.recorded, of: first.things } : undefined
  return { ...common, number: value, ...defined({ both: amounts, recorded }) }
}

/** "12 of 30 clinics", "12 clinics and 16,220 people", "16,220 people on 40 km²" */
function bothText({ number, other }: FigureRow, figure: Asked, [one, all]: [Unit, Unit]): string | undefined {
  const { op } = figure
  if (number === null || other === null || (op !== 'percent' && op !== 'ratio')) return undefined
  const word = op === 'percent' ? 'of' : isByLand(figure) ? 'on' : 'and'
  return `${withUnit(number, op === 'percent' && one === all ? null : one)} ${word} ${withUnit(other, all)}`
}

function inUnit({ shown, value }: FigureRow, factor: number): string | null {
  if (factor === 1) return shown
  const exact = Number(value) * factor
  return String(Number(Math.abs(exact) < 1 ? exact.toPrecision(3) : exact.toFixed(2)))
}
