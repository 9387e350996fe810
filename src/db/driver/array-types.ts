/**
 * Fault: postgres.js 3.4.9 asks pg_type for the types of arrays on each new connection, and nothing waits for that question. Steps:
 *   cancel it (`statement_timeout` of 1 ms, or pg_cancel_backend while a connection opens). The rejection is nobody's and ends the
 *   process; it should fail the statement that opened the connection.
 * Link: porsager/postgres#1192, porsager/postgres#1205.
 * Gain: nothing is asked on a new connection, which is ready one round trip sooner. PostgreSQL's own types never change their ids.
 * Delete it when the statement that waits for the connection gets the error of that question.
 */

/** Each type that statements send or read in arrays: its id, and the id of its array (pg_type.dat of PostgreSQL). */
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
type Handlers = { parsers: Record<number, Parse>; serializers: Record<number, Serialize> }

/** Says what postgres.js would have asked for. */
export function knowArrays({ parsers, serializers }: Handlers): void {
  for (const [element, array] of ARRAY_OF) {
    const [parse, serialize] = [parsers[element], serializers[element]]
    parsers[array] = (text) => arrayOf(text, parse)
    serializers[array] = (value) => (Array.isArray(value) ? textOf(value, serialize) : value)
  }
}

function textOf(values: readonly unknown[], serialize: Serialize = String): string {
  const elements = values.map((value) => {
    if (typeof value === 'number') return value
    if (value === null) return 'null'
    return `"${String(serialize(value)).replace(/["\\]/g, '\\$&')}"`
  })
  return `{${elements.join(',')}}`
}

/** A quoted element, with its backslashes; or one without quotes. */
const ELEMENT = /"((?:[^"\\]|\\[^])*)"|[^,"]+/g

function arrayOf(text: string, parse: Parse = (element) => element): unknown[] {
  if (text[0] !== '{' || text[1] === '{') throw new Error('An array of one dimension, from 1, was expected.')
  return Array.from(text.slice(1, -1).matchAll(ELEMENT), ([bare, quoted]) => {
    if (quoted !== undefined) return parse(quoted.replace(/\\([^])/g, '$1'))
    return bare === 'NULL' ? null : parse(bare)
  })
}
