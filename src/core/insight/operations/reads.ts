/** Makes the reads of one call: PostgreSQL gets a statement with the same values once. */
import type { Reader } from '../../db/replicas/reader.js'
import type { Statement } from '../../db/statement.js'
import { attributesOfDatasets, type AttributeEntry, type DatasetRow } from '../../db/statements.js'

export type Reads = {
  rows<Args extends readonly unknown[], Row>(statement: Statement<Args, Row>, ...args: Args): Promise<Row[]>
  datasetOf(layerId: string): DatasetRow | undefined
  attributeOf(layerId: string, name: string): Promise<AttributeEntry | undefined>
}

export function readsOf(reader: Reader, datasets: readonly DatasetRow[]): Reads {
  const sent = new Map<string, Promise<unknown[]>>()
  const rows: Reads['rows'] = <Args extends readonly unknown[], Row>(
    statement: Statement<Args, Row>,
    ...args: Args
  ): Promise<Row[]> => {
    const key = JSON.stringify([statement.name, args])
    const known = sent.get(key) as Promise<Row[]> | undefined
    if (known) return known
    const promise = statement(reader, ...args)
    sent.set(key, promise)
    return promise
  }
  return {
    rows,
    datasetOf: (layerId) => datasets.find((dataset) => dataset.layerId === layerId),
    async attributeOf(layerId, name) {
      const entries = await rows(attributesOfDatasets, [layerId])
      return entries.find((entry) => entry.name === name)
    },
  }
}
