/** Computes what a question asks for: the figure that answers it, then the figures that help to read it. */
import { defined } from '../defined.js'
import {
  type AlgebraFigure,
  computeFigure,
  describe,
  type Description,
  type Facet,
  type Figure,
  type FigureStatistic,
  figureSubject,
  type FigureSubject,
  type FrameSet,
  framesPassing,
  INDEX,
  isOfPlace,
  type Reads,
  type SourceCondition,
  usualStatistics,
} from '../figures/index.js'
import { UNIT_LEVELS, type UnitPath } from '../place.js'
import type { Ask, Condition, Operation, RatioTo } from './reading/reading.js'

export type AskAnswer = {
  /** The first answers the ask, if it is answered. */
  facets: Facet[]
  /** False where the subject has no such figure: the total of an elevation, a ratio of averages. */
  isAnswered: boolean
}

/** Several asks of one call share their reads. `ward`: a few frames all lie in it. */
export async function answerAsk(reads: Reads, set: FrameSet, ask: Ask, ward?: UnitPath): Promise<AskAnswer> {
  const names = figureSubject(ask.subject)
  const subject = await describe(reads, names)
  if (!subject) return { facets: [], isAnswered: false }
  const where = ask.where.map(sourceCondition)
  const over: Over = where.length === 0 ? names : { ...names, where }
  const { main, others } = figuresOfOperation(ask.operation, subject, over, set)
  if (ward && where.length === 0 && main.statistic === 'sum' && isOfModel(subject))
    others.splice(1 + others.findIndex(({ statistic }) => statistic === 'interval'), 0, { ...main, unit: ward })
  const compute = (figures: readonly Figure[]) =>
    Promise.all(figures.map((figure) => computeScaled(reads, set, figure)))
  const [selected, [first], helping] = await Promise.all([
    framesPassing(reads, set, where),
    compute([main]),
    compute(others),
  ])
  const found = firstOfEachLabel([first, ...helping].flatMap((facet) => facet ?? []))
  // Without the figure, the first thing to say is that these frames record nothing.
  const silent = first ? [] : found.filter(saysNothingRecorded)
  const facets = [...silent, ...found.filter((facet) => !silent.includes(facet))]
  // The name of a single ward is its value.
  const isName = ask.operation.op === 'names' && subject.named.type === 'unit'
  const isUsual = (ask.operation.op === 'usual' || isName) && facets.length > 0
  const isSilent = selected?.count === 0 || facets.some(saysNothingRecorded)
  return {
    facets: facets.filter((facet) => facets.length === 1 || facet === first || !saysAllRecorded(facet)),
    isAnswered: first !== undefined || isUsual || isSilent,
  }
}

/** "3.9 clinics per 100,000 people", and not "0.000039 clinics per person". */
async function computeScaled(reads: Reads, set: FrameSet, figure: Figure): Promise<Facet | undefined> {
  const facet = await computeFigure(reads, set, figure)
  const times = facet && readableTimes(figure, facet)
  if (times === undefined) return facet
  const own = figure.figure ? { figure: { ...figure.figure, times: Number(times) } } : { times }
  return computeFigure(reads, set, { ...figure, ...own })
}

const [SMALL, TIMES] = [0.01, ['1000', '10000', '100000', '1000000']]

function readableTimes({ statistic, times, figure }: Figure, { typed: { result }, groups }: Facet): string | undefined {
  const isRatio = statistic === 'per' ? times === undefined : figure?.op === 'ratio' && figure.times === undefined
  if (!isRatio || figure?.to?.subject?.name === 'geom') return undefined
  const { number, ranked = [] } = result as { number?: string | null; ranked?: { number: string }[] }
  const numbers = [...(groups ?? ranked).map((each) => each.number), ...(groups ? [] : [number ?? '0'])]
  const most = Math.max(...numbers.map(Number))
  return most > 0 && most < SMALL ? (TIMES.find((each) => most * Number(each) >= 1) ?? TIMES.at(-1)) : undefined
}

