import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { signIn, visit } from '../support/browse.js'
import { whatWasMade } from '../support/openid-provider.js'
import { newOrganisation, service, startService } from '../support/service.js'
import { personOf, rows } from '../web/visitors.js'
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

  before(async () => {
    running = await startService(service().database, { publicUrl: 'http://localhost:PORT' })
    url = `http://localhost:${running.port}`
  })
  after(() => running.stop())

  /** A person of an organisation of its own, whose device makes passkeys, on the page of the account. */
  const enter = async () => {
    orgId = await newOrganisation(service().db)
    tab = await openTab({ visitor: await signIn(running.url, service().db, { orgId }), host: 'localhost' })
    page = tab.page
    const devtools = await page.context().newCDPSession(page)
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
  }
  const add = async (name: string) => {
    await page.getByLabel('Name').fill(name)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('The passkey was added.').waitFor()
  }
  const answerTo = async (kind: 'create' | 'get', path: string): Promise<AnswerJson> =>
    JSON.parse(await page.evaluate<string>(`(${ASK})(['${kind}', '${path}'])`)) as AnswerJson
  const next = () => answerTo('get', '/app/sign-in/passkey/options')
  /** Sends an answer with the cookies of the page, or without. */
  const send = async (path: string, answer: AnswerJson, { cookies = true } = {}) => {
    const visitor = visit(running.url)
    const kept = cookies ? await page.context().cookies(`${url}/app`) : []
    for (const { name, value } of kept) visitor.cookies.set(name, value)
    return await visitor.post(path, { answer: JSON.stringify(answer) })
  }
  const signInBy = (answer: AnswerJson, options = {}) => send('/app/sign-in/passkey', answer, options)
  const refuses = async (sent: () => ReturnType<typeof send>, status = 400) => {
    const before = await whatWasMade(service().database)
    const answer = await sent()
    assert.equal(answer.status, status, answer.text)
    assert.match(answer.text, /<h1>/)
    assert.deepEqual(await whatWasMade(service().database), before)
  }

  describe('of a person who is signed in', () => {
    before(enter)
    after(() => tab.close(url))

    it('is added by the person who began, and only for that', async () => {
      const made = await answerTo('create', '/app/account/passkeys/options')
      const other = await signIn(running.url, service().db, { orgId, name: 'Eve' })
      const attempt = `frames-${running.port}-attempt`
      const [cookie] = (await page.context().cookies(`${url}/app`)).filter(({ name }) => name === attempt)
      other.cookies.set(attempt, cookie?.value ?? '')
      await refuses(() => other.post('/app/account/passkeys', { answer: JSON.stringify(made) }))
      const again = await answerTo('create', '/app/account/passkeys/options')
      await refuses(() => signInBy(again))
      assert.deepEqual([...(await rows<object>(`select from passkey where ${OURS}`, orgId))], [])
    })

    it('is made once on a device, signs in, shows its last use, and is removed', async () => {
      const row = async (name: RegExp) => (await page.getByRole('row', { name }).textContent()) ?? ''
      await add('Laptop <b>')
      assert.match(await row(/Laptop <b>/), /never/)
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      await page.getByText('This device holds a passkey for you already.').waitFor()
      await page.evaluate(`document.querySelector('form[action$="/sign-out"]').requestSubmit()`)
      await page.waitForURL(`${url}/app/sign-in`)
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.waitForURL(/\/app\/(?!sign-in)/)
      await page.goto(`${url}/app/account`)
      assert.match(await row(/this session/), /by passkey/)
      assert.match(await row(/Laptop/), /just now|ago/)
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
      await refuses(async () => signInBy(await next()))
    })
  })

  describe('of a person who is signed out', () => {
    before(async () => {
      await enter()
      await add('Laptop')
      await page.context().clearCookies({ name: `frames-${running.port}` })
    })
    after(() => tab.close(url))

    it('counts once, in the browser that asked, as it was signed', async () => {
      const answer = await next()
      await refuses(() => signInBy(answer, { cookies: false }))
      assert.equal((await signInBy(answer)).status, 303)
      await refuses(() => signInBy(answer))
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
        await refuses(() => signInBy(bad))
      for (const text of ['', '{}', 'null', '[]', '{"id":"x","response":{"clientDataJSON":"e30"}}'])
        await refuses(() => visit(running.url).post('/app/sign-in/passkey', { answer: text }))
    })

    it('signs nobody in whose role comes from the provider, whose passkey was copied, or who is a member no more', async () => {
      const attempt = async () => signInBy(await next())
      await rows(`update membership set from_claim = true where ${OURS}`, orgId)
      await refuses(attempt, 403)
      await rows(`update membership set from_claim = false where ${OURS}`, orgId)
      // The copy was used, and counted on.
      await rows(`update passkey set counter = counter + 100000 where ${OURS}`, orgId)
      await refuses(attempt)
      await rows(`update passkey set counter = counter - 100000 where ${OURS}`, orgId)
      const personId = await personOf(orgId)
      await signIn(running.url, service().db, { orgId, role: 'owner', name: 'Owner who stays' })
      await rows('delete from membership where person_id = $1::text', personId)
      await refuses(attempt, 403)
    })
  })
})
