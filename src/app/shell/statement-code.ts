/**
 * Writes statements with their values so short that they fit into the address of a page. Lists of frame ids have runs,
 * such as 45 ids of one row of the grid: 2,000 ids take some hundred characters in place of 20,000.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** A panel names a statement by its file in sql/, such as "totals_of_unit" or "web/datasets_to_choose". */
export type NamedStatement = { name: string; args: readonly unknown[] }

/** A run is its first id, and how many ids follow it. */
type Runs = { runs: readonly [first: string, more: number][] }

export const encodeStatements = (statements: readonly NamedStatement[]): string =>
  deflateRawSync(JSON.stringify(statements.map(({ name, args }) => [name, ...args.map(packed)]))).toString('base64url')

export function decodeStatements(code: string): NamedStatement[] {
  const json = inflateRawSync(Buffer.from(code, 'base64url')).toString()
  return (JSON.parse(json) as [string, ...unknown[]][]).map(([name, ...args]) => ({ name, args: args.map(unpacked) }))
}

const packed = (value: unknown): unknown => (isIds(value) ? { runs: runsOf(value) } : value)

const unpacked = (value: unknown): unknown => (isRuns(value) ? value.runs.flatMap(idsOfRun) : value)

const isIds = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 1 && value.every((id) => typeof id === 'string' && /^[1-9]\d{0,18}$/.test(id))

const isRuns = (value: unknown): value is Runs =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && 'runs' in value

function runsOf(ids: readonly string[]): Runs['runs'] {
  const runs: [string, number][] = []
  for (const id of ids) {
    const last = runs.at(-1)
    if (last && BigInt(last[0]) + BigInt(last[1]) + 1n === BigInt(id)) last[1] += 1
    else runs.push([id, 0])
  }
  return runs
}

const idsOfRun = ([first, more]: Runs['runs'][number]): string[] =>
  Array.from({ length: more + 1 }, (_, i) => String(BigInt(first) + BigInt(i)))
