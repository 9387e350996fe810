import assert from 'node:assert/strict'
import type { Visitor } from '../support/browse.js'
import { mint, newOrganisation, service } from '../support/service.js'
import { actions, pathOf, type Action } from './actions.js'
import { keyFields } from './pages.js'
import { stateOfOrganisation } from './state.js'
import { guest, personOf, rows, signedIn } from './visitors.js'

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

const enter = (orgId: string, name: string, role: 'owner' | 'admin' | 'member' = 'owner') =>
  signedIn({ orgId, name, role })

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
  let orgId: string
  let owner: Visitor
  /** Ids in the organisation, by the names of parameters and fields. */
  let ids: Record<string, string>
  const marks = ['Olu Owner', 'Robbed', 'Ivy Invited', 'Kept key', 'Kept passkey']

  before(async () => {
    orgId = await newOrganisation(service().db)
    owner = await enter(orgId, 'Olu Owner')
    await enter(orgId, 'Adam Admin', 'admin')
    await owner.post('/app/members', { name: 'Ivy Invited', role: 'admin' })
    const { keyId } = await mint(service().db, { org: orgId, name: 'Kept key' })
    const [row] = await rows<Record<string, string>>(
      `select (select person_id from membership where org_id = $1::text and role = 'admin') as "personId",
         (select left(encode(token_hash, 'hex'), 16) from sign_in_link where org_id = $1::text and used_at is null) as "invitationId",
         (select left(encode(token_hash, 'hex'), 16) from session where org_id = $1::text limit 1) as "sessionId"`,
      orgId,
    )
    ids = { keyId, ...row }
    await rows(
      `insert into passkey (credential_id, person_id, public_key, name) values ($1::text, $2::text, 'x', 'Kept passkey')`,
      `kept-${orgId}`,
      ids['personId'],
    )
  })

  const state = () => stateOfOrganisation(service().db, orgId)

  it('shows and changes nothing for the owner of another organisation', async () => {
    assert.equal(Object.values(ids).filter(Boolean).length, 4)
    const before = await state()
    const own = await newOrganisation(service().db)
    const fields = { org: orgId, org_id: orgId, orgId, organisation: orgId, role: 'owner', credential: `kept-${orgId}` }
    const all = { ...fields, ...ids, key: ids['keyId'] ?? '', person: ids['personId'] ?? '', name: 'x', grace: 'now' }
    let mallory = await enter(own, 'Mallory Else')
    for (const action of actions) {
      // A page without a parameter reads nothing of its address but these fields.
      const isOnePage = action.method === 'GET' && !action.path.includes(':')
      for (const forged of isOnePage ? [all] : [{}, fields, all]) {
        const { status, text } = await send(mallory, action, ids, forged)
        assert.ok(status < 500, named(action))
        if (action.path.includes(':')) assert.ok([404, 400, 409].includes(status), `${named(action)}: ${status}`)
        for (const mark of marks) assert.ok(!text.includes(mark), `${named(action)} shows ${mark}`)
      }
      if ((await mallory.get('/app/account')).status !== 200) mallory = await enter(own, 'Mallory Else')
      assert.deepEqual(await state(), before, named(action))
    }
  })

  for (const [title, end] of endings)
    it(`knows nobody by a stolen session ${title}: ${actions.length} attacks`, async () => {
      const victim = await enter(orgId, 'Robbed')
      const stolen = new Map(victim.cookies)
      assert.equal((await victim.get('/app/members')).status, 200)
      const [row] = await rows<{ personId: string }>(
        `select person_id as "personId" from session where token_hash = sha256($1::text::bytea)`,
        ...stolen.values(),
      )
      assert.ok(row)
      await end({ victim, personId: row.personId, owner })
      const before = await state()
      for (const action of actions) {
        const thief = guest()
        for (const [name, value] of stolen) thief.cookies.set(name, value)
        const { status, text, headers } = await send(thief, action, ids, { name: 'x', role: 'owner' })
        if (action.least !== 'nobody')
          assert.ok(
            status === 401 || (action.method === 'GET' && headers.location === '/app/sign-in'),
            `${named(action)}: ${status}`,
          )
        for (const mark of marks) assert.ok(!text.includes(mark), `${named(action)} shows ${mark}`)
      }
      assert.deepEqual(await state(), before)
    })

  it(`takes no form that another site sends: ${forms.length * crossSite.length} attacks`, async () => {
    const before = await state()
    for (const form of forms)
      for (const { origin, ...headers } of crossSite) {
        const sent = { ...headers, origin: origin === 'OURS' ? service().url : origin }
        const answer = await owner.post(pathOf(form, ids), { name: 'x', role: 'owner' }, sent)
        assert.equal(answer.status, 403, `${named(form)} ${JSON.stringify(sent)}`)
        assert.deepEqual(answer.setCookies, [])
      }
    assert.deepEqual(await state(), before)
  })

  it('changes nothing with GET: an address that changes something takes POST only', async () => {
    const pages = new Set(actions.filter(({ method }) => method === 'GET').map(({ path }) => path))
    const before = await state()
    for (const form of forms.filter(({ path }) => !pages.has(path))) {
      const answer = await owner.get(pathOf(form, ids))
      // The path of a key that is named as a form is one of a page: it shows that there is no such key.
      if (answer.status !== 404) assert.deepEqual([answer.status, answer.headers.allow], [405, 'POST'], named(form))
    }
    assert.deepEqual(await state(), before)
  })
})

