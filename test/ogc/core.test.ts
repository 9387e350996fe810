/**
 * The abstract tests of OGC API Features, Part 1 and Part 2, by their identifiers, each over every collection. The suite of
 * the OGC, ets-ogcapi-features10, runs 80 methods for them: eight of them for each way to ask for a page. /ogc declares no
 * other form of an answer than JSON, so no link leads to one.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { projectFolder } from '../../src/core/db/statement.js'
import { ask, request, service, type Answer } from '../support/service.js'
import { newFolder } from '../support/temporary.js'
import {
  found,
  linkOf,
  ogc,
  query,
  refusal,
  type CollectionDocument,
  type Item,
  type Items,
  type Link,
} from './ogc-calls.js'

type Asked = Record<string, string | number>
type Parameter = { name: string; in: string; required: boolean; style?: string; explode?: boolean; schema: object }
type Api = {
  openapi: string
  paths: Record<string, { get: { parameters: { $ref: string }[] } }>
  components: { parameters: Record<string, Parameter> }
}

const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84'
const epsg = (code: number) => `http://www.opengis.net/def/crs/EPSG/0/${code}`
/** The fixture lies around 0, 0: west and east of it, and north and south. */
const SYSTEMS = [CRS84, ...[4326, 3857, 32630, 32730, 32631, 32731].map(epsg)]
const BOX = [-0.0523, -0.0217, 0.0531, 0.0309]
/** Off the grid, into it, a line across it, the world, a box with heights; across the antimeridian, and at the poles. */
const BOXES = [
  '10,10,11,11',
  '0,0,0.1,0.1',
  '-0.05,0.105,0.05,0.105',
  '-180,-90,180,90',
  '0,0,-5,0.1,0.1,5',
  '177,65,-177,70',
  '-180,85,180,90',
  '-180,-90,180,-85',
]
const TIMES = [
  '2026-01-31T12:00:00Z',
  '2026-01-01T00:00:00Z/2026-02-01T00:00:00Z',
  '../2026-02-01T00:00:00Z',
  '2026-02-01/..',
]
const WAYS: Record<string, readonly Asked[]> = {
  plain: [{}],
  'with a limit': [{ limit: 1 }, { limit: 100 }, { limit: 5000 }, { limit: 99_999 }],
  'in a box': BOXES.map((bbox) => ({ bbox, limit: 7 })),
  'at a time': TIMES.map((datetime) => ({ datetime, limit: 2 })),
  'in a system': SYSTEMS.map((crs) => ({ crs, limit: 2 })),
}
const WRONG: Record<string, string[]> = {
  limit: ['unlimited', '0', '-1', 'x', '1.5', ''],
  bbox: ['1,2,3', '1,2,3,4,5', '1,2,3,x', '0,0,0,NaN', '0,1,1,0', '-181,0,0,0', '0,0,0,91', '', '0,0,1e400,1'],
  datetime: ['yesterday', '2026-13-01T00:00:00Z', '2026-01-01T00:00:00Z/x', '/', '1/2/3'],
  crs: [epsg(27700), 'EPSG:4326', '4326', ''],
  'bbox-crs': [epsg(27700), 'EPSG:4326', ''],
}
/** How the description defines the parameters of items. */
const DEFINED = {
  bbox: { type: 'array', items: { type: 'number' }, minItems: 4, maxItems: 6 },
  limit: { type: 'integer', minimum: 1, maximum: 5000, default: 1000 },
  datetime: { type: 'string' },
}

type Page = { path: string; asked: Asked; answer: Answer; page: Items; collection: CollectionDocument; items: string }

