/** Computes the figures that a question asks for about a unit, or says why there is none. */
import type { Ask, RatioTo, Subject } from '../reading/reading.js'
import { frameText, shareText, tiedText, withUnit } from '../figures/figure-text.js'
import { groupThousands } from '../../decimal.js'
import {
  amountText,
  coverageText,
  figureOfFact,
  figureOfIndex,
  isTotal,
  labelOf,
  perText,
  recordedText,
  wordsOfSummary,
  type UnitFigure,
} from './figure.js'
import { planOfParts, planOfUnits } from './parts.js'
import { isSmall, tooLarge, type FigurePlan, type PlanScope } from './plan.js'
import { extentOf, factOf, type UnitTarget, type UnitFact } from './scope.js'
import { classesOf, comparedOf, landOf, spreadOf } from './reads.js'
import type { BoxSpread } from './statements.js'

const why = (sentence: string): FigurePlan => ({ why: sentence })
const FEW_FRAMES = 'That is answered for at most 50 frames.'

/** Nothing is read before `run`. */
export function planOf(scope: PlanScope, ask: Ask, target: UnitTarget): FigurePlan {
  const { subject, operation } = ask
  if (ask.where.length > 0) return why(`Frames that pass a condition are not among the totals. ${FEW_FRAMES}`)
  if (operation.op === 'by') return planOfParts(scope, operation, subject, target)
  if (subject.kind === 'index') return planOfIndex(scope, subject, target)
  if (subject.kind === 'property') return why(`Totals count features, and not what each of them records. ${FEW_FRAMES}`)
  const fact = factOf(target, subject)
  if (!fact) return why('No dataset that is read here has it.')
  if (fact.recorded === 0 && fact.dataset.kind === 'frames')
    return why(`${fact.label} is recorded on none of these frames.`)
  return planOfFact(scope, { operation, subject, fact, target })
}

type PlannedFact = { operation: Ask['operation']; subject: Subject; fact: UnitFact; target: UnitTarget }

function planOfFact(scope: PlanScope, wanted: PlannedFact): FigurePlan {
  const { operation, fact, target } = wanted
  const isCategory = fact.type === 'category'
  switch (operation.op) {
    case 'usual':
      return isCategory ? planOfClasses(scope, wanted) : planOfTotal(fact, target)
    case 'sum':
      return isTotal(fact) ? planOfTotal(fact, target) : why(`${fact.label} has an average, and no total.`)
    case 'mean':
      return fact.summary === 'sum' || fact.summary === 'count'
        ? planOfSpread(scope, wanted, 'mean')
        : planOfTotal(fact, target)
    case 'median':
    case 'min':
    case 'max':
    case 'range':
      return planOfSpread(scope, wanted, operation.op)
    case 'rank':
      return operation.n === 1 || operation.n === undefined
        ? planOfSpread(scope, wanted, operation.order === 'highest' ? 'max' : 'min')
        : why(`A list of single frames is made of at most 50 frames.`)
    case 'mode':
    case 'class':
      return planOfClasses(scope, wanted)
    case 'frames':
      return { run: async () => [coverageFigure(fact, target)] }
    case 'per_km2':
      return planOfDensity(scope, wanted)
    case 'per':
      return planOfRatio(scope, wanted, operation)
    case 'change':
      return planOfChange(scope, wanted, operation.other)
    case 'extent': {
      if (target.box)
        return why('Lengths and areas of features are added up for units, and not for boxes: pick a unit.')
      const extent = extentOf(target, fact.dataset.layerId)
      return extent ? planOfTotal(extent, target) : why(`${fact.label} are points: they have no length and no area.`)
    }
    case 'names':
      return why(`Names of features are listed for at most 50 frames.`)
    case 'part':
    case 'portion':
    case 'by':
      return why(FEW_FRAMES)
  }
}

export function totalFigure(fact: UnitFact, target: UnitTarget): UnitFigure | undefined {
  const { number, summary, recorded, frames } = fact
  const made = { place: target, statistic: summary, recorded, frames }
  if (summary === 'mode' && fact.class !== null)
    return figureOfFact(fact, { label: labelOf(fact, 'most common', target), value: modeValue(fact) }, made)
  if (number === null) return undefined
  const value = `${isTotal(fact) && fact.summary === 'sum' ? amountText(fact, number) : withUnit(number, fact.unit)}${coverageText(fact, fact)}`
  return figureOfFact(fact, { label: labelOf(fact, wordsOfSummary(fact), target), value }, made)
}

