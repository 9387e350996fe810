/**
 * The abstract tests of OGC API Features, Part 2, by their identifiers, each over every collection and every system. The
 * suite of the OGC runs 25 methods for them: in both documents that name systems, and for pages and for single items.
 */
import assert from 'node:assert/strict'
import { service } from '../support/service.js'
import { found, linkOf, ogc, query, refusal, type CollectionDocument, type Item, type Items } from './ogc-calls.js'

const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84'
const epsg = (code: number) => `http://www.opengis.net/def/crs/EPSG/0/${code}`
/** The fixture lies around 0, 0: west and east of it, and north and south. */
const SYSTEMS = [CRS84, ...[4326, 3857, 32630, 32730, 32631, 32731].map(epsg)]
const BOX = [-0.0523, -0.0217, 0.0531, 0.0309]
const UNKNOWN = epsg(27700)

const codeOf = (uri: string) => Number(uri.split('/').at(-1))

describe('the abstract tests of OGC API Features, Part 2', function () {
  this.timeout(120_000)
  let collections: CollectionDocument[]
  before(async () => {
    collections = (await found<{ collections: CollectionDocument[] }>('/collections')).collections
  })

  async function each(work: (items: string, collection: CollectionDocument) => Promise<void>): Promise<void> {
    for (const collection of collections) await work(linkOf(collection, 'items') ?? '', collection)
  }
  /** The shape that PostGIS gives: by hand, from the text in CRS84. */
  async function transformed({ geometry }: Item, crs: string): Promise<string> {
    const [row] = await service().db.rows<{ text: string }>(
      `select case $2::int when 84 then $1::text
        when 4326 then ST_AsGeoJSON(ST_FlipCoordinates(ST_GeomFromGeoJSON($1::text)), 7, 0)
        else ST_AsGeoJSON(ST_Transform(ST_GeomFromGeoJSON($1::text), $2::int), 3, 0) end as text`,
      [JSON.stringify(geometry), crs === CRS84 ? 84 : codeOf(crs)],
    )
    return row?.text ?? ''
  }

  /** BOX in another system, its corners moved outward where edges bend. */
  async function boxIn(crs: string): Promise<number[]> {
    if (crs === CRS84) return BOX
    const [row] = await service().db.rows<{ box: number[] }>(
      `select array[ST_XMin(shape), ST_YMin(shape), ST_XMax(shape), ST_YMax(shape)]::float8[] as box
      from (select case $5::int when 4326 then ST_FlipCoordinates(box) else ST_Transform(ST_Segmentize(box, 0.001), $5::int) end as shape
        from ST_MakeEnvelope($1::float8, $2::float8, $3::float8, $4::float8, 4326) as box) as moved`,
      [...BOX, codeOf(crs)],
    )
    return row?.box ?? []
  }

  it('is declared', async () => {
    const { conformsTo } = await found<{ conformsTo: string[] }>('/conformance')
    assert.ok(conformsTo.includes('http://www.opengis.net/spec/ogcapi-features-2/1.0/conf/crs'))
  })

  const DOCUMENTS: Record<string, () => Promise<CollectionDocument[]>> = {
    'the list of collections': async () => collections,
    'each collection': () => Promise.all(collections.map(({ id }) => found<CollectionDocument>(`/collections/${id}`))),
  }
  for (const [where, documents] of Object.entries(DOCUMENTS)) {
    const held = (title: string, check: (each: CollectionDocument) => void) =>
      it(`${title} of ${where}`, async () => (await documents()).forEach(check))
    held('/conf/crs/crs-uri: crs', ({ crs }) => assert.deepEqual(crs, SYSTEMS))
    held('/conf/crs/crs-uri: storageCrs', ({ storageCrs }) => assert.equal(storageCrs, CRS84))
    held('/conf/crs/default-crs', ({ crs }) => assert.equal(crs[0], CRS84))
    held('/conf/crs/storageCrs', ({ storageCrs, crs }) => assert.ok(crs.includes(storageCrs)))
  }

  it('/conf/crs/crs-uri: systems of all collections', async () => {
    const { crs, storageCrs } = await found<{ crs: string[]; storageCrs?: string }>('/collections')
    assert.deepEqual([crs, storageCrs], [SYSTEMS, undefined])
  })

  /** The address of a page and of one item, with a system or without. */
  const ANSWERS: Record<string, (items: string, parameters: Record<string, string>) => Promise<string>> = {
    'a page': async (items, parameters) => `${items}?${query({ limit: 2, ...parameters })}`,
    'an item': async (items, parameters) => {
      const [first] = (await found<Items>(`${items}?limit=1`)).features
      return `${items}/${first?.id}?${query(parameters)}`
    },
  }
  for (const [what, path] of Object.entries(ANSWERS)) {
    const featuresOf = async (address: string): Promise<Item[]> => {
      const body = await found<Item | Items>(address)
      return 'features' in body ? body.features : [body]
    }
    const eachSystem = (work: (items: string, crs: string) => Promise<void>) =>
      each(async (items) => {
        for (const crs of SYSTEMS) await work(items, crs)
      })

    it(`/conf/crs/crs-parameter of ${what}`, () =>
      eachSystem(async (items, crs) => {
        const answer = await ogc(await path(items, { crs }))
        assert.deepEqual([answer.status, answer.headers.get('content-crs')], [200, `<${crs}>`])
      }))

    it(`/conf/crs/crs-parameter-invalid of ${what}`, () =>
      each(async (items) => {
        for (const crs of [UNKNOWN, 'EPSG:4326', '4326', ''])
          assert.equal(await refusal(await path(items, { crs })), '400 invalid', `${items} ${crs}`)
      }))

    it(`/conf/crs/crs-parameter-default of ${what}`, () =>
      each(async (items) => {
        assert.equal((await ogc(await path(items, {}))).headers.get('content-crs'), `<${CRS84}>`)
      }))

    it(`/conf/crs/crs-parameter-transform of ${what}`, () =>
      eachSystem(async (items, crs) => {
        const [plain, moved] = [await featuresOf(await path(items, {})), await featuresOf(await path(items, { crs }))]
        const expected = await Promise.all(plain.map((feature) => transformed(feature, crs)))
        assert.deepEqual(
          moved.map(({ geometry }) => geometry),
          expected.map((text): unknown => JSON.parse(text)),
        )
      }))
  }

  it('/conf/crs/bbox-crs-parameter: without it, the world is all items', () =>
    each(async (items, { extent }) => {
      const all = await found<Items>(`${items}?limit=50`)
      const boxed = await found<Items>(`${items}?${query({ bbox: extent?.spatial.bbox[0]?.join() ?? '', limit: 50 })}`)
      assert.deepEqual(boxed.features, all.features)
    }))

  it('/conf/crs/bbox-crs-parameter', () =>
    each(async (items) => {
      const plain = await found<Items>(`${items}?${query({ bbox: BOX.join(), limit: 5000 })}`)
      for (const crs of SYSTEMS) {
        const box = await boxIn(crs)
        const page = await found<Items>(`${items}?${query({ bbox: box.join(), 'bbox-crs': crs, limit: 5000 })}`)
        const ids = page.features.map(({ id }) => id)
        for (const { id } of plain.features) assert.ok(ids.includes(id), `${items} ${crs} ${id}`)
        // Beyond the box as degrees draw it lie a few frames at its edges, and no more.
        assert.ok(ids.length <= plain.features.length * 1.3, `${items} ${crs}: ${ids.length}, ${plain.features.length}`)
      }
    }))

  it('/conf/crs/bbox-crs-parameter-invalid', () =>
    each(async (items) => {
      for (const crs of [UNKNOWN, 'EPSG:4326', ''])
        assert.equal(await refusal(`${items}?${query({ bbox: BOX.join(), 'bbox-crs': crs })}`), '400 invalid')
    }))

  it('/conf/crs/bbox-crs-parameter-default', () =>
    each(async (items) => {
      const withDefault = await found<Items>(`${items}?${query({ bbox: BOX.join(), 'bbox-crs': CRS84, limit: 50 })}`)
      const without = await found<Items>(`${items}?${query({ bbox: BOX.join(), limit: 50 })}`)
      assert.deepEqual(without.features, withDefault.features)
    }))
})
