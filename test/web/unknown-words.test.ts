import assert from 'node:assert/strict'
import { callTool } from '../mcp/agent.js'
import { signIn, type Visitor } from '../support/browse.js'
import { ask, bearer, mint, newOrganisation, service, startService, type Minted } from '../support/service.js'
import { startWordingServer, type WordingServer } from '../support/wording-server.js'
import { cellsOf } from './pages.js'

const FRAMES = ['322074005', '322074006']
const TITLE = 'Words of questions that no dataset had'
const month = () => new Date().toISOString().slice(0, 7)

describe('words of questions that no dataset had', function () {
  this.timeout(60_000)
  let wording: WordingServer
  let running: Awaited<ReturnType<typeof startService>>
  let orgId: string
  let key: Minted
  let owner: Visitor
  before(async () => {
    wording = await startWordingServer()
    running = await startService(service().database, { publicUrl: 'listening', wordingUrl: wording.url })
  })
  after(async () => {
    await running.stop()
    await wording.close()
  })
  beforeEach(async () => {
    orgId = await newOrganisation(service().db)
    key = await mint(service().db, { org: orgId })
    owner = await enter('owner')
  })

  const enter = (role: 'member' | 'admin' | 'owner', org = orgId) =>
    signIn(running.url, service().db, { orgId: org, role })
  const insight = async (question: string, { secret } = key, frameIds = FRAMES) =>
    await ask(`${running.url}/v1/frames/insight`, {
      method: 'POST',
      headers: { ...bearer(secret), 'content-type': 'application/json' },
      body: JSON.stringify({ frameIds, question, format: 'figures' }),
    })
  const kept = async (org = orgId) => {
    await running.unknownWords.write()
    const rows = await service().db.rows<{ word: string; times: number }>(
      'select word, times::int as times from unknown_word where org_id = $1::text order by word',
      [org],
    )
    return rows.map(({ word, times }) => [word, times])
  }
  const page = async (visitor = owner) => {
    const { status, text } = await visitor.get('/app/datasets')
    assert.equal(status, 200)
    return text
  }

  it('are counted wherever a question is asked: by a call, a tool, the page Ask, and about a whole state', async () => {
    const question = 'how many people own Zeppelins'
    const { status } = await insight(question)
    assert.equal(status, 200)
    await callTool({ url: running.url, secret: key.secret }, 'ask', { frameIds: FRAMES, question, format: 'figures' })
    const visitor = await enter('member')
    const asked = encodeURIComponent(question)
    for (const place of [`frames=${FRAMES.join()}`, 'state=marembe'])
      assert.equal((await visitor.get(`/app/ask?${place}&question=${asked}`)).status, 200)
    const words = new Map((await kept()) as [string, number][])
    assert.equal(words.get('zeppelins'), 4)
    assert.ok(!words.has('people') && !words.has('how'), [...words.keys()].join())
  })

  it('are not counted for a call that is refused, answers no frame, knows some datasets alone, or is only shown', async () => {
    await insight('how many zeppelins', key, ['1'])
    await insight('how many zeppelins', key, ['none'])
    await insight('how many zeppelins', { ...key, secret: `${key.secret}x` })
    const narrow = await mint(service().db, { org: orgId, datasets: ['lyr_population'] })
    assert.equal((await insight('how many zeppelins', narrow)).status, 200)
    const body = JSON.stringify({ frameIds: FRAMES, question: 'how many zeppelins' })
    for (const show of ['sql', 'plan']) {
      const call = encodeURIComponent(`POST /v1/frames/insight ${body}`)
      const { status, text } = await owner.get(`/app/sql?call=${call}&show=${show}`)
      assert.equal(status, 200)
      assert.ok(!text.includes('unknown_word'), show)
    }
    assert.deepEqual(await kept(), [])
  })

  it('are kept without questions, numbers, addresses, frames, keys and people', async () => {
    const question =
      'how many zeppelins has Ada, ada.obi@example.org, +234 803 555 0199, in 2031 with svc_sk_AbCdEfGhIjKl'
    await insight(question)
    await kept()
    const rows = await service().db.rows<{ row: Record<string, unknown> }>(
      'select to_jsonb(unknown_word) as row from unknown_word where org_id = $1::text',
      [orgId],
    )
    assert.ok(rows.some(({ row }) => row['word'] === 'zeppelins'))
    for (const { row } of rows) {
      assert.deepEqual(Object.keys(row).toSorted(), ['month', 'org_id', 'times', 'word'])
      assert.match(String(row['word']), /^[a-z]{3,30}$/)
    }
    const words = rows.map(({ row }) => String(row['word']))
    for (const part of ['obi', 'example', 'org', 'svc', 'abcdef'])
      assert.ok(!words.some((word) => word.includes(part)), part)
  })

  it('are refused by the table where they are no words', async () => {
    for (const word of ['ab', 'w'.repeat(31), 'two words', 'pm10', 'ada@example', 'example.org'])
      await assert.rejects(
        service().db.rows(
          `insert into unknown_word (org_id, month, word, times) values ($1::text, date '2026-11-01', $2::text, 1)`,
          [orgId, word],
        ),
        /word_is_/,
        word,
      )
  })

  it('are shown to the Owners of the organisation that asked, and to nobody else', async () => {
    await insight('how many zeppelins')
    await kept()
    assert.deepEqual(cellsOf(await page(), TITLE), [[month(), 'zeppelins', '1']])
    const others = [await enter('admin'), await enter('member')]
    for (const visitor of others) {
      const text = await page(visitor)
      assert.ok(!text.includes('zeppelins') && !text.includes(TITLE))
    }
    const stranger = await newOrganisation(service().db)
    const text = await page(await enter('owner', stranger))
    assert.ok(!text.includes('zeppelins'))
    assert.match(text, /None in twelve months/)
  })
})
