/** Types of the messages between the primary process and its workers. */
import type { MetricObjectWithValues, MetricValue } from 'prom-client'

export type MetricsOfWorker = MetricObjectWithValues<MetricValue<string>>[]

type ReadinessOfWorker = { unready: string } | { database: string; redis: string }

/** The questions that a worker answers, each with the type of its answer. */
export type Answers = { alive: true; readiness: ReadinessOfWorker; metrics: MetricsOfWorker }

export type ToWorker =
  /** `stop`: answer what is open, then end. `cut`: end at once. */
  { kind: 'stop' | 'cut' } | { kind: 'question'; id: number; about: keyof Answers }

export type FromWorker =
  | { kind: 'serving'; warnings: string[] }
  | { kind: 'failed'; message: string }
  | { kind: 'answer'; id: number; answer: Answers[keyof Answers] | undefined }
  /** A worker that ends leaves its counts behind. */
  | { kind: 'ending'; metrics: MetricsOfWorker; cut: number }
