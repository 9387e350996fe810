/**
 * An export with values keeps each frame with its records as a line of FILE.part until the end: the columns are those
 * of all records, and no call lists them.
 */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Feature } from './pages.js'
import type { FrameValues } from './values.js'

export type RowWithValues = { feature: Feature; values: FrameValues }

/** It begins as a feature does, so that a run that resumes finds its id. */
export const rowLine = (feature: Feature, values: FrameValues): string => `${JSON.stringify({ ...feature, values })}\n`

export async function* rowsOf(part: string): AsyncGenerator<RowWithValues> {
  for await (const line of createInterface({ input: createReadStream(part), crlfDelay: Infinity })) {
    const { values = [], ...feature } = JSON.parse(line) as Feature & { values?: FrameValues }
    yield { feature, values }
  }
}

const BYTES_AT_ONCE = 1 << 20

/** Writes a new file, a mebibyte at a time. */
export async function writeLines(file: string, lines: AsyncIterable<string>): Promise<void> {
  const out = await open(file, 'w')
  try {
    let text = ''
    for await (const line of lines) {
      text += line
      if (text.length < BYTES_AT_ONCE) continue
      await out.writeFile(text)
      text = ''
    }
    await out.writeFile(text)
  } finally {
    await out.close()
  }
}
