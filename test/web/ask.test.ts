import assert from 'node:assert/strict'
import { license } from '../../src/core/access/licences.js'
import { ledgerFaults } from '../../src/core/db/statements.js'
import { signIn, visit, type Visitor } from '../support/browse.js'
import { balanceOf, credit } from '../support/datasets.js'
import { mint, newOrganisation, service, startService, type Service } from '../support/service.js'
import { startWordingServer, type WordingServer } from '../support/wording-server.js'
import { insightOf } from '../insight/ask.js'
import { cellsOf, leadOf } from './pages.js'
import { formOf, needed, READ, WORD, type Form } from './spending-forms.js'

/** These frames record shops and people. */
const FRAMES = ['322074005', '322074006']
const SHOPS = 'how many shops are there'
const PEOPLE = 'how many people live here'
const PRICE = 2

const unescaped = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')

describe('the page /app/ask', function () {
  this.timeout(60_000)
  let wording: WordingServer
  let running: Service & { stop: () => Promise<void> }
  let orgId: string
  let member: Visitor

  before(async () => {
    wording = await startWordingServer()
    running = await startService(service().database, { publicUrl: 'listening', wordingUrl: wording.url })
  })
  after(async () => {
    await running.stop()
    await wording.close()
  })
  beforeEach(async () => {
    orgId = await newOrganisation(service().db)
    await license(service().db.run, 'lyr_market', orgId, PRICE)
    member = await signIn(running.url, service().db, { orgId, role: 'member' })
  })
  afterEach(async () => assert.deepEqual([...(await ledgerFaults(service().db))], []))

  const open = async (question: string, visitor = member, frames = FRAMES.join()) => {
    const query = new URLSearchParams({ frames, ...(question !== '' && { question }) })
    const { status, text } = await visitor.get(`/app/ask?${query.toString()}`)
    assert.equal(status, 200, text)
    return text
  }
  const send = async (form: Form | undefined, visitor = member) => {
    const answer = await visitor.post('/app/ask', needed(form))
    return { status: answer.status, page: answer.text }
  }
  const entries = async () => [
    ...(await service().db.rows<{ kind: string; ref: string; keyId: string; credits: string }>(
      `select kind, ref, key_id as "keyId", credits from credit_entry where org_id = $1::text and kind <> 'top_up' order by entry_id`,
      [orgId],
    )),
  ]
  const wordedUse = async () =>
    (
      await service().db.rows<{ used: number }>(
        'select coalesce(sum(by_allowance + by_credits), 0)::int as used from worded_use where org_id = $1::text',
        [orgId],
      )
    )[0]?.used

  it('names the ids that the index does not know, and asks about the others', async () => {
    const some = await open(PEOPLE, member, `${FRAMES.join()},999,007`)
    assert.match(some, /About 2 frames\.[\s\S]*The index has no frames 999, 007\./)
    assert.match(leadOf(some), /2 frames/)
    assert.match(some, /name="frames" value="322074005,322074006"/)
    const none = await open(PEOPLE, member, '998,999')
    assert.match(none, /About 0 frames\.[\s\S]*The index has no frames 998, 999\./)
    assert.doesNotMatch(none, /id="answer"/)
  })

  it('answers as the insight call does, with the source of each figure', async () => {
    const key = await mint(service().db, { org: orgId })
    const [slip, cloud] = [/>Read as the line says</, />Not answered, or not all of it</]
    for (const [question, said] of [
      [PEOPLE, /^/],
      ['what is the mean elevation, and how many schools are there', /^/],
      ['how many poeple live here', slip],
      ['how many clouds', cloud],
      ['', /^/],
    ] as const) {
      const page = await open(question)
      const body = { frameIds: FRAMES, format: 'figures', ...(question !== '' && { question }) }
      const answer = await insightOf({ url: running.url, secret: key.secret }, body)
      if (question !== '') assert.equal(unescaped(leadOf(page)), answer.headline)
      assert.match(page, said)
      assert.equal(slip.test(page) || cloud.test(page), answer.confidence !== 'exact')
      assert.equal(page.includes('Other figures ('), answer.confidence === 'nearest')
      const figures = cellsOf(page, 'Figures')
      assert.deepEqual(
        figures.map(([label, value, dataset]) => [label, value, dataset].map((cell) => unescaped(cell ?? ''))),
        answer.facets.map(({ label, value }, i) => [label, value, answer.sources[i]?.dataset ?? '']),
      )
      for (const followUp of answer.followUps)
        assert.ok(page.includes(new URLSearchParams({ question: followUp }).toString()), followUp)
      assert.ok(page.includes(`/app/map?frames=${FRAMES.join()}`))
      assert.ok(page.includes('Show the SQL') && page.includes('Show the plan') && page.includes('curl'))
    }
    assert.deepEqual(await entries(), [])
  })

  it('charges nothing and asks for no words, and names a dataset that costs with its price', async () => {
    await credit(service().db, orgId, 50)
    const page = await open(SHOPS)
    assert.match(leadOf(page), / is left out: it costs credits\./)
    assert.match(page, /<code>lyr_market<\/code>, 2 credits/)
    assert.ok(formOf(page, READ))
    assert.deepEqual([await entries(), await balanceOf(service().db, orgId), await wordedUse()], [[], 50, 0])
    assert.equal(cellsOf(page, 'Figures').filter((cells) => /shops/i.test(cells.join())).length, 0)
    assert.equal(formOf(await open(PEOPLE), READ), undefined)
  })

  it('reads a dataset for its price after a yes, once for each form', async () => {
    await credit(service().db, orgId, 5)
    const form = formOf(await open(SHOPS), READ)
    const first = await send(form)
    assert.equal(first.status, 200, first.page)
    assert.match(leadOf(first.page), /^Shops, total: \d/)
    assert.match(first.page, /2 credits\. The\s+same form sent again costs nothing/)
    const again = await Promise.all([send(form), send(form), send(form)])
    for (const { page } of again) assert.equal(leadOf(page), leadOf(first.page))
    const [entry, ...others] = await entries()
    assert.deepEqual(others, [])
    assert.match(entry?.keyId ?? '', /^per_/)
    assert.deepEqual([entry?.kind, entry?.ref, Number(entry?.credits)], ['dataset', 'lyr_market', -PRICE])
    assert.equal(await balanceOf(service().db, orgId), 3)
    const owner = await signIn(running.url, service().db, { orgId, role: 'owner' })
    const credits = (await owner.get('/app/credits')).text
    assert.match(cellsOf(credits, 'Credits by key').join(), /^Ada in the app,1,2,/)
    const statement = await service().db.rows<{ keyName: string | null; person: string | null }>(
      `select key_name as "keyName", person from credit_statement where org_id = $1::text and kind = 'dataset'`,
      [orgId],
    )
    assert.deepEqual([...statement], [{ keyName: null, person: 'Ada' }])
    const second = await send(formOf(await open(SHOPS), READ))
    assert.match(leadOf(second.page), /^Shops, total: \d/)
    assert.equal(await balanceOf(service().db, orgId), 1)
  })

  it('is refused without credits, and shows nothing of the dataset', async () => {
    await credit(service().db, orgId, PRICE - 1)
    const { page } = await send(formOf(await open(SHOPS), READ))
    assert.match(leadOf(page), /the credits do not cover its price/)
    assert.match(page, /The credits do not cover it/)
    assert.equal(formOf(page, READ), undefined)
    assert.equal(cellsOf(page, 'Figures').filter((cells) => /shops/i.test(cells.join())).length, 0)
    assert.deepEqual([await entries(), await balanceOf(service().db, orgId)], [[], PRICE - 1])
  })

  it('takes a form for its own question, frames and session alone', async () => {
    await credit(service().db, orgId, 50)
    const form = needed(formOf(await open(SHOPS), READ))
    await send(form)
    const colleague = await signIn(running.url, service().db, { orgId, role: 'owner' })
    const changed: [Form, Visitor][] = [
      [{ ...form, frames: '322074007' }, member],
      [{ ...form, question: 'how many households are there' }, member],
      [{ ...form, request: form['request']?.replace(/^./, 'z') ?? '' }, member],
      [{ ...form, request: form['request']?.replace(/\.\d+\./, `.${Date.now() + 1}.`) ?? '' }, member],
      [{ ...form, request: '' }, member],
      [{ ...form, frames: Array.from({ length: 51 }, (_, i) => i + 1).join() }, member],
      [form, colleague],
    ]
    for (const [each, visitor] of changed) assert.equal((await send(each, visitor)).status, 400, JSON.stringify(each))
    assert.equal(await balanceOf(service().db, orgId), 48)
  })

  it('does not answer a form again whose charge was given back', async () => {
    await credit(service().db, orgId, 50)
    const form = needed(formOf(await open(SHOPS), READ))
    await send(form)
    await service().db.rows(
      `with marked as (insert into voided_call (org_id, request_id) values ($1::text, $2::text) returning request_id)
       insert into credit_entry (org_id, request_id, kind, ref, credits) select $1::text, request_id, 'refund', 'lyr_market', 2 from marked`,
      [orgId, form['request']?.split('.')[0]],
    )
    const { status, page } = await send(form)
    assert.equal(status, 500)
    assert.ok(!/shops, total/i.test(page))
    assert.equal(await balanceOf(service().db, orgId), 50)
  })

  it('puts an answer into words after a yes, marks them as words, and counts them once', async () => {
    const form = formOf(await open(PEOPLE), WORD)
    const asked = wording.requests.length
    const { page } = await send(form)
    assert.match(page, /Worded by claude-of-the-tests/)
    assert.match(page, /A model chose these sentences/)
    const [, anchor = '', title = ''] = /class="said" href="#(figure-\d+)" title="([^"]+)"/.exec(page) ?? []
    assert.ok(page.includes(`id="${anchor}">${title.split(': ')[0]}<`), `${anchor}: ${title}`)
    assert.equal(wording.requests.length, asked + 1)
    assert.equal(await wordedUse(), 1)
    const again = await send(form)
    assert.match(again.page, /Worded by claude-of-the-tests/)
    assert.equal(wording.requests.length, asked + 1)
    // Another process has not kept the answer.
    const other = await startService(service().database, { publicUrl: running.url, wordingUrl: wording.url })
    const elsewhere = visit(other.url)
    for (const [name, value] of member.cookies) elsewhere.cookies.set(name, value)
    assert.match((await elsewhere.post('/app/ask', needed(form))).text, /this form was put into words before/)
    await other.stop()
    assert.equal(wording.requests.length, asked + 1)
    assert.equal(await wordedUse(), 1)
    assert.deepEqual(await entries(), [])
  })

  it('puts an answer about a unit of many frames into words by the same form', async () => {
    const { text } = await member.get('/app/ask?state=marembe&question=which+LGA+has+the+most+people')
    const { page } = await send(formOf(text, WORD))
    assert.match(page, /Worded by claude-of-the-tests/)
    assert.match(page, /class="said" href="#figure-1"[^>]*>(?:Of|By) [^<]* have the most people/)
    assert.equal(await wordedUse(), 1)
  })

  it('words an answer that was paid for without a second charge', async () => {
    await credit(service().db, orgId, 50)
    const paid = await send(formOf(await open(SHOPS), READ))
    const { page } = await send(formOf(paid.page, WORD))
    assert.match(leadOf(page), /^Shops, total: \d/)
    assert.match(page, /Worded by/)
    assert.deepEqual([await balanceOf(service().db, orgId), await wordedUse()], [48, 1])
    const free = await send(formOf(await open(SHOPS), WORD))
    assert.match(leadOf(free.page), /it costs credits/)
    assert.equal(await balanceOf(service().db, orgId), 48)
  })

  it('shows nothing that another organisation reads', async () => {
    const other = await signIn(running.url, service().db, { orgId: await newOrganisation(service().db) })
    const page = await open(SHOPS, other)
    assert.doesNotMatch(page, /lyr_market/)
    assert.equal(formOf(page, /./)?.['read'], undefined)
    const own = await open('', member)
    assert.match(own, /lyr_market/)
  })
})
