import assert from 'node:assert/strict'
import { signIn } from '../support/browse.js'
import { enterMember } from '../support/people.js'
import { newOrganisation, service } from '../support/service.js'

const ENTER_SESSIONS = `insert into session (token_hash, person_id, org_id, made_by, created_at, seen_at, ends_at)
  select sha256(($2::text || place)::bytea), $2::text, $1::text, 'link', ends_at - interval '7 days',
    ends_at - interval '7 days', ends_at
  from generate_series(1, $4::int) as place
  cross join lateral (select clock_timestamp() - make_interval(days => $3::int) - make_interval(secs => place) as ends_at) as ended`

const ENTER_LINKS = `insert into sign_in_link (token_hash, org_id, role, name, created_at, valid_until, used_at)
  select sha256(($2::text || place)::bytea), $1::text, 'member', $2::text, valid_until - interval '1 day', valid_until,
    case when place % 2 = 0 then valid_until end
  from generate_series(1, $4::int) as place
  cross join lateral (select clock_timestamp() - make_interval(mins => $3::int) as valid_until) as ended`

describe('sessions and links that have ended', () => {
  const db = () => service().db
  const url = () => service().url
  let orgId: string

  before(async () => {
    orgId = await newOrganisation(db())
    // This sign-in removes what other suites have left.
    await signIn(url(), db(), { orgId })
  })

  const count = async (table: 'session' | 'sign_in_link' | 'key_event', condition: string) => {
    const [row] = await db().rows<{ found: number }>(
      `select count(*)::int as found from ${table} where org_id = $1::text and ${condition}`,
      [orgId],
    )
    return row?.found ?? -1
  }

  it('are removed by later sign-ins, a hundred at a time, and leave no event', async () => {
    const personId = await enterMember(db(), { orgId, role: 'member', name: 'Past' })
    await db().rows(ENTER_SESSIONS, [orgId, personId, 31, 150])
    await db().rows(ENTER_LINKS, [orgId, 'Past', 1, 150])
    const ofPast = () =>
      Promise.all([
        count('session', `person_id = '${personId}'`),
        count('sign_in_link', `name = 'Past'`),
        count('key_event', `action in ('session_ended', 'link_withdrawn')`),
      ])
    assert.deepEqual(await ofPast(), [150, 150, 0])
    for (const left of [50, 0]) {
      await signIn(url(), db(), { orgId })
      assert.deepEqual(await ofPast(), [left, left, 0])
    }
  })

  it('stay where the members page needs them, or where they still sign somebody in', async () => {
    const personId = await enterMember(db(), { orgId, role: 'member', name: 'Recent' })
    await db().rows(ENTER_SESSIONS, [orgId, personId, 29, 3])
    await db().rows(ENTER_LINKS, [orgId, 'Open', -60, 3])
    const owner = await signIn(url(), db(), { orgId })
    assert.equal(await count('session', `person_id = '${personId}'`), 3)
    assert.equal(await count('sign_in_link', `name = 'Open'`), 3)
    assert.equal((await owner.get('/app/account')).status, 200)
    // The person is back: the new session tells of the last visit.
    await signIn(url(), db(), { orgId, personId })
    assert.equal(await count('session', `person_id = '${personId}'`), 1)
  })

  it('never make two sign-ins wait for each other', async () => {
    const people = []
    for (let i = 0; i < 4; i += 1) {
      const personId = await enterMember(db(), { orgId, role: 'member', name: 'Many' })
      await db().rows(ENTER_SESSIONS, [orgId, personId, 31, 20])
      people.push(personId)
    }
    await db().rows(ENTER_LINKS, [orgId, 'Many', 1, 200])
    const visitors = await Promise.all(people.map((personId) => signIn(url(), db(), { orgId, personId, name: 'Many' })))
    for (const visitor of visitors) assert.equal((await visitor.get('/app/account')).status, 200)
  })
})
