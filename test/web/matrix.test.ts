import assert from 'node:assert/strict'
import { signIn, visit, type Visitor } from '../support/browse.js'
import type { TestDatabase } from '../support/database.js'
import { databaseOfPeople } from '../support/people.js'
import { newOrganisation, startService } from '../support/service.js'
import { actions, pathOf, ROLES, type Action, type Role } from './actions.js'

/**
 * Every page and form, and the least role that may use it. A form is sent without what it needs: 403, 401 and a way to
 * the sign-in page mean that the role is refused, and every other answer means that it is not.
 */
const expected: readonly [Action['method'], Action['path'], Role][] = [
  ['GET', '/', 'member'],
  ['GET', '/sign-in', 'nobody'],
  ['GET', '/sign-in/openid', 'nobody'],
  ['GET', '/sign-in/openid/callback', 'nobody'],
  ['POST', '/sign-in/passkey/options', 'nobody'],
  ['POST', '/sign-in/passkey', 'nobody'],
  ['GET', '/link', 'nobody'],
  ['POST', '/link', 'nobody'],
  ['POST', '/organisation', 'member'],
  ['GET', '/tiles/:layer/:z/:x/:y', 'member'],
  ['GET', '/map', 'member'],
  ['GET', '/map.csv', 'member'],
  ['GET', '/map/labels', 'member'],
  ['GET', '/keys', 'admin'],
  ['GET', '/keys/new', 'admin'],
  ['POST', '/keys/new', 'admin'],
  ['GET', '/keys/:keyId', 'admin'],
  ['POST', '/keys/:keyId/roll', 'admin'],
  ['POST', '/keys/:keyId/revoke', 'admin'],
  ['GET', '/events', 'admin'],
  ['GET', '/events.csv', 'admin'],
  ['GET', '/usage', 'admin'],
  ['GET', '/usage.csv', 'admin'],
  ['GET', '/credits', 'admin'],
  ['GET', '/credits.csv', 'admin'],
  ['GET', '/members', 'owner'],
  ['POST', '/members', 'owner'],
  ['POST', '/members/:personId/link', 'owner'],
  ['POST', '/members/:personId/role', 'owner'],
  ['POST', '/members/:personId/remove', 'owner'],
  ['POST', '/members/invitations/:invitationId/withdraw', 'owner'],
  ['GET', '/ask', 'member'],
  ['POST', '/ask', 'member'],
  ['GET', '/datasets', 'member'],
  ['GET', '/datasets/:layerId', 'member'],
  ['GET', '/sql', 'member'],
  ['GET', '/plan', 'member'],
  ['GET', '/health', 'admin'],
  ['POST', '/health', 'admin'],
  ['GET', '/account', 'member'],
  ['POST', '/account/sessions/:sessionId/end', 'member'],
  ['POST', '/account/passkeys/options', 'member'],
  ['POST', '/account/passkeys', 'member'],
  ['POST', '/account/passkeys/remove', 'member'],
  // These two end the session, so they come last.
  ['POST', '/account/sign-out-everywhere', 'member'],
  ['POST', '/sign-out', 'nobody'],
]

describe('the roles of the web app', () => {
  let database: TestDatabase
  let running: Awaited<ReturnType<typeof startService>>
  let orgId: string

  before(async () => {
    database = await databaseOfPeople()
    orgId = await newOrganisation(database.db)
    running = await startService(database, { publicUrl: 'listening', operators: [orgId] })
    // The organisation keeps this owner, whoever else leaves it.
    await signIn(running.url, database.db, { orgId, role: 'owner', name: 'Owner who stays' })
  })
  after(() => running.stop())

  const visitorAs = async (role: Role): Promise<Visitor> =>
    role === 'nobody' ? visit(running.url) : await signIn(running.url, database.db, { orgId, role, name: role })

  it('are tried on every page and form of src/web/console.ts', () => {
    const listed = actions.map(({ method, path, least }) => `${method} ${path} ${least}`)
    assert.deepEqual(listed.toSorted(), expected.map((action) => action.join(' ')).toSorted())
  })

  for (const [method, path, least] of expected) {
    it(`let ${least === 'nobody' ? 'everybody' : `${least} and above`} use ${method} ${path}, and nobody below`, async () => {
      for (const role of ROLES) {
        const visitor = await visitorAs(role)
        const asked = pathOf({ method, path, least })
        const answer = method === 'GET' ? await visitor.get(asked) : await visitor.post(asked)
        assert.ok(answer.status < 500, answer.text)
        const isRefused =
          answer.status === 401 ||
          answer.status === 403 ||
          (role === 'nobody' && method === 'GET' && answer.headers.location === '/app/sign-in')
        assert.equal(isRefused, ROLES.indexOf(role) < ROLES.indexOf(least), `${role}: ${answer.status} ${answer.text}`)
      }
    })
  }

  it('hold from the next click on, as does a removal', async () => {
    const visitor = await signIn(running.url, database.db, { orgId, role: 'owner', name: 'Changing' })
    const set = (role: string) =>
      database.db.rows(
        `update membership set role = $1::text from person
         where person.person_id = membership.person_id and person.name = 'Changing'`,
        [role],
      )
    for (const [role, status] of [
      ['admin', 403],
      ['owner', 200],
      ['member', 403],
      ['owner', 200],
    ] as const) {
      await set(role)
      assert.equal((await visitor.get('/app/members')).status, status, role)
    }
    await database.db.rows(
      `delete from membership using person where person.person_id = membership.person_id and person.name = 'Changing'`,
      [],
    )
    assert.equal((await visitor.get('/app/members')).headers.location, '/app/sign-in')
    assert.equal((await visitor.post('/app/members', { name: 'x', role: 'owner' })).status, 401)
  })

  it('show a person the pages that the role opens, and a refusal that names who may', async () => {
    const links = async (role: Role) => {
      const page = await (await visitorAs(role)).get('/app/account')
      return new Set([...page.text.matchAll(/<a href="\/app(\/\w+)"/g)].map(([, path]) => path))
    }
    assert.ok((await links('owner')).has('/members'))
    for (const role of ['admin', 'member'] as const) assert.ok(!(await links(role)).has('/members'))
    const refused = await (await visitorAs('member')).get('/app/members')
    assert.match(refused.text, /Owners of this organisation may open it/)
  })
})
