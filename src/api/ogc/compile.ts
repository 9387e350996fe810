/**
 * Compiles a filter for the statements of sql/ogc/, which take it as one parameter of JSON:
 *   terms   what is read of an item, each under a key: a number, a text, whether a text is like a pattern, whether the
 *           item touches the shape
 *   path    a predicate of SQL/JSON over these keys and over `values`; it holds no text of the caller. Absent where the
 *           unit says all. Booleans and instants are compared with texts of their form alone
 *   values  the numbers and texts of the filter
 *   shape   the shape, and whether it must hold: then items outside of its box are not looked at
 *   unit    the names of a unit that must hold: frames outside of it are not looked at
 * A condition on a property that an item lacks is neither true nor false in CQL2. So `not` is pushed down to the
 * conditions first: each of them, negated or not, then fails where its property is absent.
 */
import { UNIT_LEVELS } from '../../core/place.js'
import type { Property } from './collections.js'
import type { Comparison, Filter, Literal } from './filter.js'
import { shapeText, type Shape } from './shape.js'

type Term = { key: string; name: string; kind: 'number' | 'text' | 'like' | 'shape'; pattern?: string }
type SingleFilter = Exclude<Filter, { op: 'and' | 'or' | 'not' }>

const NEGATED: Record<Comparison, Comparison> = { '=': '<>', '<>': '=', '<': '>=', '<=': '>', '>': '<=', '>=': '<' }

type Items = { properties: readonly Property[]; crs: number; areFrames: boolean }

/** Only frames lie in a unit that can be found first. */
export function compileFilter(filter: Filter, { properties, crs, areFrames }: Items): string {
  const known = new Map(properties.map((each) => [each.name, each]))
  const needed = filter.op === 'and' ? filter.of : [filter]
  const { unit, rest } = areFrames ? neededUnit(needed, known) : { unit: undefined, rest: needed }
  const { terms, values, writer } = openWriter(known)
  const path = rest.length === 0 ? undefined : pathOf({ op: 'and', of: [...rest] }, false, writer)
  const parts = [`"values":{${values.join(',')}}`, `"terms":${JSON.stringify(terms)}`]
  if (path !== undefined) parts.push(`"path":${JSON.stringify(path)}`)
  if (unit) parts.push(`"unit":${JSON.stringify(unit)}`)
  const shape = shapeIn(filter)
  if (shape) {
    const holds = needed.some(({ op }) => op === 'intersects')
    parts.push(`"shape":${JSON.stringify({ wkt: shapeText(shape, crs), crs, holds })}`)
  }
  return `{${parts.join(',')}}`
}

type Writer = ReturnType<typeof openWriter>['writer']

function openWriter(known: ReadonlyMap<string, Property>) {
  const terms: Term[] = []
  const values: string[] = []
  const term = (more: Omit<Term, 'key'>): string => {
    const isSame = ({ key: _key, ...each }: Term) => JSON.stringify(each) === JSON.stringify(more)
    const found = terms.find(isSame) ?? { key: `t${terms.length}`, ...more }
    if (!terms.includes(found)) terms.push(found)
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
    /** Each returns how the path names what it adds. */
    writer: {
      property: (name: string): string => {
        const { source, type } = propertyNamed(name)
        return term({ name: source, kind: type })
      },
      like: (name: string, pattern: string): string =>
        term({ name: propertyNamed(name).source, kind: 'like', pattern }),
      shape: () => term({ name: 'geometry', kind: 'shape' }),
      // A number is written as it came.
      value: ({ type, value }: Literal): string => {
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

function conditionPath(condition: SingleFilter, isNegated: boolean, { property, like, shape, value }: Writer): string {
  if ('value' in condition) {
    const op = isNegated ? NEGATED[condition.op] : condition.op
    const read = property(condition.property)
    return ofForm(`${read} ${MARKS[op] ?? op} ${value(condition.value)}`, read, [condition.value])
  }
  switch (condition.op) {
    case 'constant':
      return condition.holds === isNegated ? '1 == 0' : '1 == 1'
    case 'intersects':
      return `${shape()} == ${String(!isNegated)}`
    case 'like':
      return `${like(condition.property, condition.pattern)} == ${String(!isNegated)}`
    case 'is null':
      return `${isNegated ? '' : '!'}exists(${property(condition.property)})`
    case 'between': {
      const [read, low, high] = [property(condition.property), value(condition.low), value(condition.high)]
      const path = isNegated ? `(${read} < ${low} || ${read} > ${high})` : `(${read} >= ${low} && ${read} <= ${high})`
      return ofForm(path, read, [condition.low, condition.high])
    }
    case 'in': {
      const read = property(condition.property)
      const listed = `(${condition.values.map((each) => `${read} == ${value(each)}`).join(' || ')})`
      return ofForm(isNegated ? `(exists(${read}) && !${listed})` : listed, read, condition.values)
    }
  }
}

/** The texts that are values of these types. Timestamps are those of whole seconds in UTC. */
const FORMS: Partial<Record<Literal['type'], string>> = {
  boolean: '^(true|false)$',
  date: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
  timestamp: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$',
}

/** A value of another form is neither less, nor equal, nor greater. */
function ofForm(path: string, read: string, literals: readonly Literal[]): string {
  const forms = [...new Set(literals.flatMap(({ type }) => FORMS[type] ?? []))]
  return forms.length === 0 ? path : `(${forms.map((form) => `${read} like_regex "${form}"`).join(' && ')} && ${path})`
}

const MARKS: Partial<Record<Comparison, string>> = { '=': '==', '<>': '!=' }

/** The unit that every frame that passes lies in, and the other conditions. An area without its state names none. */
function neededUnit(
  needed: readonly Filter[],
  known: ReadonlyMap<string, Property>,
): { unit: Record<string, string> | undefined; rest: readonly Filter[] } {
  const unit: Record<string, string> = {}
  let rest = needed
  for (const level of UNIT_LEVELS) {
    const named = rest.find((each) => each.op === '=' && each.property === level && known.get(level)?.source === level)
    if (named?.op !== '=') break
    unit[level] = named.value.value
    rest = rest.filter((each) => each !== named)
  }
  return { unit: unit['state'] === undefined ? undefined : unit, rest }
}

function shapeIn(filter: Filter): Shape | undefined {
  if (filter.op === 'intersects') return filter.shape
  if (filter.op === 'not') return shapeIn(filter.of)
  if (filter.op !== 'and' && filter.op !== 'or') return undefined
  return filter.of.map(shapeIn).find((shape) => shape !== undefined)
}
