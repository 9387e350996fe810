/**
 * Transactions that lock the same row wait here, in the order in which they came. In PostgreSQL each would wait with a
 * connection that other calls need.
 */
export function rowQueues(): <Answer>(row: string, work: () => Promise<Answer>) => Promise<Answer> {
  const lastOf = new Map<string, Promise<void>>()
  return (row, work) => {
    const mine = (lastOf.get(row) ?? Promise.resolve()).then(work)
    const ended = endOf(mine).finally(() => lastOf.get(row) === ended && lastOf.delete(row))
    lastOf.set(row, ended)
    return mine
  }
}

async function endOf(work: Promise<unknown>): Promise<void> {
  await work.catch(() => {})
}