/** Each holds for every page, however it was asked for. */
const OF_PAGES: Record<string, (page: Page) => Promise<void> | void> = {
  '/conf/core/fc-op': ({ answer, path }) => {
    assert.equal(answer.status, 200, path)
    assert.equal(answer.headers.get('content-type'), 'application/geo+json')
  },
  '/conf/crs/crs-parameter, crs-parameter-default': ({ answer, asked }) =>
    assert.equal(answer.headers.get('content-crs'), `<${asked['crs'] ?? CRS84}>`),
  '/conf/crs/crs-parameter-transform': async ({ asked, page, items }) => {
    if (asked['crs'] === undefined) return
    const plain = await found<Items>(`${items}?limit=2`)
    const expected = await Promise.all(plain.features.map((feature) => transformed(feature, String(asked['crs']))))
    assert.deepEqual(
      page.features.map(({ geometry }) => geometry),
      expected.map((text): unknown => JSON.parse(text)),
    )
  },
  '/conf/core/crs84': ({ asked, page, collection: { extent } }) => {
    assert.equal(extent?.spatial.crs, CRS84)
    if (asked['crs'] !== undefined) return
    const [minLon = 0, minLat = 0, maxLon = 0, maxLat = 0] = extent?.spatial.bbox[0] ?? []
    for (const [lon = NaN, lat = NaN] of page.features.flatMap(positionsOf))
      assert.ok(lon >= minLon - 1 && lon <= maxLon + 1 && lat >= minLat - 1 && lat <= maxLat + 1, `${lon}, ${lat}`)
  },
  '/conf/core/fc-response': ({ page }) => {
    assert.equal(page.type, 'FeatureCollection')
    for (const { type, id, geometry, properties } of page.features)
      assert.ok(type === 'Feature' && id && geometry && typeof properties === 'object')
  },
  '/conf/core/fc-links': async ({ page, path, asked }) => {
    for (const { rel, type } of page.links) assert.ok(rel && type)
    const parametersOf = (href: string) => Object.fromEntries(new URL(href).searchParams)
    assert.deepEqual(parametersOf(linkOf(page, 'self') ?? ''), parametersOf(path))
    const next = linkOf(page, 'next')
    // Behind a page of two items come thousands, which take long in metres.
    if (next === undefined || 'crs' in asked) return
    const following = await found<Items>(next)
    assert.ok(following.features.length > 0)
    assert.ok(!idsOf(page).some((id) => idsOf(following).includes(id)))
  },
  '/conf/core/fc-timeStamp': ({ page }) => assert.ok(!('timeStamp' in page)),
  // Nobody counts what a box chooses, nor units.
  '/conf/core/fc-numberMatched': async ({ page, asked, collection }) => {
    const isCounted = !('bbox' in asked) && !['states', 'lgas', 'wards'].includes(collection.id)
    const counted = await row<{ items: number }>(
      `select case when $1 = 'frames' then (select count(*) from frame)
        else (select count(*) from baseline_row join dataset using (version) where layer_id = $1)
          + (select count(*) from feature join dataset using (version) where layer_id = $1) end::int as items`,
      [collection.id],
    )
    assert.equal(page.numberMatched, isCounted ? counted?.items : undefined)
  },
  '/conf/core/fc-numberReturned, fc-limit-response': ({ page, asked }) => {
    assert.equal(page.numberReturned, page.features.length)
    assert.ok(page.numberReturned <= Math.min(Number(asked['limit'] ?? 1000), 5000))
  },
  '/conf/core/fc-time-response': async ({ page, asked, items }) => {
    if (asked['datetime'] !== undefined) assert.deepEqual(idsOf(page), idsOf(await found<Items>(`${items}?limit=2`)))
  },
}

const root = () => `${service().url}/ogc`
const open = async <T>(path: string): Promise<T> => (await ask(`${root()}${path}`)).body as T
const idsOf = (page: Items | undefined): string[] => (page?.features ?? []).map(({ id }) => id)

/** Every position of a shape. */
function positionsOf({ geometry }: Item): number[][] {
  const flat = (value: unknown): number[][] =>
    Array.isArray(value) ? (typeof value[0] === 'number' ? [value as number[]] : value.flatMap(flat)) : []
  return flat(geometry.coordinates)
}

const codeOf = (uri: string) => (uri === CRS84 ? 84 : Number(uri.split('/').at(-1)))
async function row<Row>(text: string, args: unknown[]): Promise<Row | undefined> {
  return (await service().db.rows<Row>(text, args))[0]
}

/** The shape that PostGIS gives: by hand, from the text in CRS84. */
async function transformed({ geometry }: Item, crs: string): Promise<string> {
  const made = await row<{ text: string }>(
    `select case $2::int when 84 then $1::text
      when 4326 then ST_AsGeoJSON(ST_FlipCoordinates(ST_GeomFromGeoJSON($1::text)), 7, 0)
      else ST_AsGeoJSON(ST_Transform(ST_GeomFromGeoJSON($1::text), $2::int), 3, 0) end as text`,
    [JSON.stringify(geometry), codeOf(crs)],
  )
  return made?.text ?? ''
}

