import assert from 'node:assert/strict'
import type { Visitor } from '../support/browse.js'
import { newOrganisation, service } from '../support/service.js'
import { actions, pathOf, ROLES, type Action, type Role } from './actions.js'
import { guest, rows, signedIn } from './visitors.js'

/**
 * Every page and form, and the least role that may use it. A form is sent without what it needs: the page about roles,
 * 401 and a way to the sign-in page mean that the role is refused, and every other answer means that it is not.
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
  ['POST', '/members/:personId/limit', 'owner'],
  ['POST', '/members/:personId/remove', 'owner'],
  ['POST', '/members/invitations/:invitationId/withdraw', 'owner'],
  ['GET', '/ask', 'member'],
  ['POST', '/ask', 'member'],
  ['GET', '/datasets', 'member'],
  ['GET', '/datasets/:layerId', 'member'],
  ['GET', '/sql', 'member'],
  ['GET', '/find', 'member'],
  ['GET', '/take', 'member'],
  ['POST', '/take', 'member'],
  ['GET', '/health', 'admin'],
  ['POST', '/health', 'admin'],
  ['GET', '/account', 'member'],
  ['POST', '/account/sessions/:sessionId/end', 'member'],
  ['POST', '/account/passkeys/options', 'member'],
  ['POST', '/account/passkeys', 'member'],
  ['POST', '/account/passkeys/remove', 'member'],
  ['POST', '/account/sign-out-everywhere', 'member'],
  ['POST', '/sign-out', 'nobody'],
]

const ENDS_SESSION = ['/account/sign-out-everywhere', '/sign-out']

describe('the roles of the web app', () => {
  let orgId: string
  let visitors: ReadonlyMap<Role, Visitor>

  const visitorAs = async (role: Role): Promise<Visitor> =>
    role === 'nobody' ? guest() : await signedIn({ orgId, role, name: role })

  before(async () => {
    orgId = await newOrganisation(service().db)
    // The organisation keeps this owner, whoever else leaves it.
    await signedIn({ orgId, role: 'owner', name: 'Owner who stays' })
    visitors = new Map(await Promise.all(ROLES.map(async (role) => [role, await visitorAs(role)] as const)))
  })

  it('are tried on every page and form of src/app/console.ts', () => {
    const listed = actions.map(({ method, path, least }) => `${method} ${path} ${least}`)
    assert.deepEqual(listed.toSorted(), expected.map((action) => action.join(' ')).toSorted())
  })

  for (const [method, path, least] of expected) {
    it(`let ${least === 'nobody' ? 'everybody' : `${least} and above`} use ${method} ${path}, and nobody below`, async () => {
      for (const [role, known] of visitors) {
        const visitor = ENDS_SESSION.includes(path) ? await visitorAs(role) : known
        const asked = pathOf({ method, path, least })
        const answer = method === 'GET' ? await visitor.get(asked) : await visitor.post(asked)
        assert.ok(answer.status < 500, answer.text)
        // Operators alone run the checks of the service, and these are none.
        const lacksRole = answer.status === 403 && !answer.text.includes('This page is for operators')
        const isRefused =
          answer.status === 401 ||
          lacksRole ||
          (role === 'nobody' && method === 'GET' && answer.headers.location === '/app/sign-in')
        assert.equal(isRefused, ROLES.indexOf(role) < ROLES.indexOf(least), `${role}: ${answer.status} ${answer.text}`)
      }
    })
  }

  it('hold from the next click on, as does a removal', async () => {
    const visitor = await signedIn({ orgId, role: 'owner', name: 'Changing' })
    const set = (role: string) =>
      rows(
        `update membership set role = $1::text from person
         where person.person_id = membership.person_id and person.name = 'Changing'`,
        role,
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
    await rows(
      `delete from membership using person where person.person_id = membership.person_id and person.name = 'Changing'`,
    )
    assert.equal((await visitor.get('/app/members')).headers.location, '/app/sign-in')
    assert.equal((await visitor.post('/app/members', { name: 'x', role: 'owner' })).status, 401)
  })

  it('show a person the pages that the role opens, and a refusal that names who may', async () => {
    for (const [role, visitor] of visitors) {
      if (role === 'nobody') continue
      const { text } = await visitor.get('/app/account')
      assert.equal(text.includes('<a href="/app/members"'), role === 'owner', role)
    }
    const refused = await visitors.get('member')?.get('/app/members')
    assert.match(refused?.text ?? '', /Owners of this organisation may open it/)
  })
})
