/** Compares the totals of two units, and says which share of one total is another. */
import { groupThousands } from '../../decimal.js'
import type { Ask } from '../reading/reading.js'
import { amountText, coverageText, figureOfFact, isTotal, labelOf, type UnitFigure } from './figure.js'
import type { FigurePlan } from './plan.js'
import { factOf, nameOf, type Read, type UnitTarget } from './scope.js'
import { totalsCompared } from './statements.js'

/** The share of the unit's total that a place in it has. */
export function planOfShare(
  read: Read,
  { subject }: Ask,
  { whole, part }: { whole: UnitTarget; part: UnitTarget },
): FigurePlan {
  const [fact, ofWhole] = [factOf(part, subject), factOf(whole, subject)]
  if (!fact || !ofWhole || !isTotal(fact)) return { why: 'Only totals have shares.' }
  if (part === whole) return { why: 'It asks for the share of a part, and names none.' }
  const { layerId } = fact.dataset
  const run = async () => {
    const [row] = await read(
      totalsCompared,
      part.path,
      layerId,
      fact.attribute,
      whole.path,
      layerId,
      fact.attribute,
      '1',
    )
    if (!row || row.number === null || row.otherNumber === null) return []
    const { number, otherNumber, recorded, frames } = row
    const totals = `${amountText(fact, number)} of ${amountText(fact, otherNumber)} in ${nameOf(whole.path)}`
    const share = row.percent === null ? 'not defined' : `${row.percent} %`
    const coverage = coverageText(fact, { recorded: row.otherRecorded, frames: row.otherFrames })
    const label = labelOf(fact, 'share', part)
    return [
      figureOfFact(
        fact,
        { label, value: `${share} (${totals})${coverage}` },
        { place: part, statistic: 'portion', recorded, frames },
      ),
    ]
  }
  return { run }
}

/** Undefined where the two have no numbers to compare. */
export async function comparisonOf(
  read: Read,
  { subject, operation }: Ask,
  [one, other]: readonly [UnitTarget, UnitTarget],
): Promise<UnitFigure | undefined> {
  const [fact, ofOther] = [factOf(one, subject), factOf(other, subject)]
  if (!fact || !ofOther || operation.op !== 'usual' || fact.type === 'category') return undefined
  const { layerId } = fact.dataset
  const [row] = await read(totalsCompared, one.path, layerId, fact.attribute, other.path, layerId, fact.attribute, '1')
  const difference = row?.difference
  if (!row || difference === null || difference === undefined) return undefined
  const [more, less] = difference.startsWith('-') ? [other, one] : [one, other]
  const [name, lessName] = [more.name ?? nameOf(more.path), less.name ?? nameOf(less.path)]
  const rounded = isTotal(fact) ? difference : roundedText(difference)
  const amount = amountText(fact, rounded.replace('-', ''))
  const value =
    Number(rounded) === 0 ? `the same in ${name} and ${lessName}` : `${amount} more in ${name} than in ${lessName}`
  const { recorded, frames } = row
  return figureOfFact(
    fact,
    { label: `${fact.label}, compared`, value },
    { place: more, statistic: 'difference', recorded, frames },
  )
}

/** Averages have 2 places. */
const roundedText = (decimal: string): string => groupThousands(String(Math.round(Number(decimal) * 100) / 100))
