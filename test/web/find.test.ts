import assert from 'node:assert/strict'
import type { Visitor } from '../support/browse.js'
import { credit } from '../support/datasets.js'
import { enterMember } from '../support/people.js'
import { newOrganisation, service } from '../support/service.js'
import { fillOrganisation, type Filled } from './filled.js'
import { rows, signedIn } from './visitors.js'

const FRAME = '324378020'

describe('the field that finds anything', () => {
  let filled: Filled
  let admin: Visitor
  let member: Visitor
  let stranger: Visitor
  let memberId: string
  before(async () => {
    filled = await fillOrganisation(service().db)
    const { orgId } = filled
    admin = await signedIn({ orgId, role: 'admin' })
    memberId = await enterMember(service().db, { orgId, role: 'member', name: 'Musa' })
    member = await signedIn({ orgId, role: 'member', personId: memberId, name: 'Musa' })
    stranger = await signedIn({ orgId: await newOrganisation(service().db), role: 'owner' })
  })

  const find = async (words: string, visitor = admin) => {
    const { status, text } = await visitor.get(`/app/find?q=${encodeURIComponent(words)}`)
    assert.equal(status, 200, text)
    return text.replace(/\s+/g, ' ')
  }
  const NOTHING = /Nothing here has this name, number or id/

  it('stands on each page, and says what it finds', async () => {
    assert.match((await member.get('/app/account')).text, /<form class="inline find"[^>]*action="\/app\/find"/)
    assert.match(await find(''), /a frame by its id/)
    assert.match(await find('no such thing at all'), NOTHING)
    assert.equal((await admin.get('/app/find?q=a&q=b')).status, 400)
  })

  it('finds the call behind a request id with its code, its key and what happened around it, for those of its keys', async () => {
    const [call] = await rows<{ id: string; key: string; day: string }>(
      `select last_request_id as id, key_id as key, day::text as day from key_use
       where key_id = any ($1::text[]) and outcome = 'rate_limited'
         and day = (clock_timestamp() at time zone 'UTC')::date - 1 limit 1`,
      filled.keyIds,
    )
    assert.ok(call)
    const page = await find(call.id)
    assert.match(page, new RegExp(`The call <code>${call.id}</code>`))
    assert.match(page, /rate_limited \(key bucket\)/)
    assert.match(page, new RegExp(`<a href="/app/keys/${call.key}"`))
    assert.match(page, new RegExp(`${call.day}, UTC: the last of`))
    // The day's other counts of the key are its neighbours.
    assert.match(page, /invalid_point/)
    assert.match(page, /The SQL of such a call/)
    const sql = /href="(\/app\/sql\?call=[^"]*)"/.exec(page)?.[1] ?? ''
    assert.equal((await admin.get(sql)).status, 200)
    for (const other of [member, stranger]) assert.match(await find(call.id, other), NOTHING)
  })

  it('finds a key by its name, its id and its last four characters, and repeats no secret', async () => {
    const [keyId = ''] = filled.keyIds.slice(-1)
    const lastFour = keyId.slice(-4)
    for (const words of [keyId, lastFour, `…${lastFour}`, `Workshop in spring …${lastFour}`, 'workshop IN'])
      assert.match(await find(words), new RegExp(`href="/app/keys/${keyId}">Workshop in spring`), words)
    const secret = `svc_sk_${'x'.repeat(32)}${keyId.slice(-4)}`
    const page = await find(secret)
    assert.match(page, /This was the secret of a key/)
    assert.match(page, /Workshop in spring/)
    assert.ok(!page.includes('svc_sk_'))
    for (const other of [member, stranger]) assert.match(await find(keyId, other), NOTHING)
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
      assert.match(page, new RegExp(`<strong>${entry.id}</strong>`))
      assert.ok((page.match(/>Dataset: /g) ?? []).length > 3)
      for (const other of [member, stranger]) assert.ok(!(await find(words, other)).includes('<strong>'))
    }
    const [event] = await rows<{ id: string }>(
      `select max(event_id)::text as id from key_event where org_id = $1::text and action = 'minted'`,
      filled.orgId,
    )
    assert.match(await find(event?.id ?? ''), new RegExp(`Event ${event?.id}</h2>.*Minted the key`))
    for (const other of [member, stranger]) assert.ok(!(await find(event?.id ?? '', other)).includes('Event '))
  })

  it('shows members the charges of their own questions alone', async () => {
    await credit(service().db, filled.orgId, 10)
    await rows(
      `insert into credit_entry (org_id, request_id, kind, ref, key_id, credits)
       select $1::text, request, 'dataset', 'lyr_market', key, -1
       from (values ('req_of_musa', $2::text), ('req_of_other', $3::text)) as charged (request, key)`,
      filled.orgId,
      memberId,
      filled.keyIds[0],
    )
    assert.match(await find('req_of_musa', member), /Charges of <code>req_of_musa<\/code>/)
    assert.match(await find('req_of_other', member), NOTHING)
    assert.match(await find('req_of_musa', stranger), NOTHING)
  })

  it('finds frames, places, units and datasets for everybody, with their neighbours', async () => {
    for (const words of [FRAME, '0.105, 0.205']) {
      const page = await find(words, member)
      assert.match(page, new RegExp(`<h2>Frame <a href="/app/map\\?frame=${FRAME}">`), words)
      assert.match(page, /324378021<\/a>/)
      assert.match(page, /324342020<\/a>/)
    }
    const unit = await find('lakeside', member)
    assert.match(unit, /<h2> ?<a href="\/app\/map\?state=MAREMBE&amp;lga=LAKESIDE">LAKESIDE<\/a>/)
    assert.match(unit, /<h3>Neighbours<\/h3>/)
    assert.match(await find('Lakesde', member), /Units of a like name/)
    assert.match(await find('popul', member), /<a href="\/app\/datasets\/lyr_population">/)
  })

  it('says why a place is not found, as the search of the map does', async () => {
    for (const [words, why] of [
      ['9.05, 7.49', 'No frame contains 9.05, 7.49 (latitude, longitude).'],
      ['95, 10', 'A latitude lies between -90 and 90; 95 is none. Are they swapped?'],
      ['9, 181', 'A longitude lies between -180 and 180; 181 is none.'],
    ] as const) {
      const map = (await member.get(`/app/map?q=${encodeURIComponent(words)}`)).text.replace(/\s+/g, ' ')
      assert.ok((await find(words, member)).includes(why) && map.includes(why), words)
    }
    assert.match(await find('95, 10', member), /<a href="\/app\/find\?q=10%2C%2095">Latitude 10, longitude 95<\/a>/)
  })
})
