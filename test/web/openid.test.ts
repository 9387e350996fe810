import assert from 'node:assert/strict'
import { rolesOf, type OpenIdSettings } from '../../src/app/openid/settings.js'
import { visit, type PageAnswer, type Visitor } from '../support/browse.js'
import { askProvider, startOpenIdProvider, whatWasMade, type OpenIdProvider } from '../support/openid-provider.js'
import { service, startService } from '../support/service.js'
import { organisation, type Organisation } from './organisation.js'
import { rows } from './visitors.js'

/** A provider, and a service whose people sign in with it, while the tests of a suite run. */
function providing(roleClaim: () => OpenIdSettings['roleClaim'] = () => undefined) {
  let provider: OpenIdProvider
  let running: Awaited<ReturnType<typeof startService>>
  before(async () => {
    provider = await startOpenIdProvider()
    const openId = { ...provider.settings, roleClaim: roleClaim() }
    running = await startService(service().database, { publicUrl: 'listening', openId })
    provider.register(`${running.url}/app/sign-in/openid/callback`)
  })
  after(async () => {
    await running.stop()
    await provider.stop()
  })
  const start = (link?: string) => `/app/sign-in/openid${link === undefined ? '' : `?t=${link}`}`
  /** Goes to the provider as `subject`, and returns the address that leads back. */
  const goAs = async (subject: string | undefined, visitor: Visitor, link?: string) => {
    provider.chosen.subject = subject
    return await askProvider(visitor, start(link), running.url)
  }
  return {
    goAs,
    url: () => running.url,
    issuer: () => provider.settings.issuer,
    person: (subject: string, claims: Record<string, unknown>) => provider.people.set(subject, claims),
    newVisitor: () => visit(running.url),
    signInAs: async (subject: string | undefined, link?: string) => {
      const visitor = visit(running.url)
      return { visitor, answer: await visitor.get(await goAs(subject, visitor, link)) }
    },
    /** What the person of an account is, by a statement about the issuer ($1) and the subject ($2). */
    ofSubject: <Row>(text: string, subject: string) => rows<Row>(text, provider.settings.issuer, subject),
  }
}

/** A refused sign-in is a page, and makes nothing. */
async function refuses(
  status: number,
  title: RegExp,
  sign: () => Promise<{ visitor: Visitor; answer: PageAnswer }>,
): Promise<void> {
  const before = await whatWasMade(service().database)
  const { visitor, answer } = await sign()
  assert.equal(answer.status, status)
  assert.match(answer.text, title)
  assert.deepEqual(await whatWasMade(service().database), before)
  assert.equal((await visitor.get('/app/account')).headers.location, '/app/sign-in')
}

const withCookies = (visitor: Visitor, cookies: ReadonlyMap<string, string>): Visitor => {
  for (const [name, value] of cookies) visitor.cookies.set(name, value)
  return visitor
}

