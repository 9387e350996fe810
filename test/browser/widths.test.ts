import assert from 'node:assert/strict'
import { signIn } from '../support/browse.js'
import { newOrganisation, service, startService } from '../support/service.js'
import { actions, pathOf } from '../web/actions.js'
import { fillOrganisation, type Filled } from '../web/filled.js'
import { linkFor, rows } from '../web/visitors.js'
import { openTab } from './tabs.js'

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

const OPEN_FOLDS = `document.querySelectorAll('main details:not(.menu)').forEach((fold) => { fold.open = true })`

describe('every page of the web app', () => {
  const long = { layerId: `lyr_${'w'.repeat(60)}`, name: 'Wide '.repeat(8) + 'W'.repeat(60) }
  let running: Awaited<ReturnType<typeof startService>>
  let filled: Filled

  before(async () => {
    filled = await fillOrganisation(service().db)
    running = await startService(service().database, { publicUrl: 'listening', operators: [filled.orgId] })
    await rows(
      `insert into dataset (layer_id, org_id, name, category, kind, version, items)
       values ($1::text, $2::text, $3::text, 'Administration of territories', 'frames', nextval('dataset_version'), 0)`,
      long.layerId,
      filled.orgId,
      long.name,
    )
    await rows(
      `insert into attribute (layer_id, name, place, label, unit, type, summary)
       select $1::text, repeat('n', 50) || n, n, repeat('Label ', 10) || n, 'kilograms per hectare', 'number', 'mean'
       from generate_series(1, 3) as n`,
      long.layerId,
    )
  })
  after(async () => {
    await rows('delete from dataset where layer_id = $1::text', long.layerId)
    await running.stop()
  })

  it('scrolls up and down only, on four widths, and labels each field where people see it', async () => {
    const values: Record<string, string[]> = {
      '/keys/:keyId': filled.keyIds.filter((_keyId, i) => i % 3 === 2),
      '/datasets/:layerId': [long.layerId, 'lyr_terrain', 'lyr_schools'],
    }
    const pages = actions.filter(({ method, path }) => method === 'GET' && !NO_PAGES.test(path))
    assert.ok(pages.length > 15)
    const visitor = await signIn(running.url, service().db, { orgId: filled.orgId })
    const [inside, outside] = [await openTab({ visitor }), await openTab()]
    const faults: string[] = []
    for (const action of pages)
      for (const value of values[action.path] ?? ['']) {
        const { page } = action.least === 'nobody' ? outside : inside
        const link =
          action.path === '/link' ? `?t=${await linkFor({ orgId: await newOrganisation(service().db) })}` : ''
        const path = pathOf(action, { keyId: value, layerId: value }) + link
        const answer = await page.goto(running.url + path)
        assert.equal(answer?.status(), 200, path)
        await page.evaluate(OPEN_FOLDS)
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 })
          const is = await page.evaluate<number>('document.documentElement.scrollWidth')
          if (is !== width) faults.push(`${path}: ${is} at ${width}`)
        }
        faults.push(...(await page.evaluate<string[]>(UNLABELLED)).map((field) => `${path}: ${field}`))
      }
    assert.deepEqual(faults, [])
    await inside.close(running.url)
    await outside.close(running.url)
  })
})
