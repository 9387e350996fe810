import assert from 'node:assert/strict'
import { anotherReader, sharedWorld } from '../support/datasets.js'
import { ask, mint, service, startService, type Minted } from '../support/service.js'
import { everyItem, found, query, refusal, type CollectionDocument, type Item, type Items } from './ogc-calls.js'

const rows = <Row>(text: string, args: unknown[] = []) => service().db.rows<Row>(text, args)
const idsOf = (items: readonly Item[]) => items.map(({ id }) => id)

/** The items of a collection in a box, by hand: ids in their order. */
const BY_HAND: Record<string, string> = {
  frames: 'select frame_id::text as id from frame where ST_Intersects(geom, box) order by frame_id',
  lgas: 'select unit_id::text as id from unit_area where lga is not null and ward is null and ST_Intersects(geom, box) order by unit_id',
  wards:
    'select unit_id::text as id from unit_area where ward is not null and ST_Intersects(geom, box) order by unit_id',
  lyr_buildings: `select frame_id::text as id from frame join baseline using (frame_id)
    where layer_id = 'lyr_buildings' and ST_Intersects(geom, box) order by frame_id`,
  lyr_schools: `select feature_id as id from feature join dataset using (version)
    where layer_id = 'lyr_schools' and ST_Intersects(geom, box) order by feature_no`,
  lyr_roads: `select feature_id as id from feature join dataset using (version)
    where layer_id = 'lyr_roads' and ST_Intersects(geom, box) order by feature_no`,
}
const BOXES = [
  [-180, -90, 180, 90],
  [-0.123, -0.2, 0.3, 0.111],
  [0.2, 0.1, 0.2, 0.1],
  [-0.3, 0.105, 0.3, 0.105],
]

describe('the items of /ogc', function () {
  this.timeout(60_000)

  for (const [collection, byHand] of Object.entries(BY_HAND))
    it(`${collection} are those that PostGIS finds in a box, page after page, each once and in the order of ids`, async () => {
      for (const box of BOXES) {
        const drawn = `(select ST_SetSRID(ST_Envelope(ST_MakeLine(ST_MakePoint($1::float8, $2::float8), ST_MakePoint($3::float8, $4::float8))), 4326))`
        const expected = await rows<{ id: string }>(byHand.replaceAll('box', drawn), box)
        for (const limit of expected.length > 500 ? [5000] : [7, expected.length || 1, 5000]) {
          const items = await everyItem(`/collections/${collection}/items?${query({ bbox: box.join(), limit })}`)
          assert.deepEqual(
            idsOf(items),
            expected.map(({ id }) => id),
            `${box.join()} by ${limit}`,
          )
        }
      }
    })

  it('have the values of a baseline as numbers and texts, beside the units of the frame', async () => {
    const items = await everyItem('/collections/lyr_terrain/items?limit=5000')
    const expected = await rows<Record<string, string | null>>(
      `select frame_id::text as id, state, lga, ward, recorded ->> 'phy_landcov' as phy_landcov, plain_number(recorded ->> 'phy_elevmean')::text as phy_elevmean
      from baseline join frame using (frame_id) where layer_id = 'lyr_terrain' order by frame_id`,
    )
    for (const [i, { id, ...values }] of expected.entries()) {
      assert.equal(items[i]?.id, id)
      const { state, lga, ward, phy_landcov, phy_elevmean } = items[i]?.properties ?? {}
      const shown = { state, lga, ward, phy_landcov, phy_elevmean: phy_elevmean === null ? null : String(phy_elevmean) }
      const elevation = values['phy_elevmean'] ?? null
      assert.deepEqual(shown, { ...values, phy_elevmean: elevation === null ? null : String(Number(elevation)) })
    }
  })

  it('have the properties that /v1 gives a feature, and the state of a unit', async () => {
    const { properties } = await found<Item>('/collections/lyr_schools/items/school_007')
    const [row] = await rows<{ properties: string }>(
      `select properties::text as properties from feature where feature_id = 'school_007'`,
    )
    assert.deepEqual(properties, JSON.parse(row?.properties ?? ''))
    const states = await everyItem('/collections/states/items')
    const expected = await rows<{ state: string; frames: string }>(
      'select state, frames::text as frames from state order by state',
    )
    assert.deepEqual(
      states
        .map(({ properties: { state, frames } }) => ({ state, frames: String(frames) }))
        .toSorted((a, b) => (String(a.state) < String(b.state) ? -1 : 1)),
      expected.toSorted((a, b) => (a.state < b.state ? -1 : 1)),
    )
  })
})

describe('the collections of /ogc', () => {
  const world = sharedWorld
  let url: string
  let stop: () => Promise<void>
  let key: Minted
  before(async () => {
    const { database } = await world()
    const running = await startService(database)
    ;({ url, stop } = running)
    key = await anotherReader(database.db, 5)
  })
  after(() => stop())

  const collectionsOf = async ({ secret }: Minted) =>
    (await found<{ collections: CollectionDocument[] }>(`${url}/ogc/collections`, secret)).collections.map(
      ({ id }) => id,
    )

  it('are the index and the datasets that the key may read', async () => {
    const { world: made, database } = { world: (await world()).world, database: (await world()).database }
    const index = ['frames', 'states', 'lgas', 'wards']
    const open = ['lyr_200', 'lyr_201', 'lyr_open', 'lyr_points']
    assert.deepEqual(await collectionsOf(key), [
      ...index,
      ...open,
      'lyr_query_a',
      'lyr_query_b',
      'lyr_query_points',
      'lyr_some',
    ])
    const narrow = await mint(database.db, { org: key.orgId, datasets: ['lyr_open'] })
    assert.deepEqual(await collectionsOf(narrow), [...index, 'lyr_open'])
    const locality = await mint(database.db, { org: key.orgId, preset: 'locality' })
    assert.deepEqual(await collectionsOf(locality), [...index, 'lyr_open', 'lyr_query_a', 'lyr_query_b', 'lyr_some'])
    for (const path of ['', '/items', '/items/324378020', '/queryables']) {
      assert.equal(await refusal(`${url}/ogc/collections/lyr_private${path}`, made.readerKey.secret), '404 not_found')
      assert.equal(await refusal(`${url}/ogc/collections/lyr_some${path}`, narrow.secret), '404 not_found')
      assert.equal(await refusal(`${url}/ogc/collections/lyr_points${path}`, locality.secret), '404 not_found')
    }
  })

  it('link to the address that PUBLIC_URL names, where a proxy adds a path', async () => {
    const { database } = await world()
    const running = await startService(database, { publicUrl: 'https://example.org/geo/' })
    try {
      const answer = await ask(`${running.url}/ogc/`)
      const hrefs = (answer.body as Items).links.map(({ href }) => href)
      assert.deepEqual(
        [hrefs[0], hrefs[1], hrefs[2]],
        ['https://example.org/geo/ogc', 'https://example.org/geo/ogc/api', 'https://example.org/geo/docs/gis.md'],
      )
    } finally {
      await running.stop()
    }
  })
})
