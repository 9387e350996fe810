/** Reads a handful of facts from the plan of "explain (analyze, buffers, format json)". */

type Node = {
  'Node Type': string
  Strategy?: string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Sort Space Type'?: 'Memory' | 'Disk'
  'Temp Written Blocks'?: number
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: Node[]
}
export type Plan = { Plan: Node; 'Planning Time'?: number; 'Execution Time'?: number }

export type Facts = ReturnType<typeof planFacts>

/** Steps that were planned but never ran cost nothing. */
export function planFacts(plan: Plan) {
  const top = plan.Plan
  const all = nodesOf(top)
  const nodes = all.filter((node) => (node['Actual Loops'] ?? 0) > 0)
  const onTables = nodes.flatMap((node) => {
    const table = node['Relation Name']
    return table === undefined ? [] : [{ node, scan: { table, rows: rowsRead(node) } }]
  })
  return {
    /**
     * Rows that came out, or, where the last step joins all of them into one, the rows that it joined; and rows of tables
     * that were read for them, those thrown away included.
     */
    rows: Math.round(beforeJoining(top)['Actual Rows'] ?? 0),
    rowsRead: onTables.reduce((sum, { scan }) => sum + scan.rows, 0),
    /** Pages of 8 kB, from PostgreSQL's memory or from outside of it. */
    buffers: (top['Shared Hit Blocks'] ?? 0) + (top['Shared Read Blocks'] ?? 0),
    buffersFromOutside: top['Shared Read Blocks'] ?? 0,
    /** Indexes that the run used, and all indexes of the plan. */
    indexes: indexesOf(nodes),
    planned: indexesOf(all),
    tables: [...new Set(onTables.map(({ scan }) => scan.table))].sort(),
    /** Tables read from end to end, with the rows of one reading. */
    scans: onTables.flatMap(({ node, scan: { table, rows } }) => {
      const times = node['Actual Loops'] ?? 1
      return node['Node Type'] === 'Seq Scan' ? [{ table, rows: Math.round(rows / times), times }] : []
    }),
    plannedScans: all.filter((node) => node['Node Type'] === 'Seq Scan').flatMap((node) => node['Relation Name'] ?? []),
    /** Pages written to disk because a sort or a hash did not fit in memory. */
    spilled: top['Temp Written Blocks'] ?? 0,
    planningMs: plan['Planning Time'] ?? 0,
    executionMs: plan['Execution Time'] ?? 0,
  }
}

const indexesOf = (nodes: readonly Node[]) => [...new Set(nodes.flatMap((node) => node['Index Name'] ?? []))].sort()
const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** The step that a last aggregate over all rows reads, such as the one that joins a page of frames into one text. */
const beforeJoining = (top: Node): Node =>
  (top['Node Type'] === 'Aggregate' && top.Strategy === 'Plain' && top.Plans?.[0]) || top

/** PostgreSQL reports rows as the average of a loop. */
function rowsRead(node: Node): number {
  const each =
    (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return Math.round(each * (node['Actual Loops'] ?? 0))
}