const modeValue = (fact: UnitFact) => `${fact.class} (${shareText(fact.classFrames ?? 0, fact.recorded)})`

function planOfTotal(fact: UnitFact, target: UnitTarget): FigurePlan {
  const figure = totalFigure(fact, target)
  return figure ? { run: async () => [figure] } : why(`${fact.label} has no total: each frame has a value of its own.`)
}

const coverageFigure = (fact: UnitFact, target: UnitTarget): UnitFigure => {
  const { recorded, frames, dataset } = fact
  const words = dataset.kind === 'frames' ? 'recorded on' : 'frames that have any'
  const made = { place: target, statistic: 'frames', recorded, frames }
  return figureOfFact(fact, { label: labelOf(fact, words, target), value: recordedText(recorded, frames) }, made)
}

const subjectOf = ({ dataset, attribute }: UnitFact) => (dataset.kind === 'frames' ? attribute : null)

type SpreadOp = 'mean' | 'median' | 'min' | 'max' | 'range'
const SPREAD_WORDS: Readonly<Record<SpreadOp, string>> = {
  mean: 'average per frame',
  median: 'median',
  min: 'lowest',
  max: 'highest',
  range: 'range',
}

function planOfSpread({ read }: PlanScope, { fact, target }: PlannedFact, op: SpreadOp): FigurePlan {
  if (fact.type === 'category') return why(`${fact.label} has classes, and no numbers.`)
  if (!isSmall(target)) return tooLarge(target)
  const run = async () => {
    const measure = op === 'range' ? 'max' : op
    const row = await spreadOf(read, target, { layerId: fact.dataset.layerId, subject: subjectOf(fact), measure })
    const value = row && spreadText(fact, row, op)
    if (!row || value === undefined) return []
    const { recorded, frames } = row
    const text = { label: labelOf(fact, SPREAD_WORDS[op], target), value: value + coverageText(fact, row) }
    const figure = figureOfFact(fact, text, { place: target, statistic: op, recorded, frames })
    const frame = op === 'min' ? row.lowestFrame : op === 'max' ? row.highestFrame : null
    return [frame === null ? figure : { ...figure, named: { frames: [frame], units: [] } }]
  }
  return { run }
}

function spreadText(fact: UnitFact, row: BoxSpread, op: SpreadOp): string | undefined {
  const decimal = op === 'range' ? row.range : row.number
  if (decimal === null) return undefined
  const text = amountText(fact, decimal)
  if (op === 'min') return text + frameText(row.lowestFrame, row.lowestFrames)
  return op === 'max' ? text + frameText(row.highestFrame, row.highestFrames) : text
}

function planOfClasses({ read }: PlanScope, { operation, fact, target }: PlannedFact): FigurePlan {
  if (fact.type !== 'category') return why(`${fact.label} has numbers, and no most common value.`)
  if (target.box && !fact.classes) return why(`${fact.label} has too many classes to count in a box.`)
  if (!target.box && !isSmall(target)) return operation.op === 'class' ? tooLarge(target) : planOfTotal(fact, target)
  const run = async () => {
    const rows = await classesOf(read, target, fact)
    const [first] = rows ?? []
    if (!rows || !first) return []
    const { recorded, frames } = first
    const made = { place: target, recorded, frames }
    if (operation.op === 'class') {
      const having = rows.find((row) => row.class === operation.value)?.classFrames ?? 0
      const label = labelOf(fact, operation.value, target)
      return [figureOfFact(fact, { label, value: shareText(having, recorded) }, { ...made, statistic: 'share' })]
    }
    const tied = rows.filter(({ classFrames }) => classFrames === first.classFrames).map((row) => row.class)
    const value = `${tiedText(tied)} (${shareText(first.classFrames, recorded)})`
    return [figureOfFact(fact, { label: labelOf(fact, 'most common', target), value }, { ...made, statistic: 'mode' })]
  }
  return { run }
}

