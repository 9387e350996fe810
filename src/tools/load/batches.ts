/** Sends the rows of a file to PostgreSQL in batches, while the file is still being read. */
import type { Progress } from './progress.js'

/** PostgreSQL takes in a batch of 5,000 rows in some 20 ms; larger ones are no faster. A row may have 40 KiB. */
const MOST_ROWS = 5000
const MOST_BYTES = 1 << 20
const ROWS_BETWEEN_MESSAGES = 50_000

type Batches<Row> = {
  /** About the size of a row as it is sent. */
  bytesOf: (row: Row) => number
  send: (rows: Row[]) => Promise<unknown>
  progress: Progress
  noun: string
}

export async function sendInBatches<Row>(
  rows: AsyncIterable<Row>,
  { bytesOf, send, progress, noun }: Batches<Row>,
): Promise<number> {
  let count = 0
  let bytes = 0
  let batch: Row[] = []
  for await (const row of rows) {
    batch.push(row)
    bytes += bytesOf(row)
    count += 1
    if (batch.length >= MOST_ROWS || bytes >= MOST_BYTES) {
      await send(batch)
      batch = []
      bytes = 0
    }
    if (count % ROWS_BETWEEN_MESSAGES === 0) progress(`reading: ${count} ${noun}`)
  }
  if (batch.length > 0) await send(batch)
  return count
}
