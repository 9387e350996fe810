/** Tests over HTTP how the service lives with a wording engine that is down, and with clients that hang up. */
import assert from 'node:assert/strict'
import { OPEN_MS } from '../../src/core/insight/wording/breaker.js'
import { risen, sampleOf, scrape } from '../support/metrics.js'
import { until } from '../support/until.js'
import { mint, service, startService, type Minted } from '../support/service.js'
import { startWordingServer, type WordingServer } from '../support/wording-server.js'
import { insightOf, postInsight } from './ask.js'

const UNAVAILABLE = 'The figures come without words: wording is unavailable just now.'

describe('a wording engine that is down', function () {
  this.timeout(120_000)
  let wording: WordingServer
  let running: Awaited<ReturnType<typeof startService>>
  let now = 0
  const lines: { level: number; msg?: string }[] = []
  before(async () => (wording = await startWordingServer()))
  after(() => wording.close())
  beforeEach(async () => {
    now = 0
    wording.behave('well')
    wording.requests.length = 0
    lines.length = 0
    running = await startService(service().database, {
      wordingUrl: wording.url,
      ops: true,
      clock: () => now,
      logged: (line) => lines.push(JSON.parse(line) as (typeof lines)[number]),
    })
  })
  afterEach(() => running.stop())

  const question = { frameIds: ['322074005', '322074006'] }
  const ask = (key: Minted, body: object = question) => insightOf({ url: running.url, secret: key.secret }, body)
  const askTimes = async (key: Minted, times: number) => {
    for (let i = 0; i < times; i += 1) await ask(key)
  }
  const isOpen = async () => sampleOf(await scrape(running.opsUrl), 'frames_wording_breaker_open')
  const breakerLines = () =>
    lines.flatMap(({ level, msg }) => (msg?.includes('wording engine') ? [`${level} ${msg}`] : []))
  const countOf = async (table: 'worded_use' | 'worded_hold', key: Minted) => {
    const [row] = await running.db.rows<{ n: number }>(
      `select count(*)::int as n from ${table} where org_id = $1::text`,
      [key.orgId],
    )
    return row?.n
  }

  it('is not asked after five failures: figures come at once, and no allowance is held', async () => {
    const key = await mint(running.db)
    wording.behave({ status: 500 })
    await askTimes(key, 5)
    assert.equal(wording.requests.length, 5)
    assert.equal(await isOpen(), 1)
    // A row of this table stands for a hold that was opened, and released or not.
    await running.db.work(`create table hold_opened (org_id text);
      create or replace function note_hold() returns trigger language plpgsql security definer as
        'begin insert into hold_opened values (new.org_id); return new; end';
      create trigger note_hold before insert on worded_hold for each row execute function note_hold()`)
    try {
      wording.behave('well')
      const rises = await risen(running.opsUrl, async () => {
        for (const answer of await Promise.all(Array.from({ length: 10 }, () => ask(key)))) {
          assert.deepEqual([answer.engine, answer.notice], ['deterministic', UNAVAILABLE])
          assert.ok(answer.facets.length > 0)
        }
      })
      assert.equal(rises['frames_unworded_answers_total{reason="unavailable"}'], 10)
      assert.equal(wording.requests.length, 5)
      assert.deepEqual([...(await running.db.rows('select org_id from hold_opened', []))], [])
    } finally {
      await running.db.work('drop function note_hold() cascade; drop table hold_opened')
    }
    assert.equal(await countOf('worded_use', key), 0)
    assert.deepEqual(breakerLines(), ['40 the wording engine is down: answers come without words'])
  })

  it('is asked again after 30 seconds, and words come back', async () => {
    const key = await mint(running.db)
    wording.behave({ status: 529, retryAfter: '60' })
    await askTimes(key, 5)
    now = OPEN_MS
    wording.behave('well')
    assert.equal((await ask(key)).engine, 'claude')
    assert.equal(await isOpen(), 0)
    assert.equal((await ask(key)).engine, 'claude')
    assert.deepEqual(breakerLines(), [
      '40 the wording engine is down: answers come without words',
      '30 the wording engine is back',
    ])
    assert.equal(sampleOf(await scrape(running.opsUrl), 'frames_wording_breaker_openings_total'), 1)
  })

  it('is asked for plans alone where the format is "figures", and for none while it is down', async () => {
    const key = await mint(running.db)
    wording.behave({ status: 500 })
    await askTimes(key, 5)
    wording.behave('well')
    const unread = { ...question, question: 'qwerty of the frames', format: 'figures' }
    await ask(key, unread)
    assert.equal(wording.planRequests.length, 0)
    now = OPEN_MS
    const figures = await ask(key, unread)
    assert.equal(figures.notice, 'The figures come without words: none were asked for.')
    assert.deepEqual([wording.requests.length, wording.planRequests.length], [5, 1])
    assert.equal((await ask(key)).engine, 'claude')
  })

  it('has its call ended by a client that hangs up, which counts for nothing', async () => {
    const key = await mint(running.db)
    wording.behave({ fail: 'hang before headers' })
    for (let i = 0; i < 6; i += 1) {
      const leaving = new AbortController()
      const answer = postInsight({ url: running.url, secret: key.secret, signal: leaving.signal }, question)
      await until(async () => wording.requests.length === i + 1)
      leaving.abort()
      await assert.rejects(answer)
      await until(async () => wording.requests[i]?.isHungUp === true)
      await until(async () => (await countOf('worded_hold', key)) === 0)
    }
    assert.equal(await isOpen(), 0)
    assert.equal(await countOf('worded_use', key), 0)
    wording.behave('well')
    assert.equal((await ask(key)).engine, 'claude')
  })
})
