import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { makeLink } from '../support/browse.js'
import { observe, skippedWithoutChromium, startChromium } from '../support/chromium.js'
import { startServe, type Started } from '../support/cli.js'
import { onPostgres, type TestDatabase } from '../support/database.js'
import { newOrganisation, service, startService } from '../support/service.js'
import { templates } from '../support/templates.js'
import { newFolder } from '../support/temporary.js'
import { keyboard, mouse } from './hands.js'
import { walk, type Journey } from './journey.js'

type Screen = { width: number; scheme: 'light' | 'dark'; hands?: 'mouse' | 'keyboard'; withScripts?: boolean }

const FIRST: Screen = { width: 1280, scheme: 'light' }
const screens: [title: string, Screen][] = [
  ['on a large screen, dark', { width: 1280, scheme: 'dark' }],
  ['on a phone, light', { width: 390, scheme: 'light' }],
  ['on a phone, dark', { width: 390, scheme: 'dark' }],
  ['with the keyboard only', { width: 1280, scheme: 'light', hands: 'keyboard' }],
  ['without JavaScript', { width: 390, scheme: 'light', withScripts: false }],
]

/** Does one piece of work after the other. */
function takeTurns(): Journey['alone'] {
  const turn = { last: Promise.resolve() }
  return (work) => (turn.last = turn.last.then(work, work))
}

/** Starts the service as a person does who has the fixture's data: to make them takes 20 s longer. */
async function startWithData(): Promise<Started> {
  const DATA_DIR = newFolder('started')
  cpSync(join(await templates(), 'datasets'), DATA_DIR, { recursive: true })
  return await startServe({ DATA_DIR })
}

// The database makes no difference to a browser.
if (!onPostgres) {
  describe(`a person with a browser${skippedWithoutChromium}`, function () {
    // Six walks at once take a minute on a busy machine of two cores. Each page has a limit of its own.
    this.timeout(300_000)
    let browser: Browser
    let started: Started
    let database: TestDatabase
    let running: Awaited<ReturnType<typeof startService>>
    const walks = new Map<Screen, Promise<void>>()
    const alone = takeTurns()

    // The walks take place at the same time, since each of them waits for pages, and the first one for counts of calls.
    before(async function () {
      browser = await startChromium(this)
      started = await startWithData()
      database = service().database
      running = await startService(database, { publicUrl: 'listening', writeUseEveryMs: 200 })
      const [, printed = ''] = /^Open (\S+)$/m.exec(started.stderr()) ?? []
      walks.set(FIRST, go(FIRST, { url: started.url, link: printed }))
      for (const [, screen] of screens) walks.set(screen, goByLink(screen))
      // A walk that fails does so in its own test.
      void Promise.allSettled(walks.values())
    })
    after(async () => {
      await browser?.close()
      started?.child.kill('SIGTERM')
      await started?.ended
      await running?.stop()
    })

    /** Goes the whole way on a screen, and asserts that the browser had nothing to complain of. */
    async function go(
      { width, scheme, hands = 'mouse', withScripts = true }: Screen,
      place: Pick<Journey, 'url' | 'link' | 'endGrace'>,
    ): Promise<void> {
      const context = await browser.newContext({
        viewport: { width, height: width > 900 ? 900 : 800 },
        colorScheme: scheme,
        javaScriptEnabled: withScripts,
        reducedMotion: 'reduce',
      })
      try {
        const { asked, complaints } = await observe(context)
        const page = await context.newPage()
        page.setDefaultTimeout(30_000)
        const secrets = await walk({
          ...place,
          alone,
          context,
          page,
          withScripts,
          hands: hands === 'mouse' ? mouse : keyboard(page),
        })
        assert.deepEqual(complaints, [])
        assert.ok(asked.length > 20)
        for (const address of asked) {
          assert.ok(address.startsWith(`${place.url}/`), address)
          for (const secret of secrets) assert.ok(!address.includes(secret.slice(7)), address)
        }
      } finally {
        await context.close()
      }
    }

    async function goByLink(screen: Screen): Promise<void> {
      const t = await makeLink(database.db, { orgId: await newOrganisation(database.db) })
      await go(screen, {
        url: running.url,
        link: `${running.url}/app/link?t=${t}`,
        endGrace: (keyId) =>
          database.db.rows('update api_key set revoked_at = clock_timestamp() where key_id = $1::text', [keyId]),
      })
    }

    it('who opens the link that the start prints mints a key, calls the API with it, rolls it, revokes it and signs out', async () =>
      await walks.get(FIRST))

    for (const [title, screen] of screens)
      it(`who was sent a link goes the same way ${title}; the grace of the rolled key passes`, async () =>
        await walks.get(screen))
  })
}