/** BOX in another system, its corners moved outward where edges bend. */
async function boxIn(crs: string): Promise<number[]> {
  if (crs === CRS84) return BOX
  const made = await row<{ box: number[] }>(
    `select array[ST_XMin(shape), ST_YMin(shape), ST_XMax(shape), ST_YMax(shape)]::float8[] as box
    from (select case $5::int when 4326 then ST_FlipCoordinates(box) else ST_Transform(ST_Segmentize(box, 0.001), $5::int) end as shape
      from ST_MakeEnvelope($1::float8, $2::float8, $3::float8, $4::float8, 4326) as box) as moved`,
    [...BOX, codeOf(crs)],
  )
  return made?.box ?? []
}

describe('the abstract tests of OGC API Features, Part 1 and Part 2', function () {
  this.timeout(120_000)
  let collections: CollectionDocument[]
  before(async () => {
    collections = (await found<{ collections: CollectionDocument[] }>('/collections')).collections
    assert.ok(collections.length >= 12)
  })

  /** Each collection, with the path of its items. */
  async function each(work: (items: string, collection: CollectionDocument) => Promise<void>): Promise<void> {
    for (const collection of collections) {
      const items = linkOf(collection, 'items')
      assert.ok(items)
      await work(items, collection)
    }
  }

  it('/conf/core/http', async () => {
    for (const [method, path, status] of [
      ['GET', '/ogc', 200],
      ['HEAD', '/ogc/collections', 200],
      ['POST', '/ogc/collections', 405],
      ['GET', '/ogc/nothing', 404],
      ['GET', '/ogc/collections/nothing/items', 404],
    ] as const)
      assert.equal((await request(method, path)).status, status, path)
  })

  it('/conf/core/root-op, root-success', async () => {
    for (const path of ['', '/']) assert.equal((await ask(`${root()}${path}`)).status, 200)
    const { links } = await open<{ links: Link[] }>('/')
    const rels = links.map(({ rel }) => rel)
    for (const rel of ['service-desc', 'conformance', 'data']) assert.ok(rels.includes(rel), rel)
    for (const { href } of links) assert.equal((await ogc(href)).status, 200, href)
  })

  it('/conf/core/api-definition-op, api-definition-success', async () => {
    const link = (await open<{ links: Link[] }>('')).links.find(({ rel }) => rel === 'service-desc')
    const answer = await ask(link?.href ?? '')
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), link?.type)
    const file = join(newFolder('ogc'), 'api.json')
    assert.match((answer.body as Api).openapi, /^3\.0/)
    writeFileSync(file, answer.text)
    const redocly = fileURLToPath(new URL('node_modules/@redocly/cli/bin/cli.js', projectFolder))
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    await promisify(execFile)(process.execPath, [redocly, 'lint', '--extends', 'minimal', file], { env })
  })

  for (const [name, expected] of Object.entries(DEFINED))
    it(`/conf/core/fc-${name.replace('date', '')}-definition`, async () => {
      const { paths, components } = await open<Api>('/api')
      const refs = paths['/collections/{collectionId}/items']?.get.parameters ?? []
      const parameters = refs.map(({ $ref }) => components.parameters[$ref.split('/').at(-1) ?? ''])
      const { in: place, required, style, explode, schema } = parameters.find((one) => one?.name === name) ?? {}
      assert.deepEqual([place, required, style, explode], ['query', false, 'form', false])
      assert.deepEqual(schema, expected)
    })

  it('/conf/core/conformance-op, conformance-success', async () => {
    const { conformsTo } = await open<{ conformsTo: string[] }>('/conformance')
    for (const part of ['1/1.0/conf/core', '1/1.0/conf/geojson', '1/1.0/conf/oas30', '2/1.0/conf/crs'])
      assert.ok(conformsTo.includes(`http://www.opengis.net/spec/ogcapi-features-${part}`), part)
  })

  it('/conf/core/fc-md-success; /conf/crs/crs-uri, default-crs, storageCrs', async () => {
    type Document = { links: Link[]; crs: string[]; storageCrs?: string }
    const document = await found<Document>('/collections')
    assert.equal(linkOf(document, 'self'), `${root()}/collections`)
    assert.deepEqual([document.crs, document.storageCrs], [SYSTEMS, undefined])
    for (const { rel, type } of [document, ...collections].flatMap(({ links }) => links)) assert.ok(rel && type)
    assert.equal(new Set(collections.map(({ id }) => id)).size, collections.length)
    for (const { title, extent, itemType, crs, storageCrs } of collections) {
      assert.deepEqual([title !== '', extent?.spatial.bbox[0]?.length, itemType], [true, 4, 'feature'])
      assert.deepEqual([crs, storageCrs], [SYSTEMS, CRS84])
    }
  })

  it('/conf/core/sfc-md-success', () =>
    each(async (_items, collection) => assert.deepEqual(await found(`/collections/${collection.id}`), collection)))

  for (const [way, parameters] of Object.entries(WAYS))
    describe(`of a page, ${way}`, () => {
      const pages: Page[] = []
      before(() =>
        each(async (items, collection) => {
          for (const asked of parameters) {
            const path = `${items}?${query(asked)}`
            const answer = await ogc(path)
            pages.push({ path, asked, answer, page: answer.body as Items, collection, items })
          }
        }),
      )
      for (const [name, check] of Object.entries(OF_PAGES))
        it(name, async () => {
          assert.ok(pages.length >= collections.length)
          for (const page of pages) await check(page)
        })
    })

  it('/conf/core/fc-bbox-response', () =>
    each(async (items, { extent }) => {
      const own = extent?.spatial.bbox[0]?.join() ?? ''
      const pages = [...BOXES, own].map((bbox) => found<Items>(`${items}?${query({ bbox, limit: 5000 })}`))
      const [outside, inside, line, world, high, ...far] = await Promise.all(pages)
      for (const page of [outside, ...far.slice(0, -1)]) assert.equal(page?.numberReturned, 0)
      assert.deepEqual(idsOf(high), idsOf(inside))
      for (const page of [world, far.at(-1)])
        assert.deepEqual(idsOf(await found<Items>(`${items}?limit=5000`)), idsOf(page))
      // Of larger collections, test/ogc/items.test.ts compares every item.
      if (world === undefined || linkOf(world, 'next') !== undefined) return
      for (const id of [...idsOf(inside), ...idsOf(line)]) assert.ok(idsOf(world).includes(id))
    }))

  it('/conf/crs/bbox-crs-parameter, bbox-crs-parameter-default', () =>
    each(async (items) => {
      const plain = await found<Items>(`${items}?${query({ bbox: BOX.join(), limit: 5000 })}`)
      for (const crs of SYSTEMS) {
        const box = await boxIn(crs)
        const ids = idsOf(await found<Items>(`${items}?${query({ bbox: box.join(), 'bbox-crs': crs, limit: 5000 })}`))
        if (crs === CRS84) assert.deepEqual(ids, idsOf(plain))
        for (const id of idsOf(plain)) assert.ok(ids.includes(id), `${items} ${crs} ${id}`)
        // Beyond the box as degrees draw it lie a few frames at its edges, and no more.
        assert.ok(ids.length <= plain.features.length * 1.3, `${items} ${crs}: ${ids.length}, ${plain.features.length}`)
      }
    }))

  it('/conf/core/query-param-unknown, query-param-invalid; /conf/crs/crs-parameter-invalid, bbox-crs-parameter-invalid', () =>
    each(async (items) => {
      assert.equal(await refusal(`${items}?unknown=1`), '400 invalid')
      for (const [name, values] of Object.entries(WRONG))
        for (const value of values)
          assert.match(
            await refusal(`${items}?${query({ bbox: '0,0,1,1', [name]: value })}`),
            /^400 invalid/,
            `${name}=${value}`,
          )
    }))

  it('/conf/core/f-op', () =>
    each(async (items) => {
      for (const id of ['nothing', '0', '99999999999999999999', '%00'])
        assert.equal(await refusal(`${items}/${id}`), '404 not_found', `${items}/${id}`)
      for (const crs of WRONG['crs'] ?? [])
        assert.equal(await refusal(`${items}/1?${query({ crs })}`), '400 invalid', crs)
    }))

  it('/conf/core/f-success, f-links; of an item: /conf/crs/crs-parameter, crs-parameter-default, crs-parameter-transform', () =>
    each(async (items, { id: collection }) => {
      for (const crs of [undefined, ...SYSTEMS]) {
        const asked = crs === undefined ? {} : { crs }
        for (const feature of (await found<Items>(`${items}?${query({ limit: 2, ...asked })}`)).features) {
          const answer = await ogc(`${items}/${feature.id}?${query(asked)}`)
          const { links = [], ...one } = answer.body as Item
          assert.deepEqual([answer.status, one], [200, feature])
          assert.equal(answer.headers.get('content-crs'), `<${crs ?? CRS84}>`)
          const [self, of] = links
          assert.deepEqual(
            [self?.rel, of?.rel, of?.href],
            ['self', 'collection', `${root()}/collections/${collection}`],
          )
          if (crs === undefined) assert.equal(self?.href, `${root()}/collections/${collection}/items/${feature.id}`)
        }
      }
    }))
})
