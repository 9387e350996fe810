import assert from 'node:assert/strict'
import { license } from '../../src/core/access/licences.js'
import { signIn, type PageAnswer, type Visitor } from '../support/browse.js'
import { balanceOf, credit } from '../support/datasets.js'
import { until } from '../support/until.js'
import { newOrganisation, service, startService } from '../support/service.js'
import { leadOf } from './pages.js'
import { formOf, needed, READ, type Form } from './spending-forms.js'

const FRAMES = '322074005,322074006'
const SHOPS = 'how many shops are there'
const PRICE = 2

/** Two questions pass, and more as the bucket fills. */
const startMetered = (perMinute: number) => {
  const size = { burst: 100, perMinute: 500 }
  const buckets = { key: size, organisation: size, insight: { burst: 2, perMinute } }
  return startService(service().database, { publicUrl: 'listening', buckets })
}

describe('the bucket of questions on the page /app/ask', function () {
  this.timeout(60_000)
  let running: Awaited<ReturnType<typeof startService>>
  let orgId: string
  let ada: Visitor
  before(async () => (running = await startMetered(1)))
  after(() => running.stop())

  /** Signs in to an organisation of its own that may read for a price. */
  async function enter(url: string): Promise<void> {
    const { db } = service()
    orgId = await newOrganisation(db)
    await license(db.run, 'lyr_market', orgId, PRICE)
    await credit(db, orgId, 50)
    ada = await signIn(url, db, { orgId, role: 'member' })
  }
  beforeEach(() => enter(running.url))

  const open = async () => (await ada.get(`/app/ask?frames=${FRAMES}&question=${encodeURIComponent(SHOPS)}`)).text
  const sendFour = (form: Form): Promise<PageAnswer[]> =>
    Promise.all(Array.from({ length: 4 }, () => ada.post('/app/ask', form)))
  const statuses = (answers: PageAnswer[]) => answers.map(({ status }) => status)

  it('passes a form that is sent four times at once, as one: one answer, one call and one price', async () => {
    // One call for the page, and one for the form: then the bucket is empty.
    const answers = await sendFour(needed(formOf(await open(), READ)))
    assert.deepEqual(statuses(answers), [200, 200, 200, 200])
    for (const { text } of answers) assert.match(leadOf(text), /^Shops, total: \d/)
    assert.equal(new Set(answers.map(({ text }) => leadOf(text))).size, 1)
    assert.equal(await balanceOf(service().db, orgId), 50 - PRICE)
  })

  it('that is empty keeps a form that is sent four times at once, and nothing is spent', async () => {
    await open()
    const answers = await sendFour(needed(formOf(await open(), READ)))
    assert.deepEqual(statuses(answers), [429, 429, 429, 429])
    for (const { text } of answers) {
      assert.match(text, /nothing was spent/)
      assert.ok(text.includes(`value="${SHOPS}"`))
      assert.ok(formOf(text, /^Send it again$/)?.['request'])
    }
    assert.equal(await balanceOf(service().db, orgId), 50)
  })

  it('passes the form once it holds a call again, by the button of the refusal', async () => {
    const filling = await startMetered(600)
    try {
      await enter(filling.url)
      let form = needed(formOf(await open(), READ))
      const answers: PageAnswer[] = []
      await until(async () => {
        const answer = await ada.post('/app/ask', form)
        answers.push(answer)
        if (answer.status === 429) form = needed(formOf(answer.text, /^Send it again$/))
        return answer.status === 200
      })
      assert.match(leadOf(answers.at(-1)?.text ?? ''), /^Shops, total: \d/)
      assert.equal(await balanceOf(service().db, orgId), 50 - PRICE)
    } finally {
      await filling.stop()
    }
  })

  it('is that of questions, and a page without a place asks none', async () => {
    for (let i = 0; i < 2; i += 1) assert.equal((await ada.get('/app/ask?frames=1')).status, 200)
    const refused = await ada.get('/app/ask?frames=1')
    assert.equal(refused.status, 429)
    assert.match(refused.text, /The insight bucket is spent/)
    assert.equal((await ada.post('/app/ask')).status, 429)
    assert.equal((await ada.get('/app/ask')).status, 200)
    const typed = await ada.get(`/app/ask?frames=1&question=${encodeURIComponent(SHOPS)}`)
    assert.equal(typed.status, 429)
    assert.ok(Number(typed.headers['retry-after']) > 0)
    assert.match(typed.text, /Nothing was asked, and nothing was spent\. .*The next passes in \d+ s\./)
    assert.ok(typed.text.includes('name="frame" value="1"') && typed.text.includes(`value="${SHOPS}"`))
  })
})
