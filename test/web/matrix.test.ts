import assert from 'node:assert/strict'
import type { Visitor } from '../support/browse.js'
import { actions, pathOf, ROLES, type Action, type Role } from './actions.js'
import { organisation, type Organisation } from './organisation.js'
import { guest, rows } from './visitors.js'

/**
 * Every page and form by the least role that may use it. A form is sent without what it needs: the page about roles, 401
 * and a way to the sign-in page mean that the role is refused, and every other answer means that it is not.
 */
const LEAST: Record<Role, { pages: string; forms: string }> = {
  nobody: {
    pages: '/sign-in /sign-in/openid /sign-in/openid/callback /link',
    forms: '/sign-in/passkey/options /sign-in/passkey /link /sign-out',
  },
  member: {
    pages: `/ /map /map.csv /tiles/base/:z/:x/:y /tiles/:layer/:z/:x/:y /values/:level /values/:lon/:lat /place /ask /take /table /find /datasets /datasets/:layerId /sql /account`,
    forms: `/ask /take /table /organisation /account/sessions/:sessionId/end /account/sign-out-everywhere
      /account/passkeys/options /account/passkeys /account/passkeys/remove`,
  },
  admin: {
    pages: `/keys /keys/new /keys/:keyId /events /events.csv /usage /usage.csv /credits /credits.csv /health`,
    forms: '/keys/new /keys/:keyId/roll /keys/:keyId/caps /keys/:keyId/revoke /health',
  },
  owner: {
    pages: '/members',
    forms: `/members /members/:personId/link /members/:personId/role /members/:personId/limit /members/:personId/remove
      /members/invitations/:invitationId/withdraw`,
  },
}
const listed = (method: Action['method'], least: Role, paths: string): Action[] =>
  paths.split(/\s+/).map((path) => ({ method, path, least }))
const expected = ROLES.flatMap((least) => [
  ...listed('GET', least, LEAST[least].pages),
  ...listed('POST', least, LEAST[least].forms),
])

const ENDS_SESSION = ['/account/sign-out-everywhere', '/sign-out']

describe('the roles of the web app', () => {
  let org: Organisation
  let visitors: ReadonlyMap<Role, Visitor>

  const visitorAs = async (role: Role): Promise<Visitor> => (role === 'nobody' ? guest() : await org.enter(role, role))

  before(async () => {
    org = await organisation()
    // The organisation keeps this owner, whoever else leaves it.
    await org.add('Owner who stays', 'owner')
    visitors = new Map(await Promise.all(ROLES.map(async (role) => [role, await visitorAs(role)] as const)))
  })

  it('are tried on every page and form of src/app/console.ts', () => {
    const lines = (all: readonly Action[]) => all.map(({ method, path, least }) => `${method} ${path} ${least}`)
    assert.deepEqual(lines(actions).toSorted(), lines(expected).toSorted())
  })

  for (const { method, path, least } of expected) {
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
    const visitor = await org.enter('Changing')
    const personId = await org.idOf('Changing')
    for (const [role, status] of [
      ['admin', 403],
      ['owner', 200],
      ['member', 403],
      ['owner', 200],
    ] as const) {
      await rows('update membership set role = $1::text where person_id = $2::text', role, personId)
      assert.equal((await visitor.get('/app/members')).status, status, role)
    }
    await rows('delete from membership where person_id = $1::text', personId)
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
