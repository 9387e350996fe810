/** Holds a statement to what its header says it may cost, on a database of a nation's size. */
import type { Database } from '../../src/core/db/connect.js'
import { measurePlan, runExplain } from '../../src/api/inspect/explained.js'
import { headerOf, sumValue, type Budget } from '../../src/api/inspect/header.js'
import { LARGE } from '../../src/api/inspect/verdict.js'
import { planFacts, type Facts, type Plan } from '../../src/api/inspect/plan.js'
import { rowLinesOf } from './bindings.js'
import type { Cases } from './cases.js'

type Run = Database['rows']
export type Held = { name: string; text: string }

/** Tables that may not be read from end to end. */
export async function largeTables(run: Run): Promise<Set<string>> {
  const rows = await run<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and reltuples > ${LARGE} and relname <> 'spatial_ref_sys'`,
    [],
  )
  return new Set(rows.map(({ name }) => name))
}

/** Each fault names the statement; none when all is well. A plan that is wrong is not run. */
export async function faultsOf(
  run: Run,
  statement: Held,
  cases: Cases | undefined,
  large: ReadonlySet<string>,
): Promise<string[]> {
  const header = headerOf(statement.text)
  if (!header.budget) return [`${statement.name}: its header has no budget`]
  if (!cases) return [`${statement.name}: test/sql/cases.ts does not say what it is asked`]
  const faults: string[] = []
  for (const [which, args] of Object.entries(cases)) {
    const asked = { ...statement, args }
    const found = [...(await planFaults(run, asked, header, large))]
    if (found.length === 0) {
      const allowed = (which === 'worst' ? header.worst : undefined) ?? header.budget
      found.push(...costFaults(planFacts(await measurePlan(run, asked)), allowed, asked))
      found.push(...nullFaults(await run<object>(asked.text, args), asked.text))
    }
    faults.push(...found.map((fault) => `${statement.name}, ${which}: ${fault}`))
  }
  return faults
}

/** A column is null only where the header says so. */
export function nullFaults(rows: readonly object[], text: string): string[] {
  const { nulls, together } = rowLinesOf(text)
  const empty = (row: object) => Object.entries(row).flatMap(([name, value]) => (value === null ? [name] : []))
  const unsaid = new Set(rows.flatMap(empty).filter((name) => ![...nulls, ...together].includes(name)))
  const parted = rows.some(
    (row) => ![0, together.length].includes(empty(row).filter((name) => together.includes(name)).length),
  )
  return [
    ...Array.from(unsaid, (name) => `column ${name} is null, which its header does not say`),
    ...(parted ? [`some of ${together.join(', ')} are null, and some are not`] : []),
  ]
}

type Asked = Held & { args: readonly unknown[] }

async function planFaults(
  run: Run,
  asked: Asked,
  { indexes, readsAll }: ReturnType<typeof headerOf>,
  large: ReadonlySet<string>,
): Promise<string[]> {
  const [[plan]] = (await runExplain(run, asked, 'format json')) as [[Plan]]
  const { planned, plannedScans } = planFacts(plan)
  return [
    ...indexes.filter((index) => !planned.includes(index)).map((index) => `${index} is not used`),
    ...planned
      .filter((index) => !indexes.includes(index))
      .map((index) => `it uses ${index}, which its header does not name`),
    ...plannedScans
      .filter((table) => large.has(table) && !readsAll.includes(table))
      .map((table) => `${table} is read from end to end`),
  ]
}

function costFaults(facts: Facts, budget: Budget, { text, args }: Asked): string[] {
  const header = headerOf(text)
  const over = (what: string, cost: number, sum: Budget['buffers']) => {
    const most = sumValue(sum, header, args, facts.rows)
    return cost <= most ? [] : [`${cost} ${what}, ${most} are allowed`]
  }
  return [...over('buffers', facts.buffers, budget.buffers), ...over('rows read', facts.rowsRead, budget.rowsRead)]
}
