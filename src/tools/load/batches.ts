/** Sends the rows of a file to PostgreSQL in batches, while the file is still being read. */

/** Batches of 5,000 rows are no faster in PostgreSQL, and took Node twice as long to make. A row may have 40 KiB. */
const MOST_ROWS = 1500
const MOST_BYTES = 1 << 20

type Batches<Row> = {
  /** About the size of a row as it is sent. */
  bytesOf: (row: Row) => number
  send: (rows: Row[]) => Promise<unknown>
}

/** `rows` yields many at a time: one step of an async generator takes longer than reading a row. */
export async function sendInBatches<Row>(
  rows: AsyncIterable<readonly Row[]>,
  { bytesOf, send }: Batches<Row>,
): Promise<number> {
  let count = 0
  let bytes = 0
  let batch: Row[] = []
  let sending: Promise<unknown> = Promise.resolve()
  try {
    for await (const some of rows)
      for (const row of some) {
        batch.push(row)
        bytes += bytesOf(row)
        count += 1
        if (batch.length < MOST_ROWS && bytes < MOST_BYTES) continue
        await sending
        sending = send(batch)
        // The loop throws a failed send at its next `await sending`; until then Node must not report it as unhandled.
        sending.catch(() => {})
        batch = []
        bytes = 0
      }
  } finally {
    await Promise.allSettled([sending])
  }
  await sending
  if (batch.length > 0) await send(batch)
  return count
}

export async function* oneByOne<Row>(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  for await (const row of rows) yield [row]
}
