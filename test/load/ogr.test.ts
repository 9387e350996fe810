import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { importFeatures } from '../../src/tools/load/import-features.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { newOrganisation } from '../support/service.js'
import { quiet, temporaryFolder } from './files.js'

const run = promisify(execFile)

describe('a file that only ogr2ogr reads', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  const points = folder.write('points.csv', 'X,Y,name\n0.205,0.105,well\n0.206,0.105,pump\n')
  const cwd = dirname(points)
  let database: TestDatabase
  before(async () => {
    database = await newDatabase('frames')
    const projected = '-s_srs EPSG:4326 -t_srs EPSG:32631 -oo X_POSSIBLE_NAMES=X -oo Y_POSSIBLE_NAMES=Y -select name'
    const lines = [
      `ogr2ogr ${projected} "surveyor's wells.gpkg" points.csv`,
      `ogr2ogr ${projected} wells.shp points.csv`,
      `python3 -m zipfile -c 'my wells.zip' wells.shp wells.shx wells.dbf wells.prj`,
      `ogr2ogr ${projected} metres.geojson points.csv`,
    ]
    await run('sh', ['-ec', lines.join('\n')], { cwd })
  })
  after(() => database.drop())

  /** Runs the line that the message has, in the folder of the file. */
  async function converted(message: string): Promise<string> {
    const [, line = ''] = /^(ogr2ogr .*)$/m.exec(message) ?? []
    await run('sh', ['-ec', line], { cwd })
    const [, made = ''] = /'((?:[^']|'\\'')*-converted\.\w+)'/.exec(line) ?? []
    return made.replaceAll(`'\\''`, `'`)
  }

  it('is refused with a line that converts it, and the new file is read', async () => {
    const entry = {
      orgId: await newOrganisation(database.db),
      layerId: 'lyr_wells',
      name: 'Wells',
      category: 'Physical',
      hasDistances: false,
    }
    for (const name of [`surveyor's wells.gpkg`, 'wells.shp', 'my wells.zip', 'metres.geojson']) {
      const take = (file: string) => importFeatures(database.db, file, entry, quiet)
      const fault = await take(`${cwd}/${name}`).then(
        () => assert.fail(`${name} was taken`),
        (error: Error) => error.message,
      )
      assert.match(
        fault,
        name === 'metres.geojson' ? /"urn:ogc:def:crs:EPSG::32631" came/ : /GeoJSON or CSV is accepted/,
      )
      const { items } = await take(await converted(fault))
      assert.equal(items, 2, name)
      const [row] = await database.db.rows<{ outside: number }>(
        `select count(*)::int as outside from feature left join feature_frame using (version, feature_no)
        where version = (select version from dataset where layer_id = 'lyr_wells') and frame_id is null`,
        [],
      )
      assert.equal(row?.outside, 0, `${name}: points off the grid`)
    }
  })
})
