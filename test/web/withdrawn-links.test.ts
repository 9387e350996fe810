import assert from 'node:assert/strict'
import { hashSecret, randomText } from '../../src/core/access/secret.js'
import { join, takeLink } from '../../src/app/sign-in/link.js'
import type { Visitor } from '../support/browse.js'
import { enterMember } from '../support/people.js'
import { newOrganisation, service } from '../support/service.js'
import { guest, linkFor as link, rows, signedIn, tokenIn } from './visitors.js'

const look = async (t: string) => (await guest().get(`/app/link?t=${t}`)).status
const spend = async (t: string) => (await guest().post('/app/link', { t })).status
const membersOf = async (orgId: string) =>
  (
    await rows<{ name: string }>(
      'select name from membership join person using (person_id) where org_id = $1::text order by name',
      orgId,
    )
  ).map(({ name }) => name)
const demote = (personId: string, role: string) =>
  rows('update membership set role = $1::text where person_id = $2::text', role, personId)
const remove = (personId: string) => rows('delete from membership where person_id = $1::text', personId)

/** An organisation whose owner Dora is signed in, with another owner, Mallory. */
async function organisationOfTwo() {
  const orgId = await newOrganisation(service().db)
  const dora = await signedIn({ orgId, name: 'Dora' })
  const mallory = await enterMember(service().db, { orgId, role: 'owner', name: 'Mallory' })
  return { orgId, dora, mallory }
}

describe('a member who is removed or demoted', () => {
  /** Ways in which Mallory ceases to be an owner. */
  const ends: readonly [title: string, end: (dora: Visitor, mallory: string) => Promise<unknown>][] = [
    ['removed in the app', (dora, mallory) => dora.post(`/app/members/${mallory}/remove`)],
    ['demoted to Member in the app', (dora, mallory) => dora.post(`/app/members/${mallory}/role`, { role: 'member' })],
    ['demoted to Admin in psql', (_dora, mallory) => demote(mallory, 'admin')],
    ['removed in psql', (_dora, mallory) => remove(mallory)],
    ['deleted as a person', (_dora, mallory) => rows('delete from person where person_id = $1::text', mallory)],
  ]
  for (const [title, end] of ends)
    it(`and ${title} leaves no link that brings anybody in`, async () => {
      const { orgId, dora, mallory } = await organisationOfTwo()
      const visitor = await signedIn({ orgId, personId: mallory })
      const made = await Promise.all(
        ['owner', 'admin', 'member'].map(async (role) => {
          const answer = await visitor.post('/app/members', { name: 'Backdoor', role })
          return tokenIn(answer.text)
        }),
      )
      for (const t of made) assert.equal(await look(t), 200)
      await end(dora, mallory)
      for (const t of made) assert.deepEqual([await look(t), await spend(t)], [410, 410])
      assert.ok(!(await membersOf(orgId)).includes('Backdoor'))
      assert.doesNotMatch((await dora.get('/app/members')).text, /Backdoor/)
    })

  it('and comes back by no link of the own, for the id or for the e-mail address', async () => {
    const { orgId, dora } = await organisationOfTwo()
    const carl = await enterMember(service().db, { orgId, role: 'member', name: 'Carl', email: 'carl@example.org' })
    const left = [
      await link({ orgId, role: 'member', personId: carl }),
      await link({ orgId, role: 'member', name: 'Carl', email: 'Carl@Example.org' }),
    ]
    const other = await newOrganisation(service().db)
    const elsewhere = await link({ orgId: other, personId: carl })
    assert.equal((await dora.post(`/app/members/${carl}/remove`)).status, 303)
    for (const t of left) assert.deepEqual([await look(t), await spend(t)], [410, 410])
    assert.deepEqual(await membersOf(orgId), ['Dora', 'Mallory'])
    assert.equal(await spend(elsewhere), 303)
  })

  it('and takes a lower role loses the links that give more, and keeps the others', async () => {
    const { orgId } = await organisationOfTwo()
    const carl = await enterMember(service().db, { orgId, role: 'owner', name: 'Carl', email: 'carl@example.org' })
    const [owner, admin, member] = [
      await link({ orgId, role: 'owner', email: 'carl@example.org' }),
      await link({ orgId, role: 'admin', personId: carl }),
      await link({ orgId, role: 'member', personId: carl }),
    ]
    await demote(carl, 'admin')
    assert.deepEqual([await look(owner), await look(admin), await look(member)], [410, 200, 200])
    await demote(carl, 'member')
    assert.deepEqual([await look(admin), await look(member)], [410, 200])
    await demote(carl, 'owner')
    assert.equal(await spend(member), 303)
  })

  it('leaves the links of the command line and of other owners as they are', async () => {
    const { orgId, dora, mallory } = await organisationOfTwo()
    const ofOperator = await link({ orgId, role: 'admin', name: 'Of the operator', email: 'x@example.org' })
    const ofDora = tokenIn((await dora.post('/app/members', { name: 'Of Dora', role: 'member' })).text)
    await remove(mallory)
    assert.deepEqual([await spend(ofOperator), await spend(ofDora)], [303, 303])
    assert.deepEqual(await membersOf(orgId), ['Dora', 'Of Dora', 'Of the operator'])
  })

  it('leaves an event of each link, which names the one who removed the member', async () => {
    const { orgId, dora, mallory } = await organisationOfTwo()
    await link({ orgId, role: 'admin', name: 'Backdoor', createdBy: mallory })
    await dora.post(`/app/members/${mallory}/remove`)
    const events = await rows<object>(
      `select action, actor, detail->>'name' as about from key_event where org_id = $1::text order by event_id desc limit 2`,
      orgId,
    )
    assert.deepEqual(
      [...events],
      [
        { action: 'link_withdrawn', actor: 'Dora', about: 'Backdoor' },
        { action: 'removed', actor: 'Dora', about: 'Mallory' },
      ],
    )
    assert.match((await dora.get('/app/events')).text, /Dora removed Mallory/)
  })

  const endings = { removal: remove, demotion: (mallory: string) => demote(mallory, 'admin') }
  for (const [ending, end] of Object.entries(endings))
    it(`who makes a link during the ${ending} makes one that signs nobody in`, async () => {
      const { orgId, mallory } = await organisationOfTwo()
      // The form of a page that was read before the change arrives after it.
      await end(mallory)
      const t = await link({ orgId, role: 'owner', name: 'Late', createdBy: mallory })
      assert.deepEqual([await look(t), await spend(t)], [410, 410])
      assert.ok(!(await membersOf(orgId)).includes('Late'))
    })
})

