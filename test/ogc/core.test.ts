/**
 * The abstract tests of OGC API Features, Part 1, by their identifiers, each over every collection. The suite of the OGC,
 * ets-ogcapi-features10, runs 55 methods for them: eight of them for each way to ask for a page. /ogc declares no other
 * form of an answer than JSON, so no link leads to one.
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

type Landing = { links: Link[] }
type Parameter = {
  name: string
  in: string
  required: boolean
  style?: string
  explode?: boolean
  schema: Record<string, unknown>
}
type Api = {
  openapi: string
  paths: Record<string, { get: { parameters: { $ref: string }[]; responses: Record<string, unknown> } }>
  components: { parameters: Record<string, Parameter> }
}

const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84'
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
const WAYS: Record<string, readonly Record<string, string | number>[]> = {
  plain: [{}],
  'with a limit': [{ limit: 1 }, { limit: 100 }, { limit: 5000 }],
  'in a box': BOXES.map((bbox) => ({ bbox, limit: 7 })),
  'at a time': TIMES.map((datetime) => ({ datetime, limit: 2 })),
}

type Page = { path: string; answer: Answer; page: Items; collection: CollectionDocument }

/** Each holds for every page, however it was asked for. */
const OF_PAGES: Record<string, (page: Page) => Promise<void> | void> = {
  '/conf/core/fc-op': ({ answer, path }) => {
    assert.equal(answer.status, 200, path)
    assert.equal(answer.headers.get('content-type'), 'application/geo+json')
  },
  '/conf/core/crs84': ({ answer, page, collection: { extent } }) => {
    assert.equal(answer.headers.get('content-crs'), `<${CRS84}>`)
    assert.equal(extent?.spatial.crs, CRS84)
    const [minLon = 0, minLat = 0, maxLon = 0, maxLat = 0] = extent?.spatial.bbox[0] ?? []
    for (const [lon = NaN, lat = NaN] of page.features.flatMap(positionsOf))
      assert.ok(lon >= minLon - 1 && lon <= maxLon + 1 && lat >= minLat - 1 && lat <= maxLat + 1, `${lon}, ${lat}`)
  },
  '/conf/core/fc-response, type': ({ page }) => assert.equal(page.type, 'FeatureCollection'),
  '/conf/core/fc-response, features': ({ page: { features } }) => {
    for (const { type, id, geometry, properties } of features)
      assert.ok(type === 'Feature' && id && geometry && typeof properties === 'object')
  },
  '/conf/core/fc-links': async ({ page, path }) => {
    for (const { rel, type } of page.links) assert.ok(rel && type)
    const parametersOf = (href: string) => Object.fromEntries(new URL(href).searchParams)
    assert.deepEqual(parametersOf(linkOf(page, 'self') ?? ''), parametersOf(path))
    const next = linkOf(page, 'next')
    if (next === undefined) return
    const following = await found<Items>(next)
    assert.ok(following.features.length > 0)
    assert.ok(!ids(page).some((id) => ids(following).includes(id)))
  },
  '/conf/core/fc-timeStamp': ({ page }) => assert.ok(!('timeStamp' in page)),
  // Nobody counts what a box chooses, nor units.
  '/conf/core/fc-numberMatched': async ({ page, path, collection }) => {
    const isCounted = !path.includes('bbox=') && !['states', 'lgas', 'wards'].includes(collection.id)
    const [row] = await service().db.rows<{ items: number }>(
      `select case when $1 = 'frames' then (select count(*) from frame)
        else (select count(*) from baseline_row join dataset using (version) where layer_id = $1)
          + (select count(*) from feature join dataset using (version) where layer_id = $1) end::int as items`,
      [collection.id],
    )
    assert.equal(page.numberMatched, isCounted ? row?.items : undefined)
  },
  '/conf/core/fc-numberReturned': ({ page }) => assert.equal(page.numberReturned, page.features.length),
}

/** How the description defines the parameters of items. */
const DEFINED = {
  bbox: { type: 'array', items: { type: 'number' }, minItems: 4, maxItems: 6 },
  limit: { type: 'integer', minimum: 1, maximum: 5000, default: 1000 },
  datetime: { type: 'string' },
}

const root = () => `${service().url}/ogc`
const open = async <T>(path: string): Promise<T> => (await ask(`${root()}${path}`)).body as T
const api = () => open<Api>('/api')

