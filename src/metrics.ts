/**
 * The service counts its work here, and Prometheus reads the counts. Each Services has a registry of its own, so that
 * two in one process share no counter.
 */
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { DatabaseEvent, DatasetRow, ReplicaState } from './core/db/index.js'
import type { CountEvent } from './core/counts.js'
import { type Bill, paidId } from './core/credits/index.js'
import type { Outcome } from './core/insight/index.js'
import { version } from './core/version.js'

type Metric<Kind = string, Label extends string = string> = Readonly<{ kind: Kind; help: string; labels: Label[] }>

const counter = <Label extends string = never>(help: string, ...labels: Label[]) => ({
  kind: 'counter' as const,
  help,
  labels,
})
const gauge = <Label extends string = never>(help: string, ...labels: Label[]) => ({
  kind: 'gauge' as const,
  help,
  labels,
})
const histogram = <Label extends string = never>(help: string, ...labels: Label[]) => ({
  kind: 'histogram' as const,
  help,
  labels,
})

/** A label takes few values: a route is the pattern of a path, never the path that a caller sent. */
const METRICS = {
  frames_http_requests_total: counter('Requests answered; 499 where the client hung up first', 'route', 'status'),
  frames_http_request_duration_seconds: histogram('From the request to the end of its answer', 'route'),
  frames_http_requests_in_flight: gauge('Requests that are being answered'),
  frames_http_connections_dropped_total: counter('Connections ended for what their client did', 'reason'),
  frames_http_unread_bytes: gauge('Bytes of answers that clients have not read yet'),
  frames_bucket_refusals_total: counter('Calls refused with 429, by the bucket that was spent', 'bucket'),
  frames_unmetered_calls_total: counter('Calls that passed unmetered, as Redis was away'),
  frames_test_key_calls_total: counter('Calls with keys to test with', 'key', 'status'),
  frames_use_written_total: counter('Calls that were added to the use of their key'),
  frames_use_failures_total: counter('Writes of these counts that failed and are tried again'),
  frames_use_dropped_total: counter('Calls that were never added to the use of their key'),
  frames_use_waiting_rows: gauge('Rows of these counts that are not written yet'),
  frames_charges_total: counter('Entries of the ledger that calls paid for', 'kind'),
  frames_charged_credits_total: counter('Credits that calls paid', 'kind'),
  frames_datasets_left_out_total: counter('Datasets left out of answers for want of credits'),
  frames_worded_answers_total: counter('Answers returned with words, by what covered them', 'covered_by'),
  frames_unworded_answers_total: counter('Answers returned without words', 'reason'),
  frames_sign_ins_total: counter('Tries to sign in to the web app', 'way', 'outcome'),
  frames_sessions: gauge('Sessions of the web app that have not ended'),
  frames_console_refusals_total: counter('Requests that the web app refused', 'reason'),
  frames_wordings_rejected_total: counter('Wordings that could not be verified'),
  frames_plans_total: counter('Readings that the wording engine was asked to plan', 'outcome'),
  frames_wording_retries_total: counter('Calls to the wording engine that were sent again'),
  frames_wording_breaker_openings_total: counter('Times that the breaker opened'),
  frames_wording_breaker_open: gauge('1 while the breaker stops calls to the wording engine'),
  frames_database_refused_busy_total: counter('Statements refused, as too many were under way'),
  frames_database_deadline_exceeded_total: counter('Statements given up at their deadline'),
  frames_database_reconnects_total: counter('Times that all connections were opened anew'),
  frames_database_retries_total: counter('Reads asked again, as their connection was lost'),
  frames_database_stand_ins_total: counter('Questions about keys and licences that a replica answered'),
  frames_database_queries_in_flight: gauge('Statements and transactions that are under way'),
  frames_database_queries_limit: gauge('How many may be, before more are refused'),
  frames_replica_in_use: gauge('1 where calls read from it, 0 where they do not', 'replica'),
  frames_replica_lag_seconds: gauge('How old its rows may be, as was last seen', 'replica'),
  frames_dependency_up: gauge('1 where it answers, 0 where it does not', 'dependency'),
  frames_index_generation: gauge('The index being served; one more with every import'),
  frames_build_info: gauge('What is running', 'version', 'node'),
} satisfies Record<string, Metric>

type Rows = typeof METRICS
type NameOf<Kind> = { [Name in keyof Rows]: Rows[Name]['kind'] extends Kind ? Name : never }[keyof Rows]
type LabelsOf<Name extends keyof Rows> = Record<Rows[Name]['labels'][number], string | number>

/** Says why a connection was ended. */
export type DropReason = 'connection_limit' | 'slow_request' | 'slow_reader' | 'unread_limit' | 'broken_request'

