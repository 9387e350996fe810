/** Reads the header of a file of sql/: its parameters, indexes, budget and example. */

export type Budget = { buffers: Sum; rowsRead: Sum }
export type Header = ReturnType<typeof headerOf>

/** A sum of products. A factor is a number, a parameter (of an array, its length), or "rows": see Facts. */
type Sum = (string | number)[][]

export function headerOf(text: string) {
  const lines = text.split('\n')
  const end = lines.findIndex((line) => !line.startsWith('--'))
  const head = lines.slice(0, end)
  const entry = (label: string) => head.find((line) => line.startsWith(`-- ${label}: `))?.slice(`-- ${label}: `.length)
  return {
    parameters: head.flatMap((line) => {
      const [, name, type] = /^-- {3}\$\d+ (\w+) +(\S+)/.exec(line) ?? []
      return name !== undefined && type !== undefined ? [{ name, type }] : []
    }),
    indexes: entry('index')?.split(', ') ?? [],
    /** Tables that the statement reads from end to end, however large. */
    readsAll: entry('reads all of')?.split(', ') ?? [],
    /** The header limits the cost of an everyday question, and of the most expensive one if that costs more. */
    budget: budgetOf(entry('budget')),
    worst: budgetOf(entry('at worst')),
    /** Values for the parameters, as `execute` takes them. */
    example: entry('example'),
    /** Both budgets, as the header has them. */
    allowed: entry('at worst') === undefined ? entry('budget') : `${entry('budget')}; at worst ${entry('at worst')}`,
  }
}

function budgetOf(line: string | undefined): Budget | undefined {
  if (line === undefined) return undefined
  const [, buffers, rowsRead] = /^buffers <= ([\w .+*]+), rows read <= ([\w .+*]+)$/.exec(line) ?? []
  if (buffers === undefined || rowsRead === undefined) {
    throw new Error(`"buffers <= 2 + 5 * ids, rows read <= ids" is the form of a budget, not "${line}".`)
  }
  return { buffers: sumOf(buffers), rowsRead: sumOf(rowsRead) }
}

const sumOf = (text: string): Sum =>
  text.split(' + ').map((product) => product.split(' * ').map((part) => (/^\d/.test(part) ? Number(part) : part)))

export function sumValue(sum: Sum, { parameters }: Header, args: readonly unknown[], rows: number): number {
  const part = (name: string | number): number => {
    if (typeof name === 'number') return name
    if (name === 'rows') return rows
    const given = args[parameters.findIndex((parameter) => parameter.name === name)]
    const size = Array.isArray(given) ? given.length : given
    if (typeof size !== 'number' || Number.isNaN(size)) throw new Error(`A budget cannot be counted in "${name}".`)
    return size
  }
  return sum.reduce((total, product) => total + product.reduce((value: number, name) => value * part(name), 1), 0)
}
