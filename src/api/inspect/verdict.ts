/** Says in words what a plan cost, whether the header allows that, and what to do. */
import { counted } from '../../core/counted.js'
import { expectedObjects } from '../../core/db/index.js'
import type { PlannerState } from './explained.js'
import { type Budget, type Header, sumValue } from './header.js'
import type { Facts } from './plan.js'

/** A table of fewer rows is read from end to end as fast as by an index. */
export const LARGE = 5000
/** A table of a few rows has as many pages once it was updated often: no index and no vacuum makes 64 kB quicker. */
const FEW_BUFFERS = 8

export type PlanVerdict = {
  /** How the cost compares with the header; undefined where the header has no budget. `few`: it is over, and cheap. */
  budget: 'kept' | 'few' | 'at worst' | 'exceeded' | undefined
  advice: string[]
}

export function verdictOf(
  header: Header,
  args: readonly unknown[],
  facts: Facts,
  { indexes, invalid, withoutStatistics, switchedOff, isScattered }: PlannerState,
): PlanVerdict {
  const missing = header.indexes.filter((index) => !indexes.has(index))
  const first = missing.length > 0 ? 'make the index, then' : 'renew its statistics:'
  // Statistics are not the cause if scans are switched off.
  const renewal = (table: string) => (switchedOff.length > 0 ? ', for that reason.' : `: ${first} analyze ${table};`)
  const advice = [
    ...switchedOff.map(
      (setting) =>
        `${setting} is off: the planner may not use what it would; no index is missing for that. Column "source" of pg_settings says where it is set.`,
    ),
    ...missing.map((index) =>
      invalid.has(index)
        ? `The index ${index} is invalid, and not read: reindex index concurrently ${index};`
        : `The index ${index} is missing: ${makingOf(index)}`,
    ),
    ...facts.scans
      .filter(({ table, rows }) => rows > LARGE && !header.readsAll.includes(table))
      .map(({ table, rows }) => `${table} is read from end to end, ${counted(rows, 'row')}${renewal(table)}`),
    ...facts.tables
      .filter((table) => withoutStatistics.has(table))
      .map((table) => `${table} has no statistics to plan by: analyze ${table};`),
    ...(facts.spilled > 0
      ? [
          `${counted(facts.spilled, 'page was', 'pages were')} sorted or hashed on disk: raise work_mem for the role of the service.`,
        ]
      : []),
  ]
  const budget = keeping(header, args, facts)
  if (advice.length > 0 || budget === undefined || budget === 'kept' || budget === 'few') return { budget, advice }
  if (isScattered && facts.tables.includes('frame')) return { budget, advice: [SCATTERED] }
  if (budget === 'exceeded') {
    const read = facts.tables.join(', ')
    advice.push(
      `It costs more than its header allows: clear away dead rows and renew statistics: vacuum analyze ${read};`,
    )
  }
  return { budget, advice }
}

const SCATTERED =
  'Rows of frame lie scattered, each on another page than its neighbours in the country, which no index can mend. A build or an import of frames puts them in order while they are read; or, while nothing can read them: cluster frame using frame_geom_idx;'

export type Allowance = { buffers: number; rowsRead: number }

const allowanceOfBudget = (budget: Budget, header: Header, args: readonly unknown[], rows: number): Allowance => ({
  buffers: sumValue(budget.buffers, header, args, rows),
  rowsRead: sumValue(budget.rowsRead, header, args, rows),
})

/** The most that the header allows; undefined where it has no budget. */
export function allowanceOf(header: Header, args: readonly unknown[], rows: number): Allowance | undefined {
  const budget = header.worst ?? header.budget
  return budget && allowanceOfBudget(budget, header, args, rows)
}

function keeping(header: Header, args: readonly unknown[], facts: Facts): PlanVerdict['budget'] {
  // The planner reads small tables whole, whatever the header says of rows: their pages are counted all the same.
  const small = facts.scans.filter(({ rows }) => rows <= LARGE).reduce((sum, { rows, times }) => sum + rows * times, 0)
  const within = (budget: Budget) => {
    const { buffers, rowsRead } = allowanceOfBudget(budget, header, args, facts.rows)
    return facts.buffers <= buffers && facts.rowsRead - small <= rowsRead
  }
  if (!header.budget) return undefined
  if (within(header.budget)) return 'kept'
  if (facts.buffers <= FEW_BUFFERS) return 'few'
  return header.worst && within(header.worst) ? 'at worst' : 'exceeded'
}

/** The statement that makes an index, without its comment. */
function makingOf(index: string): string {
  const expected = expectedObjects().find(({ kind, name }) => (kind === 'index' || kind === 'unique') && name === index)
  return expected?.statement?.split('\n')[0] ?? 'no migration makes it.'
}

/** Says which indexes the plan uses, whether it keeps to its budget, and what to do. */
export function verdictSentences(facts: Facts, verdict: PlanVerdict, allowed: string | undefined): string[] {
  const { advice } = verdict
  const toDo = advice.length === 0 ? 'Nothing to do.' : `To do: ${advice.join('\n       ')}`
  return [...planSentences(facts, verdict, allowed), toDo]
}

export function costSentence({ rows, rowsRead, buffers, buffersFromOutside, planningMs, executionMs }: Facts): string {
  const outside = buffersFromOutside === 0 ? '' : `, ${buffersFromOutside} of them from outside PostgreSQL's memory`
  return `${counted(rows, 'row')} out, ${counted(rowsRead, 'row')} read, ${counted(buffers, 'buffer')}${outside}; planned in ${planningMs.toFixed(3)} ms, executed in ${executionMs.toFixed(3)} ms.`
}

export function planSentences(
  { indexes, scans, spilled }: Facts,
  { budget }: Pick<PlanVerdict, 'budget'>,
  allowed: string | undefined,
): string[] {
  const whole = scans.map(({ table, rows: all }) => `${table} (${counted(all, 'row')})`)
  return [
    [
      indexes.length === 0 ? 'No index was used.' : `By ${indexes.join(', ')}.`,
      whole.length === 0 ? '' : ` Read from end to end: ${whole.join(', ')}.`,
      spilled === 0 ? '' : ` On disk for want of memory: ${counted(spilled, 'page')}.`,
    ].join(''),
    ...(budget === undefined ? [] : [`${BUDGETS[budget]} ${allowed}`]),
  ]
}

const BUDGETS = {
  kept: 'Within its budget:',
  few: `Within the ${FEW_BUFFERS} buffers that any statement may read. Its budget:`,
  'at worst': 'Over its usual budget, within the worst that is allowed. The budget:',
  exceeded: 'OVER ITS BUDGET:',
}
