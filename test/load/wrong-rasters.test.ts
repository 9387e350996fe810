import assert from 'node:assert/strict'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { importRaster, type RasterEntry } from '../../src/tools/load/import-raster.js'
import { quiet, stateOf, temporaryFolder } from './files.js'
import { ownGrid } from './imports.js'
import { geoKeys, tiff, type Tiff } from './tiff.js'

const pixels = Array.from({ length: 100 }, (_, i) => i)
const right: Tiff = { width: 10, height: 10, bands: [pixels] }
const made = (changes: Partial<Tiff>) => tiff({ ...right, ...changes })
const at = (place: number, number: number) => [pixels.with(place, number)]
const tags = (changes: Tiff['tags']) => made({ tags: changes ?? {} })
const convert =
  "Convert it, then give the new file:\ngdal_translate -co TILED=YES -co COMPRESS=DEFLATE 'a.tif' 'a-converted.tif'"
const warp = "Convert it, then give the new file:\ngdalwarp -t_srs EPSG:4326 'a.tif' 'a-converted.tif'"
const compressions = 'pixels compressed by none, LZW, deflate, PackBits, LERC, ZSTD are accepted'
const numbers = 'whole numbers of up to 32 bits and floats of up to 64 are accepted'
const unnamed =
  "the file gives its coordinate system no number. --crs names it, such as --crs EPSG:4326 for degrees, --crs ESRI:54009, or --crs '+proj=...', as gdalsrsinfo -o proj4 prints it."
const zip = Buffer.concat([Buffer.from('PK\x03\x04'), deflateRawSync('a.tif')])

