import assert from 'node:assert/strict'
import { license } from '../../src/core/access/licences.js'
import type { Visitor } from '../support/browse.js'
import { balanceOf, credit } from '../support/datasets.js'
import { enterMember } from '../support/people.js'
import { newOrganisation, service } from '../support/service.js'
import { formOf, needed, READ } from './spending-forms.js'
import { rows, signedIn } from './visitors.js'

const QUESTION = '/app/ask?frames=322074005,322074006&question=how+many+shops+are+there'

describe('an owner who sets how many credits a day a member spends', () => {
  let orgId: string
  let memberId: string
  let owner: Visitor
  let member: Visitor
  beforeEach(async () => {
    orgId = await newOrganisation(service().db)
    await license(service().db.run, 'lyr_market', orgId, 2)
    await credit(service().db, orgId, 50)
    owner = await signedIn({ orgId, name: 'Ada' })
    memberId = await enterMember(service().db, { orgId, role: 'member', name: 'Musa' })
    member = await signedIn({ orgId, role: 'member', personId: memberId, name: 'Musa' })
  })

  const limit = async (credits: string) => await owner.post(`/app/members/${memberId}/limit`, { credits })
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
    assert.match(
      over,
      /The credits do not cover it\. The organisation has 48 credits, and you may spend 1 credit today\./,
    )
    assert.equal(await balanceOf(service().db, orgId), 48)
    // The owner has no limit, and neither has a member without one.
    assert.match(await pay(owner), PAID)
    await limit('')
    assert.match(await pay(), PAID)
    assert.equal(await balanceOf(service().db, orgId), 44)
  })

  it('holds it where two forms come at once', async () => {
    await limit('2')
    const forms = [needed(formOf(await ask(), READ)), needed(formOf(await ask(), READ))]
    const answers = await Promise.all(forms.map((form) => member.post('/app/ask', form)))
    assert.equal(answers.filter(({ text }) => PAID.test(text)).length, 1)
    assert.equal(await balanceOf(service().db, orgId), 48)
  })

  it('counts charges of the day alone', async () => {
    await limit('2')
    await rows(
      `insert into credit_entry (org_id, request_id, kind, ref, key_id, credits, entered_at)
       values ($1::text, 'req_of_yesterday', 'dataset', 'lyr_market', $2::text, -2, clock_timestamp() - interval '1 day')`,
      orgId,
      memberId,
    )
    assert.match(await ask(), /you may spend 2 credits today/)
    assert.match(await pay(), PAID)
  })

  it('leaves an event, and is for members of the organisation alone', async () => {
    await limit('3')
    await limit('')
    const events = (await owner.get('/app/events')).text
    assert.match(events, /Let Musa spend 3 credits a day/)
    assert.match(events, /Let Musa spend all credits/)
    const stranger = await signedIn({ orgId: await newOrganisation(service().db) })
    assert.equal((await stranger.post(`/app/members/${memberId}/limit`, { credits: '9' })).status, 404)
  })
})
