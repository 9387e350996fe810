import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { makeLink } from '../support/browse.js'
import { observe, launchChromium, type Observed } from '../support/chromium.js'
import { type TestDatabase } from '../support/database.js'
import { newOrganisation, service, startService } from '../support/service.js'
import { fillOrganisation, type Filled } from '../web/filled.js'
import { lookAt } from '../web/looking.js'

describe('the pages of the web app in a browser', function () {
  this.timeout(120_000)
  let browser: Browser
  let database: TestDatabase
  let running: Awaited<ReturnType<typeof startService>>
  let filled: Filled
  let page: Page
  let observed: Observed

  before(async function () {
    browser = await launchChromium()
    database = service().database
    filled = await fillOrganisation(database.db)
    running = await startService(database, { publicUrl: 'listening', operators: [filled.orgId] })
  })
  after(async () => {
    await browser?.close()
    await running?.stop()
  })
  beforeEach(async () => {
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    observed = await observe(context)
    page = await context.newPage()
  })
  afterEach(async () => {
    assert.deepEqual(observed.complaints, [])
    for (const address of observed.asked) assert.ok(address.startsWith(`${running.url}/`), address)
    await page.context().close()
  })

  const open = (path: string) => page.goto(`${running.url}/app/${path}`)
  const linkFor = async (orgId: string) => `link?t=${await makeLink(database.db, { orgId })}`
  const signIn = async (orgId: string) => {
    await open(await linkFor(orgId))
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/app/map*')
  }

  const look = (name: string) => lookAt(page, name)

  it('are readable, labelled and never scroll sideways, with nine keys and two weeks of use', async () => {
    await signIn(filled.orgId)
    const [used, , narrowed, , unused, rolled, , revoked] = filled.keyIds
    for (const path of [
      'keys',
      ...[used, narrowed, unused, rolled, revoked].map((keyId) => `keys/${keyId}`),
      'usage',
      'usage?period=7d',
      'credits',
      'events',
      'members',
      'account',
    ]) {
      await open(path)
      for (const fold of await page.locator('details:not(.menu) > summary').all()) await fold.click()
      await look(path)
    }
  })

  it('are so where they list datasets, show one, and show what the doctor found', async () => {
    await signIn(filled.orgId)
    for (const path of [
      'datasets',
      'datasets?q=nothing+of+this',
      'datasets/lyr_terrain',
      'datasets/lyr_urban?attribute=urb_class',
      'datasets/lyr_schools',
      'health',
    ]) {
      await open(path)
      for (const fold of await page.locator('details:not(.menu) > summary').all()) await fold.click()
      await look(path)
    }
  })

  it('are so where they answer questions and show statements', async () => {
    await signIn(filled.orgId)
    const insight = `POST /v1/frames/insight ${JSON.stringify({ frameIds: ['324378020'], question: 'how many people' })}`
    for (const path of [
      'ask',
      'ask?frames=324378020,324378021',
      'ask?frames=322074005&question=how+many+shops+and+people',
      'ask?state=marembe&question=how+many+people',
      'ask?box=0,0,5,5',
      'sql',
      `sql?call=${encodeURIComponent(insight)}`,
      `plan?call=${encodeURIComponent(insight)}`,
    ]) {
      await open(path)
      for (const fold of await page.locator('details:not(.menu) > summary').all()) await fold.click()
      await look(path)
    }
  })

  it('are so where forms are open, refused and answered', async () => {
    await signIn(filled.orgId)
    await open('keys/new')
    await look('new key')
    await page.getByRole('radio', { name: 'Only these' }).check()
    await page.getByLabel('1. Name').fill('Ada')
    await page.getByRole('button', { name: 'Mint the key' }).click()
    await page.getByText('Choose at least one dataset').waitFor()
    await look('refused key')
    // Chromium itself tells the console of each 422.
    assert.match(observed.complaints.splice(0).join(), /^Failed to load resource: .* 422 [^,]*$/)
    await page.getByRole('radio', { name: 'All that' }).check()
    await page.getByRole('button', { name: 'Mint the key' }).click()
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.getByText('The key works').waitFor()
    await look('minted key')
    await open('members')
    await page.getByLabel('Name', { exact: true }).fill('Dayo')
    await page.getByRole('button', { name: 'Make a link' }).click()
    await page.getByText('Send this link').waitFor()
    await look('invitation')
  })

  it('are so for an organisation without keys, and for a visitor who is not signed in', async () => {
    const orgId = await newOrganisation(database.db)
    await open('sign-in')
    await look('sign in')
    await open(await linkFor(orgId))
    await look('link')
    await signIn(orgId)
    for (const path of ['keys', 'usage', 'credits', 'events']) {
      await open(path)
      await look(`empty ${path}`)
    }
    await page.getByText('Menu', { exact: true }).click()
    await look('menu')
  })

  it('are so for Health after a run of the checks', async () => {
    await signIn(filled.orgId)
    await open('health')
    await page.getByRole('button', { name: 'Run the checks' }).click()
    await page.getByText('is under way').waitFor()
    await page.getByText('The checks ended').waitFor({ timeout: 60_000 })
    for (const fold of await page.locator('details:not(.menu) > summary').all()) await fold.click()
    await look('health after a run')
  })

  it('are so with names of 200 letters without a blank', async () => {
    const orgId = await newOrganisation(database.db)
    await database.db.rows('update organisation set name = $2::text where org_id = $1::text', [orgId, 'O'.repeat(200)])
    await signIn(orgId)
    await open('keys/new')
    await page.getByLabel('1. Name').fill('W'.repeat(200))
    await page.getByRole('button', { name: 'Mint the key' }).click()
    await look('minted key')
    await page.getByRole('link', { name: 'I have copied it' }).click()
    await page.waitForURL('**/keys/key_*')
    await look('key')
    for (const path of ['keys', 'events', 'usage', 'members', 'account']) {
      await open(path)
      await look(path)
    }
  })
})
