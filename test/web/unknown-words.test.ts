import assert from 'node:assert/strict'
import { callTool } from '../mcp/agent.js'
import type { Visitor } from '../support/browse.js'
import { ask, bearer, type Minted } from '../support/service.js'
import { organisation, serving, type Organisation } from './organisation.js'
import { cellsOf } from './pages.js'

const FRAMES = ['322074005', '322074006']
const TITLE = 'Words of questions that no dataset had'

describe('words of questions that no dataset had', function () {
  this.timeout(60_000)
  const running = serving()
  let org: Organisation
  let key: Minted
  let owner: Visitor
  beforeEach(async () => {
    org = await organisation(running)
    key = await org.key()
    owner = await org.enter()
  })

  const insight = async (question: string, { secret } = key, frameIds = FRAMES) =>
    await ask(`${running.url}/v1/frames/insight`, {
      method: 'POST',
      headers: { ...bearer(secret), 'content-type': 'application/json' },
      body: JSON.stringify({ frameIds, question, format: 'figures' }),
    })
  /** The rows of the organisation, each column of them. */
  const kept = async () => {
    await running.unknownWords.write()
    const found = await org.rows<{ row: { word: string; times: number } }>(
      'select to_jsonb(unknown_word) as row from unknown_word where org_id = $1::text',
    )
    return found.map(({ row }) => row)
  }

  it('are counted wherever a question is asked: by a call, a tool, the page Ask, and about a whole state', async () => {
    const question = 'how many people own Zeppelins'
    assert.equal((await insight(question)).status, 200)
    await callTool({ url: running.url, secret: key.secret }, 'ask', { frameIds: FRAMES, question, format: 'figures' })
    const visitor = await org.enter('Musa', 'member')
    for (const place of [`frames=${FRAMES.join()}`, 'state=marembe'])
      assert.equal((await visitor.get(`/app/ask?${place}&question=${encodeURIComponent(question)}`)).status, 200)
    const words = new Map((await kept()).map(({ word, times }) => [word, times]))
    assert.equal(words.get('zeppelins'), 4)
    assert.ok(!words.has('people') && !words.has('how'), [...words.keys()].join())
  })

  it('are not counted for a call that is refused, answers no frame, knows some datasets alone, or is only shown', async () => {
    const question = 'how many zeppelins'
    for (const frameIds of [['1'], ['none']]) await insight(question, key, frameIds)
    await insight(question, { ...key, secret: `${key.secret}x` })
    assert.equal((await insight(question, await org.key({ datasets: ['lyr_population'] }))).status, 200)
    const call = `POST /v1/frames/insight ${JSON.stringify({ frameIds: FRAMES, question })}`
    for (const show of ['sql', 'plan']) {
      const { status, text } = await owner.get(`/app/sql?call=${encodeURIComponent(call)}&show=${show}`)
      assert.equal(status, 200)
      assert.ok(!text.includes('unknown_word'), show)
    }
    assert.deepEqual(await kept(), [])
  })

  it('are kept without questions, numbers, addresses, frames, keys and people', async () => {
    await insight(
      'how many zeppelins has Ada, ada.obi@example.org, +234 803 555 0199, in 2031 with svc_sk_AbCdEfGhIjKl',
    )
    const rows = await kept()
    assert.ok(rows.some(({ word }) => word === 'zeppelins'))
    for (const row of rows) {
      assert.deepEqual(Object.keys(row).toSorted(), ['month', 'org_id', 'times', 'word'])
      assert.match(row.word, /^(?!.*(obi|example|org|svc|abcdef))[a-z]{3,30}$/)
    }
  })

  it('are refused by the table where they are no words', async () => {
    for (const word of ['ab', 'w'.repeat(31), 'two words', 'pm10', 'ada@example', 'example.org'])
      await assert.rejects(
        org.rows(
          `insert into unknown_word (org_id, month, word, times) values ($1::text, date '2026-11-01', $2::text, 1)`,
          word,
        ),
        /word_is_/,
        word,
      )
  })

  it('are shown to the Owners of the organisation that asked, and to nobody else', async () => {
    await insight('how many zeppelins')
    await kept()
    const page = async (visitor: Visitor) => (await visitor.get('/app/datasets')).text
    assert.deepEqual(cellsOf(await page(owner), TITLE), [[new Date().toISOString().slice(0, 7), 'zeppelins', '1']])
    for (const visitor of [await org.enter('Adam', 'admin'), await org.enter('Musa', 'member')])
      assert.doesNotMatch(await page(visitor), new RegExp(`zeppelins|${TITLE}`))
    const theirs = await page(await (await organisation(running)).enter())
    assert.ok(!theirs.includes('zeppelins'))
    assert.match(theirs, /None in twelve months/)
  })
})
