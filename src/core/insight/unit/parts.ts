/** Computes a figure of each part of a unit: "people by LGA", "which ward has the most schools", "LGAs without a clinic". */
import { withUnit } from '../figures/figure-text.js'
import type { RatioTo, Subject } from '../reading/reading.js'
import { amountText, figureOfFact, perText, figureOfIndex, isTotal, wordsOfSummary, type UnitFigure } from './figure.js'
import {
  byRecorded,
  DEPTHS,
  labelOfParts,
  modesText,
  NAMED,
  namedParts,
  nameOfPart,
  passes,
  passingText,
  pathOf,
  rankedText,
  TITLES,
  valueOf,
  type ByOperation,
  type RankedFigure,
} from './part-texts.js'
import { isSmall, tooLarge, type FigurePlan, type PlanScope } from './plan.js'
import { extentOf, factOf, nameOf, type FigurePlace, type Read, type UnitTarget, type UnitFact } from './scope.js'
import {
  ratiosOfParts,
  spreadOfParts,
  totalsOfParts,
  type PartTotal,
  type SpreadMeasure,
  type UnitPath,
} from './statements.js'

/** The table lists this many parts. */
const PARTS_LISTED = 50

const PARTS_OF_BOX = { why: 'A box is not divided into its units: pick a unit, or ask about the whole index.' }

export function planOfParts(
  scope: PlanScope,
  operation: ByOperation,
  subject: Subject,
  target: UnitTarget,
): FigurePlan {
  const { by } = operation
  if (target.box) return PARTS_OF_BOX
  if (by.kind !== 'index' || by.figure === 'frames' || by.figure === 'area')
    return { why: 'Figures by class are made of at most 50 frames.' }
  const unit = by.figure
  if (DEPTHS[unit] <= target.path.length)
    return {
      why: `${nameOf(target.path)} ${isOne(target.path, unit) ? 'is' : 'lies in'} one ${TITLES[unit]}: ask about a larger place.`,
    }
  const measured = measuredOf(operation, subject, { target, unit })
  if ('why' in measured) return measured
  return { run: async () => await figuresOfParts(scope.read, operation, measured) }
}

const isOne = (path: UnitPath, unit: keyof typeof DEPTHS) => DEPTHS[unit] === path.length

type PartsPlace = Pick<RankedFigure, 'target' | 'unit'>

function measuredOf(
  { measure, per }: ByOperation,
  subject: Subject,
  place: PartsPlace,
): RankedFigure | { why: string } {
  const { target } = place
  if (subject.kind === 'index') return measuredIndex(subject.figure, place)
  if (subject.kind === 'property') return { why: 'Totals count features, and not what each of them records.' }
  const own = factOf(target, subject)
  if (!own) return { why: 'No dataset that is read here has it.' }
  const fact = measure === 'extent' ? extentOf(target, own.dataset.layerId) : own
  if (!fact) return { why: `${own.label} are points: they have no length and no area.` }
  if (fact.recorded === 0 && fact.dataset.kind === 'frames')
    return { why: `${fact.label} is recorded on none of these frames.` }
  if (per) return measuredRatio(fact, per, place)
  return measure === undefined || measure === 'extent'
    ? measuredTotal(fact, place)
    : measuredSpread(fact, measure, place)
}

function measuredIndex(figure: string, { target, unit }: PartsPlace): RankedFigure | { why: string } {
  const common = { target, unit, fact: undefined, words: '' }
  const { path } = target
  if (figure === 'frames') {
    const rows = (read: Read) => read(totalsOfParts, path, unit, 'frames', 'frame_id')
    return { ...common, label: 'Frames', statistic: 'count', text: (decimal) => withUnit(decimal, 'frames'), rows }
  }
  if (figure !== 'area') return { why: 'Units are counted, and not ranked by other units.' }
  if (!isSmall(target)) return tooLarge(target)
  const rows = (read: Read) => spreadRows(read, partsOf(path, unit), { layer: 'frames', name: 'geom', measure: 'sum' })
  return { ...common, label: 'Area', statistic: 'sum', text: (decimal) => withUnit(decimal, 'km²'), rows }
}

const partsOf = (path: UnitPath, parts: string) => ({ path, parts })

function measuredTotal(fact: UnitFact, { target, unit }: PartsPlace): RankedFigure | { why: string } {
  if (fact.summary === 'none') return { why: `${fact.label} has no total: each frame has a value of its own.` }
  const text = (decimal: string) =>
    fact.summary === 'count' || fact.summary === 'sum' ? amountText(fact, decimal) : withUnit(decimal, fact.unit)
  const rows = (read: Read) => read(totalsOfParts, target.path, unit, fact.dataset.layerId, fact.attribute)
  return { target, unit, fact, label: fact.label, words: wordsOfSummary(fact), statistic: fact.summary, text, rows }
}

function measuredRatio(
  fact: UnitFact,
  { other, times = '1' }: RatioTo,
  { target, unit }: PartsPlace,
): RankedFigure | { why: string } {
  const divisor = factOf(target, other)
  if (!divisor || !isTotal(fact) || !isTotal(divisor)) return { why: 'Only totals have a ratio.' }
  const words = perText(divisor, times)
  const rows = (read: Read) =>
    read(
      ratiosOfParts,
      target.path,
      unit,
      fact.dataset.layerId,
      fact.attribute,
      divisor.dataset.layerId,
      divisor.attribute,
      times,
    )
  const text = (decimal: string) => `${amountText(fact, decimal)} ${words}`
  return { target, unit, fact, label: fact.label, words, statistic: 'per', text, rows }
}

