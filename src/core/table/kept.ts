/**
 * The table as it goes out waits in a file, so that memory stays flat. Each row is what came, then a part for each
 * column: what is not paid for is left out when the file is read. No text of a table has a NUL.
 */
import { createReadStream } from 'node:fs'
import { csvCell } from '../csv.js'
import type { Column } from './columns.js'
import { cellOf, type TableRow } from './rows.js'
import type { Told } from './told.js'

/** `asJson`: rows go out as objects, else as CSV. */
export type Form = { head: readonly string[]; columns: readonly Column[]; asJson: boolean }

const PART = '\0'
const ROW = '\0\n'

/** A column that the table has already gets another name. The last one says what is wrong with the row. */
const namesOf = ({ head, columns }: Form) =>
  [...columns.map(({ text }) => text), 'reason'].map((name) => (head.includes(name) ? `${name}_found` : name))

const asCame = (cell: string) => csvCell(cell, { guards: false })

export const givenCells = ({ given }: TableRow, head: readonly string[]): string[] =>
  head.map((name, i) => ('text' in given ? cellOf(given, name) : (given[i] ?? '')))

/** Returns the text of rows for the file. */
export function keptRows(form: Form): (rows: readonly TableRow[], told: readonly Told[]) => string {
  const { head, asJson } = form
  const members = namesOf(form).map((name) => `${JSON.stringify(name)}:`)
  return (rows, told) =>
    rows
      .map((row, i) => {
        const { values = [], reason = '' } = told[i] ?? {}
        const cells = [...values, reason || null]
        if (asJson && 'text' in row.given) {
          const added = cells.map((cell, place) => members[place] + JSON.stringify(cell))
          return [row.given.text.slice(0, -1).trimEnd(), ...added].join(PART) + ROW
        }
        const own = givenCells(row, head).map(asCame).join(',')
        return [own, ...cells.map((cell) => csvCell(cell))].join(PART) + ROW
      })
      .join('')
}

/** The whole table, without the columns that are not kept. */
export async function* tableText(
  path: string,
  form: Form,
  isKept: (column: Column) => boolean,
): AsyncGenerator<string> {
  const { head, columns, asJson } = form
  const places = [...columns.keys()].filter((i) => columns[i] && isKept(columns[i]))
  const kept = [...places, columns.length]
  const names = namesOf(form)
  if (!asJson) yield `${[...head, ...kept.map((i) => names[i] ?? '')].map(asCame).join(',')}\n`
  const rowOf = (row: string) => {
    const [own = '', ...parts] = row.split(PART)
    const added = kept.map((i) => parts[i]).join(',')
    return asJson ? `${own}${own === '{' ? '' : ','}${added}}` : `${own},${added}\n`
  }
  let [rest, between] = ['', '']
  for await (const piece of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const rows = (rest + piece).split(ROW)
    rest = rows.pop() ?? ''
    if (rows.length === 0) continue
    yield between + rows.map(rowOf).join(asJson ? ',' : '')
    if (asJson) between = ','
  }
}