describe('a form of the web app', () => {
  let [own, other] = ['', '']
  let mallory: Visitor
  before(async () => {
    own = await newOrganisation(service().db)
    other = await newOrganisation(service().db)
    mallory = await enter(own, 'Mallory')
  })
  const idOfMallory = () => personOf(own, 'Mallory')

  it('acts for the organisation of the session, whatever organisation and person the form and the address name', async () => {
    const before = await stateOfOrganisation(service().db, other)
    const forged = { org: other, org_id: other, orgId: other, organisation: other, organisation_id: other }
    for (const name of Object.keys(forged)) {
      const fields = { ...forged, name: `By ${name}`, role: 'owner', created_by: 'per_000000000000' }
      assert.equal((await mallory.post(`/app/members?${name}=${other}`, fields)).status, 200)
      const [link] = await rows<{ org: string; by: string }>(
        'select org_id as org, created_by as by from sign_in_link where name = $1::text and org_id = any($2::text[])',
        `By ${name}`,
        [own, other],
      )
      assert.deepEqual(link, { org: own, by: await idOfMallory() })
    }
    const key = keyFields((await mallory.get('/app/keys/new')).text, forged)
    assert.equal((await mallory.post('/app/keys/new', key)).status, 200)
    const minted = await rows('select org_id as org from api_key where key_id = $1::text', key.key)
    assert.deepEqual([...minted], [{ org: own }])
    assert.deepEqual(await stateOfOrganisation(service().db, other), before)
  })

  it('switches to an organisation that the person is in, with the role there, and to no other', async () => {
    const switchTo = (organisation: string) => mallory.post('/app/organisation', { organisation })
    for (const none of [other, '']) assert.equal((await switchTo(none)).status, 404)
    await rows(
      `insert into membership (person_id, org_id, role) values ($1::text, $2::text, 'member')`,
      await idOfMallory(),
      other,
    )
    assert.equal((await switchTo(other)).headers.location, '/app')
    assert.equal((await mallory.get('/app/members')).status, 403)
    assert.equal((await mallory.post('/app/members', { name: 'x', role: 'owner' })).status, 403)
    assert.equal((await switchTo(own)).status, 303)
    assert.equal((await mallory.get('/app/members')).status, 200)
  })
})

describe('the last owner of an organisation', () => {
  const owners = async (orgId: string) =>
    (
      await rows<{ id: string }>(
        `select person_id as id from membership where org_id = $1::text and role = 'owner' order by created_at`,
        orgId,
      )
    ).map(({ id }) => id)

  it('can neither leave nor take another role, and learns why; with another owner both may go', async () => {
    const orgId = await newOrganisation(service().db)
    const owner = await enter(orgId, 'First')
    const [id = ''] = await owners(orgId)
    for (const [path, fields] of [
      ['remove', {}],
      ['role', { role: 'admin' }],
      ['role', { role: 'member' }],
    ] as const) {
      const answer = await owner.post(`/app/members/${id}/${path}`, fields)
      assert.equal(answer.status, 409)
      assert.match(answer.text, /Make another member an Owner first/)
    }
    await enter(orgId, 'Second', 'member')
    const shown = [...(await owner.get('/app/members')).text.matchAll(/\/members\/(per_\w{12})\/role/g)]
    const secondId = shown.map(([, each = '']) => each).find((each) => each !== id)
    const raised = await owner.post(`/app/members/${secondId}/role`, { role: 'owner' })
    assert.equal(raised.headers.location, '/app/members')
    assert.equal((await owner.post(`/app/members/${id}/remove`)).headers.location, '/app')
    assert.equal((await owner.get('/app/account')).headers.location, '/app/sign-in')
    assert.deepEqual(await owners(orgId), [secondId])
  })
})
