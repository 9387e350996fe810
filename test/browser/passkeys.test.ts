import assert from 'node:assert/strict'
import type { BrowserContext, Page } from 'playwright-core'
import { signIn, visit } from '../support/browse.js'
import { whatWasMade } from '../support/openid-provider.js'
import { newOrganisation, service, startService } from '../support/service.js'
import { rows } from '../web/visitors.js'
import { openTab, type Tab } from './tabs.js'

/** Asks Chromium's authenticator, as assets/passkey.ts does, and leaves the sending of the answer to the test. */
const ASK = `async ([kind, path]) => {
  const options = await (await fetch(path, { method: 'POST' })).json()
  const publicKey = kind === 'create'
    ? PublicKeyCredential.parseCreationOptionsFromJSON(options)
    : PublicKeyCredential.parseRequestOptionsFromJSON(options)
  return JSON.stringify((await navigator.credentials[kind]({ publicKey })).toJSON())
}`

/** The people of an organisation. */
const OURS = 'person_id in (select person_id from membership where org_id = $1::text)'

type AnswerJson = { response: Record<string, string> }

describe('a passkey', () => {
  let running: Awaited<ReturnType<typeof startService>>
  let orgId: string
  let url: string
  let tab: Tab
  let page: Page
  let context: BrowserContext

  before(async () => {
    running = await startService(service().database, { publicUrl: 'http://localhost:PORT' })
    url = `http://localhost:${running.port}`
  })
  after(() => running.stop())
  beforeEach(async () => {
    orgId = await newOrganisation(service().db)
    tab = await openTab({ visitor: await signIn(running.url, service().db, { orgId }), host: 'localhost' })
    page = tab.page
    context = page.context()
    const devtools = await context.newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await page.goto(`${url}/app/account`)
  })
  afterEach(() => tab.close(url))

  const add = async (name: string) => {
    await page.getByLabel('Name').fill(name)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('The passkey was added.').waitFor()
  }
  const signOut = () => page.evaluate(`document.querySelector('form[action$="/sign-out"]').requestSubmit()`)
  const answerTo = async (kind: 'create' | 'get', path: string): Promise<AnswerJson> =>
    JSON.parse(await page.evaluate<string>(`(${ASK})(['${kind}', '${path}'])`)) as AnswerJson
  /** Sends an answer with the cookies of the page, or with others. */
  const send = async (path: string, answer: AnswerJson, { cookies = true, fields = {} } = {}) => {
    const visitor = visit(running.url)
    if (cookies) for (const { name, value } of await context.cookies(`${url}/app`)) visitor.cookies.set(name, value)
    return await visitor.post(path, { answer: JSON.stringify(answer), ...fields })
  }
  const leaveSession = () => context.clearCookies({ name: `frames-${running.port}` })
  const refuses = async (sent: () => ReturnType<typeof send>, status = 400) => {
    const before = await whatWasMade(service().database)
    const answer = await sent()
    assert.equal(answer.status, status, answer.text)
    assert.match(answer.text, /<h1>/)
    assert.deepEqual(await whatWasMade(service().database), before)
  }

  it('is added, signs in, shows its last use, and is removed', async () => {
    await add('Laptop <b>')
    assert.match((await page.getByRole('row', { name: /Laptop <b>/ }).textContent()) ?? '', /never/)
    await signOut()
    await page.waitForURL(`${url}/app/sign-in`)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL(/\/app\/(?!sign-in)/)
    await page.goto(`${url}/app/account`)
    assert.match((await page.getByRole('row', { name: /this session/ }).textContent()) ?? '', /by passkey/)
    assert.match((await page.getByRole('row', { name: /Laptop/ }).textContent()) ?? '', /just now|ago/)
    await page
      .getByRole('row', { name: /Laptop/ })
      .getByText('Remove')
      .first()
      .click()
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('The passkey was removed.').waitFor()
    const events = await rows<{ action: string }>(
      `select action from key_event where org_id = $1::text and actor = 'Ada' order by event_id`,
      orgId,
    )
    const ofAda = ['joined', 'signed_in', 'passkey_added', 'session_ended', 'signed_in', 'passkey_removed']
    assert.deepEqual(
      events.map(({ action }) => action),
      ofAda,
    )
    await refuses(async () => await send('/app/sign-in/passkey', await answerTo('get', '/app/sign-in/passkey/options')))
  })

  it('is made once on a device', async () => {
    await add('Laptop')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('This device holds a passkey for you already.').waitFor()
  })

  it('counts once, in the browser that asked, as it was signed', async () => {
    await add('Laptop')
    await leaveSession()
    const next = () => answerTo('get', '/app/sign-in/passkey/options')
    const answer = await next()
    await refuses(() => send('/app/sign-in/passkey', answer, { cookies: false }))
    assert.equal((await send('/app/sign-in/passkey', answer)).status, 303)
    await refuses(() => send('/app/sign-in/passkey', answer))
    const forged = async (part: string, change: (text: string) => string) => {
      const { response, ...rest } = await next()
      return { ...rest, response: { ...response, [part]: change(response[part] ?? '') } }
    }
    const rewritten = (from: string, to: string) => (text: string) =>
      Buffer.from(Buffer.from(text, 'base64url').toString().replace(from, to)).toString('base64url')
    for (const bad of [
      await forged('clientDataJSON', rewritten('localhost', 'localhosts')),
      await forged('clientDataJSON', rewritten('webauthn.get', 'webauthn.create')),
      await forged('signature', (text) => `${text.slice(0, -4)}AAAA`),
      await forged('authenticatorData', (text) => `A${text.slice(1)}`),
      await forged('userHandle', () => Buffer.from('per_000000000000').toString('base64url')),
    ])
      await refuses(() => send('/app/sign-in/passkey', bad))
    for (const text of ['', '{}', 'null', '[]', '{"id":"x","response":{"clientDataJSON":"e30"}}'])
      await refuses(() => visit(running.url).post('/app/sign-in/passkey', { answer: text }))
  })

  it('signs nobody in after a copy of it was used', async () => {
    await add('Laptop')
    await leaveSession()
    await rows(`update passkey set counter = 100000 where ${OURS}`, orgId)
    await refuses(async () => await send('/app/sign-in/passkey', await answerTo('get', '/app/sign-in/passkey/options')))
  })

  it('is added by the person who began, and only for that', async () => {
    const made = await answerTo('create', '/app/account/passkeys/options')
    const other = await signIn(running.url, service().db, { orgId, name: 'Eve' })
    const attempt = `frames-${running.port}-attempt`
    const [cookie] = (await context.cookies(`${url}/app`)).filter(({ name }) => name === attempt)
    other.cookies.set(attempt, cookie?.value ?? '')
    await refuses(() => other.post('/app/account/passkeys', { answer: JSON.stringify(made) }))
    const again = await answerTo('create', '/app/account/passkeys/options')
    await refuses(() => send('/app/sign-in/passkey', again))
    assert.deepEqual([...(await rows<object>(`select from passkey where ${OURS}`, orgId))], [])
  })

  it('signs nobody in whose role comes from the provider, or who is a member no more', async () => {
    await add('Laptop')
    await leaveSession()
    const attempt = async () =>
      await send('/app/sign-in/passkey', await answerTo('get', '/app/sign-in/passkey/options'))
    await rows(`update membership set from_claim = true where ${OURS}`, orgId)
    await refuses(attempt, 403)
    await signIn(running.url, service().db, { orgId, role: 'owner', name: 'Owner who stays' })
    await rows(`delete from membership where ${OURS} and from_claim`, orgId)
    await refuses(attempt, 403)
  })
})
