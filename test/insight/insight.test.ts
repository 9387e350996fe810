/** Tests the call as a whole: its fields, its words, its datasets. */
import assert from 'node:assert/strict'
import { PRESETS } from '../../src/core/access/capabilities.js'
import { ask, errorOf, mint, service, startService, type Minted } from '../support/service.js'
import { startWordingServer, type WordingServer } from '../support/wording-server.js'
import { callTool } from '../mcp/agent.js'
import { insightOf, labelsOf, postInsight, type Insight } from './ask.js'

const ids = ['322074005', '322074006', '322110005']

describe('POST /v1/frames/insight', function () {
  this.timeout(120_000)
  let worded: Awaited<ReturnType<typeof startService>>
  let wording: WordingServer
  let key: Minted

  before(async () => {
    wording = await startWordingServer()
    worded = await startService(service().database, { wordingUrl: wording.url })
    key = await mint(service().db)
  })
  after(async () => {
    await worded.stop()
    await wording.close()
  })
  beforeEach(() => {
    wording.behave('well')
    wording.requests.length = 0
  })

  const withWords = (body: object, { secret } = key) => insightOf({ url: worded.url, secret }, body)
  const unworded = (body: object, { secret } = key) => insightOf({ url: service().url, secret }, body)

  it('answers with every field, and with words', async () => {
    const answer = await withWords({ frameIds: ids, question: 'how many people live here' })
    assert.deepEqual(
      [answer.intent, answer.confidence, answer.register, answer.engine, typeof answer.model],
      ['frames', 'exact', 'plain', 'claude', 'string'],
    )
    assert.ok(answer.narrative && !('notice' in answer))
    assert.deepEqual(answer.frameIds, ids)
    assert.deepEqual(
      answer.sources.map(({ label }) => label),
      answer.facets.map(({ label }) => label),
    )
    assert.deepEqual(
      answer.table.rows.map((row) => row['frameId']),
      ids,
    )
    for (const row of answer.table.rows) {
      for (const name of Object.keys(row)) assert.ok(answer.table.columns.some((column) => column.key === name))
    }
    assert.deepEqual([answer.charged, answer.leftOut], [[], []])
  })

  it('gives the figures without words where wording is not configured, and says so', async () => {
    const answer = await unworded({ frameIds: ids })
    assert.equal(answer.engine, 'deterministic')
    assert.match(answer.notice ?? '', /wording is not configured/)
    assert.ok(!('narrative' in answer) && !('model' in answer))
    assert.equal(answer.headline, 'Profile of 3 frames.')
    assert.ok(answer.facets.length > 3)
  })

  const confidences: [question: string | undefined, confidence: string, headline: RegExp, frameIds?: string[]][] = [
    [undefined, 'exact', /^Profile of 3 frames\.$/],
    ['tell me about this place', 'exact', /^Profile of 3 frames\.$/],
    ['how many people live here', 'exact', /^Population, 2026 estimate, total: /],
    ['how many poeple live here', 'read', /^Read "poeple" as "people"\. Population, 2026 estimate, total: /],
    ['how many poeple and zeppelins', 'nearest', /^No dataset has a name for "zeppelins"\. Read "poeple" as /],
    ['how many people died of cholera', 'nearest', /^No dataset has a name for "died", "cholera"\./],
    ['how many people live here, and who is the governor', 'nearest', /"who governor"/],
    ['total elevation', 'nearest', /^Not answered: /],
    ['how many people live in Marembe', 'nearest', /^None of these frames lies in Marembe\. The nearest: /],
    ['hello', 'nearest', /^No question about these frames was found\./],
    ['how many people live here', 'nearest', /^None of these frames is in the index\.$/, ['7']],
    [undefined, 'exact', /^None of these frames is in the index\.$/, ['7']],
  ]
  for (const [question = '', confidence, headline, frameIds = ids] of confidences) {
    it(`says by "confidence" that its first facet stands so to "${question}": ${confidence}`, async () => {
      const body = { frameIds, ...(question !== '' && { question }), format: 'figures' }
      const { structuredContent } = await callTool({ url: service().url, secret: key.secret }, 'ask', body)
      for (const answer of [await unworded(body), structuredContent as Insight]) {
        assert.match(labelsOf(answer), headline)
        assert.equal(answer.confidence, confidence)
      }
    })
  }

  it('leaves out ids that the index does not know, and counts repeated ones once', async () => {
    const odd = ['7', '00322074005', '99999999999999999999']
    const answer = await unworded({ frameIds: [ids[1], ...odd, ids[0], ids[1]] })
    assert.deepEqual(answer.frameIds, [ids[1], ids[0]])
    const none = await withWords({ frameIds: odd })
    assert.deepEqual([none.facets, none.sources, none.frameIds, none.charged], [[], [], [], []])
    assert.ok(none.engine === 'deterministic' && none.notice)
  })

  it('checks in order: key, buckets, capability, body', async () => {
    assert.deepEqual([(await postInsight({ url: worded.url }, '{')).status], [401])
    const { secret } = await mint(worded.db, { capabilities: [...PRESETS.locality] })
    const refused = await postInsight({ url: worded.url, secret }, '{')
    assert.deepEqual([refused.status, errorOf(refused).code], [403, 'insufficient_scope'])
    assert.match(errorOf(refused).message, /needs ask\.query.*Analyst, Full read/)
    assert.match(refused.headers.get('ratelimit') ?? '', /^"/)
    for (const method of ['GET', 'HEAD', 'PUT']) {
      const other = await ask(`${worded.url}/v1/frames/insight`, { method })
      assert.deepEqual([other.status, other.headers.get('allow')], [405, 'POST'])
    }
  })

  it('uses only the datasets that the key may read, also in the prompt for the wording engine', async () => {
    const narrowed = await mint(worded.db, { datasets: ['lyr_schools'] })
    const question = 'people, buildings, schools, shops, clinics and nature reserves'
    // An organisation without licences reads neither shops nor clinics nor reserves.
    for (const [reader, hidden] of [
      [narrowed, /population|buildings|market|shops|households|clinics|reserves/i],
      [key, /lyr_market|lyr_clinics|lyr_reserves|"Shops|"Clinics|"Nature/],
    ] as const) {
      for (const asked of [undefined, question]) {
        wording.requests.length = 0
        const answer = await withWords({ frameIds: ids, question: asked }, reader)
        const { facets, sources, table } = answer
        const sent = JSON.stringify(wording.requests.map(({ body }) => body.messages))
        for (const text of [
          JSON.stringify([facets, sources, table]),
          sent.replaceAll(/question: [^]*?\\nheadline: [^]*?\\n/g, '').replaceAll(/1 \(always first\): [^]*?\\n/g, ''),
        ])
          assert.doesNotMatch(text, hidden)
        assert.ok(sources.some(({ layerId }) => layerId === 'lyr_schools'))
      }
    }
  })

  it('counts features only for a key that holds feature.read', async () => {
    const plain = await mint(worded.db, { capabilities: [...PRESETS.analyst] })
    const isCounted = async (reader: Minted) =>
      (await unworded({ frameIds: ids }, reader)).sources.some(({ attribute }) => attribute === 'feature')
    assert.deepEqual([await isCounted(plain), await isCounted(key)], [false, true])
  })

  const countOf = async ({ orgId }: Minted) => {
    const [used] = await worded.db.rows<{ n: number }>(
      `select coalesce((select sum(by_allowance + by_credits) from worded_use where org_id = $1::text), 0)::int
        + (select count(*) from worded_hold where org_id = $1::text and not posted)::int as n`,
      [orgId],
    )
    return used?.n
  }

  it('gives figures without words, and counts nothing, where the format is "figures"', async () => {
    const asker = await mint(worded.db)
    const body = { frameIds: ids, question: 'how many people live here' }
    const narrated = await withWords(body, asker)
    const figures = await withWords({ ...body, format: 'figures' }, asker)
    assert.equal(wording.requests.length, 1)
    assert.equal(figures.engine, 'deterministic')
    assert.equal(figures.notice, 'The figures come without words: none were asked for.')
    assert.ok(!('narrative' in figures) && !('model' in figures))
    assert.deepEqual(
      [figures.facets, figures.headline, figures.table],
      [narrated.facets, narrated.headline, narrated.table],
    )
    assert.equal(await countOf(asker), 1)
  })

  it('gives an agent the sentences of a narrative about a unit, each with the places of its facets', async () => {
    const asker = await mint(worded.db)
    const given = { state: 'marembe', question: 'which LGA has the most people' }
    const { structuredContent } = await callTool({ url: worded.url, secret: asker.secret }, 'ask', given)
    const { narrative, facets, sentences } = structuredContent as Insight & {
      sentences: { text: string; figures: number[] }[]
    }
    assert.equal(sentences.map(({ text }) => text).join(' '), narrative?.replaceAll('\n\n', ' '))
    const [first] = sentences
    assert.match(first?.text ?? '', /has the most people/)
    assert.match(facets[first?.figures[0] ?? -1]?.label ?? '', /by LGA, highest$/)
    assert.equal(await countOf(asker), 1)
  })

  for (const failure of [500, 'html', 'refusal', 'truncated'] as const) {
    it(`gives the figures, counts nothing and says why when wording fails (${failure})`, async () => {
      const asker = await mint(worded.db)
      wording.behave({ fail: failure })
      const answer = await withWords({ frameIds: ids }, asker)
      assert.equal(answer.engine, 'deterministic')
      assert.ok(answer.notice && !('narrative' in answer))
      assert.equal(await countOf(asker), 0)
    })
  }
})
