/** What is kept of a call of any door: its line in the log, its count for the key, its metrics, and what it spends. */
import assert from 'node:assert/strict'
import { newSecret } from '../../src/core/access/secret.js'
import { useOf } from '../access/use-rows.js'
import { send } from '../calls/call-rows.js'
import { risen } from '../support/metrics.js'
import { mint, service, startService, type Minted } from '../support/service.js'
import { startWordingServer } from '../support/wording-server.js'

type Key = 'own' | 'lacking' | 'unknown' | 'mistyped' | 'none'
type Row = {
  call: string
  /** The status of the log and of the metrics: a tool that is refused has the one of its call. */
  status: number
  /** The outcome that is counted for the key; without it, nobody is known, and nothing is spent. */
  outcome?: string
  by?: Key
  headers?: Record<string, string>
  /** The bucket that refuses the call, which then spends nothing. */
  bucket?: 'key' | 'insight'
}
const row = (call: string, status: number, outcome?: string, more: Partial<Row> = {}): Row => ({
  call,
  status,
  ...(outcome && { outcome }),
  ...more,
})

const AT = 'GET /v1/frames/at?lat=0.105&lon=0.205'
const QUESTION = 'POST /v1/frames/insight {"frameIds":["324378020"]}'
const FIGURES = QUESTION.replace('}', ',"format":"figures"}')
const POINT = 'TOOL frame_at {"lat":0.105,"lon":0.205}'
const LIST = 'POST /mcp {"jsonrpc":"2.0","id":1,"method":"tools/list"}'
const ROWS: readonly Row[] = [
  row(AT, 200, 'ok'),
  row(AT, 200, 'ok'),
  row('GET /v1/frames/at?lat=x', 400, 'invalid_point'),
  row('GET /v1/frames/at?lat=y', 400, 'invalid_point'),
  row('GET /v1/frames/at?lat=80&lon=0', 404, 'not_found'),
  row('GET /v1/frames?state=marembe&limit=3', 200, 'ok'),
  row('GET /v1/frames?ids=1', 304, 'not_modified', { headers: { 'if-none-match': '*' } }),
  row(AT.replace('GET', 'HEAD'), 200, 'ok'),
  row('GET /v1/frames/data?ids=1&price=true', 200, 'ok'),
  row(AT, 403, 'insufficient_scope', { by: 'lacking' }),
  row('GET /v1/nothing', 404),
  row(AT.replace('GET', 'POST'), 405),
  row('GET /v1/states', 401, undefined, { by: 'none' }),
  row('GET /v1/states', 401, undefined, { by: 'unknown' }),
  row('GET /v1/states', 401, undefined, { by: 'mistyped' }),
  row('GET /ogc/collections', 200, 'ok'),
  row('GET /ogc/collections?unknown=1', 400, 'invalid'),
  row(POINT, 200, 'ok'),
  row('TOOL frame_at {"lat":80,"lon":0}', 404, 'not_found'),
  row('TOOL frame_at {}', 400, 'invalid_point'),
  row('TOOL verify {}', 400, 'invalid'),
  row('TOOL nothing {}', 200, 'ok'),
  row('POST /tools/frame_at {"lat":0.105,"lon":0.205}', 200, 'ok'),
  row('POST /tools/frame_at {"lat":80,"lon":0}', 404, 'not_found'),
  row('GET /tools', 200, 'ok'),
  row('POST /tools/units []', 400, 'invalid_body'),
  row(LIST, 200, 'ok'),
  row(LIST.replace('tools/list', 'ping'), 200, 'ok'),
  row(LIST.replace('tools/list', 'nothing'), 200, 'ok'),
  row('POST /mcp {"jsonrpc":"2.0","method":"notifications/initialized"}', 202, 'ok'),
  row('POST /mcp {', 400, 'invalid_body'),
  row('POST /mcp []', 400, 'invalid_body'),
  row('POST /mcp "<x*70000>"', 400, 'invalid_body'),
  row(QUESTION, 200, 'worded'),
  row(FIGURES, 200, 'ok'),
  row(FIGURES, 429, 'rate_limited', { bucket: 'insight' }),
  row(AT, 429, 'rate_limited', { bucket: 'key' }),
  row(POINT, 429, 'rate_limited', { bucket: 'key' }),
  row(LIST, 429, 'rate_limited', { bucket: 'key' }),
]

/** The last of these refusals is what people look up. */
const isRefusal = (outcome: string) => !['ok', 'worded', 'not_modified'].includes(outcome)
const routeOf = ({ call, status }: Row) => {
  const [verb = '', path = ''] = call.split(' ')
  if (verb === 'TOOL' || path === '/mcp') return '/mcp'
  return status === 404 && path === '/v1/nothing' ? 'other' : path.replace(/\?.*/, '')
}
const toolOf = ({ call }: Row) => /^TOOL (?!nothing)(\w+)/.exec(call)?.[1]
const countBy = <T>(of: readonly T[], keyOf: (each: T) => string) => {
  const counts: Record<string, number> = {}
  for (const each of of) counts[keyOf(each)] = (counts[keyOf(each)] ?? 0) + 1
  return counts
}

type Line = Record<string, unknown> & { requestId: string; status?: number; ms?: number }

