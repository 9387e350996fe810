/** Reads the text format of Prometheus without the library that wrote it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from './service.js'

type Metric = { type: string; help: string; samples: Map<string, number> }
/** The key of a metric is its name. The key of a sample is its line without the value. */
export type Scrape = Map<string, Metric>

const LINE = /^([a-zA-Z_:][\w:]*)(\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\.)*",?)*\})? (-?[\d.e+-]+|[+-]Inf|NaN)$/

function readMetrics(text: string): Scrape {
  const metrics: Scrape = new Map()
  let current: [name: string, metric: Metric] | undefined
  for (const line of text.split('\n').filter(Boolean)) {
    const [, help, name = '', rest = ''] = /^# (?:(HELP)|TYPE) (\S+) (.+)$/.exec(line) ?? []
    if (help) {
      if (metrics.has(name)) throw new Error(`${name} comes twice.`)
      current = [name, { type: '', help: rest, samples: new Map() }]
      metrics.set(...current)
    } else if (name) {
      if (current?.[0] !== name) throw new Error(`The type of ${name} stands elsewhere.`)
      current[1].type = rest
    } else {
      const [, sample = '', labels = '', value] = LINE.exec(line) ?? []
      const of = sample.replace(current?.[1].type === 'histogram' ? /_(bucket|sum|count)$/ : /$^/, '')
      if (!current || of !== current[0]) throw new Error(`This line is of no metric: ${line}`)
      if (current[1].samples.has(sample + labels)) throw new Error(`${sample + labels} comes twice.`)
      current[1].samples.set(sample + labels, Number(value))
    }
  }
  return metrics
}

export async function scrape(opsUrl: string): Promise<Scrape> {
  const { status, text } = await ask(`${opsUrl}/metrics`)
  if (status !== 200 || !text.endsWith('\n')) throw new Error(`/metrics answered ${status}: ${text}`)
  return readMetrics(text)
}

export function sampleOf(metrics: Scrape, key: string): number | undefined {
  return metrics.get(key.replace(/\{.*/, ''))?.samples.get(key)
}

/** Returns by how much each counter of the service rose during `work` and until its calls ended. */
export async function risen(opsUrl: string, work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = counted(await scrape(opsUrl))
  await work()
  for (;;) {
    const now = await scrape(opsUrl)
    if (sampleOf(now, 'frames_http_requests_in_flight') === 0) {
      const rises = [...counted(now)].map(([key, value]): [string, number] => [key, value - (before.get(key) ?? 0)])
      return Object.fromEntries(rises.filter(([, by]) => by !== 0))
    }
    await sleep(10)
  }
}

/** The counters that every request raises. */
export const requestsRise = (route: string, status: number, times = 1) => ({
  [`frames_http_requests_total{route="${route}",status="${status}"}`]: times,
  [`frames_http_request_duration_seconds_count{route="${route}"}`]: times,
})

/** Leaves out the seconds of a histogram: no test knows them beforehand. */
function counted(metrics: Scrape): Map<string, number> {
  const own = [...metrics].filter(([name]) => name.startsWith('frames_'))
  return new Map(
    own.flatMap(([, { type, samples }]) =>
      [...samples].filter(([key]) => type === 'counter' || key.includes('_count{')),
    ),
  )
}
