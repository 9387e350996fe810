import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { newOrganisation, service } from '../support/service.js'
import { signedIn } from '../web/visitors.js'
import { keyboard } from './hands.js'
import { AXE, faultsOf } from './looking.js'
import { openTab, type Tab } from './tabs.js'

const FRAME = '324378020'

describe('the drawer over the map', function () {
  this.timeout(60_000)
  let tab: Tab
  let page: Page
  before(async () => {
    const visitor = await signedIn({ orgId: await newOrganisation(service().db), role: 'member' })
    tab = await openTab({ visitor, drawsMaps: true, permissions: ['clipboard-read', 'clipboard-write'] })
    page = tab.page
    await page.context().addInitScript(AXE)
    await page.goto(`${service().url}/app/map?frame=${FRAME}`)
    await page.locator('.map-area[aria-busy="false"]').waitFor()
  })
  after(() => tab.close(service().url))

  const drawer = () => page.locator('dialog.drawer')
  /** The cell that has the budget of a statement's header. */
  const costIn = (part: Locator) => part.locator('[data-label="At most, by its header"]', { hasText: /\d/ }).first()
  const focused = () => page.evaluate<string>('document.activeElement.textContent')

  it('shows the statements of a panel to the keyboard, and their plans, and gives the focus back', async () => {
    const hands = keyboard(page)
    await page.locator('#panel-title').focus()
    await hands.press(page.locator('#panel').getByRole('link', { name: 'Show the SQL' }))
    await drawer()
      .getByRole('heading', { level: 2, name: `Frame ${FRAME}` })
      .waitFor()
    assert.equal(await focused(), `Frame ${FRAME}`)
    await hands.press(drawer().getByRole('button', { name: 'Copy' }).first())
    await drawer().getByRole('button', { name: 'Copied' }).waitFor()
    assert.match(await page.evaluate('navigator.clipboard.readText()'), /^-- frames_by_id: [^]*;$/)
    await hands.press(drawer().getByRole('link', { name: 'Plan' }))
    await costIn(drawer()).waitFor()
    await page.keyboard.press('Escape')
    await drawer().waitFor({ state: 'hidden' })
    assert.equal(await focused(), 'Show the SQL')
    // Escape left the drawer, and not the frame.
    assert.equal(await page.locator('#panel-title').textContent(), `Frame ${FRAME}`)
    assert.equal(new URL(page.url()).searchParams.get('frame'), FRAME)
  })

  it('has beside it a link to copy, which leads to the same frame', async () => {
    await page.locator('#panel').getByRole('button', { name: 'Copy link' }).click()
    const link = await page.evaluate<string>('navigator.clipboard.readText()')
    assert.equal(link, `${service().url}/app/map?frame=${FRAME}`)
  })

  it('is readable at every width, in the dark and in the light', async () => {
    for (const view of ['Show the SQL', 'Python']) {
      await page.locator('#panel').getByRole('link', { name: view }).click()
      await drawer().locator('pre').first().waitFor()
      assert.deepEqual(await faultsOf(page), [], view)
      await page.setViewportSize({ width: 920, height: 400 })
      await drawer().getByRole('button', { name: 'Close' }).click()
      await drawer().waitFor({ state: 'hidden' })
    }
  })

  it('shows the statement of a figure with its cost, while the map dims all frames but those of the answer', async () => {
    await page.goto(`${service().url}/app/map?question=which+LGA+has+the+most+people`)
    await page.locator('.map-area[aria-busy="false"]').waitFor()
    const figure = page.locator('#asked').getByRole('link', { name: /in Meridian Bay$/ })
    await keyboard(page).press(figure)
    await costIn(drawer()).waitFor()
    assert.match((await drawer().locator('pre').first().textContent()) ?? '', /^-- figure: /)
    assert.equal(await page.locator('#asked[data-dim]').count(), 1)
    await page.keyboard.press('Escape')
    await page.locator('#asked:not([data-dim])').waitFor()
    assert.match(await focused(), /in Meridian Bay$/)
    assert.equal(await page.locator('#map-note').isVisible(), false)
    await page.goto(`${service().url}${await figure.getAttribute('href')}`)
    await costIn(page.locator('main')).waitFor()
    await page.goto(`${service().url}/app/map?frame=${FRAME}`)
  })

  it('leaves a link to a person who opens it as a page', async () => {
    await page.locator('#panel').getByRole('link', { name: 'curl' }).click()
    await drawer().getByRole('link', { name: 'Open as a page' }).click()
    await page.getByRole('heading', { level: 1, name: `Frame ${FRAME}` }).waitFor()
    await page.getByRole('link', { name: 'Back to the page' }).click()
    await page.locator('#panel-title', { hasText: `Frame ${FRAME}` }).waitFor()
  })
})
