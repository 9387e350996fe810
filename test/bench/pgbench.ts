/** Runs the bare statements under pgbench: the text of sql/, prepared, with the session settings of the service. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { program } from '../support/postgres-server.js'

const run = promisify(execFile)

/** An argument is text, or an expression over the variables that the script sets. */
type Argument = string | null | { expression: string }
export type Query = { text: string; args: readonly Argument[] }
/** A script draws arguments and runs the statements of a call with them. */
export type Script = { sets?: readonly string[]; queries: readonly Query[] }
export type Prepared = readonly string[]
type Benched = { rate: number; ms: number }

/** connect.ts sets the same. */
const SETTINGS = '-c plan_cache_mode=force_generic_plan -c jit=off -c TimeZone=UTC'

/** pgbench takes at most 128 scripts, and draws one of them for each transaction. */
const SCRIPTS_MOST = 100

let files = 0

/** Writes the scripts, and returns the words of the command line that name them. */
export function prepareScripts(scripts: readonly Script[], folder: string): Prepared {
  return scripts.slice(0, SCRIPTS_MOST).flatMap(({ sets = [], queries }) => {
    const number = (files += 1)
    const values = new Map<string, string>()
    const lines = queries.map(({ text, args }, place) =>
      bare(text).replaceAll(/\$(\d+)/g, (_whole, digits: string) => {
        const arg = args[Number(digits) - 1]
        if (arg === undefined) throw new Error(`No argument for $${digits} of ${text.slice(0, 40)}`)
        if (arg === null) return 'null'
        if (typeof arg !== 'string') return arg.expression
        const name = `v${number}_${place}_${digits}`
        values.set(name, arg)
        return `:${name}`
      }),
    )
    const file = join(folder, `script-${number}.sql`)
    writeFileSync(file, [...sets.map((set) => `\\set ${set}`), ...lines.map((line) => `${line};`), ''].join('\n'))
    return ['-f', file, ...[...values].flatMap(([name, value]) => ['-D', `${name}=${value}`])]
  })
}

/** Cuts the comments off: pgbench would take a "$1" in them for a parameter. */
const bare = (text: string) => text.replaceAll(/\s*--.*$/gm, '')

export async function pgbench(url: string, prepared: Prepared, clients: number, seconds: number): Promise<Benched> {
  const words = ['-n', '-M', 'prepared', '-c', String(clients), '-T', String(Math.max(1, Math.round(seconds)))]
  const env = { ...process.env, PGOPTIONS: SETTINGS }
  const { stdout } = await run(program('pgbench'), [...words, ...prepared, url], { env, maxBuffer: 1 << 26 })
  const rate = Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
  if (!Number.isFinite(rate) || !/failed transactions: 0 /.test(stdout)) throw new Error(`pgbench said: ${stdout}`)
  return { rate, ms: Number(/latency average = ([\d.]+)/.exec(stdout)?.[1]) }
}

/** Finds the number of clients that makes pgbench quickest, and measures with it. */
export async function bestClients(url: string, prepared: Prepared, tried: readonly number[]): Promise<number> {
  let best = { clients: tried[0] ?? 1, rate: 0 }
  for (const clients of tried.length > 1 ? tried : []) {
    const { rate } = await pgbench(url, prepared, clients, 1)
    if (rate > best.rate) best = { clients, rate }
  }
  return best.clients
}