/** Says why the web app refused a request. */
export type RefusalReason =
  | 'cross_site'
  | 'not_signed_in'
  | 'role'
  | 'form'
  | 'link'
  | 'rate'
  | 'attempt'
  | 'provider'
  | 'no_access'
  | 'other_account'
  | 'passkey'
  | 'last_owner'
  | 'time'
  | 'busy'
  | 'database'
  | 'not_found'
  | 'address'
  | 'price'
  | 'method'

const DATABASE_EVENTS = {
  busy: 'frames_database_refused_busy_total',
  late: 'frames_database_deadline_exceeded_total',
  reconnected: 'frames_database_reconnects_total',
  retried: 'frames_database_retries_total',
  stood_in: 'frames_database_stand_ins_total',
} as const satisfies Record<DatabaseEvent, NameOf<'counter'>>

const KEY_USE_EVENTS = {
  written: 'frames_use_written_total',
  failed: 'frames_use_failures_total',
  dropped: 'frames_use_dropped_total',
} as const satisfies Record<CountEvent['kind'], NameOf<'counter'>>

export type Metrics = ReturnType<typeof openMetrics>

export function openMetrics() {
  const { registry, meters, collectors } = openMeters()
  /** A gauge may fall: `by` is negative then. */
  const count = <Name extends NameOf<'counter' | 'gauge'>>(name: Name, labels: LabelsOf<Name>, by = 1) =>
    (meters[name] as Counter).inc(labels, by)
  const set = <Name extends NameOf<'gauge'>>(name: Name, labels: LabelsOf<Name>, value: number) =>
    (meters[name] as Gauge).set(labels, value)
  const atScrape = (name: NameOf<'gauge'>, setGauge: () => void) => void collectors.set(name, setGauge)
  /** Returns the setter of the function that tells the value. */
  const watch = (name: NameOf<'gauge'>) => (value: () => number) => atScrape(name, () => set(name, {}, value()))
  set('frames_build_info', { version, node: process.version }, 1)
  return {
    registry,
    count,
    set,
    watch,
    watchReplicas: (states: () => ReplicaState[]) => {
      for (const name of ['frames_replica_in_use', 'frames_replica_lag_seconds'] as const)
        atScrape(name, () => {
          for (const { replica, inUse, lagSeconds } of states())
            set(name, { replica }, name === 'frames_replica_in_use' ? Number(inUse) : (lagSeconds ?? NaN))
        })
    },
    requestEnded: (route: string, status: number, seconds: number) => {
      count('frames_http_requests_total', { route, status })
      ;(meters['frames_http_request_duration_seconds'] as Histogram).observe({ route }, seconds)
    },
    countDropped: (reason: DropReason) => count('frames_http_connections_dropped_total', { reason }),
    watchUnreadBytes: watch('frames_http_unread_bytes'),
    countDatabaseEvent: (event: DatabaseEvent) => count(DATABASE_EVENTS[event], {}),
    countKeyUse: (event: CountEvent) => count(KEY_USE_EVENTS[event.kind], {}, 'times' in event ? event.times : 1),
    /** Counts what a returned answer cost; `datasets` has the prices. */
    countCharges: (bill: Bill, datasets: readonly DatasetRow[]) => {
      for (const layerId of bill.charged) {
        const price = datasets.find((dataset) => paidId(dataset) === layerId)?.price ?? 0
        count('frames_charges_total', { kind: 'dataset' })
        count('frames_charged_credits_total', { kind: 'dataset' }, price)
      }
      count('frames_datasets_left_out_total', {}, bill.leftOut.length)
    },
    countOutcome: (outcome: Outcome) => {
      if ('unworded' in outcome) return count('frames_unworded_answers_total', { reason: outcome.unworded })
      count('frames_worded_answers_total', { covered_by: outcome.worded })
      if (outcome.worded !== 'credits') return
      count('frames_charges_total', { kind: 'worded' })
      count('frames_charged_credits_total', { kind: 'worded' })
    },
  }
}

/** Most answers take a millisecond or two; the wording of an answer takes seconds. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25]

function openMeters() {
  const registry = new Registry()
  const collectors = new Map<string, () => void>()
  const meters: Record<string, unknown> = {}
  for (const [name, { kind, help, labels }] of Object.entries<Metric>(METRICS)) {
    const described = { name, help, labelNames: labels, registers: [registry] }
    const collect = () => collectors.get(name)?.()
    if (kind === 'counter') meters[name] = new Counter(described)
    else if (kind === 'gauge') meters[name] = new Gauge({ ...described, collect })
    else meters[name] = new Histogram({ ...described, buckets: DURATION_BUCKETS })
  }
  return { registry, meters, collectors }
}
