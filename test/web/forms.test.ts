import assert from 'node:assert/strict'
import { actionsOf } from '../../src/app/actions.js'
import { newKeyId } from '../../src/core/access/keys.js'
import type { Visitor } from '../support/browse.js'
import { enterMember } from '../support/people.js'
import { mint, newOrganisation, service } from '../support/service.js'
import { pathOf } from './actions.js'
import { stateOfOrganisation } from './state.js'
import { personOf, rows, signedIn } from './visitors.js'

type Form = Readonly<Record<string, string>>

const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const NAME = /Text of 1 to \d00 characters, none of them a control character or invisible, is accepted\./
const DAYS = /A whole number from 7 to 365, in digits alone, is accepted\./
const DAY = /A date such as 2027-03-31 is accepted\./
const CREDITS = /A whole number from 0 to 999,999,999, in digits alone, is accepted\./
const invisible = ['A\u001b[2Jb', 'A\nB', '\u202eevil', '\u2800', '   ']

/** Fields of a change that are wrong, each by itself: the status, and what the answer says. The others are `good`. */
const wrong: readonly [change: string, over: readonly Form[], status: number, ...said: RegExp[]][] = [
  ['members.invite', [...invisible, 'x'.repeat(101)].map((name) => ({ name })), 422, NAME],
  [
    'members.invite',
    [{ email: 'no address' }, { email: 'ada\u200b@example.org' }],
    422,
    /An e-mail address is accepted\./,
  ],
  ['members.invite', [{ name: '', role: 'king' }], 422, NAME, /One of owner, admin, member is accepted\./],
  ['members.role', [{ role: 'king' }], 400, /One of owner, admin, member is accepted\./],
  ['members.limit', ['-1', '1.5', 'many', '1e3', '9999999999'].map((credits) => ({ credits })), 400, CREDITS],
  ['keys.mint', [...invisible, 'x'.repeat(201)].map((name) => ({ name })), 422, NAME],
  ['keys.mint', [{ key: '' }, { key: 'key_x' }], 400, /Open the page anew/],
  ['keys.mint', [{ preset: '' }, { preset: 'root' }], 400, /one of locality, analyst, full-read/],
  ['keys.mint', [{ reach: '' }], 400, /one of all, named is accepted/],
  ['keys.mint', [{ reach: 'named' }], 422, /Choose at least one dataset/],
  ['keys.mint', ['lyr_nowhere', "'; drop"].map((dataset) => ({ reach: 'named', dataset })), 422, /cannot read &quot;/],
  ['keys.mint', ['6', '366', '-7', ''].map((days) => ({ days })), 422, DAYS],
  ['keys.mint', [5, 366, -1].map((days) => ({ days: 'date', until: dayIn(days) })), 422, /this day is too near or/],
  ['keys.mint', ['', '31.3.2027', '2027-02-30', '0000-01-01'].map((until) => ({ days: 'date', until })), 422, DAY],
  ['keys.mint', [{ name: ' ', reach: 'named', days: '6' }], 422, NAME, /Choose at least one/, DAYS],
  ['keys.roll', [{ grace: '8d', days: '5' }], 422, DAYS, /One of now, 1h, 24h, 7d is accepted\./],
  ['keys.roll', [{ key: 'key_x' }], 400, /Open the page anew/],
  ['account.remove-passkey', [{ passkey: 'none' }], 404, /There is no such page/],
  ['account.organisation', [{ organisation: '' }], 404, /There is no such page/],
]

describe('the changes of src/app/actions.ts', () => {
  let orgId: string
  let owner: Visitor
  let ids: Record<string, string>
  /** Fields of each change that are right. */
  let good: Record<string, Form>
  beforeEach(async () => {
    orgId = await newOrganisation(service().db)
    owner = await signedIn({ orgId, name: 'Olu' })
    const personId = await enterMember(service().db, { orgId, role: 'member', name: 'Musa' })
    await owner.post('/app/members', { name: 'Invited', role: 'member' })
    await signedIn({ orgId, personId: await personOf(orgId, 'Olu') })
    const { keyId } = await mint(service().db, { org: orgId })
    const [row] = await rows<Record<string, string>>(
      `select (select left(encode(token_hash, 'hex'), 16) from sign_in_link where org_id = $1::text and used_at is null) as "invitationId",
         (select left(encode(token_hash, 'hex'), 16) from session where org_id = $1::text order by created_at desc limit 1) as "sessionId"`,
      orgId,
    )
    ids = { ...row, personId, keyId }
    const passkey = `of-${orgId}`
    await rows(
      `insert into passkey (credential_id, person_id, public_key, name) values ($1::text, $2::text, 'x', 'Phone')`,
      passkey,
      await personOf(orgId, 'Olu'),
    )
    good = {
      'members.invite': { name: 'Ben', email: '', role: 'member' },
      'members.role': { role: 'admin' },
      'members.limit': { credits: '3' },
      'keys.mint': { key: newKeyId(), name: 'Kept', preset: 'analyst', reach: 'all', days: '30', until: '' },
      'keys.roll': { key: newKeyId(), grace: '24h', days: '30', until: '' },
      'account.remove-passkey': { passkey },
      'account.organisation': { organisation: orgId },
    }
  })

  const actions = actionsOf([])
  const pathTo = (change: string) => {
    const { path = '', least = 'owner' } = actions.find(({ name }) => name === change) ?? {}
    return pathOf({ method: 'POST', path, least }, ids)
  }

  it('say what every wrong field takes, keep what was typed, and change nothing', async () => {
    const before = await stateOfOrganisation(service().db, orgId)
    const forms = wrong.flatMap(([change, overs, ...expected]) => overs.map((over) => ({ change, over, expected })))
    for (const { change, over, expected } of forms) {
      const [status, ...said] = expected
      const form = { ...good[change], ...over }
      const answer = await owner.post(pathTo(change), form)
      const title = `${change} ${JSON.stringify(over)}: ${answer.text}`
      assert.equal(answer.status, status, title)
      for (const sentence of said) assert.match(answer.text, sentence, title)
      if (status !== 422) continue
      assert.equal(answer.text.match(/<li><a href="#/g)?.length, said.length, title)
      assert.match(answer.text, /class="fault"/)
      if (over['name'] === undefined && form['name'] !== undefined)
        assert.ok(answer.text.includes(`value="${form['name']}"`), title)
    }
    assert.deepEqual(await stateOfOrganisation(service().db, orgId), before)
  })

  for (const { name, notice, path } of actions)
    it(`include ${name}: it is made, leaves what tells of it, and ${notice === undefined ? 'answers at once' : 'is said once'}`, async () => {
      const before = await stateOfOrganisation(service().db, orgId)
      const { status, headers, text } = await owner.post(pathTo(name), good[name] ?? {})
      assert.ok([200, 303].includes(status), text)
      if (name !== 'account.organisation')
        assert.notDeepEqual(await stateOfOrganisation(service().db, orgId), before, name)
      if (notice === undefined) return
      const section = /^\/\w+/.exec(path)?.[0]
      assert.equal(headers.location, `/app${section}`)
      assert.ok((await owner.get(`/app${section}`)).text.includes(notice))
      assert.ok(!(await owner.get(`/app${section}`)).text.includes(notice), 'a reload says it no more')
    })
})
