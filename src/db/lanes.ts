/** Transactions that lock the same row wait here, each lane in its order, and leave the connections to others meanwhile. */

export type InLane = <Answer>(lane: string, work: () => Promise<Answer>) => Promise<Answer>

export function lanes(): InLane {
  const lastOf = new Map<string, Promise<void>>()
  return (lane, work) => {
    const mine = (lastOf.get(lane) ?? Promise.resolve()).then(work)
    const ended = endOf(mine).finally(() => lastOf.get(lane) === ended && lastOf.delete(lane))
    lastOf.set(lane, ended)
    return mine
  }
}

async function endOf(work: Promise<unknown>): Promise<void> {
  await work.catch(() => {})
}
