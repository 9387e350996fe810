/**
 * The service counts its work here, and Prometheus reads the counts. Each Services has a registry of its own, so that
 * two in one process share no counter. A label takes few values: a route is the pattern of a path, never the path that
 * a caller sent.
 */
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { KeyUseEvent } from './core/access/key-use.js'
import { paidId, type Bill } from './core/credits/charging.js'
import type { Database, DatabaseEvent } from './core/db/connect.js'
import type { ReplicaState } from './core/db/replicas/replicas.js'
import type { DatasetRow } from './core/db/statements.js'
import type { Outcome } from './core/insight/paid-words.js'
import type { PlanOutcome } from './core/insight/reading/by-model.js'
import { version } from './core/version.js'

export type Metrics = ReturnType<typeof openMetrics>

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

export function openMetrics() {
  const registry = new Registry()
  const meters = metersOf(registry)
  return {
    registry,
    ...requestMetrics(meters),
    ...bucketMetrics(meters),
    ...keyUseMetrics(meters),
    ...creditMetrics(meters),
    ...webMetrics(meters),
    ...wordingMetrics(meters),
    ...databaseMetrics(meters),
    ...replicaMetrics(meters),
    ...processMetrics(meters),
  }
}

type Meters = ReturnType<typeof metersOf>

function metersOf(registry: Registry) {
  const registers = [registry]
  const counter = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name, help, labelNames, registers })
  /** Prometheus's client calls `collect` at every scrape. */
  const gauge = <Label extends string = never>(
    name: string,
    help: string,
    labelNames: Label[] = [],
    collect: (gauge: Gauge<Label>) => void = () => {},
  ) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect() {
        collect(this)
      },
    })
  /** Returns the setter of the function that tells the value. */
  const watched = (name: string, help: string) => {
    let read = () => 0
    gauge(name, help, [], (each) => each.set(read()))
    return (value: () => number): void => void (read = value)
  }
  return { registers, counter, gauge, watched }
}

/** Most answers take a millisecond or two; the wording of an answer takes seconds. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25]

function requestMetrics({ registers, counter, gauge, watched }: Meters) {
  const requests = counter('frames_http_requests_total', 'Requests answered; 499 where the client hung up first', [
    'route',
    'status',
  ])
  const duration = new Histogram({
    name: 'frames_http_request_duration_seconds',
    help: 'From the request to the end of its answer',
    labelNames: ['route'],
    buckets: DURATION_BUCKETS,
    registers,
  })
  const inFlight = gauge('frames_http_requests_in_flight', 'Requests that are being answered')
  const dropped = counter('frames_http_connections_dropped_total', 'Connections ended for what their client did', [
    'reason',
  ])
  return {
    requestStarted: () => inFlight.inc(),
    requestEnded: (route: string, status: number, seconds: number) => {
      inFlight.dec()
      requests.inc({ route, status })
      duration.observe({ route }, seconds)
    },
    countDropped: (reason: DropReason) => dropped.inc({ reason }),
    watchUnreadBytes: watched('frames_http_unread_bytes', 'Bytes of answers that clients have not read yet'),
  }
}

function bucketMetrics({ counter }: Meters) {
  const refusals = counter('frames_bucket_refusals_total', 'Calls refused with 429, by the bucket that was spent', [
    'bucket',
  ])
  const unmetered = counter('frames_unmetered_calls_total', 'Calls that passed unmetered, as Redis was away')
  return {
    countRefusal: (bucket: string) => refusals.inc({ bucket }),
    countUnmetered: () => unmetered.inc(),
  }
}

function keyUseMetrics({ counter, watched }: Meters) {
  const written = counter('frames_use_written_total', 'Calls that were added to the use of their key')
  const failures = counter('frames_use_failures_total', 'Writes of these counts that failed and are tried again')
  const dropped = counter('frames_use_dropped_total', 'Calls that were never added to the use of their key')
  return {
    countKeyUse: (event: KeyUseEvent) => {
      if (event.kind === 'written') written.inc(event.calls)
      else if (event.kind === 'failed') failures.inc()
      else dropped.inc(event.calls)
    },
    watchKeyUse: watched('frames_use_waiting_rows', 'Rows of these counts that are not written yet'),
  }
}

function creditMetrics({ counter }: Meters) {
  const charges = counter('frames_charges_total', 'Entries of the ledger that calls paid for', ['kind'])
  const credits = counter('frames_charged_credits_total', 'Credits that calls paid', ['kind'])
  const leftOut = counter('frames_datasets_left_out_total', 'Datasets left out of answers for want of credits')
  const worded = counter('frames_worded_answers_total', 'Answers returned with words, by what covered them', [
    'covered_by',
  ])
  const unworded = counter('frames_unworded_answers_total', 'Answers returned without words', ['reason'])
  return {
    /** Counts what a returned answer cost; `datasets` has the prices. */
    countCharges: (bill: Bill, datasets: readonly DatasetRow[]) => {
      for (const layerId of bill.charged) {
        charges.inc({ kind: 'dataset' })
        credits.inc({ kind: 'dataset' }, datasets.find((dataset) => paidId(dataset) === layerId)?.price ?? 0)
      }
      leftOut.inc(bill.leftOut.length)
    },
    countOutcome: (outcome: Outcome) => {
      if ('unworded' in outcome) return unworded.inc({ reason: outcome.unworded })
      worded.inc({ covered_by: outcome.worded })
      if (outcome.worded !== 'credits') return
      charges.inc({ kind: 'worded' })
      credits.inc({ kind: 'worded' })
    },
  }
}

