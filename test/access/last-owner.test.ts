import assert from 'node:assert/strict'
import { connect, type Database } from '../../src/core/db/connect.js'
import type { TestDatabase } from '../support/database.js'
import { enterMember } from '../support/people.js'
import { sample } from '../support/sample.js'
import { newOrganisation, service } from '../support/service.js'

describe('the last owner of an organisation', () => {
  let database: TestDatabase
  let app: Database
  before(async () => {
    database = service().database
    app = connect(database.consoleTarget, { transactions: 6 })
  })
  after(() => app.close())

  const ownersOf = async (orgId: string) => {
    const [row] = await database.db.rows<{ owners: number }>(
      `select count(*)::int as owners from membership where org_id = $1::text and role = 'owner'`,
      [orgId],
    )
    return row?.owners ?? 0
  }
  /** Ways to lose an owner. The person is $1, the organisation $2. */
  const losing = [
    'delete from membership where person_id = $1::text and org_id = $2::text',
    `update membership set role = 'admin' where person_id = $1::text and org_id = $2::text`,
  ]
  const lose = (way: number, personId: string, orgId: string) =>
    app.transaction((run) => run(losing[way % losing.length] ?? '', [personId, orgId]))

  it('stays when three owners remove and demote one another at the same time', async () => {
    for (let round = 0; round < sample(10, 200); round += 1) {
      const orgId = await newOrganisation(database.db)
      const owners = await Promise.all([1, 2, 3].map(() => enterMember(database.db, { orgId, role: 'owner' })))
      const tries = await Promise.allSettled(owners.map((owner, i) => lose(round + i, owner, orgId)))
      const refused = tries.filter((each) => each.status === 'rejected')
      assert.equal(refused.length, 1)
      assert.match(String(refused[0]?.reason), /keeps its last owner/)
      assert.equal(await ownersOf(orgId), 1)
    }
  })

  it('stays when the second of two transactions ends before the first, which has looked already', async () => {
    const orgId = await newOrganisation(database.db)
    const [first = '', second = ''] = await Promise.all(
      [1, 2].map(() => enterMember(database.db, { orgId, role: 'owner' })),
    )
    let other: Promise<PromiseSettledResult<unknown>[]> = Promise.resolve([])
    await app.transaction(async (run) => {
      await run(losing[0] ?? '', [first, orgId])
      await run('set constraints membership_keeps_owner immediate', [])
      const ending = lose(0, second, orgId)
      other = Promise.allSettled([ending])
      await Promise.race([other, untilOneWaits()])
    })
    assert.equal((await other)[0]?.status, 'rejected')
    assert.equal(await ownersOf(orgId), 1)
  })

  /** Resolves when a session of this database waits for a row that another one has locked: others share the server. */
  async function untilOneWaits(): Promise<void> {
    for (;;) {
      const [row] = await database.db.rows<{ waiting: boolean }>(
        `select exists (
          select from pg_locks as wanted join pg_locks as held using (pid)
          where not wanted.granted and wanted.database is null
            and held.database = (select oid from pg_database where datname = current_database())
        ) as waiting`,
        [],
      )
      if (row?.waiting) return
    }
  }

  it('changes places with another in one transaction', async () => {
    const orgId = await newOrganisation(database.db)
    const owner = await enterMember(database.db, { orgId, role: 'owner' })
    const next = await enterMember(database.db, { orgId, role: 'member' })
    await app.transaction(async (run) => {
      await run('delete from membership where person_id = $1::text', [owner])
      await run(`update membership set role = 'owner' where person_id = $1::text`, [next])
    })
    assert.equal(await ownersOf(orgId), 1)
  })

  it('goes with the organisation, and not with the person', async () => {
    const orgId = await newOrganisation(database.db)
    const owner = await enterMember(database.db, { orgId, role: 'owner' })
    await assert.rejects(
      database.db.rows('delete from person where person_id = $1::text', [owner]),
      /keeps its last owner/,
    )
    await database.db.rows('delete from organisation where org_id = $1::text', [orgId])
    assert.equal(await ownersOf(orgId), 0)
  })

  it('is not decided on an old snapshot', async () => {
    const orgId = await newOrganisation(database.db)
    const owners = await Promise.all([1, 2].map(() => enterMember(database.db, { orgId, role: 'owner' })))
    await assert.rejects(
      app.transaction(async (run) => {
        await run('set transaction isolation level repeatable read', [])
        await run(losing[0] ?? '', [owners[0], orgId])
      }),
      /READ COMMITTED only/,
    )
    assert.equal(await ownersOf(orgId), 2)
  })
})
