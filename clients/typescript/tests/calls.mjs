/** Makes the calls of a table (test/clients/calls.jsonl), and prints what the client answers, a line for each. */
import { readFileSync } from 'node:fs'
import { Client, FramesError } from '../dist/client.js'

for (const line of readFileSync(process.argv[2], 'utf8').trim().split('\n')) {
  const row = JSON.parse(line)
  const client = new Client(row.url, row.key, { maxWait: 2 })
  try {
    const ids = []
    if (row.frames) for await (const { id } of client.frames(row.frames)) ids.push(id)
    const answer = row.frames
      ? ids
      : row.get
        ? await client.get(row.get, row.given)
        : await client.tool(row.tool, row.given)
    process.stdout.write(`${JSON.stringify({ answer })}\n`)
  } catch (error) {
    if (!(error instanceof FramesError)) throw error
    process.stdout.write(`${JSON.stringify({ error: error.code, status: error.status })}\n`)
  }
}
