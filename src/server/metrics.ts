/**
 * What the service counts, as Prometheus reads it. Each Services has a register of its own: two in one process do not meet.
 * Every label takes few values: a route is the pattern of a path, never the path that a caller sent.
 */
import { readFileSync } from 'node:fs'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Charged } from '../credits/charging.js'
import { projectFolder } from '../db/statement.js'
import type { DatabaseEvent } from '../db/connect.js'
import type { ReplicaState } from '../db/replicas/replicas.js'
import type { DatasetRow } from '../db/statements.js'
import type { Dropped } from './http-server.js'
import type { Outcome } from '../insight/worded.js'

/** An answer takes a millisecond or two; a question that is put into words, seconds. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25]

export type Metrics = ReturnType<typeof openMetrics>

export function openMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const counter = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name, help, labelNames, registers })
  /** `value` is read at every scrape. */
  const gauge = <Label extends string = never>(
    name: string,
    help: string,
    labelNames: Label[] = [],
    value?: () => number,
  ) => {
    const collect = function (this: Gauge<Label>) {
      if (value) this.set(value())
    }
    return new Gauge({ name, help, labelNames, registers, collect })
  }

  const requests = counter('frames_http_requests_total', 'Requests answered; 499 where the client hung up first', [
    'route',
    'status',
  ])
  const duration = new Histogram({
    name: 'frames_http_request_duration_seconds',
    help: 'From the request to the end of its answer',
    labelNames: ['route'],
    buckets: SECONDS,
    registers,
  })
  const inFlight = gauge('frames_http_requests_in_flight', 'Requests that are being answered')
  let unreadBytes = () => 0
  gauge('frames_http_unread_bytes', 'Bytes of answers that clients have not read yet', [], () => unreadBytes())
  const dropped = counter('frames_http_connections_dropped_total', 'Connections ended for what their client did', [
    'reason',
  ])

  const refusals = counter('frames_bucket_refusals_total', 'Calls refused with 429, by the bucket that was spent', [
    'bucket',
  ])
  const unmetered = counter('frames_unmetered_calls_total', 'Calls that passed unmetered, as Redis was away')

  const charges = counter('frames_charges_total', 'Entries of the ledger that calls paid for', ['kind'])
  const credits = counter('frames_charged_credits_total', 'Credits that calls paid', ['kind'])
  const leftOut = counter('frames_datasets_left_out_total', 'Datasets left out of answers for want of credits')

  const worded = counter('frames_worded_answers_total', 'Answers returned with words, by what covered them', [
    'covered_by',
  ])
  const unworded = counter('frames_unworded_answers_total', 'Answers returned without words', ['reason'])
  const rejected = counter('frames_wordings_rejected_total', 'Wordings that could not be verified', ['attempt'])

  const events: Record<DatabaseEvent, Counter> = {
    busy: counter('frames_database_refused_busy_total', 'Statements refused, as too many were under way'),
    late: counter('frames_database_deadline_exceeded_total', 'Statements given up at their deadline'),
    reconnected: counter('frames_database_reconnects_total', 'Times that all connections were opened anew'),
    retried: counter('frames_database_retries_total', 'Reads asked again, as their connection was lost'),
    stood_in: counter('frames_database_stand_ins_total', 'Questions about keys and licences that a replica answered'),
  }
  let load = () => ({ underWay: 0, limit: 0 })
  gauge(
    'frames_database_queries_in_flight',
    'Statements and transactions that are under way',
    [],
    () => load().underWay,
  )
  gauge('frames_database_queries_limit', 'How many may be, before more are refused', [], () => load().limit)
  let replicaStates: () => ReplicaState[] = () => []
  const ofReplicas = (name: string, help: string, value: (state: ReplicaState) => number) => {
    const collect = function (this: Gauge<'replica'>) {
      for (const state of replicaStates()) this.set({ replica: state.replica }, value(state))
    }
    return new Gauge({ name, help, labelNames: ['replica'], registers, collect })
  }
  ofReplicas('frames_replica_in_use', '1 where calls read from it, 0 where they do not', ({ inUse }) => (inUse ? 1 : 0))
  ofReplicas(
    'frames_replica_lag_seconds',
    'How old its rows may be, as was last seen',
    ({ lagSeconds }) => lagSeconds ?? NaN,
  )
  const up = gauge('frames_dependency_up', '1 where it answers, 0 where it does not', ['dependency'])
  const generation = gauge('frames_index_generation', 'The index being served; one more with every import')

  const { version } = JSON.parse(readFileSync(new URL('package.json', projectFolder), 'utf8')) as { version: string }
  gauge('frames_build_info', 'What is running', ['version', 'node']).set({ version, node: process.version }, 1)

  return {
    registry,
    began: () => inFlight.inc(),
    answered: (route: string, status: number, seconds: number) => {
      inFlight.dec()
      requests.inc({ route, status })
      duration.observe({ route }, seconds)
    },
    dropped: (reason: Dropped) => dropped.inc({ reason }),
    watchUnread: (bytes: typeof unreadBytes) => (unreadBytes = bytes),
    refusedBy: (bucket: string) => refusals.inc({ bucket }),
    passedUnmetered: () => unmetered.inc(),
    /** What an answer that is returned cost; `seen` has the prices. */
    billed: (bill: Charged, seen: readonly DatasetRow[]) => {
      for (const { layerId, price } of seen) {
        if (!bill.charged.includes(layerId)) continue
        charges.inc({ kind: 'dataset' })
        credits.inc({ kind: 'dataset' }, price ?? 0)
      }
      leftOut.inc(bill.leftOut.length)
    },
    concluded: (outcome: Outcome) => {
      if ('unworded' in outcome) return unworded.inc({ reason: outcome.unworded })
      worded.inc({ covered_by: outcome.worded })
      if (outcome.worded !== 'credits') return
      charges.inc({ kind: 'worded' })
      credits.inc({ kind: 'worded' })
    },
    rejected: (attempt: 'first' | 'repair') => rejected.inc({ attempt }),
    database: (event: DatabaseEvent) => events[event].inc(),
    watchLoad: (watched: typeof load) => (load = watched),
    watchReplicas: (states: typeof replicaStates) => (replicaStates = states),
    isUp: (dependency: 'database' | 'redis', is: boolean) => up.set({ dependency }, is ? 1 : 0),
    serves: (index: string) => generation.set(Number(index)),
  }
}
