import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { makeLink } from '../support/browse.js'
import { skippedWithoutChromium, startChromium } from '../support/chromium.js'
import { onPostgres, type TestDatabase } from '../support/database.js'
import { service, startService } from '../support/service.js'
import { actions, pathOf } from './actions.js'
import { fillOrganisation, type Filled } from './filled.js'

const WIDTHS = [1280, 1024, 768, 390]

/** These addresses answer with files, tiles, or the way to another page. */
const NO_PAGES = /^\/$|openid|\.csv$|^\/tiles|^\/map\/labels/

/**
 * Lists the fields that people see without a label that they see. The heading of a column labels the fields of a table,
 * and a choice labels the field inside it.
 */
const UNLABELLED = `[...document.querySelectorAll('input, select, textarea')]
  .filter((field) => field.type !== 'hidden' && field.checkVisibility() && !field.closest('td, label'))
  .filter((field) => ![...(field.labels ?? [])].some((label) => label.checkVisibility() && label.getBoundingClientRect().width > 1))
  .map((field) => field.outerHTML.slice(0, 120))`

// The database makes no difference to a browser.
if (!onPostgres) {
  describe(`every page of the web app${skippedWithoutChromium}`, function () {
    this.timeout(180_000)
    const long = { layerId: `lyr_${'w'.repeat(60)}`, name: 'Wide '.repeat(8) + 'W'.repeat(60) }
    let browser: Browser
    let database: TestDatabase
    let running: Awaited<ReturnType<typeof startService>>
    let filled: Filled
    let page: Page

    before(async function () {
      browser = await startChromium(this)
      database = service().database
      filled = await fillOrganisation(database.db)
      running = await startService(database, { publicUrl: 'listening', operators: [filled.orgId] })
      await database.db.rows(
        `insert into dataset (layer_id, org_id, name, category, kind, version, items)
         values ($1::text, $2::text, $3::text, 'Administration of territories', 'frames', nextval('dataset_version'), 0)`,
        [long.layerId, filled.orgId, long.name],
      )
      await database.db.rows(
        `insert into attribute (layer_id, name, place, label, unit, type, summary)
         select $1::text, repeat('n', 50) || n, n, repeat('Label ', 10) || n, 'kilograms per hectare', 'number', 'mean'
         from generate_series(1, 3) as n`,
        [long.layerId],
      )
    })
    after(async () => {
      await database?.db.rows('delete from dataset where layer_id = $1::text', [long.layerId])
      await browser?.close()
      await running?.stop()
    })

    it('scrolls up and down only, on four widths, and labels each field where people see it', async () => {
      page = await browser.newPage()
      const open = (path: string) => page.goto(running.url + path)
      const link = `/app/link?t=${await makeLink(database.db, { orgId: filled.orgId })}`
      const faults: string[] = []
      const measure = async (name: string) => {
        for (const fold of await page.locator('main details:not(.menu) > summary').all()) await fold.click()
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 })
          const is = await page.evaluate<number>('document.documentElement.scrollWidth')
          if (is !== width) faults.push(`${name}: ${is} at ${width}`)
        }
        faults.push(...(await page.evaluate<string[]>(UNLABELLED)).map((field) => `${name}: ${field}`))
      }
      const layers = await database.db.rows<{ id: string }>(
        `select layer_id as id from dataset where org_id = $1::text
         union select layer_id from licence where org_id is null or org_id = $1::text`,
        [filled.orgId],
      )
      const values = { '/keys/:keyId': filled.keyIds, '/datasets/:layerId': layers.map(({ id }) => id) }
      const pages = actions.filter(({ method, path }) => method === 'GET' && !NO_PAGES.test(path))
      assert.ok(pages.length > 15)
      await open('/app/sign-in')
      await measure('/sign-in')
      await open(link)
      await measure('/link')
      await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL('**/app/map*')
      for (const action of pages.filter(({ path }) => path !== '/sign-in' && path !== '/link'))
        for (const value of values[action.path as keyof typeof values] ?? ['']) {
          const path = pathOf(action, { keyId: value, layerId: value })
          const answer = await open(path)
          assert.equal(answer?.status(), 200, path)
          await measure(path)
        }
      assert.deepEqual(faults, [])
    })
  })
}
