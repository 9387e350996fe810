import assert from 'node:assert/strict'
import { license } from '../../src/access/licences.js'
import { signIn, type PageAnswer } from '../support/browse.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { balanceOf, credit } from '../support/datasets.js'
import { newOrganisation, startService } from '../support/service.js'
import { leadOf } from './pages.js'
import { formOf, needed, READ } from './spending-forms.js'

const FRAMES = ['322074005', '322074006']
const SHOPS = 'how many shops are there'
const PRICE = 2

describe('a form of the page /app/ask that is sent again', function () {
  this.timeout(120_000)
  let database: TestDatabase
  before(async () => (database = await newDatabase('datasets')))
  after(() => database.drop())

  /** Returns the statuses and the first lines of the answers, and what a form cost. */
  async function sendFour(times: 'at once' | 'in turn', burst: number) {
    const size = { burst: 100, perMinute: 500 }
    const buckets = { key: size, organisation: size, insight: { burst, perMinute: 1 } }
    const running = await startService(database, { publicUrl: 'listening', buckets })
    const orgId = await newOrganisation(database.db)
    await license(database.db.run, 'lyr_market', orgId, PRICE)
    await credit(database.db, orgId, 50)
    const ada = await signIn(running.url, database.db, { orgId, role: 'member' })
    const page = await ada.get(`/app/ask?frames=${FRAMES.join()}&question=${encodeURIComponent(SHOPS)}`)
    const form = needed(formOf(page.text, READ))
    const send = () => ada.post('/app/ask', form)
    const answers: PageAnswer[] = times === 'at once' ? await Promise.all([send(), send(), send(), send()]) : []
    while (answers.length < 4) answers.push(await send())
    const balance = await balanceOf(database.db, orgId)
    await running.stop()
    return { answers, balance }
  }

  for (const times of ['at once', 'in turn'] as const) {
    it(`four times ${times} gets one answer, and spends one call and one price`, async () => {
      // One call for the page, and one for the form: then the bucket is empty.
      const { answers, balance } = await sendFour(times, 2)
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200, 200],
      )
      for (const { text } of answers) assert.match(leadOf(text), /^Shops, total: \d/)
      assert.equal(new Set(answers.map(({ text }) => leadOf(text))).size, 1)
      assert.equal(balance, 50 - PRICE)
    })

    it(`four times ${times} with an empty bucket keeps the form, and spends nothing`, async () => {
      const { answers, balance } = await sendFour(times, 1)
      assert.deepEqual(
        answers.map(({ status }) => status),
        [429, 429, 429, 429],
      )
      for (const { text } of answers) {
        assert.match(text, /nothing was spent/)
        assert.ok(text.includes(`value="${SHOPS}"`))
        assert.ok(formOf(text, /^Send it again$/)?.['request'])
      }
      assert.equal(balance, 50)
    })
  }

  it('passes when the bucket holds a call again, by the button of the refusal', async () => {
    const size = { burst: 100, perMinute: 500 }
    const buckets = { key: size, organisation: size, insight: { burst: 1, perMinute: 60 } }
    const running = await startService(database, { publicUrl: 'listening', buckets })
    const orgId = await newOrganisation(database.db)
    await license(database.db.run, 'lyr_market', orgId, PRICE)
    await credit(database.db, orgId, 50)
    const ada = await signIn(running.url, database.db, { orgId, role: 'member' })
    const page = await ada.get(`/app/ask?frames=${FRAMES.join()}&question=${encodeURIComponent(SHOPS)}`)
    const refused = await ada.post('/app/ask', needed(formOf(page.text, READ)))
    await new Promise((done) => setTimeout(done, 1000 * Number(refused.headers['retry-after'] ?? 0) + 50))
    const answer =
      refused.status === 429 ? await ada.post('/app/ask', needed(formOf(refused.text, /^Send it again$/))) : refused
    assert.match(leadOf(answer.text), /^Shops, total: \d/)
    assert.equal(await balanceOf(database.db, orgId), 50 - PRICE)
    await running.stop()
  })
})