function webMetrics({ counter, gauge }: Meters) {
  const signIns = counter('frames_sign_ins_total', 'Tries to sign in to the web app', ['way', 'outcome'])
  const sessions = gauge('frames_sessions', 'Sessions of the web app that have not ended')
  const refusals = counter('frames_console_refusals_total', 'Requests that the web app refused', ['reason'])
  return {
    countSignIn: (way: 'link' | 'openid' | 'passkey', outcome: 'accepted' | 'refused') => signIns.inc({ way, outcome }),
    setSessions: (underWay: number) => sessions.set(underWay),
    countConsoleRefusal: (reason: RefusalReason) => refusals.inc({ reason }),
  }
}

function wordingMetrics({ counter, gauge }: Meters) {
  const rejected = counter('frames_wordings_rejected_total', 'Wordings that could not be verified')
  const plans = counter('frames_plans_total', 'Readings that the wording engine was asked to plan', ['outcome'])
  const retries = counter('frames_wording_retries_total', 'Calls to the wording engine that were sent again')
  const openings = counter('frames_wording_breaker_openings_total', 'Times that the breaker opened')
  const isOpen = gauge('frames_wording_breaker_open', '1 while the breaker stops calls to the wording engine')
  return {
    countRejectedWording: () => rejected.inc(),
    countPlan: (outcome: PlanOutcome) => plans.inc({ outcome }),
    countWordingRetry: () => retries.inc(),
    setBreakerOpen: (open: boolean) => {
      isOpen.set(open ? 1 : 0)
      if (open) openings.inc()
    },
  }
}

function databaseMetrics({ counter, watched }: Meters) {
  const events: Record<DatabaseEvent, Counter> = {
    busy: counter('frames_database_refused_busy_total', 'Statements refused, as too many were under way'),
    late: counter('frames_database_deadline_exceeded_total', 'Statements given up at their deadline'),
    reconnected: counter('frames_database_reconnects_total', 'Times that all connections were opened anew'),
    retried: counter('frames_database_retries_total', 'Reads asked again, as their connection was lost'),
    stood_in: counter('frames_database_stand_ins_total', 'Questions about keys and licences that a replica answered'),
  }
  const watchUnderWay = watched('frames_database_queries_in_flight', 'Statements and transactions that are under way')
  const watchLimit = watched('frames_database_queries_limit', 'How many may be, before more are refused')
  return {
    countDatabaseEvent: (event: DatabaseEvent) => events[event].inc(),
    watchDatabaseLoad: (load: Database['load']) => {
      watchUnderWay(() => load().underWay)
      watchLimit(() => load().limit)
    },
  }
}

function replicaMetrics({ gauge }: Meters) {
  let states: () => ReplicaState[] = () => []
  const forEach = (name: string, help: string, value: (state: ReplicaState) => number) =>
    gauge(name, help, ['replica'], (each) => {
      for (const state of states()) each.set({ replica: state.replica }, value(state))
    })
  forEach('frames_replica_in_use', '1 where calls read from it, 0 where they do not', ({ inUse }) => (inUse ? 1 : 0))
  forEach(
    'frames_replica_lag_seconds',
    'How old its rows may be, as was last seen',
    ({ lagSeconds }) => lagSeconds ?? NaN,
  )
  return { watchReplicas: (watched: typeof states) => (states = watched) }
}

function processMetrics({ gauge }: Meters) {
  const up = gauge('frames_dependency_up', '1 where it answers, 0 where it does not', ['dependency'])
  const generation = gauge('frames_index_generation', 'The index being served; one more with every import')
  gauge('frames_build_info', 'What is running', ['version', 'node']).set({ version, node: process.version }, 1)
  return {
    setUp: (dependency: 'database' | 'redis', isUp: boolean) => up.set({ dependency }, isUp ? 1 : 0),
    setGeneration: (index: string) => generation.set(Number(index)),
  }
}
