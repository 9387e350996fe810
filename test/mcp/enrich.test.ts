/** Tables of places that come in, and go out with columns. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { gzipSync } from 'node:zlib'
import { capKey } from '../../src/core/access/keys.js'
import { ledgerFaults } from '../../src/core/db/statements.js'
import { blocks, curlsOf, page, pasted } from '../docs/curls.js'
import type { TestDatabase } from '../support/database.js'
import { anotherReader, balanceOf, ids, sharedWorld, type World } from '../support/datasets.js'
import { sample } from '../support/sample.js'
import { until } from '../support/until.js'
import { ask, bearer, errorOf, mint, service, startService, type Answer, type Service } from '../support/service.js'

type Row = Record<string, string | null>
type Enriched = { rows: Row[]; charged: string[]; leftOut: { layerId: string; reason: string }[] }
type Records = { frames: { id: string; datasets: { layerId: string; values?: Row; features?: object[] }[] }[] }
const LON = (id: string) => ((Number(id) % 36_000) / 100 - 180 + 0.005).toFixed(6)
const LAT = (id: string) => (Math.floor(Number(id) / 36_000) / 100 - 90 + 0.005).toFixed(6)

describe('POST /tools/enrich', function () {
  this.timeout(120_000)
  let database: TestDatabase
  let world: World
  let running: Service & { stop: () => Promise<void> }
  before(async () => {
    ;({ database, world } = await sharedWorld())
    running = await startService(database)
  })
  after(() => running.stop())
  afterEach(async () => assert.deepEqual([...(await ledgerFaults(database.db))], []))

  const enrich = (body: string | Uint8Array, columns: string, headers: Record<string, string> = {}, at = running) =>
    ask(`${at.url}/tools/enrich${columns === '' ? '' : `?columns=${columns}`}`, {
      method: 'POST',
      headers: { ...bearer(at.secret), 'content-type': 'text/csv', ...headers },
      body,
    })
  const rowsOf = async (rows: object[], columns: string, secret: string): Promise<Enriched> => {
    const answer = await enrich(JSON.stringify(rows), columns, {
      ...bearer(secret),
      'content-type': 'application/json',
    })
    assert.equal(answer.status, 200, answer.text.slice(0, 300))
    return (answer.body as { data: Enriched }).data
  }
  const refusal = (answer: Answer) => `${answer.status} ${errorOf(answer).code}: ${errorOf(answer).message}`
  const framed = ids.map((frame) => ({ frame }))

  it('keeps rows and cells as they came, in their order, and says in their place what is wrong with them', async () => {
    const table = [
      'shop;lat;lon;state',
      `"Müller; & Söhne";${LAT(ids[0] ?? '')};${LON(ids[0] ?? '')};mine`,
      '=1+1;9,05;0.2;',
      'off the grid;80;0;',
      'short;1',
      `last;${LAT(ids[1] ?? '')};+${LON(ids[1] ?? '')};`,
    ]
    const answer = await enrich(`\ufeff${table.join('\r\n')}`, 'frame,state')
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.text.trimEnd().split('\n'), [
      'shop,lat,lon,state,frame,state_found,reason',
      `Müller; & Söhne,${LAT(ids[0] ?? '')},${LON(ids[0] ?? '')},mine,${ids[0]},MAREMBE,`,
      '=1+1,"9,05",0.2,,,,"lat: a decimal number from -90 to 90 is accepted, ""9,05"" came."',
      'off the grid,80,0,,,,No frame contains this point.',
      'short,1,,,,,"The row has 2 cells, and the table has 4 columns."',
      `last,${LAT(ids[1] ?? '')},+${LON(ids[1] ?? '')},,${ids[1]},MAREMBE,`,
    ])
  })

  it('says of points, frames and units what single calls say', async () => {
    const { db, url, secret } = service()
    const points = await db.rows<{ lon: number; lat: number; id: string }>(
      `select ST_X(point) as lon, ST_Y(point) as lat, frame_id::text as id
      from (
        select frame_id,
          case when frame_id % 2 = 0 then ST_PointOnSurface(geom) else ST_PointN(ST_ExteriorRing(ST_GeometryN(geom, 1)), 1 + (frame_id % 4)::int) end as point
        from frame
      ) as inside_or_corner
      order by md5(frame_id::text) limit $1::int`,
      [sample(40, 400)],
    )
    const get = async (path: string) => (await ask(url + path, { headers: bearer(secret) })).body as { data: unknown }
    const at = { ...running, url, secret }
    const columns = 'frame,state,lga,ward,zone,lyr_population,lyr_schools.features'
    const table = ['lon,lat', ...points.map(({ lon, lat }) => `${lon},${lat}`)].join('\n')
    const [head = [], ...rows] = (await enrich(table, columns, {}, at)).text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(','))
    assert.equal(rows.length, points.length)
    const one = (row: string[]) => Object.fromEntries(head.map((name, i) => [name, row[i]]))
    const found = rows.map(one)
    for (const [i, { lon, lat }] of points.entries()) {
      const { id, admin } = (await get(`/v1/frames/at?lon=${lon}&lat=${lat}`)).data as { id: string; admin: Row }
      const { frame, state, lga, ward, zone } = found[i] ?? {}
      assert.deepEqual(
        [frame, state, lga, ward, zone],
        [id, admin['state'], admin['lga'], admin['ward'], admin['zone'] ?? ''],
      )
    }
    const frames = [...new Set(found.map(({ frame = '' }) => frame))].slice(0, 100)
    const { frames: records } = (await get(`/v1/frames/data?ids=${frames.join()}`)).data as Records
    for (const { id, datasets } of records) {
      const row = found.find(({ frame }) => frame === id) ?? {}
      const values = datasets.find(({ layerId }) => layerId === 'lyr_population')?.values ?? {}
      const told = head.filter((name) => name.startsWith('lyr_population.'))
      assert.ok(told.length > 1)
      for (const name of told)
        assert.equal(row[name], values[name.replace('lyr_population.', '')] ?? '', `${id} ${name}`)
      const schools = datasets.find(({ layerId }) => layerId === 'lyr_schools')?.features ?? []
      assert.equal(row['lyr_schools.features'], String(schools.length))
    }
    const units = [['marembe'], ['Marembe', ' lakeside'], ['marembe', 'lakeside', 'LAKE ISLAND'], ['nowhere']]
    const ofUnits = ['state,lga,ward', ...units.map(([a = '', b = '', c = '']) => `${a},${b},${c}`)].join('\n')
    const asked = await enrich(
      ofUnits,
      'lyr_population.pop_demest26,lyr_schools.features,state:lyr_schools.features',
      {},
      at,
    )
    const whole = asked.text
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',').slice(3))
    const totalOf = async (unit: string[], layer: string, attribute: string) => {
      const body = JSON.stringify({ state: unit[0], lga: unit[1], ward: unit[2] })
      const headers = { ...bearer(secret), 'content-type': 'application/json' }
      const { totals } = (
        (await ask(`${url}/tools/totals`, { method: 'POST', headers, body })).body as { data: { totals: Row[] } }
      ).data
      return totals.find((each) => each['layerId'] === layer && each['attribute'] === attribute)?.['total']
    }
    for (const [i, unit] of units.slice(0, 3).entries())
      assert.deepEqual(whole[i], [
        await totalOf(unit, 'lyr_population', 'pop_demest26'),
        await totalOf(unit, 'lyr_schools', 'features'),
        await totalOf(unit.slice(0, 1), 'lyr_schools', 'features'),
        '',
      ])
    assert.deepEqual(whole[3], ['', '', '', 'There is no such unit.'])
  })

  it('keeps nothing of a table that was hung up on halfway, zipped or not', async () => {
    const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('frames-table-'))
    const zipped = gzipSync(`frame\n${ids[0]}`)
    for (const [body, coding] of [
      [zipped.subarray(0, 12), 'gzip'],
      [Buffer.from('frame\n'), 'identity'],
    ] as const) {
      const before = folders()
      const headers = { ...bearer(running.secret), 'content-type': 'text/csv', 'content-encoding': coding }
      const sent = request(`${running.url}/tools/enrich`, {
        method: 'POST',
        headers: { ...headers, 'content-length': 1000 },
      }).on('error', () => {})
      sent.write(body)
      const made = await until(() => {
        const others = folders().filter((name) => !before.includes(name))
        return others.length > 0 ? others : undefined
      })
      sent.destroy()
      await until(() => !folders().some((name) => made.includes(name)))
    }
  })

  it('answers the example of its page as the page says', async () => {
    const tables = page('docs/tables.md')
    const [shown = ''] = blocks(tables, 'csv').filter((block) => block.startsWith('shop,'))
    const came = shown
      .trimEnd()
      .split('\n')
      .map((line) => line.split(',').slice(0, 3).join())
    const columns = 'frame,ward,lyr_population.pop_demest26'
    const at = { ...running, url: service().url, secret: service().secret }
    assert.equal((await enrich(came.join('\n'), columns, {}, at)).text, shown)
    const [line = ''] = curlsOf(tables)
    assert.match(await pasted(line, service().url, { KEY: service().secret }), /"shop": "Quay".*"frame":"324378020"/)
  })

  it('reads JSON, CSV and gzip alike, and refuses what is no table with a sentence', async () => {
    const { rows } = await rowsOf(
      [...framed.slice(0, 2), { frame: 'x' }, { frame: 7 }],
      'frame,lyr_open.told',
      running.secret,
    )
    const open = (id = '') => ({ frame: id, frame_found: id, 'lyr_open.told': `lyr_open on ${id}`, reason: null })
    assert.deepEqual(rows.slice(0, 2), [open(ids[0]), open(ids[1])])
    assert.deepEqual(
      rows.slice(2).map(({ reason }) => reason),
      ['frame: "x" is no id of a frame.', 'The index has no such frame.'],
    )
    const zipped = await enrich(gzipSync(`id,frame\n1,${ids[0]}`), 'lyr_open', { 'content-encoding': 'gzip' })
    assert.equal(zipped.text, `id,frame,lyr_open.told,reason\n1,${ids[0]},lyr_open on ${ids[0]},\n`)
    const json = { 'content-type': 'application/json' }
    for (const [body, headers, expected] of [
      [
        'a,b\n1,2',
        {},
        /^400 invalid_body: The table names no places: a column frame, columns lat and lon, or a column state/,
      ],
      ['', {}, /^400 invalid_body: line 1: the names of the columns are needed/],
      ['frame\n"1', {}, /^400 invalid_body: line 2: a quoted value has no end/],
      ['[{"frame":"1"}, 7]', json, /^400 invalid_body: Row 2 is no JSON object/],
      ['[]', json, /^400 invalid_body: The body has no rows/],
      ['frame\n1', { 'content-encoding': 'gzip' }, /^400 invalid_body: The table cannot be read/],
      ['frame\n1', { 'content-encoding': 'br' }, /^400 invalid_body: Content-Encoding: gzip is accepted/],
      [
        'frame\n1',
        { 'content-type': 'text/plain' },
        /^400 invalid_body: Content-Type: text\/csv or application\/json is accepted/,
      ],
      [`frame\n${'1\n'.repeat(100_001)}`, {}, /^400 invalid: The table has over 100000 rows: send it in parts/],
    ] as const)
      assert.match(refusal(await enrich(body, '', headers)), expected)
    const broken = await Promise.all(
      Array.from({ length: 30 }, () => enrich('frame\n1', '', { 'content-encoding': 'gzip' })),
    )
    assert.deepEqual(new Set(broken.map(({ status }) => status)), new Set([400]))
    for (const [query, expected] of [
      ['columns=fram', /^400 invalid: columns: "fram" is no column that this key can add; .* Did you mean frame\?/],
      ['columns=lyr_open.tolt', /Did you mean lyr_open\.told\?/],
      ['columns=frame&lat=nort', /^400 invalid_body: lat: the table has no column "nort"/],
      ['colums=frame', /^400 invalid: colums: this call takes columns, .* Did you mean columns\?/],
    ] as const)
      assert.match(
        refusal(
          await ask(`${running.url}/tools/enrich?${query}`, {
            method: 'POST',
            headers: { ...bearer(running.secret), 'content-type': 'text/csv' },
            body: 'frame\n1',
          }),
        ),
        expected,
      )
  })

  it('tells a key nothing of a dataset that it may not read, and not whether there is one', async () => {
    const narrowed = await mint(database.db, { org: world.reader, datasets: ['lyr_open'] })
    const noFeatures = await mint(database.db, { org: world.reader, capabilities: ['frame.read'] })
    for (const [{ secret }, layer] of [
      [world.readerKey, 'lyr_private'],
      [world.readerKey, 'lyr_theirs'],
      [narrowed, 'lyr_licensed'],
      [narrowed, 'lyr_query_a'],
      [noFeatures, 'lyr_points'],
      [noFeatures, 'lyr_query_points'],
    ] as const)
      for (const [column, other] of [
        [layer, 'lyr_nothing'],
        [`ward:${layer}.told`, 'ward:lyr_nothing.told'],
      ] as const) {
        const headers = bearer(secret)
        const text = refusal(await enrich(`frame\n${ids[0]}`, `frame,${column}`, headers))
        assert.match(text, /^400 invalid: columns: .* is no column that this key can add/)
        const near = / Did you mean .*$/
        const same = refusal(await enrich(`frame\n${ids[0]}`, `frame,${other}`, headers)).replaceAll(
          'lyr_nothing',
          layer,
        )
        assert.equal(text.replace(near, ''), same.replace(near, ''))
        assert.ok(!(near.exec(text)?.[0] ?? '').includes(layer))
      }
    assert.match(
      refusal(await enrich('frame\n1', 'ward:lyr_query_a.told', bearer(world.readerKey.secret))),
      /a dataset with a price is read on frames/,
    )
  })

  it('is charged for each 100 rows on which a dataset says something, all or nothing, with the price first', async () => {
    const { secret, orgId } = await anotherReader(database.db, 16)
    const rows = Array.from({ length: 40 }, () => framed).flat()
    const columns = 'frame,lyr_query_a,lyr_query_b.told,lyr_open'
    const priced = await ask(`${running.url}/tools/enrich?columns=${columns}&price=true`, {
      method: 'POST',
      headers: { ...bearer(secret), 'content-type': 'application/json' },
      body: JSON.stringify([...rows, { frame: 'x' }]),
    })
    const { price, charged, leftOut, ...counts } = (
      priced.body as { data: { price: { credits: number }; charged: string[]; leftOut: object[] } }
    ).data
    assert.deepEqual(counts, { rows: 401, found: 400 })
    assert.deepEqual([price.credits, charged, leftOut], [10, ['lyr_query_a', 'lyr_query_b'], []])
    assert.ok(!priced.text.includes(' on '), 'no value is in it')
    assert.equal(await balanceOf(database.db, orgId), 16)
    const bill = async (sent: object[], of = columns) => {
      const answer = await rowsOf(sent, of, secret)
      return [
        answer.charged.join(),
        answer.leftOut.map((each) => each.layerId).join(),
        await balanceOf(database.db, orgId),
      ]
    }
    assert.deepEqual(await bill(rows), ['lyr_query_a,lyr_query_b', '', 6])
    assert.deepEqual(await bill(framed.slice(8)), ['', '', 6], 'nothing is recorded there')
    assert.deepEqual(await bill([{ state: 'marembe' }]), ['', '', 6], 'no frame is named')
    assert.deepEqual(await bill(rows, `${columns},lyr_query_points`), [
      'lyr_query_a',
      'lyr_query_b,lyr_query_points',
      2,
    ])
    const csv = await enrich(`frame\n${ids[0]}\n${ids[4]}`, `lyr_query_points.features,${columns}`, bearer(secret))
    assert.deepEqual(
      [csv.headers.get('x-charged'), csv.headers.get('x-left-out')],
      ['lyr_query_a', 'lyr_query_b,lyr_query_points'],
    )
    assert.equal(csv.text.split('\n')[0], 'frame,frame_found,lyr_query_a.told,lyr_open.told,reason')
    assert.ok(!csv.text.includes('lyr_query_b on'))
    assert.equal(await balanceOf(database.db, orgId), 0)
    assert.match(refusal(await enrich(`frame\n${ids[0]}\n"`, columns, bearer(secret))), /^400/)
  })

  it('is charged once under its Idempotency-Key, and another table under it is refused', async () => {
    const { secret, orgId } = await anotherReader(database.db, 10)
    const headers = { ...bearer(secret), 'idempotency-key': 'table' }
    const first = await enrich(`frame\n${ids[0]}`, 'lyr_query_a', headers)
    assert.equal((await enrich(`frame\n${ids[0]}`, 'lyr_query_a', headers)).text, first.text)
    assert.equal(await balanceOf(database.db, orgId), 8)
    assert.match(refusal(await enrich(`frame\n${ids[1]}`, 'lyr_query_a', headers)), /^400 invalid: Idempotency-Key/)
    assert.match(
      refusal(await enrich(`frame\n${ids[0]}`, 'lyr_query_a,frame', headers)),
      /^400 invalid: Idempotency-Key/,
    )
    assert.equal(await balanceOf(database.db, orgId), 8)
  })

  it('and the data call never pass a cap or a balance by one credit, though 32 clients call at once', async () => {
    for (const [credits, cap] of [
      [500, 31],
      [31, 500],
    ] as const) {
      const { secret, orgId, keyId } = await anotherReader(database.db, credits)
      await capKey(database.db.run, { keyId }, { daily_credits: cap })
      const answers = await Promise.all(
        Array.from({ length: 32 }, async (_, i) => {
          if (i % 2 === 0)
            return (await enrich(`frame\n${ids[3]}`, 'lyr_query_a,lyr_query_b', bearer(secret))).text.split('\n')[1]
          return (await ask(`${running.url}/v1/frames/data?ids=${ids[3]}`, { headers: bearer(secret) })).text
        }),
      )
      const reads = (layer: string) => answers.filter((text) => text?.includes(`${layer} on`)).length
      const spent = 2 * reads('lyr_query_a') + 3 * reads('lyr_query_b')
      assert.ok(spent <= 31 && spent >= 30, `${spent}`)
      assert.equal(await balanceOf(database.db, orgId), credits - spent)
    }
  })

  it('spends from the buckets a call for each 2,000 rows, and waits where they are empty', async () => {
    let now = 0
    const size = { burst: 3, perMinute: 60_000 }
    const roomy = { burst: 900_000, perMinute: 900_000 }
    const buckets = { key: size, organisation: roomy, insight: roomy }
    const small = await startService(database, { buckets, bucketClock: () => now })
    try {
      const table = (rows: number) => `frame\n${`${ids[0]}\n`.repeat(rows)}`
      assert.equal((await enrich(table(2000), 'frame', {}, small)).headers.get('ratelimit'), '"key";r=2;t=1')
      assert.equal((await enrich(table(2001), 'frame', {}, small)).status, 200)
      assert.equal((await enrich(table(1), 'frame', {}, small)).status, 429)
      now += 1000
      const waiting = setInterval(() => (now += 1000), 20)
      const answer = await enrich(table(12_001), 'frame', {}, small).finally(() => clearInterval(waiting))
      assert.equal(answer.text.split('\n').length, 12_003)
    } finally {
      await small.stop()
    }
  })
})