const WORDS_OF_MEASURE = {
  mean: 'average per frame',
  per_km2: 'per km²',
  min: 'lowest frame',
  max: 'highest frame',
} as const

function measuredSpread(
  fact: UnitFact,
  measure: keyof typeof WORDS_OF_MEASURE,
  { target, unit }: PartsPlace,
): RankedFigure | { why: string } {
  if (fact.type === 'category') return { why: `${fact.label} has classes, and no numbers.` }
  if ((measure === 'per_km2' || measure === 'mean') && !isTotal(fact)) return measuredTotal(fact, { target, unit })
  if (!isSmall(target)) return tooLarge(target)
  const name = fact.dataset.kind === 'frames' ? fact.attribute : null
  const text = (decimal: string) => amountText(fact, decimal) + (measure === 'per_km2' ? ' per km²' : '')
  const rows = (read: Read) =>
    spreadRows(read, partsOf(target.path, unit), { layer: fact.dataset.layerId, name, measure })
  return { target, unit, fact, label: fact.label, words: WORDS_OF_MEASURE[measure], statistic: measure, text, rows }
}

type SpreadSubject = { layer: string; name: string | null; measure: SpreadMeasure }

const spreadRows = async (
  read: Read,
  { path, parts }: { path: UnitPath; parts: string },
  { layer, name, measure }: SpreadSubject,
): Promise<PartTotal[]> =>
  (await read(spreadOfParts, path, parts, layer, name, measure)).map((row) => ({
    ...row,
    class: null,
    classFrames: null,
  }))

async function figuresOfParts(read: Read, operation: ByOperation, measured: RankedFigure): Promise<UnitFigure[]> {
  const rows = await measured.rows(read)
  if (rows.length === 0) return []
  const { fact } = measured
  const isMode = fact?.summary === 'mode'
  const { order = 'highest', having } = operation
  if (isMode && (having !== undefined || operation.order !== undefined)) return []
  const recorded = rows.filter((row) => (isMode ? row.class : row.number) !== null)
  if (recorded.length === 0) return []
  const ranked = order === 'highest' ? recorded : recorded.toSorted((a, b) => a.fromBottom - b.fromBottom)
  const value = having
    ? passingText(measured, rows, having)
    : isMode
      ? modesText(measured, ranked)
      : rankedText(measured, ranked, operation)
  const silent = rows.length - recorded.length
  const note = silent === 0 ? '' : `; ${silent} of ${rows.length} ${TITLES[measured.unit]}s record nothing`
  const answer = figureOf(
    measured,
    { label: labelOfParts(measured, operation), value: value + note },
    measured.target,
    {
      recorded: sumOf(rows, 'recorded'),
      frames: measured.target.frames,
    },
  )
  const units = namedParts(having ? rows : isMode ? byRecorded(ranked) : ranked, operation).map(pathOf)
  const listed = having ? recorded.filter((row) => passes(row, having)) : ranked
  return [
    { ...answer, named: { frames: [], units } },
    ...listed.slice(0, PARTS_LISTED).map((row) => partFigure(measured, row)),
  ]
}

const sumOf = (rows: readonly PartTotal[], name: 'recorded') => rows.reduce((sum, row) => sum + row[name], 0)

/** "How many wards", "list the LGAs", "which state is this". */
export function planOfUnits(
  { read }: Pick<PlanScope, 'read'>,
  unit: keyof typeof DEPTHS,
  target: UnitTarget,
): FigurePlan {
  const { path, frames } = target
  if (target.box) return PARTS_OF_BOX
  const title = TITLES[unit]
  const above = path[DEPTHS[unit] - 1]
  const made = { place: target, statistic: above === undefined ? 'count' : 'value', recorded: frames, frames }
  if (above !== undefined) {
    const label = title.charAt(0).toUpperCase() + title.slice(1)
    return { run: async () => [figureOfIndex(unit, { label, value: above }, made)] }
  }
  const run = async () => {
    const rows = await read(totalsOfParts, path, unit, 'frames', 'frame_id')
    const names = rows.map((row) => nameOfPart(rows, row)).toSorted((a, b) => a.localeCompare(b, 'en'))
    const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : ''
    const value = `${names.length} ${title}s: ${names.slice(0, NAMED).join('; ')}${more}`
    const label = [`${title.charAt(0).toUpperCase() + title.slice(1)}s`, target.name ?? '']
      .filter((part) => part !== '')
      .join(', ')
    return [figureOfIndex(unit, { label, value }, made)]
  }
  return { run }
}

type Coverage = { recorded: number; frames: number }

function figureOf(
  { fact, label, statistic }: RankedFigure,
  text: { label: string; value: string },
  place: FigurePlace,
  coverage: Coverage,
): UnitFigure {
  const made = { place, statistic, recorded: coverage.recorded, frames: coverage.frames }
  if (fact) return figureOfFact(fact, text, made)
  return figureOfIndex(label === 'Frames' ? 'frame_id' : 'geom', text, made)
}

/** The table has the whole path of a part below the unit of the question. */
function partFigure(measured: RankedFigure, row: PartTotal): UnitFigure {
  const path = pathOf(row)
  const name = path.slice(measured.target.path.length).toReversed().join(', ')
  const label = [measured.label, measured.words, name].filter((part) => part !== '').join(', ')
  return figureOf(measured, { label, value: valueOf(measured, row) }, { path }, row)
}
