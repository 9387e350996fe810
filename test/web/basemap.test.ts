import assert from 'node:assert/strict'
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { openBasemap } from '../../src/app/basemap/tile-file.js'
import { makeBasemap } from '../support/basemap.js'
import { signIn, visit, type Visitor } from '../support/browse.js'
import { newOrganisation, service, startService } from '../support/service.js'
import { newFolder } from '../support/temporary.js'
import { signedIn } from './visitors.js'

const CREDIT = `<a href="https://example.org/licence?a=1&amp;b=2" onclick="steal()">&copy; <b>Mappers</b></a>, <script>steal()</script><a href="javascript:steal()">others</a>`
const TILE = '/app/tiles/base/5/16/15'

describe('a base map', () => {
  const folder = newFolder('basemap')
  const file = join(folder, 'fixture.pmtiles')
  let running: Awaited<ReturnType<typeof startService>>
  let visitor: Visitor
  before(async () => {
    await makeBasemap(file, CREDIT)
    running = await startService(service().database, { publicUrl: 'listening', basemapFile: file })
    visitor = await signIn(running.url, service().db, { orgId: await newOrganisation(service().db), role: 'member' })
  })
  after(() => running.stop())

  it('is sent as its file has it, to people who are signed in, and once', async () => {
    const gzip = { 'accept-encoding': 'br, gzip' }
    const coded = await visitor.get(TILE, gzip)
    assert.deepEqual([coded.status, coded.headers['content-encoding']], [200, 'gzip'])
    assert.equal(coded.headers['content-type'], 'application/vnd.mapbox-vector-tile')
    const plain = await visitor.get(TILE)
    assert.deepEqual(plain.bytes, gunzipSync(coded.bytes))
    for (const word of ['earth', 'roads', 'places', 'Crossing']) assert.ok(plain.text.includes(word), word)
    const tag = String(coded.headers.etag)
    assert.notEqual(tag, plain.headers.etag)
    assert.equal((await visitor.get(TILE, { ...gzip, 'if-none-match': tag })).status, 304)
    assert.equal((await visit(running.url).get(TILE)).status, 401)
  })

  it('has every tile of its zooms, and no other', async () => {
    const statuses = ['0/0/0', '9/256/255', '9/257/258', '9/0/0', '10/512/511', '5/32/0', '5/01/0'].map(
      async (tile) => (await visitor.get(`/app/tiles/base/${tile}`)).status,
    )
    assert.deepEqual(await Promise.all(statuses), [200, 200, 200, 204, 404, 404, 404])
  })

  it('is told of on the map by the text and the links of its file, without other markup', async () => {
    const { text } = await visitor.get('/app/map')
    const [, credit] = /<p class="map-credit">(.*?)<\/p>/s.exec(text) ?? []
    assert.equal(credit, '<a href="https://example.org/licence?a=1&amp;b=2">© Mappers</a>, steal()others')
  })

  it('is absent where no file is named', async () => {
    const other = await signedIn({ orgId: await newOrganisation(service().db), role: 'member' })
    assert.doesNotMatch((await other.get('/app/map')).text, /map-credit|id="base"|data-base="/)
    assert.equal((await other.get(TILE)).status, 404)
  })

  it('may be compressed or not', async () => {
    const plain = join(folder, 'plain.pmtiles')
    await makeBasemap(plain, '', { isGzip: false })
    const tiles = await Promise.all(
      [file, plain].map(async (path) => {
        const { file: opened } = await openBasemap(path)
        const tile = await opened?.tile({ z: 5, x: 16, y: 15 })
        await opened?.close()
        return tile ?? Buffer.alloc(0)
      }),
    )
    assert.deepEqual(gunzipSync(tiles[0] ?? ''), tiles[1])
  })

  it('that cannot be read is said in one sentence', async () => {
    const named = (name: string, content: string | Buffer) => {
      writeFileSync(join(folder, name), content)
      return name
    }
    const cut = join(folder, 'cut.pmtiles')
    await makeBasemap(cut, '')
    truncateSync(cut, 140)
    const header = (...bytes: number[]) => {
      const made = Buffer.alloc(127)
      made.write('PMTiles\x03', 'latin1')
      made.set(bytes, 97)
      return made
    }
    for (const [name, fault] of [
      ['none.pmtiles', 'is not there'],
      [named('text.pmtiles', 'PMTiles'), 'is no PMTiles file of version 3'],
      [named('pictures.pmtiles', header(2, 2, 2)), 'has no vector tiles'],
      [named('brotli.pmtiles', header(2, 3, 1)), 'is compressed otherwise than by gzip'],
      ['cut.pmtiles', 'is damaged'],
    ] as const) {
      const path = join(folder, name)
      assert.deepEqual(await openBasemap(path), { fault: `BASEMAP_FILE, ${path}, ${fault}: the map has no base map.` })
    }
  })
})
