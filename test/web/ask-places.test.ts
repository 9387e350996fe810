import assert from 'node:assert/strict'
import { license } from '../../src/core/access/licences.js'
import { signIn, type Visitor } from '../support/browse.js'
import { newOrganisation, service } from '../support/service.js'
import { cellsOf, leadOf } from './pages.js'
import { statementsBehind } from './shown-sql.js'

const PEOPLE = 'how many people live here'
const SHOPS = 'how many shops are there'

describe('the places of the page /app/ask', function () {
  this.timeout(60_000)
  let orgId: string
  let member: Visitor

  before(async () => {
    orgId = await newOrganisation(service().db)
    await license(service().db.run, 'lyr_market', orgId, 2)
    member = await signIn(service().url, service().db, { orgId, role: 'member' })
  })

  it('answers for a unit of more frames from its totals, and says what they do not answer', async () => {
    const [sum] = await service().db.rows<{ people: string; frames: string }>(
      `select trim_scale(sum((recorded->>'pop_demest26')::numeric))::text as people, count(*)::text as frames
       from baseline_row join dataset using (version) join frame using (frame_id)
       where layer_id = 'lyr_population' and state = 'MAREMBE'`,
      [],
    )
    const grouped = (text = '') => Number(text).toLocaleString('en-US', { maximumFractionDigits: 20 })
    const ask = async (question: string, unit = 'state=marembe') =>
      (await member.get(`/app/ask?${unit}&question=${encodeURIComponent(question)}`)).text
    for (const question of [PEOPLE, 'population in Marembe']) {
      const page = await ask(question)
      assert.ok(leadOf(page).includes(`total: ${grouped(sum?.people)} people`), leadOf(page))
      assert.match(cellsOf(page, 'Figures')[0]?.join() ?? '', /^Population, 2026 estimate, total/)
      assert.ok((await statementsBehind(member, page)).includes('totals_of_unit'))
    }
    assert.match(leadOf(await ask('how many schools are there')), /^Schools: \d/)
    assert.match(leadOf(await ask('')), /^Profile of [\d,]+ frames\.$/)
    // test/insight/units.test.ts has more questions of either kind.
    assert.match(leadOf(await ask(SHOPS)), /Markets and shops&quot; costs 2 credits a call/)
    const ranking = await ask('which LGA has the most people')
    assert.match(leadOf(ranking), /by LGA, highest: /)
    assert.equal(ranking.match(/<svg class="share"/g)?.length, 5)
    assert.ok((await statementsBehind(member, ranking)).includes('totals_of_parts'))
    const priced = await ask('')
    assert.match(
      priced,
      /Not read, as they cost credits: [^<]*Markets and shops, 2 credits a call\. A price buys a call of at most 50 frames/,
    )
    assert.ok(!cellsOf(priced, 'Figures').some((cells) => cells.includes('Markets and shops')))
    const entries = await service().db.rows<object>('select from credit_entry where org_id = $1::text', [orgId])
    assert.equal(entries.length, 0)
    const long = await member.get(`/app/ask?state=marembe&question=${'x'.repeat(1001)}`)
    assert.equal(long.status, 422)
    assert.match(long.text, /<title>Error: Ask/)
  })
})
