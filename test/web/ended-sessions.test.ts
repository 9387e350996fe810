import assert from 'node:assert/strict'
import { organisation, type Organisation } from './organisation.js'

describe('sessions and links that have ended', () => {
  let org: Organisation
  before(async () => {
    org = await organisation()
    // This sign-in removes what other suites have left.
    await org.enter()
  })

  const enterSessions = (personId: string, daysAgo: number, number: number) =>
    org.rows(
      `insert into session (token_hash, person_id, org_id, made_by, created_at, seen_at, ends_at)
       select sha256(($2::text || place)::bytea), $2::text, $1::text, 'link', ends_at - interval '7 days',
         ends_at - interval '7 days', ends_at
       from generate_series(1, $4::int) as place
       cross join lateral (select clock_timestamp() - make_interval(days => $3::int) - make_interval(secs => place) as ends_at) as ended`,
      personId,
      daysAgo,
      number,
    )
  const enterLinks = (name: string, minutesAgo: number, number: number) =>
    org.rows(
      `insert into sign_in_link (token_hash, org_id, role, name, created_at, valid_until, used_at)
       select sha256(($2::text || place)::bytea), $1::text, 'member', $2::text, valid_until - interval '1 day', valid_until,
         case when place % 2 = 0 then valid_until end
       from generate_series(1, $4::int) as place
       cross join lateral (select clock_timestamp() - make_interval(mins => $3::int) as valid_until) as ended`,
      name,
      minutesAgo,
      number,
    )
  const left = async (personId: string, name: string) => {
    const [found] = await org.rows<Record<'sessions' | 'links', number>>(
      `select (select count(*)::int from session where org_id = $1::text and person_id = $2::text) as sessions,
         (select count(*)::int from sign_in_link where org_id = $1::text and name = $3::text) as links`,
      personId,
      name,
    )
    return [found?.sessions, found?.links]
  }

  it('are removed by later sign-ins, a hundred at a time, and leave no event', async () => {
    const personId = await org.add('Past')
    await enterSessions(personId, 31, 150)
    await enterLinks('Past', 1, 150)
    assert.deepEqual(await left(personId, 'Past'), [150, 150])
    for (const each of [50, 0]) {
      await org.enter()
      assert.deepEqual(await left(personId, 'Past'), [each, each])
    }
    assert.deepEqual(await org.events('session_ended', 'link_withdrawn'), [])
  })

  it('stay where the members page needs them, or where they still sign somebody in', async () => {
    const personId = await org.add('Recent')
    await enterSessions(personId, 29, 3)
    await enterLinks('Open', -60, 3)
    const owner = await org.enter()
    assert.deepEqual(await left(personId, 'Open'), [3, 3])
    assert.equal((await owner.get('/app/account')).status, 200)
    // The person is back: the new session tells of the last visit.
    await org.enter('Recent', 'member', personId)
    assert.deepEqual(await left(personId, 'Open'), [1, 3])
  })

  it('never make two sign-ins wait for each other', async () => {
    const people = await Promise.all([1, 2, 3, 4].map(() => org.add('Many')))
    for (const personId of people) await enterSessions(personId, 31, 20)
    await enterLinks('Many', 1, 200)
    const visitors = await Promise.all(people.map((personId) => org.enter('Many', 'member', personId)))
    for (const visitor of visitors) assert.equal((await visitor.get('/app/account')).status, 200)
  })
})
