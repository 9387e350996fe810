import assert from 'node:assert/strict'
import { signIn, visit, type Visitor } from '../support/browse.js'
import type { TestDatabase } from '../support/database.js'
import { databaseOfPeople } from '../support/people.js'
import { mint, newOrganisation, startService } from '../support/service.js'
import { actions, pathOf, type Action } from './actions.js'
import { stateOfOrganisation } from './state.js'

const forms = actions.filter(({ method }) => method === 'POST')
const named = ({ method, path }: Action) => `${method} ${path}`
const send = (visitor: Visitor, action: Action, values: Record<string, string>, fields: Record<string, string> = {}) =>
  action.method === 'GET'
    ? visitor.get(`${pathOf(action, values)}?${new URLSearchParams(fields).toString()}`)
    : visitor.post(pathOf(action, values), fields)

/** A blank value leaves the header out. */
const crossSite = ['', 'same-origin', 'same-site', 'cross-site', 'none'].flatMap((fetchSite) =>
  ['', 'OURS', 'https://evil.example', 'null'].flatMap((origin) =>
    ['', 'evil.example'].map((host) => ({ 'sec-fetch-site': fetchSite, origin, host })),
  ),
)
const refusedHeaders = crossSite.filter(({ 'sec-fetch-site': fetchSite, origin }) =>
  fetchSite === '' ? origin !== 'OURS' : fetchSite !== 'same-origin',
)

type Theft = { victim: Visitor; personId: string; owner: Visitor; db: TestDatabase['db'] }

/** How a session ends whose cookie a thief has copied. */
const endings: readonly [title: string, end: (theft: Theft) => Promise<unknown>][] = [
  ['after its sign-out', ({ victim }) => victim.post('/app/sign-out')],
  ['after a sign-out everywhere', ({ victim }) => victim.post('/app/account/sign-out-everywhere')],
  ['after its person was removed', ({ owner, personId }) => owner.post(`/app/members/${personId}/remove`)],
  [
    'after 12 hours without use',
    ({ db, personId }) =>
      db.rows(`update session set seen_at = clock_timestamp() - interval '12 hours' where person_id = $1::text`, [
        personId,
      ]),
  ],
]

describe('the web app, on every page and form of src/web/console.ts', () => {
  let database: TestDatabase
  let running: Awaited<ReturnType<typeof startService>>
  let orgId: string
  let owner: Visitor
  /** Ids in the organisation, by the names of parameters and fields. */
  let ids: Record<string, string>
  const marks = ['Olu Owner', 'Robbed', 'Ivy Invited', 'Kept key', 'Kept passkey']

  before(async () => {
    database = await databaseOfPeople()
    running = await startService(database, { publicUrl: 'listening' })
    orgId = await newOrganisation(database.db)
    owner = await signIn(running.url, database.db, { orgId, name: 'Olu Owner' })
    await signIn(running.url, database.db, { orgId, role: 'admin', name: 'Adam Admin' })
    await owner.post('/app/members', { name: 'Ivy Invited', role: 'admin' })
    const { keyId } = await mint(database.db, { org: orgId, name: 'Kept key' })
    const [row] = await database.db.rows<Record<string, string>>(
      `select (select person_id from membership where org_id = $1::text and role = 'admin') as "personId",
         (select left(encode(token_hash, 'hex'), 16) from sign_in_link where org_id = $1::text and used_at is null) as "invitationId",
         (select left(encode(token_hash, 'hex'), 16) from session where org_id = $1::text limit 1) as "sessionId"`,
      [orgId],
    )
    ids = { keyId, ...row }
    await database.db.rows(
      `insert into passkey (credential_id, person_id, public_key, name) values ($1::text, $2::text, 'x', 'Kept passkey')`,
      [`kept-${orgId}`, ids['personId']],
    )
  })
  after(() => running.stop())

  const state = () => stateOfOrganisation(database.db, orgId)

  it(`shows and changes nothing for the owner of another organisation: ${actions.length * 3} attacks`, async () => {
    assert.equal(Object.values(ids).filter(Boolean).length, 4)
    const before = await state()
    const own = await newOrganisation(database.db)
    const fields = { org: orgId, org_id: orgId, orgId, organisation: orgId, role: 'owner', credential: `kept-${orgId}` }
    const all = { ...fields, ...ids, key: ids['keyId'] ?? '', person: ids['personId'] ?? '', name: 'x', grace: 'now' }
    const enter = () => signIn(running.url, database.db, { orgId: own, name: 'Mallory Else' })
    let mallory = await enter()
    for (const action of actions)
      for (const forged of [{}, fields, all]) {
        const { status, text } = await send(mallory, action, ids, forged)
        assert.ok(status < 500, named(action))
        if (action.path.includes(':')) assert.ok([404, 400, 409].includes(status), `${named(action)}: ${status}`)
        for (const mark of marks) assert.ok(!text.includes(mark), `${named(action)} shows ${mark}`)
        assert.deepEqual(await state(), before, named(action))
        if ((await mallory.get('/app/account')).status !== 200) mallory = await enter()
      }
  })

  for (const [title, end] of endings)
    it(`knows nobody by a stolen session ${title}: ${actions.length} attacks`, async () => {
      const victim = await signIn(running.url, database.db, { orgId, role: 'owner', name: 'Robbed' })
      const stolen = new Map(victim.cookies)
      assert.equal((await victim.get('/app/members')).status, 200)
      const [row] = await database.db.rows<{ personId: string }>(
        `select person_id as "personId" from session where token_hash = sha256($1::text::bytea)`,
        [...stolen.values()],
      )
      assert.ok(row)
      await end({ victim, personId: row.personId, owner, db: database.db })
      const before = await state()
      for (const action of actions) {
        const thief = visit(running.url)
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

  it(`takes no form that another site sends: ${forms.length * refusedHeaders.length} attacks`, async () => {
    assert.deepEqual([crossSite.length, refusedHeaders.length], [40, 30])
    const before = await state()
    for (const form of forms)
      for (const each of refusedHeaders) {
        const { host, origin, ...headers } = each
        const sent = { ...headers, origin: origin === 'OURS' ? running.url : origin, ...(host && { host }) }
        const answer = await owner.post(pathOf(form, ids), { name: 'x', role: 'owner' }, sent)
        assert.equal(answer.status, 403, `${named(form)} ${JSON.stringify(each)}`)
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
