import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { signIn } from '../support/browse.js'
import { startChromiumIn } from '../support/chromium.js'
import { until } from '../support/until.js'
import { newOrganisation, service } from '../support/service.js'
import { newFolder } from '../support/temporary.js'
import { cookiesOf, WITHOUT_MAPS } from './tabs.js'

/** All that scripts of a page can keep or find in a browser, as a text. */
const KEPT = `Promise.all([
  indexedDB.databases(), caches.keys(), navigator.serviceWorker.getRegistrations(),
  Object.entries(localStorage), Object.entries(sessionStorage), document.cookie, history.state, window.name,
  performance.getEntries(),
]).then(JSON.stringify)`

/** `KEPT` begins like this where databases, caches, workers, storages, cookies, history and window hold nothing. */
const NOTHING = '[[],[],[],[],[],"",null,"",['

describe('a browser that showed a secret', function () {
  this.timeout(60_000)
  let plain: Server
  let folder: string
  let context: BrowserContext
  let page: Page
  const shown: string[] = []
  let secret = ''
  let keyId = ''

  before(async function () {
    folder = newFolder('profile')
    context = await startChromiumIn(folder)
    plain = createServer((req, res) => void res.setHeader('Content-Type', 'text/html').end(`<title>${req.url}</title>`))
    await new Promise<void>((done) => void plain.listen(0, '127.0.0.1', done))
    await context.addInitScript(
      "addEventListener('pageshow', ({ persisted }) => console.log(document.title, persisted ? 'from memory' : 'anew'))",
    )
    await context.addInitScript(WITHOUT_MAPS)
    const visitor = await signIn(service().url, service().db, { orgId: await newOrganisation(service().db) })
    await context.addCookies(cookiesOf(visitor, '127.0.0.1'))
    page = await context.newPage()
    await page.setViewportSize({ width: 920, height: 400 })
    page.setDefaultTimeout(20_000)
    page.on('console', (message) => shown.push(message.text()))
  })
  after(async () => {
    await context?.close()
    plain?.close()
  })

  /** Asks the page that stands when no other comes any more: one that comes meanwhile ends the script of the one before. */
  const evaluate = async <T>(script: string): Promise<T> => {
    let value: { is: T } | undefined
    await until(async () => {
      await page.waitForLoadState()
      value = await page.evaluate<T>(script).then(
        (is) => ({ is }),
        (error: Error) => {
          if (error.message.includes('Execution context was destroyed')) return undefined
          throw error
        },
      )
      return value !== undefined
    })
    return value!.is
  }
  const pageText = () => evaluate<string>('document.documentElement.outerHTML')
  /** Playwright's own goBack waits for ever where the browser takes the page from memory. */
  const goBack = async () => {
    const before = await page.title()
    // The page may go while its script still runs.
    await page.evaluate('setTimeout(() => history.back())')
    await until(async () => {
      const [state, title] = await page.evaluate<string[]>('[document.readyState, document.title]').catch(() => [])
      return state === 'complete' && title !== before
    })
  }
  const assertNoSecret = async () => {
    assert.ok(!(await pageText()).includes(secret.slice(7)), page.url())
  }
  const open = (path: string) => page.goto(`${service().url}/app/${path}`)

  it('takes other pages from its memory at the back button', async () => {
    const { port } = plain.address() as AddressInfo
    for (const name of ['first', 'second']) await page.goto(`http://127.0.0.1:${port}/${name}`)
    await goBack()
    await until(async () => shown.includes('/first from memory'))
  })

  it('has no secret of a key after the page was left, and back does not show it', async () => {
    await open('keys')
    await page.getByRole('link', { name: 'New key' }).click()
    await page.getByLabel('1. Name').fill('Ada, notebook')
    await page.getByRole('button', { name: 'Mint the key' }).click()
    secret = (await page.locator('#secret').textContent())?.trim() ?? ''
    assert.match(secret, /^svc_sk_/)
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.getByText('The key works').waitFor()
    const kept = await page.evaluate<string>(KEPT)
    assert.ok(kept.startsWith(NOTHING), kept)
    assert.ok(!kept.includes(secret.slice(7)))
    await page.getByRole('link', { name: 'I have copied it' }).click()
    await page.waitForURL('**/keys/key_*')
    keyId = page.url().slice(-16)
    await goBack()
    await assertNoSecret()
    assert.equal(await page.title(), '127.0.0.1', 'Chromium does not ask whether to send the form again')
    // A person who says yes sends the form again.
    await page.reload()
    await assertNoSecret()
    assert.match(await pageText(), /<h1>This key is minted already<\/h1>/)
    await open('keys')
    await assertNoSecret()
    assert.ok((await page.evaluate<string>(KEPT)).startsWith(NOTHING))
  })

  it('shows no page of the session after the sign-out, however often a person goes back', async () => {
    await open('keys')
    await open('account')
    await page.locator('form[action$="/sign-out"] button').filter({ visible: true }).first().click()
    await page.waitForURL('**/sign-in')
    for (let steps = 0; steps < 3; steps += 1) {
      await evaluate('history.back()')
      await page.waitForTimeout(200)
      assert.equal(await evaluate(`document.querySelectorAll('body.signed-in').length`), 0, page.url())
      await assertNoSecret()
    }
  })

  it('has no secret in a file on its disk', async () => {
    await context.close()
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const bytes = files.map((file) => readFileSync(join(file.parentPath, file.name)))
    // Its history has the address of the key's page.
    assert.ok(bytes.some((file) => file.includes(keyId)))
    for (const encoding of ['latin1', 'utf16le'] as const)
      assert.ok(!bytes.some((file) => file.includes(Buffer.from(secret.slice(7), encoding))))
  })
})