describe('a link that is spent during a removal', () => {
  /** Resolves when a session waits for a row that another one has locked. */
  async function untilOneWaits(): Promise<void> {
    for (;;) {
      const [row] = await rows<{ waiting: boolean }>(
        'select exists (select from pg_locks where not granted and database is null) as waiting',
      )
      if (row?.waiting) return
    }
  }

  for (const whose of ['of its maker', 'of its person'] as const)
    it(`${whose} waits for the end of it, and signs nobody in`, async () => {
      const { orgId, mallory } = await organisationOfTwo()
      const about = whose === 'of its maker' ? { createdBy: mallory } : { personId: mallory }
      const t = await link({ orgId, role: 'owner', name: `Late ${randomText(4)}`, ...about })
      let spent: Promise<number> = Promise.resolve(0)
      await service().db.transaction(async (run) => {
        await run('delete from membership where person_id = $1::text', [mallory])
        spent = spend(t)
        await Promise.race([spent, untilOneWaits()])
      })
      assert.equal(await spent, 410)
      assert.deepEqual(await membersOf(orgId), ['Dora'])
    })

  it('of its person, which began after it, waits for its end: neither is refused', async () => {
    const { orgId, mallory } = await organisationOfTwo()
    const t = await link({ orgId, role: 'owner', personId: mallory })
    let removed: Promise<unknown> = Promise.resolve()
    await service().db.change('spend', async (run) => {
      assert.ok(await takeLink(run, hashSecret(t)))
      removed = remove(mallory)
      await Promise.race([removed, untilOneWaits()])
      await join(run, { personId: mallory, orgId, role: 'owner' })
    })
    await removed
    assert.deepEqual(await membersOf(orgId), ['Dora'])
  })
})
