/** Looks at a service of several workers. */
import { childrenOf } from '../campaigns/faults.js'
import type { Started } from '../support/cli.js'
import { ask } from '../support/service.js'

/** The process ids of its workers. */
export const pidsOf = ({ child }: Started): number[] => childrenOf(child.pid ?? 0)

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

export const readiness = async ({ opsUrl }: Started): Promise<unknown> => (await ask(`${opsUrl}/readyz`)).body

export async function allServe(of: Started, count: number): Promise<boolean> {
  const { data } = (await readiness(of)) as { data?: { workers: number } }
  return data?.workers === count
}
