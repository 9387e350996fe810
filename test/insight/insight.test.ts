import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { PRESETS } from '../../src/access/capabilities.js'
import { ledgerFaults } from '../../src/db/statements.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { anotherReader, balanceOf, credit, ids, makeWorld, type World } from '../support/datasets.js'
import { ask, bearer, errorOf, mint, startService, type Answer, type Minted, type Service } from '../support/service.js'
import { startWordingServer } from '../support/wording-server.js'

type Insight = {
  intent: string
  headline: string
  narrative?: string
  facets: { label: string; value: string }[]
  followUps: string[]
  confidence: string
  engine: string
  model?: string
  register: string
  frameIds: string[]
  sources: { label: string; layerId: string; dataset: string; attribute: string; statistic: string; frames: number }[]
  table: { columns: { key: string; label: string }[]; rows: Record<string, string>[] }
  notice?: string
  charged: string[]
  leftOut: { layerId: string }[]
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries += 1) {
    assert.ok(tries < 300, 'it did not come about')
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

  const post = (
    key: Minted | undefined,
    body: unknown,
    to = service,
    headers: Record<string, string> = {},
  ): Promise<Answer> =>
    ask(`${to.url}/v1/frames/insight`, {
      method: 'POST',
      headers: { ...(key ? bearer(key.secret) : {}), 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  async function insight(key: Minted, body: unknown, to = service): Promise<Insight> {
    const answer = await post(key, body, to)
    assert.equal(answer.status, 200, answer.text)
    return (answer.body as { data: Insight }).data
  }

  it('answers with every field, and words in which every number is a facet', async () => {
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

  it('writes a report in sections by category, when asked to', async () => {
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

  it('takes 50 frames and a question of 1,000 characters, counted as people count', async () => {
    const many = Array.from({ length: 50 }, (_, i) => String(i + 1))
    await insight(world.outsiderKey, { frameIds: [...many, ...many], question: '\u{1F600}'.repeat(1000) }, unworded)
  })

  const good = { frameIds: [ids[0]] }
  const bad: [what: string, body: unknown, message: RegExp, headers?: Record<string, string>][] = [
    ['no body', '', /frameIds|An object|JSON/],
    ['bad JSON', '{', /not JSON/],
    ['an array', [], /An object with frameIds/],
    ['null', 'null', /An object with frameIds/],
    ['a text', '"x"', /An object with frameIds/],
    ['no frameIds', {}, /frameIds: missing/],
    ['frameIds that are no array', { frameIds: ids[0] }, /frameIds: an array of 1 to 50/],
    ['frameIds that are null', { frameIds: null }, /frameIds: an array/],
    ['no frame', { frameIds: [] }, /frameIds: an array of 1 to 50/],
    ['a number as an id', { frameIds: [324378020] }, /strings of digits/],
    ['an id that is no number', { frameIds: ['x'] }, /strings of digits/],
    ['an id of other digits', { frameIds: ['٣٢٤'] }, /strings of digits/],
    ['a blank id', { frameIds: [''] }, /strings of digits/],
    ['a negative id', { frameIds: ['-1'] }, /strings of digits/],
    ['51 frames', { frameIds: Array.from({ length: 51 }, (_, i) => String(i)) }, /frameIds: 51 given, at most 50/],
    ['a question that is no text', { ...good, question: 5 }, /question: a text is accepted/],
    ['a question that is null', { ...good, question: null }, /question: a text is accepted/],
    ['a blank question', { ...good, question: ' \n ' }, /question: it is blank/],
    ['an empty question', { ...good, question: '' }, /question: it is blank/],
    ['1,001 characters', { ...good, question: 'é'.repeat(1001) }, /question: 1001 characters given, at most 1,000/],
    ['a NUL', { ...good, question: 'a\0b' }, /NUL/],
    ['another format', { ...good, format: 'poem' }, /format: "report" and "figures" are accepted/],
    ['a format that is null', { ...good, format: null }, /format: "report" and "figures" are accepted/],
    ['an unknown field', { ...good, model: 'x' }, /"model" is not a field/],
    ['unknown fields', { ...good, model: 'x', Format: 1, b: 2 }, /"model", "Format", "b" are not fields/],
    ['a field of another case', { ...good, Question: 'x' }, /"Question" is not a field/],
    ['__proto__', '{"frameIds":["1"],"__proto__":{"a":1}}', /"__proto__" is not a field/],
    [
      'another content type',
      JSON.stringify(good),
      /Content-Type: application\/json is accepted, "text\/plain"/,
      { 'content-type': 'text/plain' },
    ],
    ['a form', 'frameIds=1', /Content-Type/, { 'content-type': 'application/x-www-form-urlencoded' }],
    [
      'another charset',
      JSON.stringify(good),
      /charset utf-8 is accepted/,
      { 'content-type': 'application/json; charset=latin1' },
    ],
    ['a body over 64 KiB', { ...good, question: 'x'.repeat(66_000) }, /over 64 KiB/],
    ['a broken encoding', JSON.stringify(good), /cannot be read/, { 'content-encoding': 'gzip' }],
  ]
  for (const [what, body, message, headers] of bad) {
    it(`refuses ${what}: 400 invalid_body`, async () => {
      const answer = await post(world.outsiderKey, body, service, headers)
      assert.deepEqual([answer.status, errorOf(answer).code], [400, 'invalid_body'], answer.text)
      assert.match(errorOf(answer).message, message)
      assert.equal(answer.headers.get('cache-control'), 'no-store')
    })
  }

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

  it('spends from a third bucket, shared by the organisation', async () => {
    const size = { burst: 9000, perMinute: 9000 }
    const metered = await startService(database, {
      buckets: { key: size, organisation: size, insight: { burst: 6, perMinute: 1 } },
    })
    try {
      const other = await mint(database.db, { org: world.outsider })
      const answers = []
      for (let i = 0; i < 8; i += 1) answers.push(await post(i % 2 ? other : world.outsiderKey, good, metered))
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200, 200, 200, 200, 429, 429],
      )
      assert.equal(answers[0]?.headers.get('ratelimit'), '"insight";r=5;t=60')
      assert.match(errorOf(answers[7] as Answer).message, /^The insight bucket is spent/)
      const reading = await ask(`${metered.url}/v1/states`, { headers: bearer(other.secret) })
      assert.equal(reading.status, 200)
    } finally {
      await metered.stop()
    }
  })

  it('leaves that bucket alone where the key may not ask: its 403s lock no colleague out', async () => {
    const size = { burst: 9000, perMinute: 9000 }
    const metered = await startService(database, {
      buckets: { key: { burst: 7, perMinute: 1 }, organisation: size, insight: { burst: 6, perMinute: 1 } },
    })
    try {
      const locality = await mint(database.db, { org: world.outsider, preset: 'locality' })
      const analyst = await mint(database.db, { org: world.outsider, preset: 'analyst' })
      const statuses = async (key: Minted, times: number) => {
        const seen = []
        for (let i = 0; i < times; i += 1) seen.push((await post(key, good, metered)).status)
        return seen
      }
      assert.deepEqual(await statuses(locality, 6), [403, 403, 403, 403, 403, 403])
      assert.deepEqual(await statuses(analyst, 7), [200, 200, 200, 200, 200, 200, 429])
      // The other buckets are still asked before the capability.
      assert.deepEqual(await statuses(locality, 2), [403, 429])
    } finally {
      await metered.stop()
    }
  })

  it('draws on the datasets that the key may read, and no other, also in what the wording engine is sent', async () => {
    const narrowed = await mint(database.db, { org: world.reader, datasets: ['lyr_open'] })
    for (const [key, may] of [
      [narrowed, ['lyr_open']],
      [world.outsiderKey, ['lyr_open', 'lyr_some', 'lyr_points', 'lyr_200', 'lyr_201', 'lyr_theirs']],
    ] as const) {
      for (const question of [undefined, 'lyr_private lyr_licensed lyr_theirs lyr_query_a told']) {
        wording.requests.length = 0
        const answer = await insight(key, { frameIds: ids, question })
        for (const { layerId } of answer.sources)
          assert.ok(layerId === 'frames' || (may as readonly string[]).includes(layerId), layerId)
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

  it('charges for a dataset per query as the data call does: once, if it contributed, else it is left out', async () => {
    const key = await anotherReader(database.db, 7)
    const asked = { frameIds: ids.slice(0, 2), question: 'What is told here?' }
    assert.deepEqual((await insight(key, asked, unworded)).charged, ['lyr_query_a'])
    assert.equal(await balanceOf(database.db, key.orgId), 5)
    const profile = await insight(key, { frameIds: ids.slice(3, 5) }, unworded)
    assert.deepEqual(profile.charged, ['lyr_query_a', 'lyr_query_b'])
    assert.deepEqual(
      profile.leftOut.map(({ layerId }) => layerId),
      ['lyr_query_points'],
    )
    assert.ok(!profile.sources.some(({ layerId }) => layerId === 'lyr_query_points'))
    assert.equal(await balanceOf(database.db, key.orgId), 0)
    const none = await insight(key, asked, unworded)
    assert.deepEqual([none.charged, none.leftOut.map(({ layerId }) => layerId)], [[], ['lyr_query_a']])
    assert.ok(!JSON.stringify([none.facets, none.table, none.sources]).includes('lyr_query_a'))
    await credit(database.db, key.orgId, 5)
    assert.deepEqual(
      (await insight(key, { frameIds: ids.slice(8), question: 'What is told here?' }, unworded)).charged,
      [],
    )
  })

  for (const question of ['tell me a joke', 'xyzzy', 'Where is the nearest airport?']) {
    it(`charges nothing for a question that matches nothing, and draws on free datasets alone: "${question}"`, async () => {
      const key = await anotherReader(database.db, 20)
      const answer = await insight(key, { frameIds: ids.slice(3, 5), question }, unworded)
      assert.match(answer.headline, /^Nothing recorded on these frames matches the question/)
      assert.deepEqual([answer.charged, answer.leftOut], [[], []])
      assert.ok(!JSON.stringify(answer).includes('lyr_query'))
      assert.ok(answer.sources.some(({ layerId }) => layerId === 'lyr_open'))
      assert.equal(await balanceOf(database.db, key.orgId), 20)
    })
  }

  it('charges a question for the datasets whose figures it asked for, and for no other', async () => {
    const key = await anotherReader(database.db, 20)
    const asked = { frameIds: ids.slice(3, 5), question: 'How many name of lyr_query_points?' }
    const answer = await insight(key, asked, unworded)
    assert.deepEqual(answer.charged, ['lyr_query_points'])
    assert.match(answer.headline, /^Name of lyr_query_points: 3 /)
    assert.equal(await balanceOf(database.db, key.orgId), 16)
  })

  it('says in the headline that what was asked for is left out, and why, never that nothing is recorded', async () => {
    const key = await anotherReader(database.db, 0)
    const asked = { frameIds: ids.slice(3, 5), question: 'How many name of lyr_query_points?' }
    const answer = await insight(key, asked, unworded)
    assert.match(answer.headline, /^Name of lyr_query_points is left out: the credits do not cover its price\. /)
    assert.doesNotMatch(answer.headline, /Nothing recorded/)
    assert.deepEqual(
      answer.leftOut.map(({ layerId }) => layerId),
      ['lyr_query_points'],
    )
    const several = await insight(key, { ...asked, question: 'What is told here?' }, unworded)
    assert.match(
      several.headline,
      /^Name of lyr_query_a and Name of lyr_query_b are left out: the credits do not cover their prices\. told, /,
    )
  })

  it('gives figures at once, unworded and uncounted, where no words are asked for, and says so', async () => {
    const key = await mint(database.db)
    wording.requests.length = 0
    const asked = { frameIds: ids.slice(0, 3), question: 'what is told in lyr_open?' }
    const worded = await insight(key, asked)
    const figures = await insight(key, { ...asked, format: 'figures' })
    assert.equal(wording.requests.length, 1)
    assert.equal(figures.engine, 'deterministic')
    assert.equal(figures.notice, 'The figures come without words: none were asked for.')
    assert.ok(!('narrative' in figures) && !('model' in figures))
    assert.deepEqual(figures.facets, worded.facets)
    assert.deepEqual([figures.headline, figures.table], [worded.headline, worded.table])
    const [used] = await database.db.rows<{ n: number }>(
      'select sum(by_allowance + by_credits)::int as n from worded_use where org_id = $1::text',
      [key.orgId],
    )
    assert.equal(used?.n, 1)
  })

  for (const [what, credits] of [
    ['neither against the allowance', 20],
    ['nor by credits', 21],
  ] as const) {
    it(`counts nothing for a client that hung up before its answer came, ${what}`, async () => {
      const key = await anotherReader(database.db, credits)
      if (what === 'nor by credits') {
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
      const asked = ask(`${service.url}/v1/frames/insight`, {
        method: 'POST',
        headers: { ...bearer(key.secret), 'content-type': 'application/json' },
        body: JSON.stringify({ frameIds: ids.slice(3, 5) }),
        signal: leaving.signal,
      })
      await until(async () => (await holds()) === 1)
      assert.equal(await balanceOf(database.db, key.orgId), credits - 9)
      leaving.abort()
      await assert.rejects(asked)
      // A top-up, three charges, and their refunds.
      await until(async () => (await holds()) === 0 && (await entries()) === 7)
      assert.equal(await balanceOf(database.db, key.orgId), credits)
      const [used] = await rows(
        'select coalesce(sum(by_allowance + by_credits), 0)::int as n from worded_use where org_id = $1::text',
      )
      assert.equal(used?.n, what === 'nor by credits' ? 100 : 0)
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