/** Where some frames record nothing, the land of the others is read frame by frame. */
function planOfDensity({ read }: PlanScope, { fact, target }: PlannedFact): FigurePlan {
  if (!isTotal(fact)) return why(`${fact.label} has no total, and so none for each square kilometre.`)
  const isWhole = fact.dataset.kind !== 'frames' || fact.recorded === fact.frames
  if (!isWhole && !isSmall(target)) return tooLarge(target)
  const run = async () => {
    const { layerId } = fact.dataset
    const land = isWhole
      ? await landOf(read, target, fact)
      : await spreadOf(read, target, { layerId, subject: fact.attribute, measure: 'per_km2' })
    const density = land && ('density' in land ? land.density : land.number)
    if (!density || land.km2 === null || fact.number === null) return []
    const totals = `${amountText(fact, fact.number)}, ${groupThousands(land.km2)} km²`
    const value = `${amountText(fact, density)} per km² (${totals})${coverageText(fact, fact)}`
    const { recorded, frames } = fact
    return [
      figureOfFact(
        fact,
        { label: labelOf(fact, 'per km²', target), value },
        { place: target, statistic: 'per_km2', recorded, frames },
      ),
    ]
  }
  return { run }
}

function planOfRatio({ read }: PlanScope, { fact, target }: PlannedFact, asked: RatioTo): FigurePlan {
  const { times = '1' } = asked
  const other = factOf(target, asked.other)
  if (!other) return why('No dataset that is read here has both.')
  if (!isTotal(fact) || !isTotal(other)) return why('Only totals have a ratio.')
  if (other.recorded === 0 && other.dataset.kind === 'frames')
    return why(`${other.label} is recorded on none of these frames.`)
  const run = async () => {
    const row = await comparedOf(read, target, [fact, other], times)
    if (!row || row.number === null || row.otherNumber === null) return []
    const per = perText(other, times)
    const totals = `${amountText(fact, row.number)}, ${amountText(other, row.otherNumber)}${coverageText(other, other)}`
    const ratio = row.ratio === null ? 'not defined' : `${amountText(fact, row.ratio)} ${per}`
    const { recorded, frames } = row
    const value = `${ratio} (${totals})${coverageText(fact, row)}`
    return [
      figureOfFact(
        fact,
        { label: labelOf(fact, per, target), value },
        { place: target, statistic: 'per', recorded, frames },
      ),
    ]
  }
  return { run }
}

function planOfChange({ read }: PlanScope, { fact, target }: PlannedFact, otherSubject: Subject): FigurePlan {
  const other = factOf(target, otherSubject)
  if (!other || fact.summary !== 'sum' || other.summary !== 'sum' || fact.unit !== other.unit)
    return why('Only totals of one unit have a change.')
  // A change between totals of different frames is no change of the place.
  if (fact.recorded !== other.recorded || fact.dataset !== other.dataset)
    return why(`${fact.label} and ${other.label} are recorded on different frames.`)
  const run = async () => {
    const row = await comparedOf(read, target, [fact, other], '1')
    if (!row || row.number === null || row.otherNumber === null || row.difference === null) return []
    const { difference, change, recorded, frames } = row
    const part = change === null ? '' : `, ${change.replace('-', '')} %`
    const words =
      difference === '0'
        ? 'no change'
        : difference.startsWith('-')
          ? `a decrease of ${amountText(fact, difference.slice(1))}${part}`
          : `an increase of ${amountText(fact, difference)}${part}`
    const value = `${words} (from ${amountText(fact, row.otherNumber)} to ${amountText(fact, row.number)})${coverageText(fact, row)}`
    const label = labelOf(fact, `change from ${other.label}`, target)
    return [figureOfFact(fact, { label, value }, { place: target, statistic: 'change', recorded, frames })]
  }
  return { run }
}

function planOfIndex({ read }: PlanScope, { figure }: Subject & { kind: 'index' }, target: UnitTarget): FigurePlan {
  const { frames, name } = target
  const named = (label: string) => (name === undefined ? label : `${label}, ${name}`)
  const made = { place: target, recorded: frames, frames }
  if (figure === 'frames') {
    const value = `${groupThousands(String(frames))} frames`
    return {
      run: async () => [figureOfIndex('frame_id', { label: named('Frames'), value }, { ...made, statistic: 'count' })],
    }
  }
  if (figure === 'area') {
    const run = async () => {
      const row = await landOf(read, target)
      if (!row || row.km2 === null) return []
      const text = { label: named('Area'), value: `${groupThousands(row.km2)} km²` }
      return [figureOfIndex('geom', text, { ...made, statistic: 'sum' })]
    }
    return { run }
  }
  return planOfUnits({ read }, figure, target)
}
