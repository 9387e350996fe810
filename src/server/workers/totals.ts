/** Adds up the metrics of all workers, of those that have ended too: a sum that fell would count as a new process. */
import { AggregatorRegistry, type Registry } from 'prom-client'
import type { MetricsOfWorker } from './messages.js'

export type Totals = {
  /** Keeps the counts of a worker that has ended. */
  keep: (metrics: MetricsOfWorker) => void
  /** The counts of all workers that have ended so far. */
  ended: () => Promise<MetricsOfWorker>
}

export const addUp = (parts: readonly MetricsOfWorker[]): Registry => AggregatorRegistry.aggregate([...parts])

/** A gauge tells of the present: that of a worker that has ended counts no more. */
const isCount = ({ type }: MetricsOfWorker[number]) => ['counter', 'histogram'].includes(String(type))

export function openTotals(): Totals {
  let ended: Promise<MetricsOfWorker> = Promise.resolve([])
  return {
    keep: (metrics) => {
      ended = ended.then(async (before) => (await addUp([before, metrics]).getMetricsAsJSON()).filter(isCount))
    },
    ended: () => ended,
  }
}