async function parameterOf(name: string): Promise<Parameter> {
  const { paths, components } = await api()
  const names = (paths['/collections/{collectionId}/items']?.get.parameters ?? []).map(({ $ref }) =>
    $ref.split('/').at(-1),
  )
  const parameter = Object.entries(components.parameters).find(
    ([key, each]) => each.name === name && names.includes(key),
  )
  assert.ok(parameter, `${name} is a parameter of items`)
  return parameter[1]
}

describe('the abstract tests of OGC API Features, Part 1', function () {
  this.timeout(60_000)
  let collections: CollectionDocument[]
  before(async () => {
    collections = (await found<{ collections: CollectionDocument[] }>('/collections')).collections
    assert.ok(collections.length >= 12)
  })

  /** Each collection, with the path of its items. */
  async function each(work: (collection: CollectionDocument, items: string) => Promise<void>): Promise<void> {
    for (const collection of collections) {
      const items = linkOf(collection, 'items')
      assert.ok(items)
      await work(collection, items)
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

  it('/conf/core/root-op', async () => {
    for (const path of ['', '/']) assert.equal((await ask(`${root()}${path}`)).status, 200)
  })

  it('/conf/core/root-success', async () => {
    const { links } = await open<Landing>('/')
    const rels = links.map(({ rel }) => rel)
    for (const rel of ['service-desc', 'conformance', 'data']) assert.ok(rels.includes(rel), rel)
    for (const { href } of links) assert.equal((await ogc(href)).status, 200, href)
  })

  it('/conf/core/api-definition-op', async () => {
    const link = (await open<Landing>('')).links.find(({ rel }) => rel === 'service-desc')
    const answer = await ask(link?.href ?? '')
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), link?.type)
  })

  it('/conf/core/api-definition-success', async () => {
    const file = join(newFolder('ogc'), 'api.json')
    const document = await api()
    assert.match(document.openapi, /^3\.0/)
    writeFileSync(file, JSON.stringify(document))
    const redocly = fileURLToPath(new URL('node_modules/@redocly/cli/bin/cli.js', projectFolder))
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    await promisify(execFile)(process.execPath, [redocly, 'lint', '--extends', 'minimal', file], { env })
  })

  it('/conf/core/conformance-op', async () => assert.equal((await ask(`${root()}/conformance`)).status, 200))

  it('/conf/core/conformance-success', async () => {
    const { conformsTo } = await open<{ conformsTo: string[] }>('/conformance')
    for (const part of ['core', 'geojson', 'oas30'])
      assert.ok(conformsTo.includes(`http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/${part}`), part)
  })

  it('/conf/core/fc-md-op', async () => assert.equal((await ogc('/collections')).status, 200))

  it('/conf/core/fc-md-success, links', async () => {
    const document = await found<{ links: Link[] }>('/collections')
    assert.equal(linkOf(document, 'self'), `${root()}/collections`)
    for (const { rel, type } of [document, ...collections].flatMap(({ links }) => links)) assert.ok(rel && type)
  })

  it('/conf/core/fc-md-success, items', async () => {
    assert.equal(new Set(collections.map(({ id }) => id)).size, collections.length)
    await each(async ({ itemType }) => assert.equal(itemType, 'feature'))
  })

  it('/conf/core/fc-md-success, crs', async () => {
    const { crs } = await found<{ crs: string[] }>('/collections')
    assert.equal(crs[0], CRS84)
  })

  it('/conf/core/fc-md-success, content', () =>
    each(async ({ title, extent }) => assert.deepEqual([title !== '', extent?.spatial.bbox[0]?.length], [true, 4])))

  it('/conf/core/sfc-md-op', async () => {
    await each(async ({ id }) => assert.equal((await ogc(`/collections/${id}`)).status, 200))
  })

  it('/conf/core/sfc-md-success', async () => {
    await each(async (collection) => assert.deepEqual(await found(`/collections/${collection.id}`), collection))
  })

  for (const [name, expected] of Object.entries(DEFINED))
    it(`/conf/core/fc-${name.replace('date', '')}-definition`, async () => {
      const { in: place, required, style, explode, schema } = await parameterOf(name)
      assert.deepEqual([place, required, style, explode], ['query', false, 'form', false])
      assert.deepEqual(schema, expected)
    })

  for (const [way, parameters] of Object.entries(WAYS))
    describe(`of a page, ${way}`, () => {
      const pages: Page[] = []
      before(() =>
        each(async (collection, items) => {
          for (const some of parameters) {
            const path = `${items}?${query(some)}`
            const answer = await ogc(path)
            pages.push({ path, answer, page: answer.body as Items, collection })
          }
        }),
      )
      for (const [name, check] of Object.entries(OF_PAGES))
        it(name, async () => {
          assert.ok(pages.length >= collections.length)
          for (const page of pages) await check(page)
        })
    })

  it('/conf/core/fc-bbox-response', async () => {
    await each(async (_collection, items) => {
      const pages = BOXES.map((bbox) => found<Items>(`${items}?${query({ bbox, limit: 5000 })}`))
      const [outside, inside, line, world, high, ...far] = await Promise.all(pages)
      for (const page of [outside, ...far]) assert.equal(page?.numberReturned, 0)
      assert.deepEqual(ids(high), ids(inside))
      assert.deepEqual(ids(await found<Items>(`${items}?limit=5000`)), ids(world))
      // Of larger collections, test/ogc/items.test.ts compares every item.
      if (world === undefined || linkOf(world, 'next') !== undefined) return
      for (const id of [...ids(inside), ...ids(line)]) assert.ok(ids(world).includes(id))
    })
  })

  it('/conf/core/fc-limit-response', async () => {
    await each(async (_collection, items) => {
      for (const limit of [1, 2, 5000])
        assert.ok((await found<Items>(`${items}?limit=${limit}`)).features.length <= limit)
      assert.ok((await found<Items>(items)).features.length <= 1000)
      assert.ok((await found<Items>(`${items}?limit=99999`)).features.length <= 5000)
    })
  })

  it('/conf/core/fc-time-response', async () => {
    await each(async (_collection, items) => {
      const plain = ids(await found<Items>(`${items}?limit=5`))
      for (const datetime of TIMES)
        assert.deepEqual(ids(await found<Items>(`${items}?${query({ datetime, limit: 5 })}`)), plain)
    })
  })

  it('/conf/core/query-param-unknown', async () => {
    await each(async (_collection, items) => assert.equal(await refusal(`${items}?unknown=1`), '400 invalid'))
    for (const path of [
      '',
      '/api',
      '/conformance',
      '/collections',
      '/collections/frames',
      '/collections/frames/queryables',
    ])
      assert.equal(await refusal(`${path}?unknown=1`), '400 invalid', path)
  })

  it('/conf/core/query-param-invalid', async () => {
    const wrong = {
      limit: ['unlimited', '0', '-1', 'x', '1.5', ''],
      bbox: ['1,2,3', '1,2,3,4,5', '1,2,3,x', '0,0,0,NaN', '0,1,1,0', '-181,0,0,0', '0,0,0,91', '', '0,0,1e400,1'],
      datetime: ['yesterday', '2026-13-01T00:00:00Z', '2026-01-01T00:00:00Z/x', '/', '1/2/3'],
    }
    await each(async (_collection, items) => {
      for (const [name, values] of Object.entries(wrong))
        for (const value of values)
          assert.match(
            await refusal(`${items}?${query({ [name]: value })}`),
            /^400 invalid/,
            `${items} ${name}=${value}`,
          )
    })
  })

  it('/conf/core/f-op', async () => {
    await each(async (_collection, items) => {
      const [first] = (await found<Items>(`${items}?limit=1`)).features
      assert.equal((await ogc(`${items}/${first?.id}`)).status, 200)
      for (const id of ['nothing', '0', '99999999999999999999', '%00'])
        assert.equal(await refusal(`${items}/${id}`), '404 not_found', `${items}/${id}`)
    })
  })

  it('/conf/core/f-success', async () => {
    await each(async (_collection, items) => {
      for (const feature of (await found<Items>(`${items}?limit=3`)).features) {
        const { links: _links, ...one } = await found<Item>(`${items}/${feature.id}`)
        assert.deepEqual(one, feature)
      }
    })
  })

  it('/conf/core/f-links', async () => {
    await each(async ({ id: collection }, items) => {
      const [first] = (await found<Items>(`${items}?limit=1`)).features
      const { links = [] } = await found<Item>(`${items}/${first?.id}`)
      assert.deepEqual(
        links.map(({ rel, href }) => [rel, href]),
        [
          ['self', `${root()}/collections/${collection}/items/${first?.id}`],
          ['collection', `${root()}/collections/${collection}`],
        ],
      )
    })
  })
})

const ids = (page: Items | undefined): string[] => (page?.features ?? []).map(({ id }) => id)

/** Every position of a shape. */
function positionsOf({ geometry }: Item): number[][] {
  const flat = (value: unknown): number[][] =>
    Array.isArray(value) ? (typeof value[0] === 'number' ? [value as number[]] : value.flatMap(flat)) : []
  return flat(geometry.coordinates)
}
