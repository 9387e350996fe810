import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { importRaster } from '../../src/tools/load/import-raster.js'
import { quiet, temporaryFolder } from './files.js'
import { ownGrid } from './imports.js'
import { tiff } from './tiff.js'

const run = promisify(execFile)

/** How GDAL writes the same pixels. All but the last rows of options change no number. */
const FORMS: Record<string, string> = {
  deflate: '-co COMPRESS=DEFLATE',
  'deflate of differences': '-co COMPRESS=DEFLATE -co PREDICTOR=2 -ot Int32',
  'deflate of floats': '-co COMPRESS=DEFLATE -co PREDICTOR=3 -ot Float32',
  lzw: '-co COMPRESS=LZW -co PREDICTOR=2 -ot UInt16',
  zstd: '-co COMPRESS=ZSTD -co TILED=YES -co BLOCKXSIZE=16 -co BLOCKYSIZE=16',
  packbits: '-co COMPRESS=PACKBITS -ot Byte',
  lerc: '-co COMPRESS=LERC',
  tiles: '-co TILED=YES -co BLOCKXSIZE=32 -co BLOCKYSIZE=16',
  strips: '-co BLOCKYSIZE=1',
  'big endian': '-co ENDIANNESS=BIG -ot Int16',
  'big TIFF': '-co BIGTIFF=YES -co SPARSE_OK=YES',
  'bands apart': '-co INTERLEAVE=BAND -co COMPRESS=LZW -b 1 -b 1 -b 1',
  cloud: '-of COG -co COMPRESS=ZSTD -co BLOCKSIZE=128',
  'four bits': '-ot Byte -co NBITS=7',
}

describe('a raster as GDAL writes it', function () {
  this.timeout(120_000)
  const folder = temporaryFolder()
  const own = ownGrid()

  const numbers = Array.from({ length: 60 * 60 }, (_, i) => (i * 7919) % 101)
  const plain = tiff({ width: 60, height: 60, bands: [numbers], place: [0.19, 0.21, 0.0021, 0.0021], nodata: '100' })
  async function totals(path: string) {
    const entry = {
      layerId: 'lyr_people',
      orgId: own.orgId,
      name: 'People',
      category: 'Population',
      resetsAttributes: true,
    }
    const options = { ...entry, bands: [], statistic: 'sum' as const, classes: new Map<number, string>() }
    const { columns, raster } = await importRaster(own.db, path, options, quiet)
    return { total: columns?.[0]?.total, nodata: raster.bands[0]?.nodata, sum: raster.bands[0]?.sum }
  }

  it('gives the same figures, whatever its blocks, compression, order of bytes and type of numbers', async () => {
    const path = folder.write('plain.tif', plain)
    const expected = await totals(path)
    assert.equal(expected.nodata, numbers.filter((number) => number === 100).length)
    for (const [form, options] of Object.entries(FORMS)) {
      const other = join(dirname(path), 'other.tif')
      await run('gdal_translate', ['-q', ...options.split(' '), path, other])
      assert.deepEqual(await totals(other), expected, form)
    }
  })

  it('leaves out what its mask leaves out', async () => {
    const path = folder.write('plain.tif', plain)
    const other = join(dirname(path), 'masked.tif')
    // The mask of the file has the pixels of no data; without the mark, the mask alone says so.
    await run('gdal_translate', [
      '-q',
      '-mask',
      'mask',
      '-a_nodata',
      'none',
      '--config',
      'GDAL_TIFF_INTERNAL_MASK',
      'YES',
      path,
      other,
    ])
    assert.deepEqual(await totals(other), await totals(path))
  })

  it('is laid over the frames as gdalwarp lays it, in metres', async () => {
    const path = folder.write('plain.tif', plain)
    const other = join(dirname(path), 'metres.tif')
    await run('gdalwarp', ['-q', '-overwrite', '-t_srs', 'ESRI:54009', '-r', 'near', '-tr', '30', '30', path, other])
    const mean = async (file: string) => {
      const { sum = 0 } = await totals(file)
      return sum
    }
    // A pixel of 30 m is about a 61st of one of 0.0021 degrees.
    const ratio = (await mean(other)) / (await mean(path))
    assert.ok(ratio > 58 && ratio < 64, String(ratio))
  })
})
