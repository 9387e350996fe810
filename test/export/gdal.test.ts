import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { promisify } from 'node:util'
import { exportFolder, idsWhere, IN_UNIT, unit } from './setup.js'

describe('a GeoPackage of frames export', function () {
  this.timeout(60_000)
  const { folder, at, exported } = exportFolder()

  it('has one layer, every frame a MultiPolygon, and columns that have types', async () => {
    const data = ['--data', 'lyr_terrain,lyr_population,lyr_culture', '--with-units', '--org', 'demo']
    const ran = await exported('out.gpkg', ...unit, ...data)
    assert.equal(ran.status, 0, ran.err)
    assert.deepEqual(readdirSync(folder()), ['out.gpkg'])
    const { stdout } = await promisify(execFile)('ogrinfo', ['-so', at('out.gpkg'), 'frame'])
    const ids = await idsWhere(IN_UNIT)
    assert.match(stdout, new RegExp(`Geometry: Multi Polygon[\\s\\S]*Feature Count: ${ids.length}\\n`))
    for (const column of ['frame_id: Integer', 'wardCode: String', 'pop_demest26: Integer', 'phy_landcov: String'])
      assert.match(stdout, new RegExp(`^${column}`, 'm'))
    assert.match(stdout, /^phy_elevmean: Real/m)
    assert.doesNotMatch(stdout, /^id: /m)
  })
})
