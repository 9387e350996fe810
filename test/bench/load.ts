/** Puts the service under load with wrk, which draws prepared requests at random. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type Ask = { path: string; secret: string; headers?: Record<string, string>; body?: string }
export type Loaded = {
  requests: number
  seconds: number
  /** `p50` and `p99` are milliseconds. */
  p50: number
  p99: number
  bytes: number
  /** Counts answers of 400 and over, and connections that broke. */
  refused: number
  broken: number
}

export async function needWrk(): Promise<void> {
  await run('wrk', ['-v']).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new Error('wrk is not installed; the bench loads with it: apt-get install wrk')
  })
}

const headersOf = ({ secret, headers = {}, body }: Ask): Record<string, string> => ({
  ...headers,
  Authorization: `Bearer ${secret}`,
  ...(body !== undefined && { 'Content-Type': 'application/json' }),
})

/** Gives the request the tag that its answer has now. fetch asks for codings that wrk does not, and each has a tag. */
export async function withTag(url: string, ask: Ask): Promise<Ask> {
  const get = async (headers: Record<string, string>) => {
    const answer = await fetch(url + ask.path, { headers: { 'Accept-Encoding': 'identity', ...headers } })
    await answer.arrayBuffer()
    return answer
  }
  const { headers } = await get(headersOf(ask))
  const tagged = { ...ask, headers: { ...ask.headers, 'If-None-Match': headers.get('etag') ?? '' } }
  const { status } = await get(headersOf(tagged))
  if (status !== 304) throw new Error(`${ask.path} was answered with ${status} where its tag was sent, not with 304.`)
  return tagged
}

let files = 0

/** Writes the requests into a script for wrk, and returns its name. */
export function loadScript(asks: readonly Ask[], folder: string): string {
  const name = join(folder, `load-${(files += 1)}.lua`)
  const text = (value: string) => JSON.stringify(value).replaceAll('/', '/')
  const table = (headers: Record<string, string>) =>
    `{${Object.entries(headers)
      .map(([header, value]) => `[${text(header)}]=${text(value)}`)
      .join(',')}}`
  const lines = asks.map((ask) => {
    const { path, body } = ask
    return `add(${text(body === undefined ? 'GET' : 'POST')}, ${text(path)}, ${table(headersOf(ask))}, ${body === undefined ? 'nil' : text(body)})`
  })
  writeFileSync(name, `${HEAD}\nfunction prepare(add)\n${chunks(lines)}\nend\n${TAIL}`)
  return name
}

/** A function of Lua may have only so many constants. */
function chunks(lines: readonly string[]): string {
  const parts: string[] = []
  for (let i = 0; i < lines.length; i += 1000) parts.push(`(function() ${lines.slice(i, i + 1000).join('\n')} end)();`)
  return parts.join('\n')
}

const HEAD = 'local requests = {}'
const TAIL = `
function init(args)
  math.randomseed(4170001)
  prepare(function(method, path, headers, body)
    requests[#requests + 1] = wrk.format(method, path, headers, body)
  end)
end
function request() return requests[math.random(#requests)] end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format('\\nRESULT {"requests":%d,"seconds":%.6f,"p50":%.3f,"p99":%.3f,"bytes":%.1f,"refused":%d,"broken":%d}\\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    summary.bytes / math.max(1, summary.requests), e.status, e.connect + e.read + e.write + e.timeout))
end`

export async function load(url: string, script: string, connections: number, seconds: number): Promise<Loaded> {
  const words = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', script, url]
  const { stdout } = await run('wrk', words)
  const [, json] = /^RESULT (.*)$/m.exec(stdout) ?? []
  if (json === undefined) throw new Error(`wrk said: ${stdout}`)
  return JSON.parse(json) as Loaded
}
