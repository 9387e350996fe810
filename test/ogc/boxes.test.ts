import assert from 'node:assert/strict'
import { found, query, type Item, type Items } from './ogc-calls.js'

const epsg = (code: number) => `http://www.opengis.net/def/crs/EPSG/0/${code}`

describe('a box of /ogc', () => {
  const count = async (bbox: string, crs?: string) =>
    (await found<Items>(`/collections/frames/items?${query({ bbox, limit: 5000, ...(crs && { 'bbox-crs': crs }) })}`))
      .numberReturned

  it('that crosses the antimeridian is two boxes, with either order of the axes', async () => {
    assert.equal(await count('170,-90,-170,90'), 0)
    const west = await count('-180,0,0,0.1')
    assert.ok(west > 0)
    assert.equal(await count('170,0,0,0.1'), west)
    assert.equal(await count('0,170,0.1,0', epsg(4326)), west)
  })

  it('in metres may reach beyond the projection, as maps draw it', async () => {
    const all = await count('-180,-90,180,90')
    for (const code of [3857, 32631, 32730])
      assert.equal(await count('-1e12,-1e12,1e12,1e12', epsg(code)), all, String(code))
    assert.equal(await count('9e9,9e9,1e10,1e10', epsg(3857)), 0)
  })

  it('gives shapes in the systems of the index, as PROJ computes them', async () => {
    const cornerIn = async (crs?: string): Promise<number[]> => {
      const item = await found<Item>(`/collections/frames/items/324378020?${query(crs === undefined ? {} : { crs })}`)
      const [[corner = []] = []] = item.geometry.coordinates as number[][][]
      return corner
    }
    assert.deepEqual(await cornerIn(), [0.2, 0.1])
    assert.deepEqual(await cornerIn(epsg(4326)), [0.1, 0.2])
    assert.deepEqual(await cornerIn(epsg(3857)), [22263.898, 11131.955])
    const [east = 0, north = 0] = await cornerIn(epsg(32631))
    assert.ok(Math.abs(east - 188_304) < 200 && Math.abs(north - 11_064) < 30, `${east}, ${north}`)
  })
})
