import assert from 'node:assert/strict'
import { license } from '../../src/core/access/licences.js'
import { signIn, type Visitor } from '../support/browse.js'
import { newOrganisation, service } from '../support/service.js'
import { cellsOf, leadOf } from './pages.js'
import { linkedStatements } from './shown-sql.js'

const FRAMES = ['322074005', '322074006']
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

  it('refuses more frames than a call takes, and says so', async () => {
    const many = Array.from({ length: 51 }, (_, i) => String(322074005 + i)).join()
    for (const query of [`frames=${many}`, 'state=marembe&lga=nowhere&ward=at+all']) {
      const { status, text } = await member.get(`/app/ask?${query}&question=${encodeURIComponent(PEOPLE)}`)
      assert.equal(status, 200)
      assert.match(text, /A question takes at most 50 frames|The index has no unit of this name/, query)
      assert.equal(leadOf(text), '')
    }
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
      assert.equal(cellsOf(page, 'Figures').length, 1)
      assert.ok(linkedStatements(page).includes('totals_of_unit'))
    }
    assert.match(leadOf(await ask('how many schools are there')), /^Schools: \d/)
    assert.match(leadOf(await ask('')), /^Totals of [\d,]+ frames\.$/)
    // test/insight/units.test.ts has more questions of either kind.
    for (const question of ['how many people live in frames with a school', SHOPS])
      assert.match(leadOf(await ask(question)), /^Not answered\. /, question)
    assert.doesNotMatch(leadOf(await ask('which LGA has the most people')), /^Not answered|^Answered in part/)
    assert.ok(linkedStatements(await ask('density of people')).some((name) => name.endsWith('area_of_unit')))
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
  })

  it('asks about the frames of a unit or a box where they are few, and reads places as the API does', async () => {
    const box = await member.get(`/app/ask?box=0.2,0.1,0.215,0.105&question=${encodeURIComponent(PEOPLE)}`)
    assert.match(leadOf(box.text), /\(\d frames? asked\)/)
    assert.match((await member.get('/app/ask?box=50,50,51,51')).text, /No frame of the index lies here/)
    assert.match((await member.get('/app/ask')).text, /\/app\/ask\?state=MAREMBE"/)
    // test/web/map-forms.test.ts has the other faults of places.
    const { status, text } = await member.get(`/app/ask?box=1,2,3&question=${encodeURIComponent(PEOPLE)}`)
    assert.equal(status, 400)
    assert.match(text, /The box of this address cannot be read\. It has four numbers: west, south, east, north\./)
    assert.ok(text.includes(`value="${PEOPLE}"`) && text.includes('name="frames"'))
    assert.ok((await member.get('/app/ask?frames=abc')).text.includes('value="abc"'))
    const unknown = await member.get('/app/ask?state=marembe&lga=nowhere')
    assert.match(unknown.text, /The index has no unit of this name: nowhere, marembe\./)
    const whole = await member.get(`/app/ask?question=${encodeURIComponent('which state has the most people')}`)
    assert.match(leadOf(whole.text), /^Population, 2026 estimate, total by state, highest: [\d,]+ people in MAREMBE\.$/)
    const small = await member.get(`/app/ask?frames=${FRAMES.join()}`)
    assert.doesNotMatch(small.text, /none were asked for/)
    assert.match(small.text, /Answers come as figures here: no engine for words is configured\./)
    const long = await member.get(`/app/ask?frames=${FRAMES.join()}&question=${'x'.repeat(1001)}`)
    assert.equal(long.status, 422)
    assert.match(long.text, /1001 characters given, at most 1,000/)
  })
})
