/**
 * Fault: postgres.js 3.4.9 asks pg_type for the types of arrays on each new connection, and no code waits for that
 *   statement. Steps: cancel it (`statement_timeout` of 1 ms, or pg_cancel_backend while a connection opens). Nobody
 *   handles the rejection, which ends the process; it should fail the statement that opened the connection.
 * Link: porsager/postgres#1192, porsager/postgres#1205.
 * Gain: a new connection asks nothing and is ready one round trip sooner. The ids of PostgreSQL's own types never
 *   change.
 * Delete it when the statement that waits for the connection gets the error.
 */

/**
 * The types that statements send or read in arrays: the id of each, and the id of its array (PostgreSQL's pg_type.dat).
 */
const ARRAY_OF: readonly (readonly [element: number, array: number])[] = [
  [16, 1000], // bool
  [18, 1002], // "char"
  [19, 1003], // name
  [20, 1016], // int8
  [21, 1005], // int2
  [23, 1007], // int4
  [25, 1009], // text
  [26, 1028], // oid
  [700, 1021], // float4
  [701, 1022], // float8
  [1043, 1015], // varchar
  [1082, 1182], // date
  [1184, 1185], // timestamptz
  [1700, 1231], // numeric
  [2950, 2951], // uuid
]

type Parse = (text: string) => unknown
type Serialize = (value: unknown) => unknown
type TypeHandlers = { parsers: Record<number, Parse>; serializers: Record<number, Serialize> }

/** Adds the parsers and serializers that postgres.js would have made from the answer. */
export function addArrayTypes({ parsers, serializers }: TypeHandlers): void {
  for (const [element, array] of ARRAY_OF) {
    const [parse, serialize] = [parsers[element], serializers[element]]
    parsers[array] = (text) => parseArray(text, parse)
    serializers[array] = (value) => (Array.isArray(value) ? serializeArray(value, serialize) : value)
  }
}

function serializeArray(values: readonly unknown[], serialize: Serialize = String): string {
  const elements = values.map((value) => {
    if (typeof value === 'number') return value
    if (value === null) return 'null'
    return `"${String(serialize(value)).replace(/["\\]/g, '\\$&')}"`
  })
  return `{${elements.join(',')}}`
}

/** An element in quotes, with its backslashes, or an element without quotes. */
const ELEMENT = /"((?:[^"\\]|\\[^])*)"|[^,"]+/g

function parseArray(text: string, parse: Parse = (element) => element): unknown[] {
  if (text[0] !== '{' || text[1] === '{') throw new Error('An array of one dimension that starts at 1 was expected.')
  const inside = text.slice(1, -1)
  const parseBare = (bare: string) => (bare === 'NULL' ? null : parse(bare))
  // Most arrays have no quotes: splitting them is faster than matching each element.
  if (inside !== '' && !inside.includes('"')) return inside.split(',').map(parseBare)
  return Array.from(inside.matchAll(ELEMENT), ([bare, quoted]) => {
    if (quoted !== undefined) return parse(quoted.replace(/\\([^])/g, '$1'))
    return parseBare(bare)
  })
}
