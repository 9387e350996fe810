/**
 * Reads and writes the condition that frames pass, as the address of a map has it: a filter of the algebra of figures, of the
 * kinds that an answer makes of its words. Any other text is refused: a filter may read datasets.
 */
import { invalid } from '../../core/errors.js'
import type { Filter } from '../../core/figures/index.js'
import { isUnitLevel } from '../../core/place.js'

const CONDITION_MAX = 1500
const DEPTH_MAX = 4

const TESTS = ['above', 'atLeast', 'below', 'atMost', 'equals', 'recorded', 'is'] as const

type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((each) => typeof each === 'string')
const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)

/** `of`: a test of features names none, as that of their dataset stands around it. */
function isCondition(value: unknown, depth = 0, isOfFeatures = false): boolean {
  if (!isMembers(value) || depth > DEPTH_MAX) return false
  const names = Object.keys(value)
  const [first = ''] = names
  if (names.length === 1 && (first === 'all' || first === 'any')) {
    const parts = value[first]
    return Array.isArray(parts) && parts.every((part) => isCondition(part, depth + 1, isOfFeatures))
  }
  if (names.length === 1 && first === 'not') return isCondition(value['not'], depth + 1, isOfFeatures)
  if ('units' in value)
    return (
      names.length === 2 && typeof value['units'] === 'string' && isUnitLevel(value['units']) && isTexts(value['named'])
    )
  const isNamed = typeof value['name'] === 'string'
  if (isOfFeatures ? 'of' in value || !isNamed : typeof value['of'] !== 'string') return false
  return names.every((name) => {
    if (name === 'of' || name === 'name') return typeof value[name] === 'string'
    if (name === 'where') return !isOfFeatures && isCondition(value[name], depth + 1, true)
    return TESTS.some((test) => test === name) && (name === 'is' ? isTexts(value[name]) : isPlain(value[name]))
  })
}

export function readCondition(text: string | undefined): Filter | undefined {
  if (text === undefined || text === '') return undefined
  try {
    const value: unknown = text.length > CONDITION_MAX ? undefined : JSON.parse(text)
    if (isCondition(value)) return value as Filter
  } catch {
    // The refusal below also stands for text that is no JSON.
  }
  throw invalid('where: the condition of an answer is accepted, as its link has it.')
}

/** Undefined for a condition that an address does not hold. */
export function conditionText(filter: Filter): string | undefined {
  const text = JSON.stringify(filter)
  return text.length <= CONDITION_MAX && isCondition(filter) ? text : undefined
}

/** Names the datasets that a condition reads. */
export function datasetsOf(filter: Filter): string[] {
  if ('all' in filter) return filter.all.flatMap(datasetsOf)
  if ('any' in filter) return filter.any.flatMap(datasetsOf)
  if ('not' in filter) return datasetsOf(filter.not)
  return 'of' in filter && typeof filter.of === 'string' ? [filter.of] : []
}
