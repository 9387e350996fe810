import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect as dial } from 'node:net'
import type { Plan } from '../../src/core/access/organisations.js'
import { projectFolder } from '../../src/core/db/statement.js'
import { section } from '../docs/curls.js'
import type { TestDatabase } from '../support/database.js'
import { anotherReader, credit, ids, sharedWorld } from '../support/datasets.js'
import { requestsRise, risen, sampleOf, scrape } from '../support/metrics.js'
import { ask, bearer, mint, newOrganisation, startService, type Minted } from '../support/service.js'
import { startWordingServer, type WordingServer } from '../support/wording-server.js'

/** Read only in the tests that need it: the copies of the program that the mutants run in have no documents. */
const page = () => section(readFileSync(new URL('docs/metrics.md', projectFolder), 'utf8'), '## Metrics')
const at = '/v1/frames/at?lat=0.105&lon=0.205'

describe('the metrics', () => {
  let database: TestDatabase
  let wording: WordingServer
  let service: Awaited<ReturnType<typeof startService>>
  before(async () => {
    ;({ database } = await sharedWorld())
    wording = await startWordingServer()
    service = await startService(database, { wordingUrl: wording.url, ops: true })
  })
  after(async () => {
    await service.stop()
    await wording.close()
  })

  const get = (path: string, secret = service.secret, url = service.url) => ask(url + path, { headers: bearer(secret) })
  const post = ({ secret }: { secret: string }, body: unknown, url = service.url) =>
    ask(`${url}/v1/frames/insight`, {
      method: 'POST',
      headers: { ...bearer(secret), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  it('are named and typed as Prometheus asks, each with a line of help, and those of the page are there', async () => {
    for (const path of [at, '/v1/nothing']) await get(path)
    const metrics = await scrape(service.opsUrl)
    for (const [name, { type, help, samples }] of metrics) {
      assert.match(name, /^(frames|process|nodejs)_[a-z0-9_]+$/)
      assert.ok(help.length > 0 && ['counter', 'gauge', 'histogram'].includes(type), name)
      if (name.startsWith('frames_')) assert.equal(name.endsWith('_total'), type === 'counter', name)
      for (const key of samples.keys()) assert.doesNotMatch(key, /lat=|nothing|svc_sk_|org_|key_/)
    }
    for (const [, name = ''] of page().matchAll(/`((?:frames|process|nodejs)_\w+?)(?:_bucket)?[`{[]/g)) {
      assert.ok(metrics.has(name), `${name} is documented, and not there`)
    }
  })

  it('have the labels that are documented, and no others', async () => {
    const labels = new Map(
      [...page().matchAll(/^\| `(frames_\w+)`(?: \| `(\w+)`(?:, `(\w+)`)?)?/gm)].map(([, name, ...of]) => [
        name,
        of.filter(Boolean),
      ]),
    )
    assert.ok(labels.size > 10)
    for (const [name, { samples }] of await scrape(service.opsUrl)) {
      for (const key of samples.keys()) {
        const used = [...key.matchAll(/(\w+)="/g)].map(([, label]) => label).filter((label) => label !== 'le')
        if (labels.has(name)) assert.deepEqual(used, labels.get(name), key)
      }
    }
  })

  it('count connections that are ended for what their client sent', async () => {
    const rises = await risen(service.opsUrl, async () => {
      const client = dial(service.port, service.host).resume()
      client.write('NONSENSE\r\n\r\n')
      await once(client, 'close')
    })
    assert.deepEqual(rises, { 'frames_http_connections_dropped_total{reason="broken_request"}': 1 })
  })

  it('count what calls paid exactly as the ledger has it, and what was left out', async () => {
    const key = await anotherReader(database.db, 12)
    const narrowed = await mint(database.db, { org: key.orgId, datasets: ['lyr_query_a'] })
    const rises = await risen(service.opsUrl, async () => {
      for (let i = 0; i < 3; i += 1) await get(`/v1/frames/data?ids=${ids.slice(3, 5).join(',')}`, key.secret)
      // A key that reads free datasets too would get what those tell.
      await post(narrowed, { frameIds: [ids[0]], question: 'what is told?' })
    })
    const [paid] = await database.db.rows<{ entries: number; credits: number }>(
      `select count(*)::int as entries, -sum(credits)::int as credits from credit_entry
       where org_id = $1::text and kind = 'dataset'`,
      [key.orgId],
    )
    assert.ok(paid && paid.entries > 3)
    assert.equal(rises['frames_charges_total{kind="dataset"}'], paid.entries)
    assert.equal(rises['frames_charged_credits_total{kind="dataset"}'], paid.credits)
    // Prices 2, 3 and 4, 12 credits: 9 are spent at once; then 3, with 2 and then nothing covered.
    assert.equal(rises['frames_datasets_left_out_total'], 6)
  })

  const unworded = (reason: string) => ({
    ...requestsRise('/v1/frames/insight', 200),
    [`frames_unworded_answers_total{reason="${reason}"}`]: 1,
  })
  const rejected = { frames_wordings_rejected_total: 1 }

  it('count worded answers by what covered them, with their credits, and the others by the reason', async () => {
    const fill = (key: Minted, count: number) =>
      database.db.rows(
        `insert into worded_use (org_id, day, by_allowance)
         values ($1::text, (ledger_clock() at time zone 'UTC')::date, $2::int)`,
        [key.orgId, count],
      )
    const holder = async (plan: Plan, used: number, credits = 0) => {
      const key = await mint(database.db, { org: await newOrganisation(database.db, plan) })
      if (used > 0) await fill(key, used)
      if (credits > 0) await credit(database.db, key.orgId, credits)
      return key
    }
    const question = { frameIds: [ids[0]] }
    const by = async (key: Minted) => await risen(service.opsUrl, () => post(key, question))
    const worded = (coveredBy: string) => ({
      ...requestsRise('/v1/frames/insight', 200),
      [`frames_worded_answers_total{covered_by="${coveredBy}"}`]: 1,
    })

    assert.deepEqual(await by(await holder('trial', 0)), worded('allowance'))
    const none = () => post(service, { frameIds: ['1'] })
    assert.deepEqual(await risen(service.opsUrl, none), unworded('no_frames'))
    assert.deepEqual(await by(await holder('trial', 100, 1)), {
      ...worded('credits'),
      'frames_charges_total{kind="worded"}': 1,
      'frames_charged_credits_total{kind="worded"}': 1,
    })
    assert.deepEqual(await by(await holder('trial', 100)), unworded('no_allowance'))
    assert.deepEqual(await by(await holder('pro', 1000, 5)), unworded('daily_ceiling'))
    const key = await holder('trial', 0)
    wording.behave({ fail: 500 })
    assert.deepEqual(await by(key), unworded('unavailable'))
    wording.behave({ lie: 'prose' })
    assert.deepEqual(await by(key), { ...unworded('unverified'), ...rejected })
    wording.behave('well')

    const plain = await startService(database, { ops: true })
    try {
      assert.deepEqual(await risen(plain.opsUrl, () => post(key, question, plain.url)), unworded('not_configured'))
    } finally {
      await plain.stop()
    }
  })

  it('state the version, and do not count for another service in the process', async () => {
    const { version } = JSON.parse(readFileSync(new URL('package.json', projectFolder), 'utf8')) as { version: string }
    const key = `frames_build_info{version="${version}",node="${process.version}"}`
    assert.equal(sampleOf(await scrape(service.opsUrl), key), 1)
    const other = await startService(database, { ops: true })
    try {
      assert.deepEqual(await risen(other.opsUrl, () => get(at)), {})
      assert.equal(sampleOf(await scrape(other.opsUrl), 'frames_database_queries_limit'), 2000)
    } finally {
      await other.stop()
    }
  })
})
