import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { license } from '../../src/core/access/licences.js'
import { balanceOf, credit } from '../support/datasets.js'
import { mint, newOrganisation, service, startService } from '../support/service.js'
import { everyItem, query, type Item } from './ogc-calls.js'

const run = promisify(execFile)
/** The buckets of a service as it comes. */
const BUCKETS = {
  key: { burst: 60, perMinute: 300 },
  organisation: { burst: 120, perMinute: 600 },
  insight: { burst: 6, perMinute: 30 },
}
const METRES = 'http://www.opengis.net/def/crs/EPSG/0/3857'

/** Reads a collection by GDAL's own driver, which gets the key by its setting for headers. */
async function byGdal(collection: string, ...words: string[]): Promise<Item[]> {
  const { url, secret } = service()
  const { stdout } = await run(
    'ogr2ogr',
    ['-f', 'GeoJSON', '/vsistdout/', `OAPIF:${url}/ogc`, collection, '-oo', 'PAGE_SIZE=1000', ...words],
    { env: { ...process.env, GDAL_HTTP_HEADERS: `Authorization: Bearer ${secret}` }, maxBuffer: 256 * 1024 * 1024 },
  )
  return (JSON.parse(stdout) as { features: Item[] }).features
}

/** GDAL makes a property of the id. */
const shown = (items: readonly Item[]) => items.map(({ id, properties }): Item['properties'] => ({ ...properties, id }))

describe("GDAL's driver for OGC API Features", function () {
  this.timeout(120_000)

  for (const collection of ['frames', 'lyr_population', 'lyr_terrain', 'lyr_schools', 'lyr_roads', 'wards'])
    it(`reads ${collection} to the end, page after page, with the values of each item`, async () => {
      const items = await everyItem(`/collections/${collection}/items?limit=5000`)
      const read = await byGdal(collection)
      assert.equal(read.length, items.length)
      const expected = new Map(shown(items).map((each) => [each.id, each]))
      for (const { properties } of read) {
        const { id } = properties
        const wanted = expected.get(String(id))
        assert.ok(wanted, `${collection} ${id}`)
        for (const [name, value] of Object.entries(wanted))
          assert.equal(String(properties[name] ?? null), String(value), `${collection} ${id} ${name}`)
      }
    })

  it('reads a state with its values, and a box', async () => {
    const filter = "state = 'MAREMBE' AND pop_demest26 > 500"
    const items = await everyItem(`/collections/lyr_population/items?${query({ limit: 5000, filter })}`)
    assert.ok(items.length > 10)
    const read = await byGdal('lyr_population', '-where', filter)
    assert.deepEqual(
      read.map(({ properties }) => properties['id']),
      items.map(({ id }) => id),
    )
    const inBox = await everyItem(`/collections/frames/items?bbox=0.001,0.001,0.099,0.049`)
    const boxed = await byGdal('frames', '-spat', '0.001', '0.001', '0.099', '0.049')
    assert.deepEqual(
      boxed.map(({ properties }) => properties['id']),
      inBox.map(({ id }) => id),
    )
  })

  it('gets the coordinates in EPSG:3857 that GDAL itself computes, to the millimetre', async () => {
    const bbox = '0.001,0.001,0.099,0.049'
    const items = await everyItem(`/collections/frames/items?${query({ bbox, crs: METRES })}`)
    const computed = await byGdal('frames', '-spat', ...bbox.split(','), '-t_srs', 'EPSG:3857', '-lco', 'RFC7946=NO')
    for (const [i, { id, geometry }] of items.entries()) {
      const numbers = [geometry.coordinates].flat(9) as number[]
      const others = [computed[i]?.geometry.coordinates].flat(9) as number[]
      assert.equal(numbers.length, others.length)
      for (const [at, value] of numbers.entries()) assert.ok(Math.abs(value - (others[at] ?? NaN)) <= 0.001, id)
    }
  })

  it('lists and counts priced layers for nothing, and reads one to its end for its price, without options', async () => {
    const { db, database } = service()
    const org = await newOrganisation(db)
    await license(db.run, 'lyr_market', org, 2)
    await license(db.run, 'lyr_reserves', org, 4)
    await credit(db, org, 10)
    const keys = { lists: await mint(db, { org }), reads: await mint(db, { org }) }
    const { url, stop } = await startService(database, { buckets: BUCKETS })
    const layers = `OAPIF:${url}/ogc`
    const gdal = async (key: keyof typeof keys, program: string, ...words: string[]) => {
      const env = { ...process.env, GDAL_HTTP_HEADERS: `Authorization: Bearer ${keys[key].secret}` }
      return (await run(program, words, { env, maxBuffer: 256 * 1024 * 1024 })).stdout
    }
    const read = async (...words: string[]) => {
      const text = await gdal('reads', 'ogr2ogr', '-f', 'GeoJSON', '/vsistdout/', layers, ...words)
      return (JSON.parse(text) as { features: Item[] }).features.length
    }
    try {
      assert.match(await gdal('lists', 'ogrinfo', layers), /lyr_market[^]*lyr_reserves/)
      for (const [layer, count] of Object.entries({ lyr_market: 5881, lyr_reserves: 5, lyr_population: 12_336 }))
        assert.match(await gdal('lists', 'ogrinfo', '-so', layers, layer), new RegExp(`Feature Count: ${count}\n`))
      assert.equal(await balanceOf(db, org), 10)
      const steps: [words: string[], items: number, balance: number][] = [
        [['lyr_market'], 5881, 8],
        [['lyr_market'], 5881, 8],
        [['lyr_market', '-oo', 'PAGE_SIZE=1000'], 5881, 8],
        [['lyr_reserves'], 5, 4],
        [['lyr_market', '-spat', '0', '0', '0.2', '0.2'], 299, 2],
        [['frames'], 12_411, 2],
        [['lyr_schools'], 300, 2],
      ]
      for (const [words, items, balance] of steps) {
        assert.equal(await read(...words), items, words.join(' '))
        assert.equal(await balanceOf(db, org), balance, words.join(' '))
      }
    } finally {
      await stop()
    }
  })

  it('says why, where the key is not accepted', async () => {
    const { url } = service()
    const ended = run('ogrinfo', [`OAPIF:${url}/ogc`], {
      env: { ...process.env, GDAL_HTTP_HEADERS: 'Authorization: Bearer no' },
    })
    await assert.rejects(ended, /HTTP error code : 401|Unable to open/)
  })
})
