import assert from 'node:assert/strict'
import type { Visitor } from '../support/browse.js'
import { credit } from '../support/datasets.js'
import { newOrganisation, service } from '../support/service.js'
import { fillOrganisation, type Filled } from './filled.js'
import { personOf, rows, signedIn } from './visitors.js'

describe('the field that finds anything', () => {
  let filled: Filled
  let admin: Visitor
  let member: Visitor
  /** They find nothing of the keys, the ledger and the events. */
  let others: Visitor[]
  before(async () => {
    filled = await fillOrganisation(service().db)
    const { orgId } = filled
    admin = await signedIn({ orgId, role: 'admin' })
    member = await signedIn({ orgId, role: 'member', name: 'Musa' })
    others = [member, await signedIn({ orgId: await newOrganisation(service().db), role: 'owner' })]
  })

  const find = async (words: string, visitor = admin) => {
    const { status, text } = await visitor.get(`/app/find?q=${encodeURIComponent(words)}`)
    assert.equal(status, 200, text)
    return text.replace(/\s+/g, ' ')
  }
  const NOTHING = /Nothing here has this name, number or id/
  const hides = async (words: string) => {
    for (const other of others) assert.match(await find(words, other), NOTHING)
  }

  it('finds the call behind a request id with its code, its key and what happened around it, for those of its keys', async () => {
    const [call] = await rows<{ id: string; key: string; day: string }>(
      `select last_request_id as id, key_id as key, day::text as day from key_use
       where key_id = any ($1::text[]) and outcome = 'rate_limited'
         and day = (clock_timestamp() at time zone 'UTC')::date - 1 limit 1`,
      filled.keyIds,
    )
    assert.ok(call)
    const page = await find(call.id)
    for (const said of [
      `The call <code>${call.id}</code>`,
      'rate_limited (key bucket)',
      `<a href="/app/keys/${call.key}"`,
      `${call.day}, UTC: the last of`,
      // The day's other counts of the key are its neighbours.
      'invalid_point',
      'The SQL of such a call',
    ])
      assert.ok(page.includes(said), said)
    const sql = /href="(\/app\/sql\?call=[^"]*)"/.exec(page)?.[1] ?? ''
    assert.equal((await admin.get(sql)).status, 200)
    await hides(call.id)
  })

  it('finds a key by its name, its id and its last four characters, and repeats no secret', async () => {
    const [keyId = ''] = filled.keyIds.slice(-1)
    const lastFour = keyId.slice(-4)
    for (const words of [keyId, lastFour, `…${lastFour}`, `Workshop in spring …${lastFour}`, 'workshop IN'])
      assert.match(await find(words), new RegExp(`href="/app/keys/${keyId}">Workshop in spring`), words)
    const page = await find(`svc_sk_${'x'.repeat(32)}${lastFour}`)
    assert.match(page, /This was the secret of a key/)
    assert.match(page, /Workshop in spring/)
    assert.ok(!page.includes('svc_sk_'))
    await hides(keyId)
  })

  it('finds an entry of the ledger and an event by their numbers, with those around them', async () => {
    const [entry] = await rows<{ id: string; request: string }>(
      `select entry_id::text as id, request_id as request from credit_entry
       where org_id = $1::text and kind = 'dataset' order by entry_id offset 15 limit 1`,
      filled.orgId,
    )
    assert.ok(entry)
    for (const [words, title] of [
      [entry.id, `Entry ${entry.id} of the ledger`],
      [entry.request, `Charges of <code>${entry.request}</code>`],
    ] as const) {
      const page = await find(words)
      assert.ok(page.includes(title), page)
      assert.ok(page.includes(`<strong>${entry.id}</strong>`))
      assert.ok((page.match(/>Dataset: /g) ?? []).length > 3)
      for (const other of others) assert.ok(!(await find(words, other)).includes('<strong>'))
    }
    const [event] = await rows<{ id: string }>(
      `select max(event_id)::text as id from key_event where org_id = $1::text and action = 'minted'`,
      filled.orgId,
    )
    assert.match(await find(event?.id ?? ''), new RegExp(`Event ${event?.id}</h2>.*Minted the key`))
    for (const other of others) assert.ok(!(await find(event?.id ?? '', other)).includes('Event '))
  })

  it('shows members the charges of their own questions in the organisation alone', async () => {
    const [musa, elsewhere] = [await personOf(filled.orgId, 'Musa'), await newOrganisation(service().db)]
    for (const orgId of [filled.orgId, elsewhere]) await credit(service().db, orgId, 10)
    // Musa is a member of two organisations.
    for (const [orgId, requestId, payer] of [
      [filled.orgId, 'req_at_noon', musa],
      [elsewhere, 'req_elsewhere', musa],
      [filled.orgId, 'req_of_musa', musa],
      [elsewhere, 'req_elsewhere_too', musa],
      [filled.orgId, 'req_of_other', filled.keyIds[0]],
    ])
      await rows(
        `insert into credit_entry (org_id, request_id, kind, ref, key_id, credits)
         values ($1::text, $2::text, 'dataset', 'lyr_market', $3::text, -1)`,
        orgId,
        requestId,
        payer,
      )
    const own = await find('req_of_musa', member)
    assert.match(own, /Charges of <code>req_of_musa<\/code>/)
    assert.match(own, /req_at_noon/)
    assert.doesNotMatch(own, /req_elsewhere/)
    assert.match(await find('req_of_other', member), NOTHING)
    assert.match(await find('req_of_musa', others[1]), NOTHING)
  })
})
