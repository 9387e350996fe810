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
  const { terms, values, writer } = openWriter(known)
  const path = pathOf(filter, false, writer)
  const parts = [`"path":${JSON.stringify(path)}`, `"values":{${values.join(',')}}`, `"terms":${JSON.stringify(terms)}`]
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

/** Each returns how the path names what it adds. */
type Writer = {
  property: (name: string) => string
  like: (name: string, pattern: string) => string
  shape: () => string
  value: (literal: Literal) => string
}

function openWriter(known: ReadonlyMap<string, Property>): { terms: Term[]; values: string[]; writer: Writer } {
  const terms: Term[] = []
  const values: string[] = []
  const term = (more: Omit<Term, 'key'>): string => {
    const same = terms.find(
      ({ name, kind, pattern }) => name === more.name && kind === more.kind && pattern === more.pattern,
    )
    const found = same ?? { key: `t${terms.length}`, ...more }
    if (!same) terms.push(found)
    return `$.${found.key}`
  }
  const propertyNamed = (name: string): Property => {
    const found = known.get(name)
    if (!found) throw new Error(`The filter was not checked: there is no property ${name}.`)
    return found
  }
  return {
    terms,
    values,
    writer: {
      property: (name) => {
        const { source, type } = propertyNamed(name)
        return term({ name: source, kind: type })
      },
      like: (name, pattern) => term({ name: propertyNamed(name).source, kind: 'like', pattern }),
      shape: () => term({ name: 'geometry', kind: 'shape' }),
      // A number is written as it came.
      value: ({ type, value }) => {
        values.push(`"v${values.length}":${type === 'number' ? value : JSON.stringify(value)}`)
        return `$v${values.length - 1}`
      },
    },
  }
}

function pathOf(filter: Filter, isNegated: boolean, writer: Writer): string {
  if (filter.op === 'not') return pathOf(filter.of, !isNegated, writer)
  if (filter.op !== 'and' && filter.op !== 'or') return conditionPath(filter, isNegated, writer)
  const mark = (filter.op === 'and') === isNegated ? ' || ' : ' && '
  return `(${filter.of.map((each) => pathOf(each, isNegated, writer)).join(mark)})`
}

function conditionPath(condition: Condition, isNegated: boolean, { property, like, shape, value }: Writer): string {
  switch (condition.op) {
    case 'intersects':
      return `${shape()} == ${String(!isNegated)}`
    case 'like':
      return `${like(condition.property, condition.pattern)} == ${String(!isNegated)}`
    case 'is null':
      return `${isNegated ? '' : '!'}exists(${property(condition.property)})`
    case 'between': {
      const [read, low, high] = [property(condition.property), value(condition.low), value(condition.high)]
      return isNegated ? `(${read} < ${low} || ${read} > ${high})` : `(${read} >= ${low} && ${read} <= ${high})`
    }
    case 'in': {
      const read = property(condition.property)
      const listed = `(${condition.values.map((each) => `${read} == ${value(each)}`).join(' || ')})`
      return isNegated ? `(exists(${read}) && !${listed})` : listed
    }
    case '=':
    case '<>':
    case '<':
    case '<=':
    case '>':
    case '>=': {
      const op = isNegated ? NEGATED[condition.op] : condition.op
      return `${property(condition.property)} ${MARKS[op] ?? op} ${value(condition.value)}`
    }
  }
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
