/**
 * Compiles a filter for the statements of sql/ogc/, which take it as one parameter of JSON:
 *   terms   what is read of an item, each under a key: a number, a text, whether a text is like a pattern, whether the
 *           item touches the shape
 *   path    a predicate of SQL/JSON over these keys and over `values`; it holds no text of the caller
 *   values  the numbers and texts of the filter
 *   shape   the shape, and whether it must hold: then items outside of its box are not looked at
 *   unit    the names of a unit that must hold; likewise
 * A condition on a property that an item lacks is neither true nor false in CQL2. So `not` is pushed down to the
 * conditions first: each of them, negated or not, then fails where its property is absent.
 */
import type { Property } from './collections.js'
import type { Comparison, Filter, Literal } from './filter.js'
import { shapeText, type Shape } from './shape.js'

type Term = { key: string; name: string; kind: 'number' | 'text' | 'like' | 'shape'; pattern?: string }
type Condition = Exclude<Filter, { op: 'and' | 'or' | 'not' }>

const NEGATED: Record<Comparison, Comparison> = { '=': '<>', '<>': '=', '<': '>=', '<=': '>', '>': '<=', '>=': '<' }

/** Names of units in frames and baselines have these sources. */
const UNITS = ['state', 'lga', 'ward'] as const

export function compileFilter(filter: Filter, properties: readonly Property[], crs: number): string {
  const known = new Map(properties.map((each) => [each.name, each]))
  const terms: Term[] = []
  const values: string[] = []
  const term = (more: Omit<Term, 'key'>): string => {
    const same = terms.find(
      (each) => each.name === more.name && each.kind === more.kind && each.pattern === more.pattern,
    )
    const found = same ?? { key: `t${terms.length}`, ...more }
    if (!same) terms.push(found)
    return `$.${found.key}`
  }
  /** A number is written as it came. */
  const value = (...literals: Literal[]): string => {
    const texts = literals.map(({ type, value: text }) => (type === 'number' ? text : JSON.stringify(text)))
    values.push(`"v${values.length}":${literals.length === 1 ? texts[0] : `[${texts.join(',')}]`}`)
    return `$v${values.length - 1}`
  }
  const sourceOf = (name: string) => {
    const { source, type } = known.get(name) ?? { source: name, type: 'text' as const }
    return term({ name: source, kind: type })
  }

  const path = (each: Filter, isNegated: boolean): string => {
    if (each.op === 'not') return path(each.of, !isNegated)
    if (each.op !== 'and' && each.op !== 'or') return conditionPath(each, isNegated)
    const mark = (each.op === 'and') === isNegated ? ' || ' : ' && '
    return `(${each.of.map((one) => path(one, isNegated)).join(mark)})`
  }
  const conditionPath = (each: Condition, isNegated: boolean): string => {
    switch (each.op) {
      case 'intersects':
        return `${term({ name: 'geometry', kind: 'shape' })} == ${String(!isNegated)}`
      case 'like': {
        const name = known.get(each.property)?.source ?? each.property
        return `${term({ name, kind: 'like', pattern: each.pattern })} == ${String(!isNegated)}`
      }
      case 'is null':
        return `${isNegated ? '' : '!'}exists(${sourceOf(each.property)})`
      case 'between': {
        const [read, low, high] = [sourceOf(each.property), value(each.low), value(each.high)]
        return isNegated ? `(${read} < ${low} || ${read} > ${high})` : `(${read} >= ${low} && ${read} <= ${high})`
      }
      case 'in': {
        const read = sourceOf(each.property)
        const listed = `(${each.values.map((one) => `${read} == ${value(one)}`).join(' || ')})`
        return isNegated ? `(exists(${read}) && !${listed})` : listed
      }
      default: {
        const op = isNegated ? NEGATED[each.op] : each.op
        return `${sourceOf(each.property)} ${MARKS[op] ?? op} ${value(each.value)}`
      }
    }
  }

  const parts = [`"path":${JSON.stringify(path(filter, false))}`, `"values":{${values.join(',')}}`]
  parts.push(`"terms":${JSON.stringify(terms)}`)
  const needed = filter.op === 'and' ? filter.of : [filter]
  const unit = neededUnit(needed, known)
  if (unit) parts.push(`"unit":${JSON.stringify(unit)}`)
  const shape = shapeIn(filter)
  if (shape) {
    const holds = needed.some(({ op }) => op === 'intersects')
    parts.push(`"shape":${JSON.stringify({ wkt: shapeText(shape, crs), crs, holds })}`)
  }
  return `{${parts.join(',')}}`
}

const MARKS: Partial<Record<Comparison, string>> = { '=': '==', '<>': '!=' }

/** The unit that every item that passes lies in. An area without its state names none. */
function neededUnit(
  needed: readonly Filter[],
  known: ReadonlyMap<string, Property>,
): Record<string, string> | undefined {
  const names: Record<string, string> = {}
  for (const each of needed)
    if (each.op === '=' && known.get(each.property)?.source === each.property) names[each.property] ??= each.value.value
  const unit: Record<string, string> = {}
  for (const level of UNITS) {
    const name = names[level]
    if (name === undefined) break
    unit[level] = name
  }
  return unit['state'] === undefined ? undefined : unit
}

function shapeIn(filter: Filter): Shape | undefined {
  if (filter.op === 'intersects') return filter.shape
  if (filter.op === 'not') return shapeIn(filter.of)
  if (filter.op !== 'and' && filter.op !== 'or') return undefined
  for (const each of filter.of) {
    const shape = shapeIn(each)
    if (shape) return shape
  }
  return undefined
}
