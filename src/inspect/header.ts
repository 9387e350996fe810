/** What the head of a file of sql/ says: its parameters, the indexes it stands on, and what it may cost. */

type Parameter = { name: string; type: string }
export type Budget = { buffers: Sum; rowsRead: Sum }
export type Header = {
  parameters: Parameter[]
  indexes: string[]
  /** Tables that it reads from end to end, however large. */
  readsAll: string[]
  /** What it costs as a rule, and the most it costs where that is more. */
  budget: Budget | undefined
  worst: Budget | undefined
  /** Both, as they are written. */
  allowed: string | undefined
}

/** A sum of products: of numbers, lengths of array parameters, whole-number parameters, and "rows", the rows that come out. */
type Sum = (string | number)[][]

export function headerOf(text: string): Header {
  const lines = text.split('\n')
  const end = lines.findIndex((line) => !line.startsWith('--'))
  const head = lines.slice(0, end)
  const told = (label: string) => head.find((line) => line.startsWith(`-- ${label}: `))?.slice(`-- ${label}: `.length)
  return {
    parameters: head.flatMap((line) => {
      const [, name, type] = /^-- {3}\$\d+ (\w+) +(\S+)/.exec(line) ?? []
      return name !== undefined && type !== undefined ? [{ name, type }] : []
    }),
    indexes: told('index')?.split(', ') ?? [],
    readsAll: told('reads all of')?.split(', ') ?? [],
    budget: budgetOf(told('budget')),
    worst: budgetOf(told('at worst')),
    allowed: told('at worst') === undefined ? told('budget') : `${told('budget')}; at worst ${told('at worst')}`,
  }
}

function budgetOf(told: string | undefined): Budget | undefined {
  if (told === undefined) return undefined
  const [, buffers, rowsRead] = /^buffers <= ([\w .+*]+), rows read <= ([\w .+*]+)$/.exec(told) ?? []
  if (buffers === undefined || rowsRead === undefined) {
    throw new Error(`"buffers <= 2 + 5 * ids, rows read <= ids" is the form of a budget, not "${told}".`)
  }
  return { buffers: sumOf(buffers), rowsRead: sumOf(rowsRead) }
}

const sumOf = (text: string): Sum =>
  text.split(' + ').map((product) => product.split(' * ').map((part) => (/^\d/.test(part) ? Number(part) : part)))

/** What a sum comes to for these arguments and rows. */
export function valueOf(sum: Sum, { parameters }: Header, args: readonly unknown[], rows: number): number {
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
