/** Tests the call as a whole: its fields, its words, its datasets, its charges. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { PRESETS } from '../../src/access/capabilities.js'
import { ledgerFaults } from '../../src/db/statements.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { anotherReader, balanceOf, credit, ids, makeWorld, type World } from '../support/datasets.js'
import { ask, errorOf, mint, startService, type Minted, type Service } from '../support/service.js'
import { startWordingServer } from '../support/wording-server.js'
import { insightOf, postInsight } from './ask.js'

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries += 1) {
    assert.ok(tries < 300, 'it did not happen within 15 s')
    await sleep(50)
  }
}

describe('POST /v1/frames/insight', function () {
  this.timeout(120_000)
  let database: TestDatabase
  let service: Service & { stop: () => Promise<void> }
  let unworded: Service & { stop: () => Promise<void> }
  let wording: Awaited<ReturnType<typeof startWordingServer>>
  let world: World

  before(async () => {
    database = await newDatabase('frames')
    world = await makeWorld(database.db)
    wording = await startWordingServer()
    service = await startService(database, { wordingUrl: wording.url })
    unworded = await startService(database)
  })
  after(async () => {
    await Promise.all([service.stop(), unworded.stop()])
    await wording.close()
    await database.drop()
  })
  beforeEach(() => wording.behave('well'))
  afterEach(async () => {
    assert.deepEqual([...(await ledgerFaults(database.db))], [])
  })

  const post = (key: Minted | undefined, body: unknown) => postInsight({ url: service.url, secret: key?.secret }, body)
  const insight = (key: Minted, body: unknown, to = service) => insightOf({ url: to.url, secret: key.secret }, body)

  it('answers with every field, and with words', async () => {
    const answer = await insight(world.outsiderKey, {
      frameIds: ids.slice(0, 3),
      question: 'what is told in lyr_open?',
    })
    assert.equal(answer.intent, 'frames')
    assert.equal(answer.confidence, 'exact')
    assert.equal(answer.register, 'plain')
    assert.equal(answer.engine, 'claude')
    assert.equal(typeof answer.model, 'string')
    assert.ok(answer.narrative)
    assert.ok(!('notice' in answer))
    assert.deepEqual(answer.frameIds, ids.slice(0, 3))
    assert.equal(answer.sources.length, answer.facets.length)
    assert.deepEqual(
      answer.sources.map(({ label }) => label),
      answer.facets.map(({ label }) => label),
    )
    assert.deepEqual(
      answer.table.rows.map((row) => row['frameId']),
      ids.slice(0, 3),
    )
    for (const row of answer.table.rows) {
      for (const key of Object.keys(row)) assert.ok(answer.table.columns.some((column) => column.key === key))
    }
    assert.deepEqual([answer.charged, answer.leftOut], [[], []])
  })

  it('writes a report in sections by category', async () => {
    wording.behave('report')
    const answer = await insight(world.outsiderKey, { frameIds: ids.slice(0, 3), format: 'report' })
    assert.equal(answer.engine, 'claude', answer.notice)
    const titles = [...(answer.narrative ?? '').matchAll(/^## (.+)$/gm)].map((title) => title[1])
    assert.ok(titles.includes('Frame index') && titles.includes('Tests'), answer.narrative)
    const plain = await insight(world.outsiderKey, { frameIds: ids.slice(0, 3) })
    assert.doesNotMatch(plain.narrative ?? '', /^##/m)
  })

  it('gives the figures without words where wording is not configured, and says so', async () => {
    const answer = await insight(world.outsiderKey, { frameIds: ids }, unworded)
    assert.equal(answer.engine, 'deterministic')
    assert.match(answer.notice ?? '', /wording is not configured/)
    assert.ok(!('narrative' in answer) && !('model' in answer))
    assert.equal(answer.headline, 'Profile of 10 frames.')
    assert.ok(answer.facets.length > 3)
  })

  it('leaves out ids that the index does not know, and counts repeated ones once', async () => {
    const odd = ['7', '00324378020', '99999999999999999999']
    const answer = await insight(world.outsiderKey, { frameIds: [ids[1], ...odd, ids[0], ids[1]] }, unworded)
    assert.deepEqual(answer.frameIds, [ids[1], ids[0]])
    const none = await insight(world.outsiderKey, { frameIds: odd })
    assert.deepEqual([none.facets, none.sources, none.frameIds, none.charged], [[], [], [], []])
    assert.equal(none.engine, 'deterministic')
    assert.ok(none.notice)
  })

  it('accepts 50 frames and a question of 1,000 characters, each emoji counted as one', async () => {
    const many = Array.from({ length: 50 }, (_, i) => String(i + 1))
    await insight(world.outsiderKey, { frameIds: [...many, ...many], question: '\u{1F600}'.repeat(1000) }, unworded)
  })

  it('checks in order: key, buckets, capability, body', async () => {
    assert.deepEqual([(await post(undefined, '{')).status], [401])
    const plain = await mint(database.db, { org: world.outsider, capabilities: [...PRESETS.locality] })
    const refused = await post(plain, '{')
    assert.deepEqual([refused.status, errorOf(refused).code], [403, 'insufficient_scope'])
    assert.match(errorOf(refused).message, /needs ask\.query.*Analyst, Full read/)
    assert.match(refused.headers.get('ratelimit') ?? '', /^"/)
    for (const method of ['GET', 'HEAD', 'PUT']) {
      const other = await ask(`${service.url}/v1/frames/insight`, { method })
      assert.deepEqual([other.status, other.headers.get('allow')], [405, 'POST'])
    }
  })

  it('uses only the datasets that the key may read, also in the prompt for the wording engine', async () => {
    const narrowed = await mint(database.db, { org: world.reader, datasets: ['lyr_open'] })
    for (const [key, readable] of [
      [narrowed, ['lyr_open']],
      [world.outsiderKey, ['lyr_open', 'lyr_some', 'lyr_points', 'lyr_200', 'lyr_201', 'lyr_theirs']],
    ] as const) {
      for (const question of [undefined, 'lyr_private lyr_licensed lyr_theirs lyr_query_a told']) {
        wording.requests.length = 0
        const answer = await insight(key, { frameIds: ids, question })
        for (const { layerId } of answer.sources)
          assert.ok(layerId === 'frames' || (readable as readonly string[]).includes(layerId), layerId)
        const sent = JSON.stringify(wording.requests).replaceAll(JSON.stringify(question ?? '').slice(1, -1), '')
        for (const other of ['lyr_private', 'lyr_licensed', 'lyr_query_a', 'lyr_query_b']) {
          assert.ok(!JSON.stringify(answer.table).includes(other))
          assert.ok(!sent.includes(`${other} on`) && !sent.includes(`Name of ${other}`), other)
        }
      }
    }
  })

  it('counts features only for a key that holds feature.read', async () => {
    const plain = await mint(database.db, { org: world.outsider, capabilities: [...PRESETS.analyst] })
    const answer = await insight(plain, { frameIds: ids }, unworded)
    assert.ok(!answer.sources.some(({ attribute }) => attribute === 'feature'))
    const full = await insight(world.outsiderKey, { frameIds: ids }, unworded)
    assert.ok(full.sources.some(({ attribute }) => attribute === 'feature'))
  })

  it('charges once for a dataset that contributes, and leaves out those that the credits do not cover', async () => {
    const key = await anotherReader(database.db, 7)
    const body = { frameIds: ids.slice(0, 2), question: 'What is told here?' }
    assert.deepEqual((await insight(key, body, unworded)).charged, ['lyr_query_a'])
    assert.equal(await balanceOf(database.db, key.orgId), 5)
    const profile = await insight(key, { frameIds: ids.slice(3, 5) }, unworded)
    assert.deepEqual(profile.charged, ['lyr_query_a', 'lyr_query_b'])
    assert.deepEqual(
      profile.leftOut.map(({ layerId }) => layerId),
      ['lyr_query_points'],
    )
    assert.ok(!profile.sources.some(({ layerId }) => layerId === 'lyr_query_points'))
    assert.equal(await balanceOf(database.db, key.orgId), 0)
    const none = await insight(key, body, unworded)
    assert.deepEqual([none.charged, none.leftOut.map(({ layerId }) => layerId)], [[], ['lyr_query_a']])
    assert.ok(!JSON.stringify([none.facets, none.table, none.sources]).includes('lyr_query_a'))
    await credit(database.db, key.orgId, 5)
    assert.deepEqual(
      (await insight(key, { frameIds: ids.slice(8), question: 'What is told here?' }, unworded)).charged,
      [],
    )
  })

  for (const question of ['tell me a joke', 'xyzzy', 'Where is the nearest airport?']) {
    it(`charges nothing for a question that matches nothing, and uses free datasets alone: "${question}"`, async () => {
      const key = await anotherReader(database.db, 20)
      const answer = await insight(key, { frameIds: ids.slice(3, 5), question }, unworded)
      assert.match(answer.headline, /^No (?:dataset records ".*"|question about these frames was found)\. /)
      assert.deepEqual([answer.charged, answer.leftOut], [[], []])
      assert.ok(!JSON.stringify(answer).includes('lyr_query'))
      assert.ok(answer.sources.some(({ layerId }) => layerId === 'lyr_open'))
      assert.equal(await balanceOf(database.db, key.orgId), 20)
    })
  }

  it('charges a question for the datasets that it asked for, and for no other', async () => {
    const key = await anotherReader(database.db, 20)
    const body = { frameIds: ids.slice(3, 5), question: 'How many name of lyr_query_points?' }
    const answer = await insight(key, body, unworded)
    assert.deepEqual(answer.charged, ['lyr_query_points'])
    assert.match(answer.headline, /^Name of lyr_query_points: 3 /)
    assert.equal(await balanceOf(database.db, key.orgId), 16)
  })

  it('names in the headline a dataset that it left out, and says why', async () => {
    const key = await anotherReader(database.db, 0)
    const body = { frameIds: ids.slice(3, 5), question: 'How many name of lyr_query_points?' }
    const answer = await insight(key, body, unworded)
    assert.match(answer.headline, /^Name of lyr_query_points is left out: the credits do not cover its price\. /)
    assert.doesNotMatch(answer.headline, /No dataset records|No question/)
    assert.deepEqual(
      answer.leftOut.map(({ layerId }) => layerId),
      ['lyr_query_points'],
    )
    const several = await insight(key, { ...body, question: 'What is told here?' }, unworded)
    assert.match(
      several.headline,
      /^Name of lyr_query_a and Name of lyr_query_b are left out: the credits do not cover their prices\. told, /,
    )
  })

  it('gives figures without words, and counts nothing, where the format is "figures"', async () => {
    const key = await mint(database.db)
    wording.requests.length = 0
    const body = { frameIds: ids.slice(0, 3), question: 'what is told in lyr_open?' }
    const withWords = await insight(key, body)
    const figures = await insight(key, { ...body, format: 'figures' })
    assert.equal(wording.requests.length, 1)
    assert.equal(figures.engine, 'deterministic')
    assert.equal(figures.notice, 'The figures come without words: none were asked for.')
    assert.ok(!('narrative' in figures) && !('model' in figures))
    assert.deepEqual(figures.facets, withWords.facets)
    assert.deepEqual([figures.headline, figures.table], [withWords.headline, withWords.table])
    const [used] = await database.db.rows<{ n: number }>(
      'select sum(by_allowance + by_credits)::int as n from worded_use where org_id = $1::text',
      [key.orgId],
    )
    assert.equal(used?.n, 1)
  })

  for (const [cover, credits] of [
    ['allowance', 20],
    ['credits', 21],
  ] as const) {
    it(`counts nothing for a client that hung up before its answer came: covered by ${cover}`, async () => {
      const key = await anotherReader(database.db, credits)
      if (cover === 'credits') {
        await database.db.rows(
          `insert into worded_use (org_id, day, by_allowance) values ($1::text, date_trunc('month', now() at time zone 'UTC')::date, 100)`,
          [key.orgId],
        )
      }
      const rows = (text: string) => database.db.rows<{ n: number }>(text, [key.orgId])
      const entries = async () => {
        const [row] = await rows('select count(*)::int as n from credit_entry where org_id = $1::text')
        return row?.n
      }
      const holds = async () => {
        const [row] = await rows('select count(*)::int as n from worded_hold where org_id = $1::text')
        return row?.n
      }
      wording.behave({ fail: 'hang before headers' })
      const leaving = new AbortController()
      const request = { url: service.url, secret: key.secret, signal: leaving.signal }
      const answer = postInsight(request, { frameIds: ids.slice(3, 5) })
      await until(async () => (await holds()) === 1)
      assert.equal(await balanceOf(database.db, key.orgId), credits - 9)
      leaving.abort()
      await assert.rejects(answer)
      // The entries are a top-up, three charges and their refunds.
      await until(async () => (await holds()) === 0 && (await entries()) === 7)
      assert.equal(await balanceOf(database.db, key.orgId), credits)
      const [used] = await rows(
        'select coalesce(sum(by_allowance + by_credits), 0)::int as n from worded_use where org_id = $1::text',
      )
      assert.equal(used?.n, cover === 'credits' ? 100 : 0)
    })
  }

  for (const failure of [500, 429, 'html', 'refusal', 'truncated', 'other script', 'tags and links'] as const) {
    it(`gives the figures, counts nothing and says why when wording fails (${failure})`, async () => {
      const key = await mint(database.db)
      wording.behave({ fail: failure })
      const answer = await insight(key, { frameIds: ids })
      assert.equal(answer.engine, 'deterministic')
      assert.ok(answer.notice && !('narrative' in answer))
      const [used] = await database.db.rows<{ n: number }>(
        `select (select count(*) from worded_use where org_id = $1::text)::int + (select count(*) from worded_hold where org_id = $1::text)::int as n`,
        [key.orgId],
      )
      assert.equal(used?.n, 0)
    })
  }
})
