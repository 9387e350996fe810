/** Makes the reads of one answer: PostgreSQL gets a statement with the same values once. */
import type { AttributeEntry, DatasetRow, Reader, Statement } from '../db/index.js'
import { attributesOfDatasets } from '../db/statements.js'
import { invalid } from '../errors.js'

/** A statement with its values, for people who run it themselves. */
export type SentStatement = { name: string; args: readonly unknown[] }

type Rows = <Args extends readonly unknown[], Row>(statement: Statement<Args, Row>, ...args: Args) => Promise<Row[]>

export type Reads = {
  rows: Rows
  datasets: readonly DatasetRow[]
  datasetOf(layerId: string): DatasetRow | undefined
  attributeOf(layerId: string, name: string): Promise<AttributeEntry | undefined>
  /** In the order in which they were sent. */
  sent: () => SentStatement[]
}

export function readsOf(reader: Reader, datasets: readonly DatasetRow[]): Reads {
  const made = new Map<string, Promise<unknown[]>>()
  return readsThrough(datasets, (statement, ...args) => {
    const key = readKey(statement.name, args)
    const known = made.get(key) as ReturnType<typeof statement> | undefined
    const promise = known ?? statement(reader, ...args).catch(refusedOrBroken)
    made.set(key, promise)
    return promise
  })
}

/** SQL refuses a figure that is wrong, or that would take too long, by this code: its sentence says what is accepted. */
const REFUSED = '22023'
function refusedOrBroken(error: unknown): never {
  const { code, message } = error as { code?: string; message: string }
  throw code === REFUSED ? invalid(message) : error
}

/** The same reads, whose `sent` are those of one figure. */
export const readsOfFigure = ({ rows, datasets }: Reads): Reads => readsThrough(datasets, rows)

const readKey = (name: string, args: readonly unknown[]) => JSON.stringify([name, args])

function readsThrough(datasets: readonly DatasetRow[], send: Rows): Reads {
  const sent = new Map<string, SentStatement>()
  const rows: Rows = (statement, ...args) => {
    sent.set(readKey(statement.name, args), { name: statement.name, args })
    return send(statement, ...args)
  }
  const layers = datasets.map(({ layerId }) => layerId)
  return {
    rows,
    datasets,
    sent: () => [...sent.values()],
    datasetOf: (layerId) => datasets.find((dataset) => dataset.layerId === layerId),
    async attributeOf(layerId, name) {
      const entries = await rows(attributesOfDatasets, layers)
      return entries.find((entry) => layers[entry.layer - 1] === layerId && entry.name === name)
    },
  }
}
