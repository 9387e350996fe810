/** /files: each dataset as a file, to those who may read it, and nothing of it to others. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { importBaseline } from '../../src/tools/load/import-baseline.js'
import { ids, sharedWorld, type World } from '../support/datasets.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { newFolder } from '../support/temporary.js'
import { ask, bearer, mint, startService, type Minted } from '../support/service.js'
import { worldIn } from '../support/world.js'
import { read, tagOf } from './read.js'

type Listed = {
  datasets: {
    layerId: string
    version: string
    kind: string
    files: { path: string; size?: number; sha256?: string }[]
  }[]
  leftOut: object[]
}
const arrayBuffer = (bytes: Buffer) => new Uint8Array(bytes).buffer

describe('a dataset as a file', function () {
  this.timeout(120_000)
  let running: Awaited<ReturnType<typeof startService>>
  let world: World
  const at = (name: string) => `${running.url}/files/${name}`
  const list = async ({ secret }: Minted, query = ''): Promise<Listed> => {
    const { status, body } = await ask(`${running.url}/files${query}`, { headers: bearer(secret) })
    assert.equal(status, 200)
    return (body as { data: Listed }).data
  }

  before(async () => {
    const shared = await sharedWorld()
    world = shared.world
    running = await startService(shared.database)
    const origin = JSON.stringify({ source: 'Survey', flags: ['modelled'] })
    await running.db.rows(`update dataset set origin = $1::text::jsonb where layer_id = 'lyr_201'`, [origin])
  })
  after(() => running.stop())

  it('has the rows that the dataset records, as each form has them', async () => {
    const { secret } = world.ownerKey
    const csv = await read(at('lyr_some.csv'), { secret })
    const [head, ...lines] = csv.bytes.toString().trimEnd().split('\n')
    assert.match(head ?? '', /^frame_id,min_lon,.*,wkt,state,.*,zone_code,told$/)
    assert.deepEqual(
      lines.map((line) => [line.split(',')[0], line.split(',').at(-1)]),
      ids.slice(0, 3).map((id) => [id, `lyr_some on ${id}`]),
    )
    const parquet = await read(at('lyr_some.parquet'), { secret })
    const rows = await parquetReadObjects({ file: arrayBuffer(parquet.bytes) })
    assert.deepEqual(
      rows.map(({ frame_id: id, told }) => [String(id), told]),
      ids.slice(0, 3).map((id) => [id, `lyr_some on ${id}`]),
    )
    const gpkg = await read(at('lyr_some.gpkg'), { secret })
    assert.equal(gpkg.bytes.toString('latin1', 0, 15), 'SQLite format 3')
    const catalogue = await read(at('lyr_some.attributes.json'), { secret })
    assert.deepEqual(JSON.parse(catalogue.bytes.toString()), [
      {
        label: 'told',
        name: 'told',
        summary: 'mode',
        synonyms: [],
        verbs: [],
        adjectives: [],
        antonyms: [],
        type: 'category',
      },
    ])
  })

  it('has every feature of a dataset of features, with its id, its shape and its properties', async () => {
    const { secret } = world.ownerKey
    const { bytes } = await read(at('lyr_201.parquet'), { secret })
    const rows = await parquetReadObjects({ file: arrayBuffer(bytes) })
    const stored = await running.db.rows<{ id: string; geometry: string }>(
      `select feature_id as id, geojson as geometry from feature join dataset using (version) where layer_id = 'lyr_201' order by feature_no`,
      [],
    )
    assert.deepEqual(
      rows.map(({ feature_id: id, geometry }) => ({ id, geometry })),
      stored.map(({ id, geometry }) => ({ id, geometry: JSON.parse(geometry) as unknown })),
    )
    const { key_value_metadata: pairs } = parquetMetadata(arrayBuffer(bytes))
    const about = JSON.parse(pairs?.find(({ key }) => key === 'dataset')?.value ?? '') as Record<string, unknown>
    assert.deepEqual([about['layerId'], about['origin']], ['lyr_201', { source: 'Survey', flags: ['modelled'] }])
    assert.match(pairs?.find(({ key }) => key === 'geo')?.value ?? '', /"geometry_types":\["Point"\]/)
    const { bytes: csv } = await read(at('lyr_201.csv'), { secret })
    assert.match(csv.toString(), /^feature_id,wkt\n1,POINT\(0\.25\d* 0\.105\)\n/)
    assert.equal((await read(at('lyr_201.attributes.json'), { secret })).status, 404)
  })

  it('is answered as HTTP says: ETag, 304, Last-Modified, HEAD, ranges, and what no range can be', async () => {
    const { secret } = world.ownerKey
    const url = at('lyr_open.parquet')
    const whole = await read(url, { secret })
    const tag = tagOf(whole.bytes)
    const size = whole.bytes.length
    const { etag, 'accept-ranges': ranges, 'cache-control': cache, 'last-modified': modified = '' } = whole.headers
    assert.deepEqual([etag, ranges, cache], [tag, 'bytes', 'private, no-cache'])
    const [row] = await running.db.rows<{ at: Date }>(
      `select greatest(imported_at, switched_at) as at from dataset, index_generation where layer_id = 'lyr_open'`,
      [],
    )
    assert.equal(modified, row?.at.toUTCString())
    const answer = async (headers: Record<string, string>, method = 'GET') => {
      const { status, headers: came, bytes } = await read(url, { secret, headers, method })
      return { status, range: came['content-range'], length: came['content-length'], bytes }
    }
    const head = await answer({}, 'HEAD')
    assert.deepEqual([head.status, head.length, head.bytes.length], [200, String(size), 0])
    for (const [name, value] of [
      ['if-none-match', tag],
      ['if-modified-since', modified],
    ] as const)
      assert.deepEqual(await answer({ [name]: value }), {
        status: 304,
        range: undefined,
        length: undefined,
        bytes: Buffer.alloc(0),
      })
    for (const [range, from, to] of [
      ['bytes=0-3', 0, 4],
      ['bytes=4-', 4, size],
      ['bytes=-8', size - 8, size],
      [`bytes=2-${size + 5}`, 2, size],
    ] as const) {
      const { status, range: came, bytes } = await answer({ range })
      assert.deepEqual([status, came], [206, `bytes ${from}-${to - 1}/${size}`])
      assert.deepEqual(bytes, whole.bytes.subarray(from, to))
    }
    assert.equal((await answer({ range: 'bytes=0-3', 'if-range': tag })).status, 206)
    assert.deepEqual((await answer({ range: 'bytes=0-3', 'if-range': '"other"' })).bytes, whole.bytes)
    const past = await answer({ range: `bytes=${size}-` })
    assert.deepEqual([past.status, past.range], [416, `bytes */${size}`])
    assert.match(past.bytes.toString(), /^\{"error":\{"code":"invalid",/)
    assert.equal((await answer({ 'if-match': '"other"' })).status, 412)
    assert.equal((await read(`${url}?version=20200101T000000000000Z`, { secret })).status, 404)
    assert.equal((await read(`${url}?version=now`, { secret })).status, 400)
    assert.equal((await read(url, { secret, method: 'DELETE' })).status, 405)
  })

  it('is listed with its version, and once it was made with its size and hash', async () => {
    const { bytes } = await read(at('lyr_licensed.csv'), { secret: world.readerKey.secret })
    const { datasets, leftOut } = await list(world.readerKey)
    const licensed = datasets.find(({ layerId }) => layerId === 'lyr_licensed')
    const made = licensed?.files.find(({ path }) => path === '/files/lyr_licensed.csv')
    assert.deepEqual([made?.size, `"${made?.sha256}"`], [bytes.length, tagOf(bytes)])
    assert.deepEqual(licensed?.files.filter(({ size }) => size === undefined).length, 3)
    assert.deepEqual(
      (await list(world.readerKey, `?since=${licensed?.version}`)).datasets.map(({ layerId }) => layerId),
      datasets.filter(({ version }) => version > (licensed?.version ?? '')).map(({ layerId }) => layerId),
    )
    assert.deepEqual(leftOut, [
      { layerId: 'lyr_query_a', name: 'Name of lyr_query_a', reason: 'price', price: 2 },
      { layerId: 'lyr_query_b', name: 'Name of lyr_query_b', reason: 'price', price: 3 },
      { layerId: 'lyr_query_points', name: 'Name of lyr_query_points', reason: 'price', price: 4 },
    ])
  })

  it('gives 0 bytes to who may not read it, whatever range, method and form, before it was made and after', async () => {
    const { db } = running
    const org = world.reader
    const spoilt = await mint(db, { org })
    await db.rows('update api_key set revoked_at = clock_timestamp() where key_id = $1::text', [spoilt.keyId])
    const readers: Record<string, { secret?: string; may: readonly string[] }> = {
      owner: { ...world.ownerKey, may: ['lyr_open', 'lyr_licensed', 'lyr_private', 'lyr_query_a', 'lyr_points'] },
      reader: { ...world.readerKey, may: ['lyr_open', 'lyr_licensed', 'lyr_points'] },
      outsider: { ...world.outsiderKey, may: ['lyr_open', 'lyr_theirs', 'lyr_points'] },
      narrowed: { ...(await mint(db, { org, datasets: ['lyr_licensed'] })), may: ['lyr_licensed'] },
      'without features': {
        ...(await mint(db, { org, capabilities: ['frame.read'] })),
        may: ['lyr_open', 'lyr_licensed'],
      },
      'without frames': { ...(await mint(db, { org, capabilities: ['ask.query', 'feature.read'] })), may: [] },
      revoked: { ...spoilt, may: [] },
      'no key': { may: [] },
    }
    const layers = ['lyr_open', 'lyr_licensed', 'lyr_private', 'lyr_query_a', 'lyr_theirs', 'lyr_points', 'lyr_absent']
    const headers: Record<string, string>[] = [
      {},
      { range: 'bytes=0-' },
      { range: 'bytes=-1' },
      { range: 'bytes=1-2,4-5' },
      { range: 'bytes=9999999-' },
      { 'if-none-match': '*' },
      { 'if-match': '*', range: 'bytes=0-0' },
    ]
    const paths = (layer: string) => [
      ...['csv', 'parquet', 'gpkg', 'attributes.json'].map((form) => `${layer}.${form}`),
      `%2e%2e%2f${layer}.csv`,
      `${layer}.csv%00`,
      `${layer.toUpperCase()}.csv`,
    ]
    let refused = 0
    for (const round of [1, 2])
      for (const [who, { secret, may }] of Object.entries(readers))
        for (const layer of layers)
          for (const path of paths(layer))
            for (const sent of round === 1 ? headers.slice(0, 1) : headers)
              for (const method of ['GET', 'HEAD']) {
                const isRight = may.includes(layer) && path.startsWith(`${layer}.`) && !path.endsWith('%00')
                // One file of a dataset is made: what may be read is no question here.
                if (isRight && (!path.endsWith('.csv') || method === 'HEAD' || sent !== headers[0])) continue
                const what = `${who} ${method} ${path} ${JSON.stringify(sent)}, round ${round}`
                const asked = secret === undefined ? {} : { secret }
                const { status, headers: came, bytes } = await read(at(path), { ...asked, method, headers: sent })
                if (isRight) {
                  assert.equal(status, 200, what)
                  continue
                }
                refused += 1
                const isKnown = !['revoked', 'no key', 'without frames'].includes(who)
                assert.equal(status, isKnown ? 404 : who === 'without frames' ? 403 : 401, what)
                assert.equal(came['content-range'] ?? came.etag ?? came['last-modified'], undefined, what)
                const { error } =
                  method === 'HEAD' ? { error: '' } : (JSON.parse(bytes.toString()) as { error: object })
                assert.equal(JSON.stringify({ error }).length, method === 'HEAD' ? 12 : bytes.length, what)
                assert.doesNotMatch(bytes.toString(), / on \d{9}/, what)
              }
    assert.ok(refused > 4000, String(refused))
    const listed = await list(world.outsiderKey)
    assert.doesNotMatch(JSON.stringify(listed), /lyr_(private|licensed|query)/)
  })

  describe('of a version that switches', () => {
    let database: TestDatabase
    let switching: typeof running
    before(async () => {
      database = await newDatabase('world')
      switching = await startService(database)
    })
    after(async () => {
      await switching.stop()
      await database.drop()
    })

    it('is never mixed: each of 50 downloads is one version, and pieces of two are refused', async () => {
      const { owner, ownerKey } = await worldIn(database.db)
      const [index] = await database.db.rows<{ ids: string[] }>(
        'select array_agg(frame_id::text) as ids from frame',
        [],
      )
      const file = join(newFolder('switching'), 'rows.csv')
      const entry = { layerId: 'lyr_open', orgId: owner, name: 'Open', category: 'Tests' }
      const put = async (word: string) => {
        writeFileSync(file, `id,told\n${(index?.ids ?? []).map((id) => `${id},${word}`).join('\n')}\n`)
        await importBaseline(database.db, file, entry, () => {})
      }
      const { secret } = ownerKey
      const url = `${switching.url}/files/lyr_open.csv`
      await put('before')
      const old = await read(url, { secret })
      const imported = put('after')
      const early = Array.from({ length: 25 }, () => read(url, { secret, pause: imported }))
      await imported
      const late = Array.from({ length: 25 }, () => read(url, { secret }))
      const words = (await Promise.all([...early, ...late])).map(({ status, headers, bytes }) => {
        assert.equal(status, 200)
        assert.equal(headers.etag, tagOf(bytes))
        return new Set(bytes.toString().match(/before|after/g))
      })
      assert.deepEqual(
        words.map(({ size }) => size),
        Array(50).fill(1),
      )
      assert.deepEqual([...new Set(words.slice(25).flatMap((each) => [...each]))], ['after'])
      const etag = tagOf(old.bytes)
      assert.equal(etag, old.headers.etag)
      const piece = await read(url, { secret, headers: { range: 'bytes=100-199', 'if-range': etag } })
      assert.deepEqual([piece.status, piece.headers.etag === etag], [200, false])
      assert.equal((await read(url, { secret, headers: { range: 'bytes=100-199', 'if-match': etag } })).status, 412)
    })
  })

  it('is listed as the description says', async () => {
    const { body } = await ask(`${running.url}/files/openapi.json`)
    const ajv = new Ajv2020({ strict: false }).addSchema(body as object, 'files')
    const valid = ajv.getSchema('files#/paths/~1files/get/responses/200/content/application~1json/schema')
    const data = await list(world.readerKey)
    assert.ok(valid?.({ data }), JSON.stringify(valid?.errors))
  })
})
