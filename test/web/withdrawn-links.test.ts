import assert from 'node:assert/strict'
import { hashSecret, randomText } from '../../src/core/access/secret.js'
import { join, takeLink } from '../../src/app/sign-in/link.js'
import type { Visitor } from '../support/browse.js'
import { service } from '../support/service.js'
import { look, organisation, spend, type Organisation } from './organisation.js'
import { rows, tokenIn } from './visitors.js'

const demote = (personId: string, role: string) =>
  rows('update membership set role = $1::text where person_id = $2::text', role, personId)
const remove = (personId: string) => rows('delete from membership where person_id = $1::text', personId)

/** An organisation whose owner Dora is signed in, with another owner, Mallory. */
let org: Organisation
let dora: Visitor
let mallory: string
beforeEach(async () => {
  org = await organisation()
  dora = await org.enter('Dora')
  mallory = await org.add('Mallory', 'owner')
})

describe('a member who is removed or demoted', () => {
  /** Ways in which Mallory ceases to be an owner. */
  const ends: readonly [title: string, end: () => Promise<unknown>][] = [
    ['removed in the app', () => dora.post(`/app/members/${mallory}/remove`)],
    ['demoted to Member in the app', () => dora.post(`/app/members/${mallory}/role`, { role: 'member' })],
    ['demoted to Admin in psql', () => demote(mallory, 'admin')],
    ['removed in psql', () => remove(mallory)],
    ['deleted as a person', () => rows('delete from person where person_id = $1::text', mallory)],
  ]
  for (const [title, end] of ends)
    it(`and ${title} leaves no link that brings anybody in`, async () => {
      const visitor = await org.enter('Mallory', 'owner', mallory)
      const made = await Promise.all(
        ['owner', 'admin', 'member'].map(async (role) =>
          tokenIn((await visitor.post('/app/members', { name: 'Backdoor', role })).text),
        ),
      )
      for (const t of made) assert.equal(await look(t), 200)
      await end()
      for (const t of made) assert.deepEqual([await look(t), await spend(t)], [410, 410])
      assert.doesNotMatch((await org.members()).join(), /Backdoor/)
      assert.doesNotMatch((await dora.get('/app/members')).text, /Backdoor/)
    })

  it('and comes back by no link of the own, for the id or for the e-mail address', async () => {
    const carl = await org.add('Carl', 'member', 'carl@example.org')
    const left = [
      await org.link({ role: 'member', personId: carl }),
      await org.link({ role: 'member', name: 'Carl', email: 'Carl@Example.org' }),
    ]
    const elsewhere = await (await organisation()).link({ personId: carl })
    assert.equal((await dora.post(`/app/members/${carl}/remove`)).status, 303)
    for (const t of left) assert.deepEqual([await look(t), await spend(t)], [410, 410])
    assert.deepEqual(await org.members(), ['Dora owner', 'Mallory owner'])
    assert.equal(await spend(elsewhere), 303)
  })

  it('and takes a lower role loses the links that give more, and keeps the others', async () => {
    const carl = await org.add('Carl', 'owner', 'carl@example.org')
    const [owner, admin, member] = [
      await org.link({ role: 'owner', email: 'carl@example.org' }),
      await org.link({ role: 'admin', personId: carl }),
      await org.link({ role: 'member', personId: carl }),
    ]
    await demote(carl, 'admin')
    assert.deepEqual([await look(owner), await look(admin), await look(member)], [410, 200, 200])
    await demote(carl, 'member')
    assert.deepEqual([await look(admin), await look(member)], [410, 200])
    await demote(carl, 'owner')
    assert.equal(await spend(member), 303)
  })

  it('leaves the links of the command line and of other owners as they are', async () => {
    const ofOperator = await org.link({ role: 'admin', name: 'Of the operator', email: 'x@example.org' })
    const ofDora = tokenIn((await dora.post('/app/members', { name: 'Of Dora', role: 'member' })).text)
    await remove(mallory)
    assert.deepEqual([await spend(ofOperator), await spend(ofDora)], [303, 303])
    assert.deepEqual(await org.members(), ['Dora owner', 'Of Dora member', 'Of the operator admin'])
  })

  it('leaves an event of each link, which names the one who removed the member', async () => {
    await org.link({ role: 'admin', name: 'Backdoor', createdBy: mallory })
    await dora.post(`/app/members/${mallory}/remove`)
    const events = await org.events('link_withdrawn', 'removed')
    assert.deepEqual(
      events.map(({ action, actor, detail }) => [action, actor, detail['name']]),
      [
        ['removed', 'Dora', 'Mallory'],
        ['link_withdrawn', 'Dora', 'Backdoor'],
      ],
    )
    assert.match((await dora.get('/app/events')).text, /Dora removed Mallory/)
  })

  const endings = { removal: remove, demotion: (personId: string) => demote(personId, 'admin') }
  for (const [ending, end] of Object.entries(endings))
    it(`who makes a link during the ${ending} makes one that signs nobody in`, async () => {
      // The form of a page that was read before the change arrives after it.
      await end(mallory)
      const t = await org.link({ role: 'owner', name: 'Late', createdBy: mallory })
      assert.deepEqual([await look(t), await spend(t)], [410, 410])
      assert.doesNotMatch((await org.members()).join(), /Late/)
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
      const about = whose === 'of its maker' ? { createdBy: mallory } : { personId: mallory }
      const t = await org.link({ role: 'owner', name: `Late ${randomText(4)}`, ...about })
      let spent: Promise<number> = Promise.resolve(0)
      await service().db.transaction(async (run) => {
        await run('delete from membership where person_id = $1::text', [mallory])
        spent = spend(t)
        await Promise.race([spent, untilOneWaits()])
      })
      assert.equal(await spent, 410)
      assert.deepEqual(await org.members(), ['Dora owner'])
    })

  it('of its person, which began after it, waits for its end: neither is refused', async () => {
    const t = await org.link({ role: 'owner', personId: mallory })
    let removed: Promise<unknown> = Promise.resolve()
    await service().db.change('spend', async (run) => {
      assert.ok(await takeLink(run, hashSecret(t)))
      removed = remove(mallory)
      await Promise.race([removed, untilOneWaits()])
      await join(run, { personId: mallory, orgId: org.orgId, role: 'owner' })
    })
    await removed
    assert.deepEqual(await org.members(), ['Dora owner'])
  })
})
