import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { makeLink } from '../support/browse.js'
import { observe, skippedWithoutChromium, startChromium } from '../support/chromium.js'
import { startServe, type Started } from '../support/cli.js'
import { newDatabase, onPostgres, type TestDatabase } from '../support/database.js'
import { newOrganisation, startService } from '../support/service.js'
import { templates } from '../support/templates.js'
import { newFolder } from '../support/temporary.js'
import { keyboard, mouse } from './hands.js'
import { walk, type Journey } from './journey.js'

type Screen = { width: number; scheme: 'light' | 'dark'; hands?: 'mouse' | 'keyboard'; withScripts?: boolean }

// The database makes no difference to a browser.
if (!onPostgres) {
  describe(`a person with a browser${skippedWithoutChromium}`, () => {
    let browser: Browser
    before(async function () {
      browser = await startChromium(this)
    })
    after(() => browser?.close())

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
        page.setDefaultTimeout(10_000)
        const secrets = await walk({
          ...place,
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

    describe('who opens the link that the start prints', () => {
      let started: Started
      before(async function () {
        this.timeout(120_000)
        const DATA_DIR = newFolder('started')
        // The first start on an empty folder takes 20 s longer.
        cpSync(join(await templates(), 'datasets'), DATA_DIR, { recursive: true })
        started = await startServe({ DATA_DIR })
      })
      after(async () => {
        started?.child.kill('SIGTERM')
        await started?.ended
      })

      it('mints a key, calls the API with it, rolls it, revokes it and signs out', async () => {
        const [, link = ''] = /^Open (\S+)$/m.exec(started.stderr()) ?? []
        await go({ width: 1280, scheme: 'light' }, { url: started.url, link })
      })
    })

    describe('who was sent a link', () => {
      let database: TestDatabase
      let running: Awaited<ReturnType<typeof startService>>
      before(async () => {
        database = await newDatabase('datasets')
        running = await startService(database, { publicUrl: 'listening', writeUseEveryMs: 200 })
      })
      after(async () => {
        await running?.stop()
        await database?.drop()
      })

      const screens: [string, Screen][] = [
        ['on a large screen, dark', { width: 1280, scheme: 'dark' }],
        ['on a phone, light', { width: 390, scheme: 'light' }],
        ['on a phone, dark', { width: 390, scheme: 'dark' }],
        ['with the keyboard only', { width: 1280, scheme: 'light', hands: 'keyboard' }],
        ['without JavaScript', { width: 390, scheme: 'light', withScripts: false }],
      ]
      for (const [title, screen] of screens) {
        it(`goes the same way ${title}; the grace of the rolled key passes`, async () => {
          const t = await makeLink(database.db, { orgId: await newOrganisation(database.db) })
          await go(screen, {
            url: running.url,
            link: `${running.url}/app/link?t=${t}`,
            endGrace: (keyId) =>
              database.db.rows('update api_key set revoked_at = clock_timestamp() where key_id = $1::text', [keyId]),
          })
        })
      }
    })
  })
}
