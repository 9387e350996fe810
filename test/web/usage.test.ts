import assert from 'node:assert/strict'
import { parse } from 'csv-parse/sync'
import type { Visitor } from '../support/browse.js'
import { ids } from '../support/datasets.js'
import { risen, sampleOf, scrape } from '../support/metrics.js'
import { until } from '../support/until.js'
import { ask, bearer, type Minted } from '../support/service.js'
import { organisation, serving, type Organisation } from './organisation.js'
import { cellsOf, figuresOf } from './pages.js'

const at = '/v1/frames/at?lat=0.105&lon=0.205'
type CsvRow = Record<'key_id' | 'call' | 'outcome' | 'calls', string>

/** Which outcomes of the page have a status in the metrics. */
const OUTCOMES: Record<string, string[]> = {
  200: ['ok', 'worded'],
  304: ['not_modified'],
  400: ['invalid_point'],
  429: ['rate_limited'],
}
const large = { burst: 900, perMinute: 900 }

describe('the usage page', () => {
  const running = serving({
    ops: true,
    buckets: { key: { burst: 10, perMinute: 1 }, organisation: large, insight: large },
  })
  let org: Organisation
  let visitor: Visitor
  let keys: [Minted, Minted]
  let rises: Record<string, number>
  let lastRefusal: string | null

  before(async () => {
    org = await organisation(running)
    visitor = await org.enter('Ada', 'admin')
    keys = [await org.key({ name: '=SUM(A1:A9)' }), await org.key({ name: '<b>Survey</b>' })]
    rises = await risen(running.opsUrl, makeCalls)
    await until(async () => sampleOf(await scrape(running.opsUrl), 'frames_http_requests_in_flight') === 0)
    await running.keyUse.write()
  })

  async function makeCalls(): Promise<void> {
    const get = (path: string, { secret }: Minted, headers = {}) =>
      ask(running.url + path, { headers: { ...bearer(secret), ...headers } })
    const [one, two] = keys
    const { headers } = await get('/v1/states', one)
    await get('/v1/states', one, { 'if-none-match': headers.get('etag') ?? '' })
    await get('/v1/frames/at?lat=x', one)
    for (let i = 0; i < 4; i += 1) await get(at, one)
    for (let i = 0; i < 2; i += 1)
      await ask(`${running.url}/v1/frames/insight`, {
        method: 'POST',
        headers: { ...bearer(one.secret), 'content-type': 'application/json' },
        body: JSON.stringify({ frameIds: [ids[0]] }),
      })
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
    const lines = await csv()
    assert.deepEqual([inMetrics.reduce((sum, [, by]) => sum + by, 0), callsIn(lines)], [22, 22])
    for (const [name, by] of inMetrics) {
      const [, route, status = ''] = /route="([^"]+)",status="(\d+)"/.exec(name) ?? []
      const same = lines.filter(({ call, outcome }) => call === route && OUTCOMES[status]?.includes(outcome))
      assert.equal(callsIn(same), by, name)
    }
  })

  it('takes a month from its first day to its last, and the present one to today', async () => {
    const today = new Date()
    const days = (back: number) => {
      const end = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - back + 1, 0))
      return [`${end.toISOString().slice(0, 7)}-01`, (back === 0 ? today : end).toISOString().slice(0, 10)] as const
    }
    for (const [first, last] of [0, 1, 2, 11].map(days)) {
      const { text } = await visitor.get(`/app/usage?period=${first.slice(0, 7)}`)
      assert.ok(text.includes(`: ${first} to ${last}, in days of UTC.`), `${first} to ${last}`)
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
    assert.deepEqual(
      cellsOf(text, 'Errors by code').map((cells) => cells.slice(0, 3)),
      [
        ['rate_limited', '/v1/frames/at', '3'],
        ['invalid_point', '/v1/frames/at', '1'],
      ],
    )
    assert.match(text, /2 of 100/)
    const used = await org.rows('select by_allowance + by_credits as answers from worded_use where org_id = $1::text')
    assert.deepEqual([...used], [{ answers: 2 }])
  })

  it('shows each key, and one key alone', async () => {
    const { text } = await visitor.get('/app/usage')
    assert.deepEqual(
      cellsOf(text, 'Calls by key').map(([name = '', ...counts]) => [
        name.replace(/ …\w+$/, ''),
        ...counts.slice(0, 2),
      ]),
      [
        ['&lt;b&gt;Survey&lt;/b&gt;', '13', '3'],
        ['=SUM(A1:A9)', '9', '1'],
      ],
    )
    const alone = await visitor.get(`/app/usage?key=${keys[1].keyId}`)
    assert.equal(figuresOf(alone.text)['Calls'], '13')
    assert.equal(callsIn(await csv(`?key=${keys[1].keyId}`)), 13)
  })

  it('shows nothing of another organisation', async () => {
    const other = await organisation(running)
    const { secret, keyId } = await other.key()
    await ask(running.url + at, { headers: bearer(secret) })
    await running.keyUse.write()
    for (const page of ['usage', 'usage.csv'])
      assert.equal((await visitor.get(`/app/${page}?key=${keyId}`)).status, 404)
    assert.ok(!(await visitor.get('/app/usage')).text.includes(keyId))
    assert.ok((await csv()).every((row) => row.key_id !== keyId))
    assert.equal(figuresOf((await (await other.enter()).get('/app/usage')).text)['Calls'], '1')
  })
})
