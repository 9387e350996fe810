/** Runs the contenders in turn, round after round: other work of the machine slows all of them alike. */
import { readFileSync } from 'node:fs'
import { load, loadScript, type Ask, type Loaded } from './load.js'
import { bestClients, pgbench, prepareScripts, type Script } from './pgbench.js'
import { childrenOf, cpuSeconds, endedChildrenSeconds } from './processes.js'
import { until } from '../support/until.js'
import type { Service } from './servers.js'

export type Machinery = {
  databaseUrl: string
  databasePid: number
  redisPid: number
  folder: string
  /** A turn lasts `seconds`. pgbench is tried with each of these numbers of clients. */
  pace: { seconds: number; rounds: number; clients: readonly number[] }
}

/** Each is the processor time of one request, in microseconds. Beside pgbench, `service` is pgbench itself. */
type Cost = { service: number; database: number; redis: number }
export const wholeCost = ({ cost: { service, database, redis } }: Measured) => service + database + redis
/** Each figure is the median of the rounds. */
export type Measured = { rate: number; p50: number; p99: number; bytes: number; cost: Cost }
export type Contender = { name: string; turn: (seconds: number) => Promise<Measured> }

export function byService(
  machinery: Machinery,
  name: string,
  service: Service,
  asks: readonly Ask[],
  connections: number,
): Contender {
  const script = loadScript(asks, machinery.folder)
  const spent = () => [
    service.pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0),
    cpuSeconds(machinery.databasePid),
    cpuSeconds(machinery.redisPid),
  ]
  return {
    name,
    turn: async (seconds) => {
      const before = spent()
      const done = await load(service.url, script, connections, seconds)
      refuseFailures(name, done)
      const each = spent().map((after, i) => ((after - (before[i] ?? 0)) * 1e6) / done.requests)
      const [ofService = 0, database = 0, redis = 0] = each
      const { p50, p99, bytes } = done
      return { rate: done.requests / done.seconds, p50, p99, bytes, cost: { service: ofService, database, redis } }
    },
  }
}

/** A refusal is quick, so figures with refusals among them are worth nothing. */
function refuseFailures(name: string, { refused, broken, requests }: Loaded): void {
  if (refused > 0 || broken > 0) throw new Error(`${name}: ${refused} refused and ${broken} broken of ${requests}.`)
}

export async function byPgbench(machinery: Machinery, scripts: readonly Script[]): Promise<Contender> {
  const { databaseUrl: url, pace, databasePid } = machinery
  const prepared = prepareScripts(scripts, machinery.folder)
  const clients = await bestClients(url, prepared, pace.clients)
  return {
    name: `pgbench, ${clients} clients`,
    turn: async (seconds) => {
      const spent = () => [endedChildrenSeconds(), cpuSeconds(databasePid)]
      const before = spent()
      const others = childrenOf(databasePid)
      const { rate, ms } = await pgbench(url, prepared, clients, seconds)
      // The time of a backend that is ending counts for nobody until PostgreSQL has seen its end.
      await until(async () => childrenOf(databasePid).every((pid) => others.includes(pid) || isAutovacuum(pid)))
      const [service = NaN, database = NaN] = spent().map(
        (after, i) => ((after - (before[i] ?? NaN)) * 1e6) / (rate * seconds),
      )
      return { rate, p50: ms, p99: NaN, bytes: NaN, cost: { service, database, redis: 0 } }
    },
  }
}

const isAutovacuum = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('autovacuum')
  } catch {
    return true
  }
}

/** Runs the contenders in turn in each round. A turn before the first round warms them up and does not count. */
export async function contest(machinery: Machinery, contenders: readonly Contender[]): Promise<Measured[]> {
  const { seconds, rounds } = machinery.pace
  const turns = contenders.map((): Measured[] => [])
  for (const contender of contenders) await contender.turn(Math.ceil(seconds / 2))
  for (let round = 0; round < rounds; round += 1) {
    for (const [i, contender] of contenders.entries()) turns[i]?.push(await contender.turn(seconds))
  }
  return turns.map(middle)
}

function middle(turns: readonly Measured[]): Measured {
  const of = (figure: (turn: Measured) => number) => median(turns.map(figure))
  return {
    rate: of(({ rate }) => rate),
    p50: of(({ p50 }) => p50),
    p99: of(({ p99 }) => p99),
    bytes: of(({ bytes }) => bytes),
    cost: {
      service: of(({ cost }) => cost.service),
      database: of(({ cost }) => cost.database),
      redis: of(({ cost }) => cost.redis),
    },
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length >> 1
  const upper = sorted[half] ?? NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? NaN) + upper) / 2
}