/** A model of people is made for areas: a ward's figure says more than those of a few of its frames. */
const isOfModel = ({ summary, named }: Description) =>
  summary === 'sum' && named.type === 'number' && named.method !== undefined

const sourceCondition = ({ subject, test }: Condition): SourceCondition => ({ ...figureSubject(subject), ...test })

const isCoverage = ({ source }: Facet) => source.statistic === 'frames' && source.attribute !== 'feature'
const saysNothingRecorded = (facet: Facet) => isCoverage(facet) && facet.source.frames === 0
/** Only a figure that some frames lack needs a line about it. */
const saysAllRecorded = (facet: Facet) => isCoverage(facet) && facet.source.frames === facet.typed.frames

function firstOfEachLabel(facets: readonly Facet[]): Facet[] {
  const labels = new Set<string>()
  return facets.filter(({ label }) => !labels.has(label) && labels.add(label))
}

type Over = FigureSubject & { where?: SourceCondition[] }
type FigureMaker = (statistic: FigureStatistic, more?: Partial<Figure>) => Figure

/** Lists the figure that answers an operation, and the figures that help to read it. */
function figuresOfOperation(
  operation: Operation,
  subject: Description,
  over: Over,
  set: FrameSet,
): { main: Figure; others: Figure[] } {
  const figure: FigureMaker = (statistic, more = {}) => ({ ...over, statistic, ...more })
  const { where = [] } = over
  const passing = passingFigures(where)
  const usual = usualFigures(subject, figure, set)
  if (operation.op === 'frames' && operation.whole) {
    const whole = operation.whole.map(sourceCondition)
    const [main = figure('frames'), ...each] = passing.filter(({ statistic }) => statistic === 'passing')
    const within = [main, ...each].map((part) => ({ ...part, whole }))
    return { main: within[0] ?? main, others: [...within.slice(1), ...passingFigures(whole)] }
  }
  if (operation.op === 'frames') {
    const [first, ...more] = passing
    const isCondition = where.some(({ layerId, attribute }) => layerId === over.layerId && attribute === over.attribute)
    return { main: first ?? figure('frames'), others: [...more, ...(isCondition ? [] : usual)] }
  }
  const [main = usual[0], ...second] = mainFigures(operation, subject, figure)
  // "How many wards does Marembe have": their number before the frames of Marembe.
  const units = subject.named.type === 'unit' && operation.op === 'usual' ? usual : []
  return { main, others: [...units, ...passing, ...second, ...otherTotals(operation, over), ...usual] }
}

/** The frames that pass all conditions come before those that pass each. */
function passingFigures(where: SourceCondition[]): Figure[] {
  const [first] = where
  if (!first) return []
  const passing = (conditions: SourceCondition[], condition: SourceCondition): Figure => ({
    ...subjectOfCondition(condition),
    statistic: 'passing',
    where: conditions,
  })
  const each = where.length === 1 ? [] : where.map((condition) => passing(pathOf(where, condition), condition))
  // The frames of a class are also a part of the frames that record it.
  const shares = where.flatMap((condition): Figure[] =>
    condition.test === 'class' && pathOf(where, condition).length === 1
      ? [{ ...subjectOfCondition(condition), statistic: 'share', class: condition.value }]
      : [],
  )
  return [passing(where, first), ...each, ...shares]
}

/** A unit is known by those above it: others may have its name. */
const pathOf = (where: SourceCondition[], condition: SourceCondition): SourceCondition[] => {
  const levels = UNIT_LEVELS.slice(0, 1 + UNIT_LEVELS.findIndex((level) => level === condition.attribute))
  const above = where.filter((each) => isOfPlace(each) && levels.some((level) => level === each.attribute))
  return isOfPlace(condition) ? above : [condition]
}

const subjectOfCondition = ({ layerId, attribute, property }: SourceCondition): FigureSubject =>
  defined({ layerId, attribute, property })

