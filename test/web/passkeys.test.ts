import assert from 'node:assert/strict'
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { makeLink, signIn, visit } from '../support/browse.js'
import { observe, skippedWithoutChromium, startChromium, type Observed } from '../support/chromium.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { whatWasMade } from '../support/openid-provider.js'
import { newOrganisation, startService } from '../support/service.js'

/** Asks Chromium's authenticator, as assets/passkey.ts does, and leaves the sending of the answer to the test. */
const ASK = `async ([kind, path]) => {
  const options = await (await fetch(path, { method: 'POST' })).json()
  const publicKey = kind === 'create'
    ? PublicKeyCredential.parseCreationOptionsFromJSON(options)
    : PublicKeyCredential.parseRequestOptionsFromJSON(options)
  return JSON.stringify((await navigator.credentials[kind]({ publicKey })).toJSON())
}`

type AnswerJson = { response: Record<string, string> }

describe(`a passkey${skippedWithoutChromium}`, () => {
  let database: TestDatabase
  let running: Awaited<ReturnType<typeof startService>>
  let orgId: string
  let url: string
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let devtools: CDPSession
  let observed: Observed

  before(async function () {
    browser = await startChromium(this)
    database = await newDatabase('empty')
    running = await startService(database, { publicUrl: 'http://localhost:PORT' })
    url = `http://localhost:${running.port}`
    orgId = await newOrganisation(database.db)
  })
  after(async () => {
    await browser?.close()
    await running?.stop()
    await database?.drop()
  })
  beforeEach(async () => {
    context = await browser.newContext()
    observed = await observe(context)
    page = await context.newPage()
    page.setDefaultTimeout(20_000)
    devtools = await context.newCDPSession(page)
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
    const link = await makeLink(database.db, { orgId, name: 'Ada' })
    await page.goto(`${url}/app/link?t=${link}`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(/\/app\/(?!link)/)
    await page.goto(`${url}/app/account`)
  })
  afterEach(async () => {
    await context?.close()
    assert.deepEqual(observed.complaints, [])
    for (const address of observed.asked) assert.ok(address.startsWith(`${url}/`), address)
  })

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
    const visitor = visit(`http://127.0.0.1:${running.port}`)
    if (cookies) for (const { name, value } of await context.cookies(`${url}/app`)) visitor.cookies.set(name, value)
    return await visitor.post(path, { answer: JSON.stringify(answer), ...fields })
  }
  const leaveSession = () => context.clearCookies({ name: `frames-${running.port}` })
  const refuses = async (sent: () => ReturnType<typeof send>, status = 400) => {
    const before = await whatWasMade(database)
    const answer = await sent()
    assert.equal(answer.status, status, answer.text)
    assert.match(answer.text, /<h1>/)
    assert.deepEqual(await whatWasMade(database), before)
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
    const events = await database.db.rows<{ action: string }>(
      `select action from key_event where actor = 'Ada' order by event_id`,
      [],
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
      await refuses(() => visit(`http://127.0.0.1:${running.port}`).post('/app/sign-in/passkey', { answer: text }))
  })

  it('signs nobody in after a copy of it was used', async () => {
    await add('Laptop')
    await leaveSession()
    await database.db.rows('update passkey set counter = 100000', [])
    await refuses(async () => await send('/app/sign-in/passkey', await answerTo('get', '/app/sign-in/passkey/options')))
    await database.db.rows('delete from passkey', [])
  })

  it('is added by the person who began, and only for that', async () => {
    const made = await answerTo('create', '/app/account/passkeys/options')
    const other = await signIn(`http://127.0.0.1:${running.port}`, database.db, { orgId, name: 'Eve' })
    const attempt = `frames-${running.port}-attempt`
    const [cookie] = (await context.cookies(`${url}/app`)).filter(({ name }) => name === attempt)
    other.cookies.set(attempt, cookie?.value ?? '')
    await refuses(() => other.post('/app/account/passkeys', { answer: JSON.stringify(made) }))
    const again = await answerTo('create', '/app/account/passkeys/options')
    await refuses(() => send('/app/sign-in/passkey', again))
    const [kept] = await database.db.rows<{ passkeys: number }>('select count(*)::int as passkeys from passkey', [])
    assert.equal(kept?.passkeys, 0)
  })

  it('signs nobody in whose role comes from the provider, or who is a member no more', async () => {
    await add('Laptop')
    await leaveSession()
    const attempt = async () =>
      await send('/app/sign-in/passkey', await answerTo('get', '/app/sign-in/passkey/options'))
    const ours = `person_id in (select person_id from passkey)`
    await database.db.rows(`update membership set from_claim = true where ${ours}`, [])
    await refuses(attempt, 403)
    await signIn(`http://127.0.0.1:${running.port}`, database.db, { orgId, role: 'owner', name: 'Owner who stays' })
    await database.db.rows(`delete from membership where ${ours}`, [])
    await refuses(attempt, 403)
  })

  it('is not offered at an IP address, and the page says why', async () => {
    const plain = await startService(database, { publicUrl: 'listening' })
    try {
      const visitor = await signIn(plain.url, database.db, { orgId })
      assert.match((await visitor.get('/app/account')).text, /Browsers refuse passkeys at an IP address/)
      assert.doesNotMatch((await visit(plain.url).get('/app/sign-in')).text, /Sign in with a passkey/)
      assert.equal((await visit(plain.url).post('/app/sign-in/passkey/options')).status, 404)
    } finally {
      await plain.stop()
    }
  })
})
