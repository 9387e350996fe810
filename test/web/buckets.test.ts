import assert from 'node:assert/strict'
import type { PageAnswer, Visitor } from '../support/browse.js'
import { service, startService, type Service } from '../support/service.js'
import { until } from '../support/until.js'
import { organisation, type Organisation } from './organisation.js'
import { formOf, leadOf, markupOf, needed, READ, type Form } from './pages.js'

const FRAMES = '322074005,322074006'
const SHOPS = 'how many shops are there'
const PRICE = 2
type Size = { burst: number; perMinute: number }
const large: Size = { burst: 100, perMinute: 500 }

const startMetered = (buckets: Partial<Record<'key' | 'organisation' | 'insight', Size>>) =>
  startService(service().database, {
    publicUrl: 'listening',
    buckets: { key: large, organisation: large, insight: large, ...buckets },
  })

describe('the bucket of questions on the page /app/ask', function () {
  this.timeout(60_000)
  let running: Awaited<ReturnType<typeof startService>>
  let org: Organisation
  let ada: Visitor
  // Two questions pass.
  before(async () => (running = await startMetered({ insight: { burst: 2, perMinute: 1 } })))
  after(() => running.stop())

  async function enter(on: Service): Promise<void> {
    org = await organisation(on)
    await org.buys(50)
    ada = await org.enter('Ada', 'member')
  }
  beforeEach(() => enter(running))

  const open = async () => (await ada.get(`/app/ask?frames=${FRAMES}&question=${encodeURIComponent(SHOPS)}`)).text
  const sendFour = (form: Form): Promise<PageAnswer[]> =>
    Promise.all(Array.from({ length: 4 }, () => ada.post('/app/ask', form)))
  const statuses = (answers: PageAnswer[]) => answers.map(({ status }) => status)

  it('passes a form that is sent four times at once, as one: one answer, one call and one price', async () => {
    // One call for the page, and one for the form: then the bucket is empty.
    const answers = await sendFour(needed(formOf(await open(), READ)))
    assert.deepEqual(statuses(answers), [200, 200, 200, 200])
    for (const { text } of answers) assert.match(leadOf(text), /^These frames have [\d,]+ shops in total\.$/)
    assert.equal(new Set(answers.map(({ text }) => leadOf(text))).size, 1)
    assert.equal(await org.balance(), 50 - PRICE)
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
    assert.equal(await org.balance(), 50)
  })

  it('passes the form once it holds a call again, by the button of the refusal', async () => {
    const filling = await startMetered({ insight: { burst: 2, perMinute: 600 } })
    try {
      await enter(filling)
      let form = needed(formOf(await open(), READ))
      let answer: PageAnswer | undefined
      await until(async () => {
        answer = await ada.post('/app/ask', form)
        if (answer.status === 429) form = needed(formOf(answer.text, /^Send it again$/))
        return answer.status === 200
      })
      assert.match(leadOf(answer?.text ?? ''), /^These frames have [\d,]+ shops in total\.$/)
      assert.equal(await org.balance(), 50 - PRICE)
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

describe('an empty bucket', () => {
  it('of questions or of the person keeps the form of the map with the question, and says when to ask again', async () => {
    const one = { burst: 1, perMinute: 10 }
    for (const [buckets, ofMap] of [
      [{ insight: one }, 200],
      [{ key: one }, 429],
    ] as const) {
      const metered = await startMetered(buckets)
      const ada = await (await organisation(metered)).enter()
      const fields = { state: 'MAREMBE', dataset: 'lyr_population', lat: '0.1', lon: '0.2', z: '9' }
      const query = new URLSearchParams({ ...fields, question: SHOPS }).toString()
      assert.equal((await ada.get(`/app/map?${query}`)).status, 200)
      const { status, text, headers } = await ada.get(`/app/map?${query}`)
      assert.equal(status, 429)
      assert.match(String(headers['retry-after']), /^[1-9]\d*$/)
      const page = markupOf(text)
      assert.match(page, /role='alert'>Nothing was asked, and nothing was spent\. [^<]* in \d+ s\.</)
      const form = /<form [^>]*class='ask' [^>]*action='\/app\/map'.*?<\/form>/.exec(page)?.[0] ?? ''
      assert.ok(form.includes(`name='q' value='${SHOPS}'`), form)
      for (const [name, value] of Object.entries(fields))
        assert.ok(form.includes(`type='hidden' name='${name}' value='${value}'`), name)
      const part = await ada.get(`/app/map?part=panel&${query}`)
      assert.equal(part.status, 429)
      assert.doesNotMatch(part.text, /class='ask'/)
      assert.equal((await ada.get('/app/map?frame=324378020&question=')).status, ofMap)
      await metered.stop()
    }
  })

  it('refuses the page SQL: those of the person and of the organisation', async () => {
    // A bucket of one call fills in twelve seconds, and one of two calls gets the next in six.
    const key = { burst: 1, perMinute: 5 }
    const metered = await startMetered({ key, organisation: { burst: 2, perMinute: 10 } })
    const { enter } = await organisation(metered)
    const [ada, bello, chidi] = [await enter('Ada'), await enter('Bello'), await enter('Chidi')]
    const path = '/app/sql?call=GET%20/v1/states'
    assert.equal((await ada.get(path)).status, 200)
    const refused = await ada.get(path)
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers['retry-after']) >= 1)
    assert.match(refused.text, /The person bucket is spent/)
    assert.equal((await bello.get('/app/sql?show=plan')).status, 200)
    assert.match((await chidi.get('/app/sql?show=plan')).text, /The organisation bucket is spent/)
    assert.equal((await ada.get('/app/account')).status, 200)
    await metered.stop()
  })
})
