/** Turns the arguments of a tool into the query of its call, so that one function checks both. */
import { invalid, invalidBox, invalidPoint } from '../../core/errors.js'
import type { Query } from '../http/query.js'
import type { JsonObject } from './schemas.js'

/**
 * `accepted`: the names of the arguments. A call ignores unknown parameters; a tool refuses them, since a model that
 * invents one would take the answer for what it asked.
 */
export function queryOf(given: JsonObject, accepted: readonly string[]): Query {
  const unknown = Object.keys(given).find((name) => !accepted.includes(name))
  if (unknown !== undefined)
    throw invalid(
      `"${unknown.slice(0, 40)}" is no argument of this tool: ${accepted.join(', ') || 'none'} are accepted.`,
    )
  return new Map(Object.entries(given).map(([name, value]) => [name, [encodeURIComponent(textOf(name, value))]]))
}

function textOf(name: string, value: unknown): string {
  // A lone surrogate has no UTF-8.
  if (typeof value === 'string' && !/\p{Cs}/u.test(value)) return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value))
    throw refusalOf(name)(`${name}: a list came; a text is accepted, with commas between where there are several.`)
  throw refusalOf(name)(`${name}: a text, a number or true or false is accepted, as the schema of the tool says.`)
}

function refusalOf(name: string): typeof invalid {
  if (name === 'bbox') return invalidBox
  return ['lat', 'lon', 'lng'].includes(name) ? invalidPoint : invalid
}
