/** Reads the JSON form of CQL2. */
import { shortened } from '../http/params.js'
import {
  compared,
  DEPTH_MAX,
  intersecting,
  isComparison,
  notPart,
  numberLiteral,
  textLiteral,
  wrong,
  type Filter,
  type Literal,
  type Operand,
} from './filter.js'
import { boxShape, shapeOfGeoJson } from './shape.js'

export function parseJson(text: string): Filter {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw wrong('this is no JSON; filter-lang=cql2-text reads a text.')
  }
  return filterOf(value, 1)
}

function filterOf(value: unknown, depth: number): Filter {
  if (depth > DEPTH_MAX) throw wrong(`it is nested deeper than ${DEPTH_MAX} levels.`)
  const { op, args, ...more } = Object(value) as { op?: unknown; args?: unknown }
  if (typeof op !== 'string' || !Array.isArray(args) || Object.keys(more).length > 0)
    throw wrong(`{"op": ..., "args": [...]} is needed, ${shortened(JSON.stringify(value) ?? 'nothing')} came.`)
  const name = op.toLowerCase()
  if (name === 'and' || name === 'or') {
    if (args.length < 2) throw wrong(`${name}: two arguments at least are needed, ${args.length} came.`)
    return { op: name, of: args.map((each) => filterOf(each, depth + 1)) }
  }
  if (name === 'not') return { op: 'not', of: filterOf(only(args, name), depth + 1) }
  return condition(name, op, args)
}

function condition(name: string, op: string, args: readonly unknown[]): Filter {
  if (isComparison(name)) return compared(name, ...pair(args, name))
  switch (name) {
    case 's_intersects':
      return intersecting(...pair(args, name))
    case 'isnull':
      return { op: 'is null', property: propertyOf(only(args, name)) }
    case 'like': {
      const [property, pattern] = args
      if (args.length !== 2 || typeof pattern !== 'string') throw wrong('like: a property and a text are needed.')
      return { op: 'like', property: propertyOf(property), pattern: textLiteral(pattern).value }
    }
    case 'between': {
      if (args.length !== 3) throw wrong('between: a property and two values are needed.')
      return { op: 'between', property: propertyOf(args[0]), low: literalOf(args[1]), high: literalOf(args[2]) }
    }
    case 'in': {
      const [property, values] = args
      if (args.length !== 2 || !Array.isArray(values) || values.length === 0)
        throw wrong('in: a property and a list of values are needed.')
      return { op: 'in', property: propertyOf(property), values: values.map(literalOf) }
    }
    default:
      throw notPart(op)
  }
}

function only(args: readonly unknown[], name: string): unknown {
  if (args.length !== 1) throw wrong(`${name}: one argument is needed, ${args.length} came.`)
  return args[0]
}

function pair(args: readonly unknown[], name: string): [Operand, Operand] {
  if (args.length !== 2) throw wrong(`${name}: two arguments are needed, ${args.length} came.`)
  return [operandOf(args[0]), operandOf(args[1])]
}

function operandOf(value: unknown): Operand {
  if (typeof value === 'number') return numberLiteral(String(value))
  if (typeof value === 'string') return textLiteral(value)
  if (typeof value !== 'object' || value === null) throw wrong('a property, a number, a text or a shape is needed.')
  if ('property' in value && typeof value.property === 'string') return { property: value.property }
  if ('bbox' in value && Array.isArray(value.bbox) && value.bbox.every((each) => typeof each === 'number'))
    return { shape: boxShape(value.bbox) }
  if ('op' in value) throw notPart(String(value.op))
  return { shape: shapeOfGeoJson(value) }
}

function literalOf(value: unknown): Literal {
  const operand = operandOf(value)
  if ('type' in operand) return operand
  throw wrong('a number or a text is needed there.')
}

function propertyOf(value: unknown): string {
  const operand = operandOf(value)
  if ('property' in operand) return operand.property
  throw wrong('{"property": ...} is needed there.')
}
