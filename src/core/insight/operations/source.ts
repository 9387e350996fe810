/** Reads the figure out of a source, as an answer of unknown origin has it. */
import { isPlainDecimal } from '../../decimal.js'
import type { FigureSubject, Source, SourceCondition } from '../figures/facets.js'
import type { Test } from '../reading/reading.js'
import type { Figure } from './subject.js'

/** An answer takes no more frames, so no ranking has more. */
const RANKING_MAX = 1000

/** Returns undefined where a member cannot be one of a source: no figure is computed from it. */
export function figureOfSource(source: Source): Figure | undefined {
  const {
    layerId,
    attribute,
    property,
    statistic,
    class: counted,
    frameId,
    n,
    order,
    other,
    times,
    by,
    having,
    where,
  } = source
  const isFigure =
    isSubject(source) &&
    isText(statistic) &&
    [counted, frameId].every(isTextOrAbsent) &&
    (n === undefined || (Number.isInteger(n) && n >= 1 && n <= RANKING_MAX)) &&
    (order === undefined || order === 'highest' || order === 'lowest') &&
    (other === undefined || isSubject(other)) &&
    (times === undefined || (isText(times) && isPlainDecimal(times))) &&
    (by === undefined || isSubject(by)) &&
    (having === undefined || isTest(having)) &&
    (where === undefined || (Array.isArray(where) && where.every(isCondition)))
  if (!isFigure) return undefined
  return {
    layerId,
    attribute,
    statistic,
    ...(property === undefined ? {} : { property }),
    // The most common class is a result, not a choice.
    ...(counted === undefined || statistic !== 'share' ? {} : { class: counted }),
    ...(frameId === undefined ? {} : { frameId }),
    ...(n === undefined ? {} : { n }),
    ...(order === undefined ? {} : { order }),
    ...(other === undefined ? {} : { other }),
    ...(times === undefined ? {} : { times }),
    ...(by === undefined ? {} : { by }),
    ...(having === undefined ? {} : { having }),
    ...(where === undefined ? {} : { where }),
  }
}

/** PostgreSQL holds no NUL. */
const isText = (value: unknown) => typeof value === 'string' && !value.includes('\0')
const isTextOrAbsent = (value: unknown) => value === undefined || isText(value)

const isSubject = (subject: FigureSubject) =>
  typeof subject === 'object' &&
  subject !== null &&
  isText(subject.layerId) &&
  isText(subject.attribute) &&
  isTextOrAbsent(subject.property)

const isCondition = (condition: SourceCondition): boolean => isSubject(condition) && isTest(condition)

function isTest(tested: Test): boolean {
  if (typeof tested !== 'object' || tested === null) return false
  const { test } = tested
  if (test === 'none' || test === 'any') return true
  if (test === 'class' || test === 'not_class') return isText(tested.value)
  // A text that is no test comes from no program of ours.
  if (test !== 'bounds') return false
  const { above, atLeast, below, atMost } = tested
  return [above, atLeast, below, atMost].every(
    (bound) => bound === undefined || (isText(bound) && isPlainDecimal(bound)),
  )
}
