import assert from 'node:assert/strict'
import { visit, type PageAnswer, type Visitor } from '../support/browse.js'
import { askProvider, startOpenIdProvider, whatWasMade, type OpenIdProvider } from '../support/openid-provider.js'
import { newOrganisation, service, startService } from '../support/service.js'
import { linkFor, personOf, rows } from './visitors.js'

describe('signing in with an OpenID provider', () => {
  let provider: OpenIdProvider
  let running: Awaited<ReturnType<typeof startService>>
  let orgId: string

  before(async () => {
    provider = await startOpenIdProvider()
    running = await startService(service().database, { publicUrl: 'listening', openId: provider.settings })
    provider.register(`${running.url}/app/sign-in/openid/callback`)
    orgId = await newOrganisation(service().db)
  })
  after(async () => {
    await running.stop()
    await provider.stop()
  })

  /** Goes to the provider as `subject`, and returns the address that leads back. */
  const goAs = async (subject: string | undefined, visitor: Visitor, link?: string) => {
    provider.chosen.subject = subject
    return await askProvider(visitor, `/app/sign-in/openid${link === undefined ? '' : `?t=${link}`}`, running.url)
  }
  const signInAs = async (subject: string | undefined, link?: string) => {
    const visitor = visit(running.url)
    return { visitor, answer: await visitor.get(await goAs(subject, visitor, link)) }
  }
  const accountOf = async (subject: string) =>
    (
      await rows<{ personId: string; name: string; email: string | null }>(
        `select person_id as "personId", name, email from person where issuer = $1::text and subject = $2::text`,
        provider.settings.issuer,
        subject,
      )
    )[0]
  /** A refused sign-in is a page, and makes nothing. */
  const refuses = async (
    status: number,
    title: RegExp,
    sign: () => Promise<{ visitor: Visitor; answer: PageAnswer }>,
  ) => {
    const before = await whatWasMade(service().database)
    const { visitor, answer } = await sign()
    assert.equal(answer.status, status)
    assert.match(answer.text, title)
    assert.deepEqual(await whatWasMade(service().database), before)
    assert.equal((await visitor.get('/app/account')).headers.location, '/app/sign-in')
  }

  it('leads to the provider with state, nonce and PKCE, and keeps of the state only a hash', async () => {
    const visitor = visit(running.url)
    assert.match(
      (await visitor.get('/app/sign-in')).text,
      /href="\/app\/sign-in\/openid"[^>]*>\s*Sign in with Keyhouse/,
    )
    const answer = await visitor.get('/app/sign-in/openid')
    assert.equal(answer.status, 303)
    const { origin, searchParams } = new URL(answer.headers.location ?? '')
    assert.equal(origin, provider.settings.issuer)
    assert.equal(searchParams.get('response_type'), 'code')
    assert.equal(searchParams.get('code_challenge_method'), 'S256')
    assert.equal(searchParams.get('redirect_uri'), `${running.url}/app/sign-in/openid/callback`)
    const [attempt] = await rows<{ names: string[] }>(
      `select array_agg(distinct name order by name) as names
       from sign_in_attempt, jsonb_object_keys(payload) as name where token_hash = sha256($1::text::bytea)`,
      searchParams.get('state') ?? '',
    )
    assert.deepEqual(attempt?.names, ['browser', 'nonce', 'verifier'])
  })

  it('takes an invitation: it binds the account, and later sign-ins need no link', async () => {
    provider.people.set('ada', { name: 'Ada Eze', email: 'ada@example.org', email_verified: true })
    const link = await linkFor({ orgId, role: 'admin', name: 'Ada' })
    const invited = await signInAs('ada', link)
    assert.equal(invited.answer.headers.location, '/app')
    assert.match((await invited.visitor.get('/app/account')).text, /Admin/)
    const first = await accountOf('ada')
    assert.deepEqual({ ...first, personId: '' }, { personId: '', name: 'Ada Eze', email: 'ada@example.org' })
    assert.equal((await visit(running.url).get(`/app/link?t=${link}`)).status, 410)
    provider.people.set('ada', { name: 'Ada Obi', email: 'obi@example.org', email_verified: true })
    const later = await signInAs('ada')
    assert.equal(later.answer.status, 303)
    assert.deepEqual(await accountOf('ada'), { ...first, name: 'Ada Obi', email: 'obi@example.org' })
  })

  it('knows nobody by e-mail: another account with the same address is a stranger', async () => {
    provider.people.set('eve', { name: 'Ada Obi', email: 'obi@example.org', email_verified: true })
    await refuses(403, /not a member of an organisation/, () => signInAs('eve'))
    assert.equal(await accountOf('eve'), undefined)
  })

  it('keeps no e-mail address that the provider did not verify', async () => {
    provider.people.set('ben', { name: 'Ben', email: 'ada@example.org', email_verified: false })
    assert.equal((await signInAs('ben', await linkFor({ orgId }))).answer.status, 303)
    assert.equal((await accountOf('ben'))?.email, null)
  })

  it('spends no link where the person says no at the provider', async () => {
    const link = await linkFor({ orgId })
    await refuses(403, /Keyhouse did not sign you in[^]*access_denied/, () => signInAs(undefined, link))
    assert.equal((await visit(running.url).get(`/app/link?t=${link}`)).status, 200)
  })

  it('refuses a link that was used while the person was at the provider', async () => {
    provider.people.set('cyn', { name: 'Cyn' })
    const link = await linkFor({ orgId })
    const visitor = visit(running.url)
    const back = await goAs('cyn', visitor, link)
    await visit(running.url).post('/app/link', { t: link })
    await refuses(410, /This link does not sign you in/, async () => ({ visitor, answer: await visitor.get(back) }))
  })

  it('takes an answer once', async () => {
    const visitor = visit(running.url)
    const back = await goAs('ada', visitor)
    const cookies = new Map(visitor.cookies)
    assert.equal((await visitor.get(back)).status, 303)
    const again = visit(running.url)
    for (const [name, value] of cookies) again.cookies.set(name, value)
    await refuses(400, /This sign-in has ended/, async () => ({ visitor: again, answer: await again.get(back) }))
  })

  it('takes an answer from the browser that began, and from no other', async () => {
    const visitor = visit(running.url)
    const back = await goAs('ada', visitor)
    const stranger = visit(running.url)
    await goAs('ada', stranger)
    await refuses(400, /began in another browser/, async () => ({
      visitor: stranger,
      answer: await stranger.get(back),
    }))
    const bare = visit(running.url)
    await refuses(400, /began in another browser/, async () => ({ visitor: bare, answer: await bare.get(back) }))
    assert.equal((await visitor.get(back)).status, 303)
  })

  it('lets two tabs of one browser sign in side by side', async () => {
    const visitor = visit(running.url)
    const [one, two] = [await goAs('ada', visitor), await goAs('ada', visitor)]
    const cookies = new Map(visitor.cookies)
    assert.equal((await visitor.get(one)).status, 303)
    for (const [name, value] of cookies) visitor.cookies.set(name, value)
    assert.equal((await visitor.get(two)).status, 303)
  })

  it('refuses a code, a state or an issuer that was changed on the way', async () => {
    for (const [name, value, status] of [
      ['state', 'x'.repeat(43), 400],
      ['state', undefined, 400],
      ['iss', 'https://login.example.org', 502],
      ['iss', undefined, 502],
      ['code', 'x'.repeat(43), 403],
      ['code', undefined, 502],
    ] as const) {
      await refuses(status, /<h1>/, async () => {
        const visitor = visit(running.url)
        const back = new URL(await goAs('ada', visitor), running.url)
        if (value === undefined) back.searchParams.delete(name)
        else back.searchParams.set(name, value)
        return { visitor, answer: await visitor.get(back.pathname + back.search) }
      })
    }
  })

  it('refuses an answer after ten minutes', async () => {
    const visitor = visit(running.url)
    const back = await goAs('ada', visitor)
    await rows(`update sign_in_attempt set valid_until = clock_timestamp() - interval '1 second'`)
    await refuses(400, /over ten minutes/, async () => ({ visitor, answer: await visitor.get(back) }))
  })

  it('binds a person who came by a link, once, to one account', async () => {
    await visit(running.url).post('/app/link', { t: await linkFor({ orgId, name: 'Dee' }) })
    const personId = await personOf(orgId, 'Dee')
    const linkForDee = () => linkFor({ orgId, personId })
    provider.people.set('dee', { name: 'Dee' })
    assert.equal((await signInAs('dee', await linkForDee())).answer.status, 303)
    assert.equal((await accountOf('dee'))?.personId, personId)
    const link = await linkForDee()
    await refuses(409, /belongs to another person/, () => signInAs('ada', link))
    provider.people.set('fay', { name: 'Fay' })
    await refuses(409, /signs in with another account/, () => signInAs('fay', link))
    assert.equal((await signInAs('dee', link)).answer.status, 303)
  })
})
