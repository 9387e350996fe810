import assert from 'node:assert/strict'
import type { Visitor } from '../support/browse.js'
import { mint, service } from '../support/service.js'
import { actions, pathOf, type Action } from './actions.js'
import { organisation, type Organisation } from './organisation.js'
import { keyFields } from './pages.js'
import { guest, rows } from './visitors.js'

const forms = actions.filter(({ method }) => method === 'POST')
const named = ({ method, path }: Action) => `${method} ${path}`
const send = (visitor: Visitor, action: Action, values: Record<string, string>, fields: Record<string, string> = {}) =>
  action.method === 'GET'
    ? visitor.get(`${pathOf(action, values)}?${new URLSearchParams(fields).toString()}`)
    : visitor.post(pathOf(action, values), fields)

/** A blank value leaves the header out. test/web/origins.test.ts tries every combination on one form. */
const crossSite = [
  { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  { 'sec-fetch-site': 'same-site', origin: 'OURS' },
  { 'sec-fetch-site': '', origin: 'null' },
]

type Theft = { victim: Visitor; personId: string; owner: Visitor }

/** How a session ends whose cookie a thief has copied. */
const endings: readonly [title: string, end: (theft: Theft) => Promise<unknown>][] = [
  ['after its sign-out', ({ victim }) => victim.post('/app/sign-out')],
  ['after a sign-out everywhere', ({ victim }) => victim.post('/app/account/sign-out-everywhere')],
  ['after its person was removed', ({ owner, personId }) => owner.post(`/app/members/${personId}/remove`)],
  [
    'after 12 hours without use',
    ({ personId }) =>
      rows(`update session set seen_at = clock_timestamp() - interval '12 hours' where person_id = $1::text`, personId),
  ],
]

describe('the web app, on every page and form of src/app/console.ts', () => {
  let robbed: Organisation
  let owner: Visitor
  /** Ids in the organisation, by the names of parameters and fields. */
  let ids: Record<string, string>
  const marks = ['Olu Owner', 'Robbed', 'Ivy Invited', 'Kept key', 'Kept passkey']
  const showsNone = (text: string, action: Action) => {
    for (const mark of marks) assert.ok(!text.includes(mark), `${named(action)} shows ${mark}`)
  }

  before(async () => {
    robbed = await organisation()
    owner = await robbed.enter('Olu Owner')
    await robbed.addPasskey(await robbed.add('Adam Admin', 'admin'), 'Kept passkey')
    await owner.post('/app/members', { name: 'Ivy Invited', role: 'admin' })
    await mint(service().db, { org: robbed.orgId, name: 'Kept key' })
    ids = await robbed.ids()
  })

  it('shows and changes nothing for the owner of another organisation', async () => {
    assert.equal(Object.values(ids).filter(Boolean).length, 5)
    const before = await robbed.state()
    const own = await organisation()
    const { orgId, state } = robbed
    const fields = {
      org: orgId,
      org_id: orgId,
      orgId,
      organisation: orgId,
      role: 'owner',
      credential: `passkey-${orgId}`,
    }
    const all = { ...fields, ...ids, key: ids['keyId'] ?? '', person: ids['personId'] ?? '', name: 'x', grace: 'now' }
    let mallory = await own.enter('Mallory Else')
    for (const action of actions) {
      // A page without a parameter reads nothing of its address but these fields.
      const isOnePage = action.method === 'GET' && !action.path.includes(':')
      for (const forged of isOnePage ? [all] : [{}, fields, all]) {
        const { status, text } = await send(mallory, action, ids, forged)
        assert.ok(status < 500, named(action))
        if (action.path.includes(':')) assert.ok([404, 400, 409].includes(status), `${named(action)}: ${status}`)
        showsNone(text, action)
      }
      if ((await mallory.get('/app/account')).status !== 200) mallory = await own.enter('Mallory Else')
      assert.deepEqual(await state(), before, named(action))
    }
  })

  for (const [title, end] of endings)
    it(`knows nobody by a stolen session ${title}: ${actions.length} attacks`, async () => {
      const victim = await robbed.enter('Robbed')
      const stolen = new Map(victim.cookies)
      assert.equal((await victim.get('/app/members')).status, 200)
      const [row] = await rows<{ personId: string }>(
        `select person_id as "personId" from session where token_hash = sha256($1::text::bytea)`,
        ...stolen.values(),
      )
      assert.ok(row)
      await end({ victim, personId: row.personId, owner })
      const before = await robbed.state()
      for (const action of actions) {
        const thief = guest()
        for (const [name, value] of stolen) thief.cookies.set(name, value)
        const { status, text, headers } = await send(thief, action, ids, { name: 'x', role: 'owner' })
        const isAway = action.method === 'GET' && headers.location === '/app/sign-in'
        if (action.least !== 'nobody') assert.ok(status === 401 || isAway, `${named(action)}: ${status}`)
        showsNone(text, action)
      }
      assert.deepEqual(await robbed.state(), before)
    })

  it(`takes no form that another site sends: ${forms.length * crossSite.length} attacks`, async () => {
    const before = await robbed.state()
    for (const form of forms)
      for (const { origin, ...headers } of crossSite) {
        const sent = { ...headers, origin: origin === 'OURS' ? service().url : origin }
        const answer = await owner.post(pathOf(form, ids), { name: 'x', role: 'owner' }, sent)
        assert.equal(answer.status, 403, `${named(form)} ${JSON.stringify(sent)}`)
        assert.deepEqual(answer.setCookies, [])
      }
    assert.deepEqual(await robbed.state(), before)
  })

  it('changes nothing with GET: an address that changes something takes POST only', async () => {
    const pages = new Set(actions.filter(({ method }) => method === 'GET').map(({ path }) => path))
    const before = await robbed.state()
    for (const form of forms.filter(({ path }) => !pages.has(path))) {
      const answer = await owner.get(pathOf(form, ids))
      // The path of a key that is named as a form is one of a page: it shows that there is no such key.
      if (answer.status !== 404) assert.deepEqual([answer.status, answer.headers.allow], [405, 'POST'], named(form))
    }
    assert.deepEqual(await robbed.state(), before)
  })
})

describe('a form of the web app', () => {
  let own: Organisation
  let other: Organisation
  let mallory: Visitor
  before(async () => {
    own = await organisation()
    other = await organisation()
    mallory = await own.enter('Mallory')
  })

  it('acts for the organisation of the session, whatever organisation and person the form and the address name', async () => {
    const before = await other.state()
    const theirs = other.orgId
    const forged = { org: theirs, org_id: theirs, orgId: theirs, organisation: theirs, organisation_id: theirs }
    for (const name of Object.keys(forged)) {
      const fields = { ...forged, name: `By ${name}`, role: 'owner', created_by: 'per_000000000000' }
      assert.equal((await mallory.post(`/app/members?${name}=${theirs}`, fields)).status, 200)
      const links = await rows(
        'select org_id as org, created_by as by from sign_in_link where name = $1::text and org_id = any($2::text[])',
        `By ${name}`,
        [own.orgId, theirs],
      )
      assert.deepEqual([...links], [{ org: own.orgId, by: await own.idOf('Mallory') }])
    }
    const key = keyFields((await mallory.get('/app/keys/new')).text, forged)
    assert.equal((await mallory.post('/app/keys/new', key)).status, 200)
    const minted = await rows('select org_id as org from api_key where key_id = $1::text', key.key)
    assert.deepEqual([...minted], [{ org: own.orgId }])
    assert.deepEqual(await other.state(), before)
  })

  it('switches to an organisation that the person is in, with the role there, and to no other', async () => {
    const switchTo = (to: string) => mallory.post('/app/organisation', { organisation: to })
    for (const none of [other.orgId, '']) assert.equal((await switchTo(none)).status, 404)
    await other.join(await own.idOf('Mallory'), 'member')
    assert.equal((await switchTo(other.orgId)).headers.location, '/app')
    assert.equal((await mallory.get('/app/members')).status, 403)
    assert.equal((await mallory.post('/app/members', { name: 'x', role: 'owner' })).status, 403)
    assert.equal((await switchTo(own.orgId)).status, 303)
    assert.equal((await mallory.get('/app/members')).status, 200)
  })
})

describe('the last owner of an organisation', () => {
  it('can neither leave nor take another role, and learns why; with another owner both may go', async () => {
    const { enter, idOf, members } = await organisation()
    const owner = await enter('First')
    const id = await idOf('First')
    for (const [path, fields] of [
      ['remove', {}],
      ['role', { role: 'admin' }],
      ['role', { role: 'member' }],
    ] as const) {
      const answer = await owner.post(`/app/members/${id}/${path}`, fields)
      assert.equal(answer.status, 409)
      assert.match(answer.text, /Make another member an Owner first/)
    }
    await enter('Second', 'member')
    const raised = await owner.post(`/app/members/${await idOf('Second')}/role`, { role: 'owner' })
    assert.equal(raised.headers.location, '/app/members')
    assert.equal((await owner.post(`/app/members/${id}/remove`)).headers.location, '/app')
    assert.equal((await owner.get('/app/account')).headers.location, '/app/sign-in')
    assert.deepEqual(await members(), ['Second owner'])
  })
})
