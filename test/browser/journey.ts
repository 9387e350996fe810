/** The way of a person through the web app: from the link to a key that works, and to its end. */
import assert from 'node:assert/strict'
import type { BrowserContext, Page } from 'playwright-core'
import { ask, bearer } from '../support/service.js'
import { until } from '../support/metrics.js'
import type { Hands } from './hands.js'

export type Journey = {
  context: BrowserContext
  page: Page
  url: string
  link: string
  hands: Hands
  withScripts: boolean
  /** Lets the grace of a rolled key pass. Without it the person revokes that key. */
  endGrace?: (keyId: string) => Promise<unknown>
}

/** Returns the secrets that pages showed. */
export async function walk(journey: Journey): Promise<string[]> {
  await signIn(journey)
  const first = await mint(journey)
  const second = await roll(journey, first)
  await revoke(journey, second.keyId)
  assert.equal(await statusWith(journey, second.secret), 401)
  const secrets = [first.secret, second.secret]
  await lookForSecrets(journey, secrets)
  await signOut(journey, secrets)
  return secrets
}

type Key = { keyId: string; secret: string }

const statusWith = async ({ url }: Journey, secret: string) =>
  (await ask(`${url}/v1/states`, { headers: bearer(secret) })).status

const heading = ({ page }: Journey, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

async function signIn(journey: Journey): Promise<void> {
  const { page, link, hands } = journey
  await page.goto(link)
  await hands.press(page.getByRole('main').getByRole('button', { name: 'Sign in' }))
  await heading(journey, 'Map')
  assert.ok(!page.url().includes('svc_in_'))
  await page.goto(`${journey.url}/app/keys`)
  await heading(journey, 'Keys')
}

async function mint(journey: Journey): Promise<Key> {
  const { page, hands } = journey
  await hands.press(page.getByRole('link', { name: 'New key' }))
  await heading(journey, 'New key')
  await hands.write(page.getByLabel('1. Name'), 'Ada, notebook')
  await hands.choose(page.getByRole('radio', { name: 'Locality' }))
  await hands.choose(page.getByRole('radio', { name: 'Only these' }))
  await hands.choose(page.getByRole('checkbox').first())
  await hands.choose(page.getByRole('radio', { name: '30 days' }))
  await hands.press(page.getByRole('button', { name: 'Mint the key' }))
  const secret = await secretOf(journey)
  const keyId = (await page.locator('dl.facts code').first().textContent()) ?? ''
  await copyAndTry(journey, secret)
  assert.equal(await statusWith(journey, secret), 200)
  await hands.press(page.getByRole('link', { name: 'I have copied it' }))
  await heading(journey, 'Ada, notebook')
  await seeLastUse(journey)
  return { keyId, secret }
}

async function secretOf(journey: Journey): Promise<string> {
  await heading(journey, 'Copy the secret now')
  const secret = (await journey.page.locator('#secret').textContent())?.trim() ?? ''
  assert.match(secret, /^svc_sk_[0-9A-Za-z]{36}$/)
  return secret
}

async function copyAndTry({ context, page, url, hands, withScripts }: Journey, secret: string): Promise<void> {
  const copies = page.getByRole('button', { name: 'Copy', exact: true })
  const tryIt = page.getByRole('button', { name: 'Try it' })
  // Buttons that need a script do not show without scripts.
  assert.deepEqual([await copies.count(), await tryIt.count()], withScripts ? [3, 1] : [0, 0])
  if (!withScripts) return
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url })
  await hands.press(copies.first())
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), secret)
  await hands.press(tryIt)
  await page.getByText('The key works: 200 came.').waitFor()
  assert.match((await page.getByRole('region', { name: 'Answer' }).textContent()) ?? '', /"stateCode"/)
}

async function seeLastUse({ page }: Journey): Promise<void> {
  const lastUse = page.locator('dt:text-is("Last used") + dd')
  await until(async () => {
    if ((await lastUse.textContent())?.trim() !== 'never') return true
    await page.reload()
    return false
  })
  assert.match((await lastUse.textContent()) ?? '', /(just now|seconds ago|minute)/)
  const calls = page.locator('td[data-label="Calls"]').first()
  await calls.waitFor()
}

async function roll(journey: Journey, old: Key): Promise<Key> {
  const { page, hands, url, endGrace } = journey
  await hands.choose(page.getByRole('radio', { name: '180 days' }))
  await hands.select(page.getByLabel('The present key'), '1h')
  await hands.press(page.getByRole('button', { name: 'Roll the key' }))
  const secret = await secretOf(journey)
  const keyId = (await page.locator('dl.facts code').first().textContent()) ?? ''
  assert.equal(await statusWith(journey, old.secret), 200)
  assert.equal(await statusWith(journey, secret), 200)
  if (endGrace) await endGrace(old.keyId)
  else await revoke(journey, old.keyId)
  assert.equal(await statusWith(journey, old.secret), 401)
  assert.equal(await statusWith(journey, secret), 200)
  await page.goto(`${url}/app/keys/${old.keyId}`)
  await page.getByText('rolled', { exact: true }).waitFor()
  return { keyId, secret }
}

async function revoke({ page, hands, url }: Journey, keyId: string): Promise<void> {
  await page.goto(`${url}/app/keys/${keyId}`)
  await hands.press(page.getByText('Revoke the key'))
  await hands.press(page.getByRole('button', { name: 'Revoke it now' }))
  await page.getByText('The key was revoked.').waitFor()
}

const LATER = ['map', 'keys', 'keys/new', 'events', 'usage', 'credits', 'members', 'account']

/** Looks for a secret in later pages and in all that a browser keeps. */
async function lookForSecrets({ context, url, withScripts }: Journey, secrets: string[]): Promise<void> {
  const kept: string[] = []
  const page = await context.newPage()
  for (const path of LATER) {
    await page.goto(`${url}/app/${path}`)
    kept.push(await page.content())
  }
  kept.push(JSON.stringify(await context.storageState({ indexedDB: withScripts })))
  if (withScripts) {
    kept.push(
      await page.evaluate(
        'JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie, history.state])',
      ),
    )
    assert.deepEqual(await page.evaluate('Promise.all([indexedDB.databases(), caches.keys()])'), [[], []])
  }
  await page.close()
  for (const text of kept) for (const secret of secrets) assert.ok(!text.includes(secret.slice(7)))
}

async function signOut(journey: Journey, secrets: string[]): Promise<void> {
  const { page, hands } = journey
  const menu = page.getByText('Menu', { exact: true })
  if (await menu.isVisible()) await hands.press(menu)
  await hands.press(page.getByRole('button', { name: 'Sign out', exact: true }).filter({ visible: true }))
  await heading(journey, 'Sign in')
  // test/browser/back-button.test.ts goes further back, by scripts.
  for (let steps = 0; steps < 2; steps += 1) {
    // The answer to a POST is not kept: the browser shows its own page, which asks whether to send the form again.
    await page.goBack({ timeout: 2000, waitUntil: 'commit' }).catch(() => undefined)
    await page.waitForLoadState('domcontentloaded')
    assert.equal(await page.locator('body.signed-in').count(), 0, page.url())
    const text = await page.content()
    for (const secret of secrets) assert.ok(!text.includes(secret.slice(7)), page.url())
  }
}