/** What is given, and the sentence that its owner reads, behind the name of the file. */
const WRONG: [Buffer, string, Partial<RasterEntry>?][] = [
  [Buffer.alloc(0), 'the file is empty; a GeoTIFF is accepted.'],
  [Buffer.from('frame_id,people\n1,2\n'), `a GeoTIFF is accepted, and this is none. ${convert}`],
  [Buffer.from('<?xml version="1.0"?><VRTDataset/>'), `a GeoTIFF is accepted, and this is none. ${convert}`],
  [Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), `a GeoTIFF is accepted, and this is none. ${convert}`],
  [Buffer.from('\x89HDF\r\n\x1a\n', 'latin1'), `a GeoTIFF is accepted, and this is none. ${convert}`],
  [
    gzipSync(tiff(right)),
    'a GeoTIFF is accepted, and this is a file compressed by gzip: unpack it with gunzip, then give that file.',
  ],
  [zip, 'a GeoTIFF is accepted, and this is a ZIP archive: unpack it, then give the file in it.'],
  [
    Buffer.from('<!doctype html><title>Sign in</title>'),
    'a GeoTIFF is accepted, and this is a web page (HTML): the address of the file may need a sign-in, or may be that of a page about it.',
  ],
  [
    Buffer.from('%PDF-1.7'),
    'a GeoTIFF is accepted, and this is a PDF document: a table in it has to be copied into a CSV file, then give that file.',
  ],
  [tiff(right).subarray(0, 6), 'this GeoTIFF is damaged, or cut short: it names no pixels. Copy it again.'],
  [tiff(right).subarray(0, 400), 'this GeoTIFF is damaged, or cut short: it names no pixels. Copy it again.'],
  [tiff(right).subarray(0, 860), 'this GeoTIFF is damaged, or cut short: Invalid field type: 0'],
  [tags({ 273: [4, [5000]] }), 'the file is cut short: its pixels reach to byte 5800, and it has 1086. Copy it again.'],
  [
    tags({ 279: [4, [99_999]] }),
    'the file is cut short: its pixels reach to byte 100007, and it has 1086. Copy it again.',
  ],
  [tags({ 273: undefined }), 'this GeoTIFF is damaged, or cut short: it names no pixels. Copy it again.'],
  [tags({ 279: undefined }), 'this GeoTIFF is damaged, or cut short: it names no pixels. Copy it again.'],
  [tags({ 256: [4, [0]] }), 'this GeoTIFF is damaged, or cut short: it names no pixels. Copy it again.'],
  [
    tags({ 256: [4, [100_000]], 257: [4, [100_000]], 278: [4, [100_000]] }),
    "blocks of up to 128 MB are accepted, and one of 76294 MB came. Convert it, then give the new file:\ngdal_translate -co TILED=YES -co COMPRESS=DEFLATE 'a.tif' 'a-converted.tif'",
  ],
  [
    tags({ 259: [3, [5]] }),
    'the pixels of columns 1 to 10 and rows 1 to 10 cannot be read: a block of 800 bytes is needed, and one of 243 came. The file is damaged: copy it again.',
  ],
  [
    tags({ 259: [3, [8]] }),
    'the pixels of columns 1 to 10 and rows 1 to 10 cannot be read: unknown compression method. The file is damaged: copy it again.',
  ],
  [
    tags({ 259: [3, [50_000]] }),
    'the pixels of columns 1 to 10 and rows 1 to 10 cannot be read: a block of 800 bytes is needed, and one of 16908278 came. The file is damaged: copy it again.',
  ],
  [tags({ 259: [3, [7]] }), `${compressions}, JPEG came. ${convert}`],
  [tags({ 259: [3, [50_001]] }), `${compressions}, WebP came. ${convert}`],
  [tags({ 259: [3, [1234]] }), `${compressions}, method 1234 came. ${convert}`],
  [
    tags({ 339: [3, [6]] }),
    `${numbers}, complex numbers of 64 bits came. ${convert.replace(" 'a.tif'", " -ot Float64 'a.tif'")}`,
  ],
  [
    tags({ 339: [3, [1]] }),
    `${numbers}, numbers of 64 bits came. ${convert.replace(" 'a.tif'", " -ot Float64 'a.tif'")}`,
  ],
  [
    tags({ 33550: undefined, 33922: undefined }),
    `pixels along the axes of a coordinate system are accepted, and it says nowhere where it lies. ${warp}`,
  ],
  [
    tags({ 33550: [12, [0, 0, 0]] }),
    `pixels along the axes of a coordinate system are accepted, and it says nowhere where it lies. ${warp}`,
  ],
  [
    tags({ 33550: undefined, 34264: [12, [0.01, 0.002, 0, 0.2, 0.002, -0.01, 0, 0.2, 0, 0, 0, 0, 0, 0, 0, 1]] }),
    `pixels along the axes of a coordinate system are accepted, and it is turned or bent against them. ${warp}`,
  ],
  [tags({ 34735: undefined }), unnamed],
  [tags({ 34735: [3, geoKeys(true, 32_767)] }), unnamed],
  [
    made({ crs: 30_000 }),
    "frames cannot be counted in EPSG:30000: could not parse proj string 'EPSG:30000'. --crs names another system.",
  ],
  [
    made({ crs: 32_631, isProjected: true }),
    'it covers no frame. In EPSG:32631 it lies from 0.2 to 0.3 east and from 0.1 to 0.2 north, and the index from 188305.6 to 199447.4 east and from 11065.37 to 22132.61 north. A raster of this country is needed, or another --crs.',
  ],
  [
    made({ place: [-74, 40, 0.01, 0.01] }),
    'it covers no frame. In EPSG:4326 it lies from -74 to -73.9 east and from 39.9 to 40 north, and the index from 0.2 to 0.3 east and from 0.1 to 0.2 north. A raster of this country is needed, or another --crs.',
  ],
  [made({ place: [0.1, 0.2, 0.01, 0.01] }), '--band 3: the file has 1 band.', { bands: [3] }],
  [
    tiff(right),
    "frames cannot be counted in EPSG:nothing: could not parse proj string 'EPSG:nothing'. --crs names another system.",
    { crs: 'EPSG:nothing' },
  ],
  [
    tiff(right),
    'frames cannot be counted in +proj=utm: Failed to transform. --crs names another system.',
    { crs: '+proj=utm' },
  ],
  [
    made({ bands: at(42, Infinity) }),
    'band 1, column 3, row 5: a number of at most 1e+30 is accepted, Infinity came. Where it stands for no data, --nodata Infinity says so.',
  ],
  [
    made({ bands: at(42, -3.4028234663852886e38) }),
    'band 1, column 3, row 5: a number of at most 1e+30 is accepted, -3.4028234663852886e+38 came. Where it stands for no data, --nodata -3.4028234663852886e+38 says so.',
  ],
  [
    made({ bands: at(0, 1e31) }),
    'band 1, column 1, row 1: a number of at most 1e+30 is accepted, 1e+31 came. Where it stands for no data, --nodata 1e+31 says so.',
  ],
  [
    made({ bands: [pixels.map(() => -9999)], nodata: '-9999' }),
    'no frame has a number: all its pixels there are no data.',
  ],
  [
    tags({ 42112: [2, '<GDALMetadata><Item name="SCALE" sample="0" role="scale">ten</Item></GDALMetadata>'] }),
    'band 1: SCALE is no number: "ten".',
  ],
  [
    made({
      width: 40,
      height: 40,
      bands: [Array.from({ length: 1600 }, (_, i) => i)],
      place: [0.2, 0.2, 0.0025, 0.0025],
    }),
    'share gives each class a column, and at most 1,500 are accepted. More different numbers came, such as 1440, 1441, 1442: use mean, or classify the raster.',
    { statistic: 'share' },
  ],
]

describe('a raster that is not right', function () {
  this.timeout(120_000)
  const folder = temporaryFolder()
  const own = ownGrid()

  it('is refused with its name, where it is wrong and what is accepted, and leaves all as it was', async () => {
    const entry = {
      layerId: 'lyr_people',
      orgId: own.orgId,
      name: 'People',
      category: 'Population',
      bands: [],
      classes: new Map<number, string>(),
    }
    const before = await stateOf(own.db)
    for (const [bytes, sentence, changes] of WRONG) {
      const path = folder.write('a.tif', bytes)
      const fault = await importRaster(own.db, path, { ...entry, statistic: 'sum', ...changes }, quiet).then(
        () => 'It was taken.',
        (error: Error) => error.message.replaceAll(path.slice(0, -'a.tif'.length), ''),
      )
      assert.equal(fault, `a.tif: ${sentence}`)
      assert.deepEqual(await stateOf(own.db), before)
    }
  })
})
