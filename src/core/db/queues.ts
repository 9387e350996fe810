/**
 * Work that needs the same thing waits here, in the order in which it came: transactions that lock the same row, since
 * in PostgreSQL each would wait with a connection that other calls need; and transactions on the same connection.
 */
export function queues(): <Answer>(thing: unknown, work: () => Promise<Answer>) => Promise<Answer> {
  const lastOf = new Map<unknown, Promise<void>>()
  return (thing, work) => {
    const mine = (lastOf.get(thing) ?? Promise.resolve()).then(work)
    const ended = settled(mine).finally(() => lastOf.get(thing) === ended && lastOf.delete(thing))
    lastOf.set(thing, ended)
    return mine
  }
}

async function settled(work: Promise<unknown>): Promise<void> {
  await work.catch(() => {})
}
