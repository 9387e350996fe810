/** Prints the findings of a bench as one table, writes them as JSON, and compares them with another run. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { dirname } from 'node:path'
import type { Measured } from './contest.js'

/** A figure has a target, or is only printed. */
export type Finding = { what: string; figure: string; value: number; target?: string; met?: boolean }
export type Row = { key: string; title: string; measured?: Measured; findings: Finding[] }
export type Run = { at: string; machine: string; country: string; commit: string; rows: Row[] }

export const say = (line: string) => void process.stdout.write(`${line}\n`)
/** Prints progress, which is no part of the table. */
export const tell = (line: string) => void process.stderr.write(`${line}\n`)

export const atLeast = (what: string, value: number, target: number): Finding => ({
  what,
  value,
  figure: value.toFixed(2),
  target: `at least ${target.toFixed(2)}`,
  met: value >= target,
})

export const atMost = (what: string, value: number, target: number, unit: string): Finding => ({
  what,
  value,
  figure: `${short(value)}${unit}`,
  target: `at most ${target}${unit}`,
  met: value <= target,
})

export const holds = (what: string, met: boolean, figure: string): Finding => ({
  what,
  value: met ? 1 : 0,
  figure,
  target: 'yes',
  met,
})

export const told = (what: string, value: number, unit = ''): Finding => ({
  what,
  value,
  figure: `${short(value)}${unit}`,
})

const short = (value: number) =>
  Number.isNaN(value) ? '' : value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value < 10 ? 2 : 1)

const COLUMNS = ['call', 'req/s', 'p50 ms', 'p99 ms', 'CPU µs: service', 'database', 'Redis', 'bytes'] as const
const HEAD = [...COLUMNS, 'beside', 'is', 'target', 'met']

/** Writes Markdown: each finding has one line, and the first line has the figures of the load. */
export function table(rows: readonly Row[]): string {
  const lines = rows.flatMap(({ title, measured, findings }) => {
    const figures = measured ? figuresOf(measured) : Array.from({ length: COLUMNS.length - 1 }, () => '')
    const shown: (Finding | undefined)[] = findings.length === 0 ? [undefined] : findings
    return shown.map((finding, i) => [
      ...(i === 0 ? [title, ...figures] : Array.from({ length: COLUMNS.length }, () => '')),
      finding?.what ?? '',
      finding?.figure ?? '',
      finding?.target ?? '',
      finding?.met === undefined ? '' : finding.met ? 'met' : 'NOT MET',
    ])
  })
  const widths = HEAD.map((name, i) => Math.max(name.length, ...lines.map((line) => line[i]?.length ?? 0)))
  const written = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  return [written(HEAD), written(widths.map((width) => '-'.repeat(width))), ...lines.map(written)].join('\n')
}

const figuresOf = ({ rate, p50, p99, cost, bytes }: Measured) =>
  [rate, p50, p99, cost.service, cost.database, cost.redis, bytes].map(short)

export const machine = () =>
  `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`

export function commit(folder: string): string {
  try {
    const git = (...words: string[]) =>
      execFileSync('git', ['-C', folder, ...words], { stdio: 'pipe' })
        .toString()
        .trim()
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', '-uno') === '' ? '' : ' and changes')
  } catch {
    return 'unknown'
  }
}

export function writeRun(run: Run, file: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(run, undefined, 2)}\n`)
}

export const readRun = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Run

/** Compares two runs row by row: rates, p99 and findings, and the ratio of the second to the first. */
export function compared(one: Run, other: Run): string {
  const lines = other.rows.flatMap(({ key, title, measured, findings }) => {
    const before = one.rows.find((row) => row.key === key)
    if (!before) return []
    const pairs: [string, number | undefined, number | undefined][] = [
      ['req/s', before.measured?.rate, measured?.rate],
      ['p99 ms', before.measured?.p99, measured?.p99],
      ['CPU µs, service', before.measured?.cost.service, measured?.cost.service],
      ...findings.map(({ what, value }): [string, number | undefined, number] => [
        what,
        before.findings.find((finding) => finding.what === what)?.value,
        value,
      ]),
    ]
    return pairs.flatMap(([what, a, b]) => (a === undefined || b === undefined ? [] : [line(title, what, a, b)]))
  })
  const head = `first:  ${one.commit}, ${one.at}, ${one.machine}\nsecond: ${other.commit}, ${other.at}, ${other.machine}\n`
  return `${head}${['row'.padEnd(44), 'figure'.padEnd(40), 'first', 'second', 'ratio'].join('  ')}\n${lines.join('\n')}`
}

const line = (title: string, what: string, a: number, b: number) =>
  `${title.padEnd(44)}  ${what.padEnd(40)}  ${short(a)}  ${short(b)}  ${(b / a).toFixed(2)}`