describe('a call of any door', function () {
  this.timeout(60_000)
  const SPENT = ROWS.filter(({ outcome, bucket, by }) => outcome && !bucket && !by).length
  const lines: string[] = []
  let own: Minted
  let lacking: Minted
  /** The request ids, in the order of the rows. */
  const ids: string[] = []
  const left: (string | undefined)[] = []
  let rises: Record<string, number>
  let seen: { at: Date } | undefined
  let uses: Awaited<ReturnType<typeof useOf>>[]

  before(async () => {
    const { db, database } = service()
    const large = { burst: 900, perMinute: 1 }
    const buckets = { key: { burst: SPENT, perMinute: 1 }, organisation: large, insight: { burst: 2, perMinute: 1 } }
    const wording = await startWordingServer()
    const logged = (line: string) => void lines.push(line)
    const running = await startService(database, { buckets, ops: true, logged, wordingUrl: wording.url })
    ;[own, lacking] = [await mint(db), await mint(db, { capabilities: ['ask.query'] })]
    const secrets = { own: own.secret, lacking: lacking.secret, unknown: newSecret(), mistyped: `${own.secret}x` }
    try {
      rises = await risen(running.opsUrl, async () => {
        for (const { call, by = 'own', headers } of ROWS) {
          const at = { url: running.url, ...(by === 'none' ? {} : { secret: secrets[by] }) }
          const answer = await send(call, at, headers)
          ids.push(answer.headers.get('x-request-id') ?? '')
          left.push(answer.headers.get('ratelimit')?.replace(/;t=\d+$/, ''))
        }
      })
      await running.keyUse.write()
      ;[seen] = await db.rows<{ at: Date }>('select seen_at as at from key_seen where key_id = $1::text', [own.keyId])
      uses = await Promise.all([own, lacking].map(({ keyId }) => useOf(db, keyId)))
    } finally {
      await running.stop()
      await wording.close()
    }
  })

  it('spends one where its key is known, and nothing where a bucket refuses it', () => {
    let rest = SPENT
    for (const [i, each] of ROWS.entries()) {
      const { outcome, by = 'own', bucket, call } = each
      if (outcome && by === 'own' && !bucket) rest -= 1
      const expected = `"key";r=${by === 'lacking' ? SPENT - 1 : rest}`
      const isOfQuestions = call.startsWith('POST /v1/frames/insight')
      if (!outcome) assert.equal(left[i], undefined, call)
      else if (isOfQuestions) assert.match(left[i] ?? '', /^"insight";r=[01]$/, call)
      else assert.equal(left[i], expected, call)
    }
    assert.equal(rest, 0)
  })

  it('has one line in the log: who, what, how it ended and how long it took, and no value of a parameter', () => {
    const logged = lines.map((line) => JSON.parse(line) as Line).filter(({ status }) => status !== undefined)
    const owners = { own, lacking }
    const expected = ROWS.map((each, i) => {
      const who = each.outcome ? owners[each.by === 'lacking' ? 'lacking' : 'own'] : undefined
      const method = each.call.replace('TOOL', 'POST').split(' ')[0]
      const tool = toolOf(each)
      return [
        ids[i],
        method,
        routeOf(each).replace('other', '/v1/nothing'),
        who?.keyId,
        who?.orgId,
        tool,
        tool && each.outcome,
        each.status,
      ]
    })
    const members = ['requestId', 'method', 'path', 'keyId', 'orgId', 'tool', 'outcome', 'status']
    assert.deepEqual(
      logged.map((line) => members.map((name) => line[name])),
      expected,
    )
    assert.equal(new Set(ids).size, ROWS.length)
    for (const { ms } of logged) assert.ok(typeof ms === 'number' && ms >= 0)
    const all = lines.join('').toLowerCase()
    for (const secretive of [
      own.secret,
      own.secret.slice(7),
      'svc_sk_',
      '0.105',
      '0.205',
      'marembe',
      'Bearer',
      '324378020',
    ])
      assert.ok(!all.includes(secretive.toLowerCase()), `${secretive} is in the log`)
  })

  it('is counted for its key by day, call and outcome, with the request id of the last refusal', () => {
    const day = new Date().toISOString().slice(0, 10)
    for (const [i, by] of (['own', 'lacking'] as const).entries()) {
      const rows = ROWS.map((each, place) => ({ ...each, id: ids[place] ?? '' })).filter(
        (each) => each.outcome && (each.by ?? 'own') === by,
      )
      const keyOf = (each: Row) => {
        const tool = toolOf(each)
        return JSON.stringify([tool ? `/mcp ${tool}` : routeOf(each), each.outcome, each.bucket ?? ''])
      }
      const expected = Object.entries(countBy(rows, keyOf)).map(([key, calls]) => {
        const [call, outcome, bucket] = JSON.parse(key) as [string, string, string]
        const last = rows.filter((each) => keyOf(each) === key).at(-1)?.id
        return { day, call, outcome, bucket, calls, last: isRefusal(outcome) ? last : null }
      })
      const inOrder = (list: readonly object[]) => list.map((each) => JSON.stringify(each)).toSorted()
      assert.deepEqual(inOrder(uses[i] ?? []), inOrder(expected))
    }
    assert.ok(seen && Date.now() - seen.at.getTime() < 60_000, 'the key was seen')
  })

  it('is counted by the pattern of its route and by status, and so are refusals by their bucket', () => {
    const named = (name: string) => Object.fromEntries(Object.entries(rises).filter(([key]) => key.startsWith(name)))
    assert.deepEqual(
      named('frames_http_requests_total'),
      countBy(ROWS, (each) => `frames_http_requests_total{route="${routeOf(each)}",status="${each.status}"}`),
    )
    assert.deepEqual(
      named('frames_http_request_duration_seconds_count'),
      countBy(ROWS, (each) => `frames_http_request_duration_seconds_count{route="${routeOf(each)}"}`),
    )
    assert.deepEqual(
      named('frames_bucket_refusals_total'),
      countBy(
        ROWS.filter(({ bucket }) => bucket),
        ({ bucket }) => `frames_bucket_refusals_total{bucket="${bucket}"}`,
      ),
    )
  })
})
