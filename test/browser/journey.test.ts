import assert from 'node:assert/strict'
import { makeLink } from '../support/browse.js'
import { observe, sharedChromium } from '../support/chromium.js'
import { newOrganisation, service, startService } from '../support/service.js'
import { keyboard, mouse } from './hands.js'
import { walk } from './journey.js'

type Screen = { width: number; hands: 'mouse' | 'keyboard'; withScripts: boolean; isOldKeyRevoked: boolean }

/** test/web/look.test.ts looks at pages in the light and in the dark. */
const screens: [title: string, Screen][] = [
  ['with a mouse', { width: 1280, hands: 'mouse', withScripts: true, isOldKeyRevoked: true }],
  ['with the keyboard only', { width: 1280, hands: 'keyboard', withScripts: true, isOldKeyRevoked: false }],
  ['on a phone, without JavaScript', { width: 390, hands: 'mouse', withScripts: false, isOldKeyRevoked: false }],
]

describe('a person with a browser', function () {
  this.timeout(120_000)
  let running: Awaited<ReturnType<typeof startService>>
  before(async () => {
    running = await startService(service().database, { publicUrl: 'listening', writeUseEveryMs: 200 })
  })
  after(() => running.stop())

  for (const [title, { width, hands, withScripts, isOldKeyRevoked }] of screens)
    it(`who was sent a link mints a key, calls the API with it, rolls it, revokes it and signs out: ${title}`, async () => {
      const { db } = service()
      const { url } = running
      const context = await (
        await sharedChromium()
      ).newContext({ viewport: { width, height: 900 }, javaScriptEnabled: withScripts, reducedMotion: 'reduce' })
      try {
        const { asked, complaints } = await observe(context)
        const page = await context.newPage()
        page.setDefaultTimeout(30_000)
        const passGrace = (keyId: string) =>
          db.rows('update api_key set revoked_at = clock_timestamp() where key_id = $1::text', [keyId])
        const secrets = await walk({
          url,
          link: `${url}/app/link?t=${await makeLink(db, { orgId: await newOrganisation(db) })}`,
          ...(!isOldKeyRevoked && { endGrace: passGrace }),
          context,
          page,
          withScripts,
          hands: hands === 'mouse' ? mouse : keyboard(page),
        })
        assert.deepEqual(complaints, [])
        assert.ok(asked.length > 20)
        for (const address of asked) {
          assert.ok(address.startsWith(`${url}/`), address)
          for (const secret of secrets) assert.ok(!address.includes(secret.slice(7)), address)
        }
      } finally {
        await context.close()
      }
    })
})
