/** The examples of figures, in the words of people, and docs/figures.md, which shows them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { projectFolder } from '../../src/core/db/statement.js'
import type { Figure } from '../../src/core/figures/algebra.js'

/** A unit has its path, a class or a band its text, a single thing its name; null is what has no class. */
type Group = string[] | string | null
/** Rounded to two places. Groups and classes are in the order of the answer. */
export type Value = number | [Group, number][]
/** `byHand` is SQL over the tables for the same, where the loop in memory does not know the figure. */
type Example = { ask: string; figure: Figure; value: Value; note?: string; byHand?: string }

/** Each section is a line, and the examples of it are those that follow. */
const lines = readFileSync(new URL('test/figures/examples.jsonl', projectFolder), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Example | { section: string })

export const examples = lines.filter((line) => 'ask' in line)

const file = new URL('docs/figures.md', projectFolder)
const WIDTH = 114

/** Returns the page as it should be: what it explains first is written by hand. */
export function figuresPage(): string {
  const [before = ''] = readFileSync(file, 'utf8').split(/^## /m)
  return before + lines.map((line) => ('section' in line ? `## ${line.section}\n` : shown(line))).join('\n')
}

export const writeFiguresPage = (): void => writeFileSync(file, figuresPage())

function shown({ ask, figure, value, note }: Example): string {
  const answer = typeof value === 'number' ? ` ${numeral(value)}` : `\n\n${table(value)}`
  return `**${ask}**${answer}${note === undefined ? '' : `\n\n${note}`}\n\n\`\`\`json\n${written(figure, 0)}\n\`\`\`\n`
}

const numeral = (number: number) => number.toLocaleString('en', { maximumFractionDigits: 2 })

function table(groups: [Group, number][]): string {
  const rows = groups.map(([group, number]) => {
    const name = Array.isArray(group) ? group.join(' / ') : (group ?? 'not recorded')
    return `| ${name} | ${numeral(number)} |`
  })
  return ['| | |', '|---|--:|', ...rows].join('\n')
}

/** Writes JSON on one line where it fits after so many columns, else each member on a line of its own. */
function written(value: unknown, column: number): string {
  const short = JSON.stringify(value, null, 1)
    .replaceAll(/\n\s*/g, ' ')
    .replaceAll(/(?<=[[{]) | (?=[\]}])/g, '')
  if (column + short.length <= WIDTH || typeof value !== 'object' || value === null) return short
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const parts = Object.entries(value).map(([key, each]) => {
    const name = Array.isArray(value) ? '' : `"${key}": `
    return name + written(each, column + 1 + name.length)
  })
  return open + parts.join(`,\n${' '.repeat(column + 1)}`) + close
}