/** Where it returns no figure, the usual figure answers. */
function mainFigures(operation: Operation, subject: Description, figure: FigureMaker): Figure[] {
  switch (operation.op) {
    case 'usual':
    case 'frames':
      return []
    case 'mean':
      return [figure(meanOf(subject)), ...intervalsOf(subject, figure, { of: 'mean' })]
    case 'sum':
      return subject.named.type === 'features' ? [figure('count')] : subject.summary === 'sum' ? [figure('sum')] : []
    case 'class':
      return [figure('share', { class: operation.value })]
    case 'rank': {
      const { order, n } = operation
      const extreme = figure(order === 'highest' ? 'max' : 'min')
      return n === 1 ? [extreme] : [figure('rank', defined({ order, n })), extreme]
    }
    case 'per':
      return [figure('per', ratioTo(operation))]
    case 'change':
      return (['change', 'interval'] as const).map((statistic) =>
        figure(statistic, { other: figureSubject(operation.other), ...(statistic === 'interval' && { of: 'change' }) }),
      )
    case 'figure':
      return composedFigures(operation, subject, figure)
    case 'median':
    case 'min':
    case 'max':
    case 'mode':
    case 'range':
    case 'names':
    case 'extent':
      return [figure(operation.op)]
    case 'per_km2':
    case 'portion':
      return [figure(operation.op), ...intervalsOf(subject, figure, { of: operation.op })]
    case 'interval':
      return [figure('interval', defined({ of: operation.of })), ...(operation.of ? [figure(operation.of)] : [])]
  }
}

const meanOf = ({ summary }: Description): FigureStatistic => (summary === 'weighted_mean' ? summary : 'mean')

const intervalsOf = ({ hasInterval, summary }: Description, figure: FigureMaker, more: Partial<Figure>): Figure[] =>
  hasInterval && summary === 'sum' ? [figure('interval', more)] : []

const ratioTo = ({ other, times }: RatioTo): Partial<Figure> => defined({ other: figureSubject(other), times })

/** The list of all groups stands beside the first of them, and their intervals beside totals. */
function composedFigures(
  { figure: own, measure, isInterval }: Extract<Operation, { op: 'figure' }>,
  { hasInterval = false, summary }: Description,
  figure: FigureMaker,
): Figure[] {
  const of = (statistic: FigureStatistic, asked: AlgebraFigure) =>
    figure(statistic, defined({ figure: asked, measure }))
  const { having, order, n: _n, nth: _nth, inEach: _inEach, ...all } = own
  const { by, op } = all
  const isOfGroups = by !== undefined && ('level' in by || 'class' in by)
  if (isInterval) return [of('interval', own), of('figure', own)]
  const list = isOfGroups && (having || order) ? [of('figure', all)] : []
  const isTotal = isOfGroups && hasInterval && summary === 'sum' && op === undefined && own.of.how === 'sum'
  // A share stands beside its part.
  const part = isOfGroups && op === 'percent' && own.of.where ? [of('figure', { of: own.of })] : []
  return [of('figure', own), ...list, ...(isTotal ? [of('interval', all)] : []), ...part]
}

/** The total of the other subject stands beside a ratio or a change. */
function otherTotals(operation: Operation, { where }: Over): Figure[] {
  const scope = where === undefined ? {} : { where }
  if (operation.op === 'per_km2') return [{ ...scope, layerId: INDEX.layerId, attribute: 'geom', statistic: 'sum' }]
  if (operation.op !== 'per' && operation.op !== 'change') return []
  const statistic = operation.other.kind === 'features' ? 'count' : 'sum'
  return [{ ...scope, ...figureSubject(operation.other), statistic }]
}

/** A place has kept totals only. A property stands beside the number of its features. */
function usualFigures(subject: Description, figure: FigureMaker, { count, place }: FrameSet): [Figure, ...Figure[]] {
  const [first, ...others] = usualStatistics(subject, count > 1 && !place)
  const figures = others.map((statistic) => figure(statistic))
  if (subject.named.type !== 'property') return [figure(first), ...figures]
  const { property: _property, ...features } = figure('count')
  return [figure(first), ...figures, features]
}
