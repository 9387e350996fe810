import assert from 'node:assert/strict'
import type { Visitor } from '../support/browse.js'
import { organisation, type Organisation } from './organisation.js'
import { formOf, needed, READ } from './pages.js'

const QUESTION = '/app/ask?frames=322074005,322074006&question=how+many+shops+are+there'

describe('an owner who sets how many credits a day a member spends', () => {
  let org: Organisation
  let memberId: string
  let owner: Visitor
  let member: Visitor
  beforeEach(async () => {
    org = await organisation()
    await org.buys(50)
    owner = await org.enter('Ada')
    member = await org.enter('Musa', 'member')
    memberId = await org.idOf('Musa')
  })

  const limit = (credits: string) => owner.post(`/app/members/${memberId}/limit`, { credits })
  const ask = async (visitor = member) => (await visitor.get(QUESTION)).text
  const pay = async (visitor = member) =>
    (await visitor.post('/app/ask', needed(formOf(await ask(visitor), READ)))).text
  const PAID = /class="badge good">Paid</

  it('holds charges to the limit, and says beside the button what is left', async () => {
    assert.match(await ask(), /The organisation has 50 credits\.</)
    assert.equal((await limit('3')).headers.location, '/app/members')
    assert.match(await ask(), /The organisation has 50 credits, and you may spend 3 credits today\./)
    assert.match(await pay(), PAID)
    const over = await pay()
    assert.doesNotMatch(over, PAID)
    const left = 'The organisation has 48 credits, and you may spend 1 credit today.'
    assert.ok(over.includes(`The credits do not cover it. ${left}`))
    assert.equal(await org.balance(), 48)
    // The owner has no limit, and neither has a member without one.
    assert.match(await pay(owner), PAID)
    await limit('')
    assert.match(await pay(), PAID)
    assert.equal(await org.balance(), 44)
  })

  it('holds it where two forms come at once', async () => {
    await limit('2')
    const forms = [needed(formOf(await ask(), READ)), needed(formOf(await ask(), READ))]
    const answers = await Promise.all(forms.map((form) => member.post('/app/ask', form)))
    assert.equal(answers.filter(({ text }) => PAID.test(text)).length, 1)
    assert.equal(await org.balance(), 48)
  })

  it('counts charges of the day alone', async () => {
    await limit('2')
    await org.rows(
      `insert into credit_entry (org_id, request_id, kind, ref, key_id, credits, entered_at)
       values ($1::text, 'req_of_yesterday', 'dataset', 'lyr_market', $2::text, -2, clock_timestamp() - interval '1 day')`,
      memberId,
    )
    assert.match(await ask(), /you may spend 2 credits today/)
    assert.match(await pay(), PAID)
  })

  it('leaves an event', async () => {
    await limit('3')
    await limit('')
    const events = (await owner.get('/app/events')).text
    assert.match(events, /Let Musa spend 3 credits a day/)
    assert.match(events, /Let Musa spend all credits/)
  })
})