describe('signing in with an OpenID provider', () => {
  const { goAs, url, issuer, person, newVisitor, signInAs, ofSubject } = providing()
  let org: Organisation
  before(async () => (org = await organisation()))

  const accountOf = async (subject: string) =>
    (
      await ofSubject<{ personId: string; name: string; email: string | null }>(
        `select person_id as "personId", name, email from person where issuer = $1::text and subject = $2::text`,
        subject,
      )
    )[0]

  it('leads to the provider with state, nonce and PKCE, and keeps of the state only a hash', async () => {
    const visitor = newVisitor()
    const page = (await visitor.get('/app/sign-in')).text
    assert.match(page, /href="\/app\/sign-in\/openid"[^>]*>\s*Sign in with Keyhouse/)
    const answer = await visitor.get('/app/sign-in/openid')
    assert.equal(answer.status, 303)
    const { origin, searchParams } = new URL(answer.headers.location ?? '')
    assert.equal(origin, issuer())
    assert.equal(searchParams.get('response_type'), 'code')
    assert.equal(searchParams.get('code_challenge_method'), 'S256')
    assert.equal(searchParams.get('redirect_uri'), `${url()}/app/sign-in/openid/callback`)
    const [attempt] = await rows<{ names: string[] }>(
      `select array_agg(distinct name order by name) as names
       from sign_in_attempt, jsonb_object_keys(payload) as name where token_hash = sha256($1::text::bytea)`,
      searchParams.get('state') ?? '',
    )
    assert.deepEqual(attempt?.names, ['browser', 'nonce', 'verifier'])
  })

  it('takes an invitation: it binds the account, and later sign-ins need no link', async () => {
    person('ada', { name: 'Ada Eze', email: 'ada@example.org', email_verified: true })
    const link = await org.link({ role: 'admin', name: 'Ada' })
    const invited = await signInAs('ada', link)
    assert.equal(invited.answer.headers.location, '/app')
    assert.match((await invited.visitor.get('/app/account')).text, /Admin/)
    const first = await accountOf('ada')
    assert.deepEqual({ ...first, personId: '' }, { personId: '', name: 'Ada Eze', email: 'ada@example.org' })
    assert.equal((await newVisitor().get(`/app/link?t=${link}`)).status, 410)
    person('ada', { name: 'Ada Obi', email: 'obi@example.org', email_verified: true })
    assert.equal((await signInAs('ada')).answer.status, 303)
    assert.deepEqual(await accountOf('ada'), { ...first, name: 'Ada Obi', email: 'obi@example.org' })
  })

  it('knows nobody by e-mail: another account with the same address is a stranger', async () => {
    person('eve', { name: 'Ada Obi', email: 'obi@example.org', email_verified: true })
    await refuses(403, /not a member of an organisation/, () => signInAs('eve'))
    assert.equal(await accountOf('eve'), undefined)
  })

  it('keeps no e-mail address that the provider did not verify', async () => {
    person('ben', { name: 'Ben', email: 'ada@example.org', email_verified: false })
    assert.equal((await signInAs('ben', await org.link())).answer.status, 303)
    assert.equal((await accountOf('ben'))?.email, null)
  })

  it('spends no link where the person says no at the provider', async () => {
    const link = await org.link()
    await refuses(403, /Keyhouse did not sign you in[^]*access_denied/, () => signInAs(undefined, link))
    assert.equal((await newVisitor().get(`/app/link?t=${link}`)).status, 200)
  })

  it('refuses a link that was used while the person was at the provider', async () => {
    person('cyn', { name: 'Cyn' })
    const link = await org.link()
    const visitor = newVisitor()
    const back = await goAs('cyn', visitor, link)
    await newVisitor().post('/app/link', { t: link })
    await refuses(410, /This link does not sign you in/, async () => ({ visitor, answer: await visitor.get(back) }))
  })

  it('takes an answer once', async () => {
    const visitor = newVisitor()
    const back = await goAs('ada', visitor)
    const again = withCookies(newVisitor(), new Map(visitor.cookies))
    assert.equal((await visitor.get(back)).status, 303)
    await refuses(400, /This sign-in has ended/, async () => ({ visitor: again, answer: await again.get(back) }))
  })

  it('takes an answer from the browser that began, and from no other', async () => {
    const visitor = newVisitor()
    const back = await goAs('ada', visitor)
    const [stranger, bare] = [newVisitor(), newVisitor()]
    await goAs('ada', stranger)
    for (const other of [stranger, bare])
      await refuses(400, /began in another browser/, async () => ({ visitor: other, answer: await other.get(back) }))
    assert.equal((await visitor.get(back)).status, 303)
  })

  it('lets two tabs of one browser sign in side by side', async () => {
    const visitor = newVisitor()
    const [one, two] = [await goAs('ada', visitor), await goAs('ada', visitor)]
    const cookies = new Map(visitor.cookies)
    assert.equal((await visitor.get(one)).status, 303)
    assert.equal((await withCookies(visitor, cookies).get(two)).status, 303)
  })

  it('refuses a code, a state or an issuer that was changed on the way', async () => {
    const changed = 'x'.repeat(43)
    for (const [name, value, status] of [
      ['state', changed, 400],
      ['state', undefined, 400],
      ['iss', 'https://login.example.org', 502],
      ['iss', undefined, 502],
      ['code', changed, 403],
      ['code', undefined, 502],
    ] as const)
      await refuses(status, /<h1>/, async () => {
        const visitor = newVisitor()
        const back = new URL(await goAs('ada', visitor), url())
        if (value === undefined) back.searchParams.delete(name)
        else back.searchParams.set(name, value)
        return { visitor, answer: await visitor.get(back.pathname + back.search) }
      })
  })

  it('refuses an answer after ten minutes', async () => {
    const visitor = newVisitor()
    const back = await goAs('ada', visitor)
    await rows(`update sign_in_attempt set valid_until = clock_timestamp() - interval '1 second'`)
    await refuses(400, /over ten minutes/, async () => ({ visitor, answer: await visitor.get(back) }))
  })

  it('binds a person who came by a link, once, to one account', async () => {
    await newVisitor().post('/app/link', { t: await org.link({ name: 'Dee' }) })
    const personId = await org.idOf('Dee')
    person('dee', { name: 'Dee' })
    assert.equal((await signInAs('dee', await org.link({ personId }))).answer.status, 303)
    assert.equal((await accountOf('dee'))?.personId, personId)
    const link = await org.link({ personId })
    await refuses(409, /belongs to another person/, () => signInAs('ada', link))
    person('fay', { name: 'Fay' })
    await refuses(409, /signs in with another account/, () => signInAs('fay', link))
    assert.equal((await signInAs('dee', link)).answer.status, 303)
  })
})

