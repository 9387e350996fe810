import assert from 'node:assert/strict'
import { parse } from 'csv-parse/sync'
import { signIn, type Visitor } from '../support/browse.js'
import { ids } from '../support/datasets.js'
import { risen, sampleOf, scrape } from '../support/metrics.js'
import { until } from '../support/until.js'
import { ask, bearer, mint, newOrganisation, service, startService, type Minted } from '../support/service.js'
import { startWordingServer, type WordingServer } from '../support/wording-server.js'
import { cellsOf, figuresOf } from './pages.js'
import { rows } from './visitors.js'

const at = '/v1/frames/at?lat=0.105&lon=0.205'
type CsvRow = Record<
  'day' | 'key_id' | 'key_name' | 'call' | 'outcome' | 'bucket' | 'calls' | 'last_request_id',
  string
>

describe('the usage page', () => {
  let wording: WordingServer
  let running: Awaited<ReturnType<typeof startService>>
  let orgId: string
  let visitor: Visitor
  let keys: [Minted, Minted]
  let stranger: Minted
  let rises: Record<string, number>
  let lastRefusal: string | null

  before(async () => {
    wording = await startWordingServer()
    const large = { burst: 900, perMinute: 900 }
    const buckets = { key: { burst: 10, perMinute: 1 }, organisation: large, insight: large }
    running = await startService(service().database, {
      publicUrl: 'listening',
      ops: true,
      wordingUrl: wording.url,
      buckets,
    })
    orgId = await newOrganisation(service().db)
    visitor = await signIn(running.url, service().db, { orgId, role: 'admin' })
    keys = [
      await mint(service().db, { org: orgId, name: '=SUM(A1:A9)' }),
      await mint(service().db, { org: orgId, name: '<b>Survey</b>' }),
    ]
    stranger = await mint(service().db)
    rises = await risen(running.opsUrl, makeCalls)
    await until(async () => sampleOf(await scrape(running.opsUrl), 'frames_http_requests_in_flight') === 0)
    await running.keyUse.write()
  })
  after(async () => {
    await running.stop()
    await wording.close()
  })

  async function makeCalls(): Promise<void> {
    const get = (path: string, { secret }: Minted, headers = {}) =>
      ask(running.url + path, { headers: { ...bearer(secret), ...headers } })
    const [one, two] = keys
    const { headers } = await get('/v1/states', one)
    await get('/v1/states', one, { 'if-none-match': headers.get('etag') ?? '' })
    await get('/v1/frames/at?lat=x', one)
    for (let i = 0; i < 4; i += 1) await get(at, one)
    for (let i = 0; i < 2; i += 1) {
      await ask(`${running.url}/v1/frames/insight`, {
        method: 'POST',
        headers: { ...bearer(one.secret), 'content-type': 'application/json' },
        body: JSON.stringify({ frameIds: [ids[0]] }),
      })
    }
    for (let i = 0; i < 13; i += 1) lastRefusal = (await get(at, two)).headers.get('x-request-id')
  }

  const csv = async (query = ''): Promise<CsvRow[]> => {
    const file = await visitor.get(`/app/usage.csv${query}`)
    assert.equal(file.status, 200)
    assert.match(file.headers['content-disposition'] ?? '', /^attachment; filename="usage-\w+\.csv"$/)
    assert.doesNotMatch(file.text, /(^|,)"?[=+@\t]/m, 'a name does something in a spreadsheet')
    return parse(file.text, { columns: true })
  }
  const callsIn = (lines: readonly CsvRow[]) => lines.reduce((sum, { calls }) => sum + Number(calls), 0)

  it('shows figures that agree with the table, the file and the metrics', async () => {
    const page = await visitor.get('/app/usage')
    assert.equal(page.status, 200)
    assert.deepEqual(figuresOf(page.text), { Calls: '22', Answered: '18', Refused: '4', Failed: '0' })
    const inMetrics = Object.entries(rises).filter(([name]) => name.startsWith('frames_http_requests_total'))
    const total = inMetrics.reduce((sum, [, by]) => sum + by, 0)
    assert.equal(total, 22)
    const lines = await csv()
    assert.equal(callsIn(lines), 22)
    for (const [name, by] of inMetrics) {
      const [, route, status] = /route="([^"]+)",status="(\d+)"/.exec(name) ?? []
      const outcomes: Record<string, string[]> = {
        200: ['ok', 'worded'],
        304: ['not_modified'],
        400: ['invalid_point'],
        429: ['rate_limited'],
      }
      const same = lines.filter(({ call, outcome }) => call === route && outcomes[status ?? '']?.includes(outcome))
      assert.equal(callsIn(same), by, name)
    }
  })

  it('tells worded answers, answers not modified, and errors apart', async () => {
    const { text } = await visitor.get('/app/usage')
    assert.deepEqual(cellsOf(text, 'Calls by call'), [
      ['/v1/frames/at', '18', '0', '0', '4'],
      ['/v1/frames/insight', '2', '0', '2', '0'],
      ['/v1/states', '2', '1', '0', '0'],
    ])
    assert.deepEqual(cellsOf(text, 'Refusals by bucket'), [['key', '/v1/frames/at', '3', lastRefusal]])
    const link = `<a href="/app/find?q=${lastRefusal}"><code>${lastRefusal}</code></a>`
    assert.equal(text.split(link).length, 3, 'by code and by bucket')
    assert.match((await visitor.get(`/app/find?q=${lastRefusal}`)).text, /The call <code>/)
    assert.ok((await visitor.get(`/app/keys/${keys[1].keyId}`)).text.includes(link))
    const errors = cellsOf(text, 'Errors by code').map(([code, call, calls]) => [code, call, calls])
    assert.deepEqual(errors, [
      ['rate_limited', '/v1/frames/at', '3'],
      ['invalid_point', '/v1/frames/at', '1'],
    ])
    assert.match(text, /2 of 100/)
    const [used] = await rows<{ answers: number }>(
      'select by_allowance + by_credits as answers from worded_use where org_id = $1::text',
      orgId,
    )
    assert.equal(used?.answers, 2)
  })

  it('shows each key, and one key alone', async () => {
    const { text } = await visitor.get('/app/usage')
    const counts = cellsOf(text, 'Calls by key').map(([name = '', calls, unanswered]) => [
      name.replace(/ …\w+$/, ''),
      calls,
      unanswered,
    ])
    assert.deepEqual(counts, [
      ['&lt;b&gt;Survey&lt;/b&gt;', '13', '3'],
      ['=SUM(A1:A9)', '9', '1'],
    ])
    const alone = await visitor.get(`/app/usage?key=${keys[1].keyId}`)
    assert.equal(figuresOf(alone.text)['Calls'], '13')
    assert.equal(callsIn(await csv(`?key=${keys[1].keyId}`)), 13)
  })

  it('shows nothing of another organisation', async () => {
    await ask(running.url + at, { headers: bearer(stranger.secret) })
    await running.keyUse.write()
    assert.equal((await visitor.get(`/app/usage?key=${stranger.keyId}`)).status, 404)
    assert.equal((await visitor.get(`/app/usage.csv?key=${stranger.keyId}`)).status, 404)
    assert.doesNotMatch((await visitor.get('/app/usage')).text, new RegExp(stranger.keyId))
    assert.ok((await csv()).every(({ key_id: keyId }) => keyId !== stranger.keyId))
    const theirs = await signIn(running.url, service().db, { orgId: stranger.orgId, role: 'owner' })
    assert.equal(figuresOf((await theirs.get('/app/usage')).text)['Calls'], '1')
  })
})
