import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { figure, interval, summary } from '../../src/core/db/statements.js'
import { projectFolder } from '../../src/core/db/statement.js'
import { readsOf } from '../../src/core/figures/reads.js'
import { service } from '../support/service.js'

type Refused = { figure?: object; filter?: unknown; says: string }

const lines = readFileSync(new URL('test/figures/refused.jsonl', projectFolder), 'utf8').trimEnd().split('\n')
const refused = lines.map((line) => JSON.parse(line) as Refused)

describe('a figure that is wrong, or would take too long', () => {
  const refusal = (message: string) => ({ name: 'Error', status: 400, message })

  it('is refused in a sentence that says what came and what is accepted', async () => {
    const reads = readsOf(service().db, [])
    for (const { figure: asked, filter, says } of refused) {
      const json = JSON.stringify(asked ?? { of: { place: ['unit'], where: filter } })
      await assert.rejects(reads.rows(figure, json), refusal(says), json)
      if (asked) await assert.rejects(reads.rows(interval, json), refusal(says), json)
    }
  })

  it('is refused as a filter of analysts, as the place of it, and as a summary', async () => {
    const { db } = service().database
    const asked = 'select count(*) from analyst.frames_where($1::text[], $2::text::jsonb)'
    for (const { filter, says } of refused)
      if (filter !== undefined)
        await assert.rejects(db.rows(asked, [['unit'], JSON.stringify(filter)]), { message: says })
    await assert.rejects(db.rows(asked, [['state'], '{"all": []}']), /place: \["state"\] came, a place such as/)
    const measure = { place: ['unit'], subject: { of: 'lyr_population', name: 'pop' } }
    await assert.rejects(readsOf(db, []).rows(summary, JSON.stringify(measure)), /subject: .*"pop_demest26"/)
  })
})