describe('roles by a claim of the OpenID provider', () => {
  let maps: Organisation
  let roads: Organisation
  before(async () => {
    maps = await organisation()
    roads = await organisation()
    // The organisations keep an owner, whatever the others lose.
    for (const org of [maps, roads]) await org.enter('Owner')
  })
  const provided = providing(() => ({
    claim: 'groups',
    grants: [
      { value: 'maps', orgId: maps.orgId, role: 'member' },
      { value: 'maps-admins', orgId: maps.orgId, role: 'admin' },
      { value: 'maps-owners', orgId: maps.orgId, role: 'owner' },
      { value: 'roads', orgId: roads.orgId, role: 'member' },
      { value: 'gone', orgId: 'org_000000000000', role: 'owner' },
    ],
  }))

  const signInAs = async (subject: string, groups: unknown, link?: string) => {
    provided.person(subject, { name: subject, groups })
    return await provided.signInAs(subject, link)
  }
  /** The roles of a subject in both organisations. */
  const rolesIn = async (subject: string) => {
    const found = await provided.ofSubject<{ orgId: string; role: string }>(
      `select org_id as "orgId", role from membership join person using (person_id)
       where issuer = $1::text and subject = $2::text`,
      subject,
    )
    return [maps, roads].map(({ orgId }) => found.find((each) => each.orgId === orgId)?.role)
  }
  const NONE = /not a member of an organisation/

  it('lets a person in whose groups give a role, the highest where several do', async () => {
    const { visitor, answer } = await signInAs('ada', ['maps', 'maps-admins', 'roads', 'gone', 'other'])
    assert.equal(answer.status, 303)
    assert.deepEqual(await rolesIn('ada'), ['admin', 'member'])
    assert.equal((await visitor.get('/app/account')).status, 200)
    const events = await provided.ofSubject<{ said: string }>(
      `select actor || ' ' || action as said from key_event join person using (person_id)
       where issuer = $1::text and subject = $2::text order by event_id`,
      'ada',
    )
    assert.deepEqual(
      events.map(({ said }) => said),
      ['ada joined', 'ada joined', 'ada signed_in'],
    )
  })

  it('lets nobody in whose groups give no role, and enters nobody', async () => {
    for (const groups of [[], ['other'], 'MAPS', undefined, { maps: true }, ['gone'], [['maps']]])
      await refuses(403, NONE, () => signInAs('bob', groups))
  })

  it('follows the groups at each sign-in: roles rise, fall and end, and sessions end with the membership', async () => {
    const first = await signInAs('cyn', ['maps-admins', 'roads'])
    assert.equal(first.answer.status, 303)
    await signInAs('cyn', ['maps', 'roads'])
    assert.deepEqual(await rolesIn('cyn'), ['member', 'member'])
    await signInAs('cyn', ['maps-owners'])
    assert.deepEqual(await rolesIn('cyn'), ['owner', undefined])
    const last = await signInAs('cyn', [])
    assert.equal(last.answer.status, 403)
    assert.match(last.answer.text, NONE)
    assert.deepEqual(await rolesIn('cyn'), [undefined, undefined])
    for (const { visitor } of [first, last])
      assert.equal((await visitor.get('/app/account')).headers.location, '/app/sign-in')
  })

  it('leaves a role alone that an invitation gave', async () => {
    const link = await maps.link({ role: 'admin', name: 'Dee' })
    assert.equal((await signInAs('dee', [], link)).answer.status, 303)
    for (const groups of [['maps-owners'], ['maps'], []]) {
      assert.equal((await signInAs('dee', groups)).answer.status, 303)
      assert.deepEqual(await rolesIn('dee'), ['admin', undefined])
    }
  })

  it('keeps by an invitation a person whose groups give the role no more', async () => {
    await signInAs('eve', ['roads'])
    const link = await roads.link({ role: 'member', name: 'Eve' })
    for (const t of [link, undefined]) assert.equal((await signInAs('eve', [], t)).answer.status, 303)
    assert.deepEqual(await rolesIn('eve'), [undefined, 'member'])
  })

  it('signs the last Owner in no more, and leaves the organisation as it is', async () => {
    await signInAs('fay', ['maps-owners'])
    await maps.rows(
      `delete from membership where org_id = $1::text and person_id in (select person_id from person where subject is null)`,
    )
    await refuses(409, /would lose its last Owner/, () => signInAs('fay', ['roads']))
    assert.deepEqual(await rolesIn('fay'), ['owner', undefined])
  })

  it('finds a claim by its whole name, and else by a path', () => {
    const grants = [{ value: 'x', orgId: 'org_000000000001', role: 'owner' }] as const
    const found = (claims: Record<string, unknown>, claim: string) => rolesOf(claims, { claim, grants }).size === 1
    assert.ok(found({ realm_access: { roles: ['x'] } }, 'realm_access.roles'))
    assert.ok(found({ 'https://example.org/roles': 'x' }, 'https://example.org/roles'))
    assert.ok(!found({ 'realm_access.roles': [], realm_access: { roles: ['x'] } }, 'realm_access.roles'))
    assert.ok(!found({ realm_access: null }, 'realm_access.roles'))
    assert.ok(!found({}, 'constructor.name'))
    assert.ok(!found({ groups: ['X', ' x', 'xx', ['x'], { x: 'x' }] }, 'groups'))
  })
})
