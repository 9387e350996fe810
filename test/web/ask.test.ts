import assert from 'node:assert/strict'
import { license } from '../../src/core/access/licences.js'
import { ledgerFaults } from '../../src/core/db/statements.js'
import { visit, type Visitor } from '../support/browse.js'
import { service, startService } from '../support/service.js'
import { insightOf } from '../insight/ask.js'
import { idIn, planOfRow } from '../insight/plans.js'
import { organisation, serving, type Organisation } from './organisation.js'
import { cellsOf, formOf, leadOf, needed, READ, unescaped, WORD, type Form } from './pages.js'

/** These frames record shops and people. */
const FRAMES = ['322074005', '322074006']
const SHOPS = 'how many shops are there'
const PEOPLE = 'how many people live here'
const SWAHILI = 'Watu wangapi wanaishi hapa?'
const PRICE = 2

describe('the page /app/ask', function () {
  this.timeout(60_000)
  const running = serving()
  let org: Organisation
  let member: Visitor
  beforeEach(async () => {
    org = await organisation(running)
    await license(service().db.run, 'lyr_market', org.orgId, PRICE)
    member = await org.enter('Ada', 'member')
  })
  afterEach(async () => assert.deepEqual([...(await ledgerFaults(service().db))], []))

  const open = async (question: string) => {
    const query = new URLSearchParams({ frames: FRAMES.join(), ...(question !== '' && { question }) })
    const { status, text } = await member.get(`/app/ask?${query.toString()}`)
    assert.equal(status, 200, text)
    return text
  }
  const send = async (form: Form | undefined, visitor = member) => {
    const answer = await visitor.post('/app/ask', needed(form))
    return { status: answer.status, page: answer.text }
  }
  const read = async () => await send(formOf(await open(SHOPS), READ))
  const entries = () =>
    org.rows<{ kind: string; ref: string; keyId: string; credits: number }>(
      `select kind, ref, key_id as "keyId", credits::int as credits from credit_entry
       where org_id = $1::text and kind <> 'top_up' order by entry_id`,
    )
  const wordedUse = async () => {
    const [row] = await org.rows<{ used: number }>(
      'select coalesce(sum(by_allowance + by_credits), 0)::int as used from worded_use where org_id = $1::text',
    )
    return row?.used
  }
  /** The balance, the number of charges, and the worded answers. */
  const spent = async () => [await org.balance(), (await entries()).length, await wordedUse()]
  const showsShops = (page: string) => cellsOf(page, 'Figures').some((cells) => /shops/i.test(cells.join()))

  it('answers as the insight call does, with the source of each figure', async () => {
    const key = await org.key()
    running.wording.behavePlanning(({ body }) => ({
      text: JSON.stringify(
        planOfRow(SWAHILI, { figures: [{ measure: 'Population, 2026 estimate' }] }, (name) => idIn(body, name)),
      ),
    }))
    const [slip, cloud] = [/>Read as the line says</, />Not answered, or not all of it</]
    for (const [question, said] of [
      [PEOPLE, /^/],
      ['what is the mean elevation, and how many schools are there', /^/],
      ['how many poeple live here', slip],
      ['how many clouds', cloud],
      [SWAHILI, slip],
      ['', /^/],
    ] as const) {
      const page = await open(question)
      const body = { frameIds: FRAMES, format: 'figures', ...(question !== '' && { question }) }
      const answer = await insightOf({ url: running.url, secret: key.secret }, body)
      if (question !== '') assert.equal(leadOf(page), answer.headline)
      assert.match(page, said)
      assert.equal(slip.test(page) || cloud.test(page), answer.confidence !== 'exact')
      assert.equal(page.includes('Other figures ('), answer.confidence === 'nearest')
      assert.deepEqual(
        cellsOf(page, 'Figures').map((cells) => cells.slice(0, 3).map(unescaped)),
        answer.facets.map(({ label, value }, i) => [label, value, answer.sources[i]?.dataset ?? '']),
      )
      const links = answer.followUps.map((followUp) => new URLSearchParams({ question: followUp }).toString())
      for (const part of [...links, `/app/map?frames=${FRAMES.join()}`, 'Show the SQL', 'Show the plan', 'curl'])
        assert.ok(page.includes(part), part)
    }
    assert.deepEqual(await spent(), [0, 0, 0])
  })

  it('charges nothing and asks for no words, and names a dataset that costs with its price', async () => {
    await org.buys(50)
    const page = await open(SHOPS)
    assert.match(leadOf(page), / is left out: it costs credits\./)
    assert.ok(formOf(page, READ))
    assert.deepEqual(await spent(), [50, 0, 0])
    assert.equal(showsShops(page), false)
  })

  it('reads a dataset for its price after a yes, once for each form', async () => {
    await org.buys(5)
    const form = formOf(await open(SHOPS), READ)
    const first = await send(form)
    assert.equal(first.status, 200, first.page)
    assert.match(leadOf(first.page), /^These frames have [\d,]+ shops in total/)
    assert.match(first.page, /2 credits\. The\s+same form sent again costs nothing/)
    for (const { page } of await Promise.all([send(form), send(form), send(form)]))
      assert.equal(leadOf(page), leadOf(first.page))
    assert.deepEqual(
      [...(await entries())],
      [{ kind: 'dataset', ref: 'lyr_market', keyId: await org.idOf(), credits: -PRICE }],
    )
    assert.equal(await org.balance(), 3)
    const credits = (await (await org.enter('Olu')).get('/app/credits')).text
    assert.match(cellsOf(credits, 'Credits by key').join(), /^Ada in the app,1,2,/)
    const statement = await org.rows(
      `select key_name as "keyName", person from credit_statement where org_id = $1::text and kind = 'dataset'`,
    )
    assert.deepEqual([...statement], [{ keyName: null, person: 'Ada' }])
    assert.match(leadOf((await read()).page), /^These frames have [\d,]+ shops in total/)
    assert.equal(await org.balance(), 1)
  })

  it('is refused without credits, and shows nothing of the dataset', async () => {
    await org.buys(PRICE - 1)
    const { page } = await read()
    assert.match(leadOf(page), /the credits do not cover its price/)
    assert.match(page, /The credits do not cover it/)
    assert.equal(formOf(page, READ), undefined)
    assert.equal(showsShops(page), false)
    assert.deepEqual(await spent(), [PRICE - 1, 0, 0])
  })

  it('takes a form for its own question, frames and session alone', async () => {
    await org.buys(50)
    const form = needed(formOf(await open(SHOPS), READ))
    await send(form)
    const { request = '' } = form
    const changes: Form[] = [
      { frames: '322074007' },
      { question: 'how many households are there' },
      { request: request.replace(/^./, 'z') },
      { request: request.replace(/\.\d+\./, `.${Date.now() + 1}.`) },
      { request: '' },
      { frames: Array.from({ length: 51 }, (_, i) => i + 1).join() },
    ]
    for (const change of changes) assert.equal((await send({ ...form, ...change })).status, 400, JSON.stringify(change))
    assert.equal((await send(form, await org.enter('Olu'))).status, 400)
    assert.equal(await org.balance(), 48)
  })

  it('does not answer a form again whose charge was given back', async () => {
    await org.buys(50)
    const form = needed(formOf(await open(SHOPS), READ))
    await send(form)
    await org.rows(
      `with marked as (insert into voided_call (org_id, request_id) values ($1::text, $2::text) returning request_id)
       insert into credit_entry (org_id, request_id, kind, ref, credits) select $1::text, request_id, 'refund', 'lyr_market', 2 from marked`,
      form['request']?.split('.')[0],
    )
    const { status, page } = await send(form)
    assert.equal(status, 500)
    assert.ok(!/shops, total/i.test(page))
    assert.equal(await org.balance(), 50)
  })

  it('puts an answer into words after a yes, marks them as words, and counts them once', async () => {
    const form = formOf(await open(PEOPLE), WORD)
    const asked = running.wording.requests.length
    const { page } = await send(form)
    assert.match(page, /Worded by claude-of-the-tests/)
    assert.match(page, /A model chose these sentences/)
    const [, anchor = '', title = ''] = /class="said" href="#(figure-\d+)" title="([^"]+)"/.exec(page) ?? []
    assert.ok(page.includes(`id="${anchor}">${title.split(': ')[0]}<`), `${anchor}: ${title}`)
    assert.match((await send(form)).page, /Worded by claude-of-the-tests/)
    // Another process has not kept the answer.
    const other = await startService(service().database, { publicUrl: running.url, wordingUrl: running.wording.url })
    const elsewhere = visit(other.url)
    for (const [name, value] of member.cookies) elsewhere.cookies.set(name, value)
    assert.match((await elsewhere.post('/app/ask', needed(form))).text, /this form was put into words before/)
    await other.stop()
    assert.equal(running.wording.requests.length, asked + 1)
    assert.deepEqual(await spent(), [0, 0, 1])
  })

  it('puts an answer about a unit or a shape of many frames into words by the same form', async () => {
    const { text } = await member.get('/app/ask?state=marembe&question=which+LGA+has+the+most+people')
    const { page } = await send(formOf(text, WORD))
    assert.match(page, /Worded by claude-of-the-tests/)
    assert.match(page, /class="said" href="#figure-1"[^>]*>[^<]*most people/)
    assert.equal(await wordedUse(), 1)
    const shape = 'POLYGON((-0.5 -0.5,0.5 -0.5,0.5 0.5,-0.5 -0.5))'
    const drawn = await member.get(`/app/ask?${new URLSearchParams({ shape, question: PEOPLE }).toString()}`)
    assert.match((await send(formOf(drawn.text, WORD))).page, /Worded by claude-of-the-tests/)
    assert.equal(await wordedUse(), 2)
  })

  it('words an answer that was paid for without a second charge', async () => {
    await org.buys(50)
    const { page } = await send(formOf((await read()).page, WORD))
    assert.match(leadOf(page), /^These frames have [\d,]+ shops in total/)
    assert.match(page, /Worded by/)
    assert.deepEqual(await spent(), [48, 1, 1])
    assert.match(leadOf((await send(formOf(await open(SHOPS), WORD))).page), /it costs credits/)
    assert.equal(await org.balance(), 48)
  })
})
