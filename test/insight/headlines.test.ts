/** Headlines as an office of statistics would publish them. `UPDATE=1` writes those of now into headlines.jsonl, to be read. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { findOrganisation } from '../../src/core/access/organisations.js'
import { projectFolder } from '../../src/core/db/statement.js'
import { callTool } from '../mcp/agent.js'
import { mint, service, type Minted } from '../support/service.js'
import type { Insight } from './ask.js'

/** `of`: the units that the question is about, as far as it is not about the country. */
type Row = { ask: string; of?: { state: string; lga?: string; ward?: string }; confidence: string; headline: string }

const file = new URL('test/insight/headlines.jsonl', projectFolder)
const rows = readFileSync(file, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line) as Row) // prettier-ignore

describe('a headline', function () {
  this.timeout(240_000)
  let key: Minted
  before(async () => {
    const { run } = service().db
    key = await mint(service().db, { org: (await findOrganisation(run, 'Rich Survey')).orgId })
  })

  it('is a sentence, and says what was read as what', async () => {
    const now: Row[] = []
    for (const { ask, of } of rows) {
      const given = { ...of, question: ask, format: 'figures' }
      const { structuredContent } = await callTool({ url: service().url, secret: key.secret }, 'ask', given)
      const { headline, confidence } = structuredContent as unknown as Insight
      now.push({ ask, ...(of && { of }), confidence, headline })
    }
    if (process.env['UPDATE'] === '1') writeFileSync(file, now.map((row) => `${JSON.stringify(row)}\n`).join(''))
    else assert.deepEqual(now, rows)
  })
})
