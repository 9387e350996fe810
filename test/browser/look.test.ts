import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Database } from '../../src/core/db/connect.js'
import { makeLink, signIn } from '../support/browse.js'
import { service, startService } from '../support/service.js'
import { actions, pathOf } from '../web/actions.js'
import { fillOrganisation, type Filled } from '../web/filled.js'
import { rows } from '../web/visitors.js'
import { AXE, faultsOf } from './looking.js'
import { openTab, type Tab } from './tabs.js'

/** These addresses answer with files, tiles, or the way to another page. */
const NO_PAGES = /^\/$|openid|\.csv$|^\/tiles|^\/values|^\/map\/labels/

const OPEN_FOLDS = `document.querySelectorAll('main details:not(.menu)').forEach((fold) => { fold.open = true })`

/** Words of the table of units that stand on two lines. */
const BROKEN_WORDS = `[...document.querySelectorAll('#twin thead th, #twin td:first-child a')]
  .flatMap((cell) => [...cell.childNodes].filter(({ nodeType }) => nodeType === 3))
  .flatMap((text) => [...text.data.matchAll(/\\S+/g)].map(({ 0: word, index }) => {
    const range = document.createRange()
    range.setStart(text, index)
    range.setEnd(text, index + word.length)
    return { word, lines: new Set([...range.getClientRects()].map(({ top }) => top)).size }
  }))
  .flatMap(({ word, lines }) => (lines > 1 ? [word] : []))`

const insight = `POST /v1/frames/insight ${JSON.stringify({ frameIds: ['324378020'], question: 'how many people' })}`

const asked = `call=${encodeURIComponent(insight)}`

/** The values or the query of these pages; other pages have none. */
const OPENED: Record<string, string[]> = {
  '/map': ['?frame=324378020&question=how+many+people', '?shape=POLYGON((0.05+0.05,0.31+0.08,0.3+0.33,0.05+0.05))'],
  '/find': ['', '?q=324378020', '?q=lakeside', '?q=Mobile+app'],
  '/take': ['?frames=322074005,322074006'],
  '/ask': ['?frames=322074005&question=how+many+shops+and+people'],
  '/sql': ['sql', 'plan', 'curl', 'python'].map((view) => `?show=${view}&${asked}`),
}

describe('every page of the web app is readable, labelled and never scrolls sideways', function () {
  this.timeout(120_000)
  const long = { layerId: `lyr_${'w'.repeat(60)}`, name: 'Wide '.repeat(8) + 'W'.repeat(60) }
  let db: Database
  let running: Awaited<ReturnType<typeof startService>>
  let filled: Filled
  let tab: Tab
  let page: Page

  before(async () => {
    db = service().db
    filled = await fillOrganisation(db)
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
  afterEach(() => tab.close(running.url))

  const openAs = async (orgId?: string) => {
    const visitor = orgId === undefined ? undefined : await signIn(running.url, db, { orgId })
    tab = await openTab({ ...(visitor && { visitor }), viewport: { width: 1280, height: 400 } })
    page = tab.page
    await page.context().addInitScript(AXE)
  }
  const open = async (path: string) => {
    const answer = await page.goto(`${running.url}/app/${path}`)
    assert.equal(answer?.status(), 200, path)
    await page.evaluate(OPEN_FOLDS)
  }
  const look = async (name: string) => assert.deepEqual(await faultsOf(page), [], name)
  const lookAt = async (path: string) => {
    await open(path)
    await look(path)
  }
  const press = (name: string) => page.getByRole('button', { name }).click()

  it('with keys of each state, two weeks of use and long names', async () => {
    const [, , rolled = ''] = filled.keyIds
    const values: Record<string, string[]> = {
      '/keys/:keyId': [rolled],
      '/datasets/:layerId': [long.layerId, 'lyr_schools'],
    }
    const pages = actions.filter(({ method, path, least }) => {
      return method === 'GET' && least !== 'nobody' && !NO_PAGES.test(path)
    })
    assert.ok(pages.length > 12)
    await openAs(filled.orgId)
    for (const action of pages) {
      const bare = pathOf(action).slice('/app/'.length)
      const queries = OPENED[action.path] ?? ['']
      const paths =
        values[action.path]?.map((value) => bare.replace('none', value)) ?? queries.map((query) => bare + query)
      for (const path of paths) await lookAt(path)
    }
  })

  it('where forms are open, refused and answered', async () => {
    await openAs(filled.orgId)
    await open('keys/new')
    await page.getByRole('radio', { name: 'Only these' }).check()
    await page.getByLabel('1. Name').fill('Ada')
    await press('Mint the key')
    await page.getByRole('link', { name: 'Choose at least one dataset' }).waitFor()
    await look('refused key')
    // Chromium itself tells the console of each 422.
    assert.match(tab.complaints.splice(0).join(), /^Failed to load resource: .* 422 [^,]*$/)
    await page.getByRole('radio', { name: 'All that' }).check()
    await press('Mint the key')
    await press('Try it')
    await page.getByText('The key works').waitFor()
    await look('minted key')
    await open('members')
    assert.ok(
      await page.evaluate(
        `(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('.scrolled'))`,
      ),
      'the table of members fits its card',
    )
    for (const label of await page.locator('td .confirm form').all())
      assert.ok(((await label.boundingBox())?.width ?? 0) >= 192)
    await page.getByLabel('Name', { exact: true }).fill('Dayo')
    await press('Make a link')
    await page.getByText('Send this link').waitFor()
    await look('invitation')
  })

  it('on the narrowest screen, where names of units and of columns stay whole', async () => {
    await openAs(filled.orgId)
    await page.setViewportSize({ width: 320, height: 400 })
    for (const query of ['', '?state=marembe&lga=lakeside', '?with=lyr_population+pop_demest25&as=change']) {
      await open(`map${query}`)
      assert.deepEqual(await page.evaluate<string[]>(BROKEN_WORDS), [], query)
    }
  })

  it('for a visitor who is not signed in', async () => {
    await openAs()
    await lookAt('sign-in')
    await lookAt(`link?t=${await makeLink(db, { orgId: filled.orgId })}`)
  })
})
