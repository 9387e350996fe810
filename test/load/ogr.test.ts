/** Files that GDAL reads, in any coordinate system. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { layered } from '../../src/tools/load/converted-file.js'
import { importBaseline } from '../../src/tools/load/import-baseline.js'
import { importFeatures } from '../../src/tools/load/import-features.js'
import { importFrames } from '../../src/tools/load/import-frames.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { frames, settingsFor } from '../support/cli.js'
import { newOrganisation } from '../support/service.js'
import { quiet, temporaryFolder } from './files.js'

const run = promisify(execFile)

describe('a file that GDAL reads', function () {
  this.timeout(120_000)
  const folder = temporaryFolder()
  const points = folder.write('points.csv', 'X,Y,name,long\n0.205,0.105,well,599686042433355775\n0.206,0.105,pump,3\n')
  folder.write('rows.csv', 'frame_id,people,code\n324378020,1.10,007\n324378021,2,08\n')
  const cwd = dirname(points)
  const at = (name: string) => join(cwd, name)
  let database: TestDatabase
  let entry: { orgId: string; layerId: string; name: string; category: string; hasDistances: false }
  before(async () => {
    database = await newDatabase('frames')
    const orgId = await newOrganisation(database.db)
    entry = { orgId, layerId: 'lyr_wells', name: 'Wells', category: 'Physical', hasDistances: false }
    const xy = '-oo X_POSSIBLE_NAMES=X -oo Y_POSSIBLE_NAMES=Y -oo AUTODETECT_TYPE=YES'
    const projected = `-s_srs EPSG:4326 -t_srs EPSG:32631 ${xy} -select name,long`
    const lines = [
      ...['"surveyor\'s wells.gpkg"', 'wells.shp', 'wells.fgb', '-f GML wells.gml', 'wells.kml'].map(
        (made) => `ogr2ogr ${projected} ${made} points.csv`,
      ),
      `python3 -m zipfile -c 'my wells.zip' wells.shp wells.shx wells.dbf wells.prj`,
      `ogr2ogr ${projected} two.gpkg points.csv -nln wells`,
      `ogr2ogr -update two.gpkg points.csv ${xy} -nln pumps -a_srs EPSG:4326`,
      `ogr2ogr -update two.gpkg rows.csv -nln people`,
      `ogr2ogr rows.xlsx rows.csv`,
      `ogr2ogr rows.ods rows.csv`,
      `ogr2ogr nowhere.shp points.csv ${xy}`,
      `ogr2ogr places.xlsx points.csv`,
    ]
    await run('sh', ['-ec', lines.join('\n')], { cwd })
  })
  after(() => database.drop())

  const take = (name: string, layer?: string) => importFeatures(database.db, layered(at(name), layer), entry, quiet)
  const rowsOf = (sql: string) => database.db.rows<Record<string, unknown>>(sql, [])
  const refused = async (name: string, layer?: string) => {
    const fault = await take(name, layer).then(
      () => assert.fail(`${name} was taken`),
      (error: Error) => error.message,
    )
    return fault.replaceAll(`${cwd}/`, '')
  }
  const SERVED = `select json_agg(json_build_array(properties ->> 'name', properties ->> 'long', geojson) order by properties ->> 'name')::text as served
    from feature where version = (select version from dataset where layer_id = 'lyr_wells')`
  const WELLS = JSON.stringify([
    ['pump', '3', '{"type":"Point","coordinates":[0.206,0.105]}'],
    ['well', '599686042433355775', '{"type":"Point","coordinates":[0.205,0.105]}'],
  ])
  const served = async () => JSON.stringify(JSON.parse(String((await rowsOf(SERVED))[0]?.['served'])))

  for (const name of ["surveyor's wells.gpkg", 'wells.shp', 'my wells.zip', 'wells.fgb', 'wells.gml'])
    it(`is read as features of WGS 84, with every digit: ${name}`, async () => {
      assert.equal((await take(name)).items, 2)
      assert.equal(await served(), WELLS)
    })

  it('is read as features: KML, whose numbers are doubles, and a sheet with columns of coordinates', async () => {
    assert.equal((await take('wells.kml')).items, 2)
    assert.equal((await take('places.xlsx')).items, 2)
    assert.equal(await served(), WELLS)
  })

  it('has a layer chosen by its name, and a sentence lists the layers', async () => {
    assert.equal(await refused('two.gpkg'), 'two.gpkg has 2 layers: wells, pumps. --layer names one of them.')
    assert.equal((await take('two.gpkg', 'wells')).items, 2)
    assert.equal(await served(), WELLS)
    assert.equal(
      await refused('two.gpkg', 'well'),
      'two.gpkg: there is no layer "well" for this: wells, pumps. Did you mean wells?',
    )
    assert.equal(
      await refused('rows.csv', 'wells'),
      'rows.csv: this kind of file has one layer, and --layer names wells.',
    )
  })

  it('is read as a table, each cell as a person sees it', async () => {
    const about = { orgId: entry.orgId, layerId: 'lyr_people', name: 'People', category: 'Population' }
    for (const [name, layer] of [['rows.xlsx'], ['rows.ods'], ['two.gpkg', 'people']] as const) {
      await importBaseline(database.db, layered(at(name), layer), about, quiet)
      const [row] = await rowsOf(
        `select recorded::text as recorded from baseline where layer_id = 'lyr_people' and frame_id = 324378020`,
      )
      assert.deepEqual(JSON.parse(String(row?.['recorded'])), { people: '1.10', code: '007' }, name)
    }
  })

  it('brings frames in: those of a GeoPackage of export are the same again', async () => {
    const file = at('frames.gpkg')
    const ran = await frames(
      ['export', '--state', 'marembe', '--lga', 'lakeside', '--with-units', file],
      settingsFor(database.ownerTarget),
    )
    assert.equal(ran.status, 0, ran.err)
    // GDAL begins a ring elsewhere.
    const units = `select md5(string_agg(concat_ws('|', frame_id, ST_AsText(ST_Normalize(geom)), state, lga_code, ward), ';' order by frame_id)) as units
      from frame where lga = 'LAKESIDE'`
    const before = await rowsOf(units)
    const other = await newDatabase()
    try {
      await importFrames(other.db, file, quiet)
      assert.deepEqual(await other.db.rows(units, []), before)
    } finally {
      await other.drop()
    }
  })

  it('is refused in a sentence that names it, and nothing changes: cut, empty, of another kind, without a system, missing', async () => {
    await take('wells.fgb')
    const version = `select version::text as version from dataset where layer_id = 'lyr_wells'`
    const before = await rowsOf(version)
    const whole = [
      "surveyor's wells.gpkg",
      'wells.shp',
      'my wells.zip',
      'wells.fgb',
      'wells.gml',
      'rows.xlsx',
      'rows.ods',
    ]
    for (const name of whole) {
      const ending = name.split('.').at(-1) ?? ''
      const size = readFileSync(at(name)).length
      const broken: [string, (path: string) => void][] = [
        ['cut', (path) => (copyFileSync(at(name), path), truncateSync(path, Math.floor(size * 0.6)))],
        ['hardly', (path) => (copyFileSync(at(name), path), truncateSync(path, 90))],
        ['empty', (path) => writeFileSync(path, '')],
        ['text', (path) => writeFileSync(path, 'not what it is called\n')],
        ['packed', (path) => writeFileSync(path, Buffer.from('1f8b0800000000000003030000000000', 'hex'))],
      ]
      for (const [how, make] of broken) {
        const file = `${how}.${ending}`
        make(at(file))
        const said = await refused(file)
        assert.match(said, new RegExp(`^${how}\\.${ending}[:, ].{20,}\\.$`), said)
        assert.doesNotMatch(said, /\n|\{|->/, said)
        if (how === 'packed') assert.match(said, /compressed by gzip: unpack it with gunzip/)
        if (how === 'empty') assert.match(said, /the file is empty|GDAL cannot read it/)
      }
    }
    assert.match(
      await refused('nowhere.shp'),
      /^nowhere\.shp, layer nowhere: GDAL cannot read it: .* no coordinate system\..* Give it the one that it has: ogr2ogr -a_srs EPSG:4326 'with-system\.gpkg' '.*nowhere\.shp'$/,
    )
    await assert.rejects(take('absent.gpkg'), { code: 'ENOENT' })
    assert.deepEqual(await rowsOf(version), before)
  })

  it('is refused with the way to get GDAL where it is not installed; other files need none', async () => {
    const { PATH } = process.env
    process.env['PATH'] = cwd
    try {
      const said = await refused('wells.fgb')
      assert.match(
        said,
        /^wells\.fgb: GeoJSON and CSV are read without .* needs ogr2ogr of GDAL, which is not installed: /,
      )
      assert.equal((await take('points.csv')).items, 2)
    } finally {
      process.env['PATH'] = PATH
    }
  })
})
