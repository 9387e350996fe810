import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { frames } from '../support/cli.js'
import { service } from '../support/service.js'
import { databaseSettings, everywhere } from './setup.js'

type Row = Record<string, unknown> & { frame_id: bigint; bbox: Record<string, number> }
type GeoColumn = {
  encoding: string
  geometry_types: string[]
  bbox: number[]
  crs: { id: unknown }
  covering: { bbox: Record<string, string[]> }
}

const data = ['--data', 'lyr_population,lyr_terrain', '--with-units']

describe('a Parquet file of frames export', function () {
  this.timeout(120_000)
  let folder: string
  let file: string
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'frames-parquet-'))
    file = join(folder, 'out.parquet')
    const ran = await frames(['export', ...everywhere, ...data, '--org', 'demo', file], databaseSettings())
    assert.equal(ran.status, 0, ran.err)
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('has every frame of the index with its outline, its units and its values, as hyparquet reads it', async () => {
    const rows = (await parquetReadObjects({ file: await asyncBufferFromFile(file) })) as Row[]
    const stored = await service().db.rows<Record<string, string | null>>(
      `select frame.frame_id::text as id, geojson, bbox, state, ward_code,
        people.recorded ->> 'pop_demest26' as people, terrain.recorded ->> 'phy_elevmean' as height, terrain.recorded ->> 'phy_landcov' as cover,
        bound.lower::text as least
      from frame
      left join baseline as people on people.frame_id = frame.frame_id and people.layer_id = 'lyr_population'
      left join baseline as terrain on terrain.frame_id = frame.frame_id and terrain.layer_id = 'lyr_terrain'
      left join frame_interval as bound on bound.frame_id = frame.frame_id
        and bound.version = (select version from dataset where layer_id = 'lyr_population')
      order by frame.frame_id`,
      [],
    )
    const inOrder = rows.toSorted((one, other) => (one.frame_id < other.frame_id ? -1 : 1))
    assert.equal(inOrder.length, stored.length)
    const orNull = (text: string | null | undefined) => (text === undefined || text === '' ? null : text)
    const numberOrNull = (text: string | null | undefined) => (orNull(text) === null ? null : Number(text))
    for (const [i, row] of inOrder.entries()) {
      const kept = stored[i] ?? {}
      assert.deepEqual(
        {
          id: String(row.frame_id),
          geometry: row['geometry'],
          bbox: ['xmin', 'ymin', 'xmax', 'ymax'].map((corner) => row.bbox[corner]),
          state: row['state'],
          ward_code: row['ward_code'],
          people: row['pop_demest26'] === null ? null : Number(row['pop_demest26']),
          height: row['phy_elevmean'],
          cover: row['phy_landcov'],
          least: row['pop_demest26_lower'],
        },
        {
          id: kept['id'],
          geometry: JSON.parse(kept['geojson'] ?? ''),
          bbox: JSON.parse(kept['bbox'] ?? ''),
          state: kept['state'],
          ward_code: kept['ward_code'],
          people: numberOrNull(kept['people']),
          height: numberOrNull(kept['height']),
          cover: orNull(kept['cover']),
          least: numberOrNull(kept['least']),
        },
      )
    }
  })

  it('has the metadata of GeoParquet 1.1', async () => {
    const { key_value_metadata: pairs, row_groups: groups } = await parquetMetadataAsync(
      await asyncBufferFromFile(file),
    )
    const { version, primary_column, columns } = JSON.parse(pairs?.find(({ key }) => key === 'geo')?.value ?? '') as {
      version: string
      primary_column: string
      columns: { geometry: GeoColumn }
    }
    assert.deepEqual([version, primary_column], ['1.1.0', 'geometry'])
    const { encoding, geometry_types, bbox, crs, covering } = columns.geometry
    assert.deepEqual(
      [encoding, geometry_types, crs.id],
      ['WKB', ['MultiPolygon', 'Polygon'], { authority: 'EPSG', code: 4326 }],
    )
    const [extent] = await service().db.rows<{ corners: number[] }>(
      `select array[min(ST_XMin(geom)), min(ST_YMin(geom)), max(ST_XMax(geom)), max(ST_YMax(geom))] as corners from frame`,
      [],
    )
    assert.deepEqual(bbox, extent?.corners)
    assert.deepEqual(covering.bbox['ymax'], ['bbox', 'ymax'])
    assert.deepEqual(
      groups.map(({ num_rows }) => Number(num_rows) <= 10_000),
      [true, true],
    )
  })

  it('is read by DuckDB, which skips groups by their bounds and finds the geometry', async () => {
    assert.equal(readFileSync(file).subarray(0, 4).toString(), 'PAR1')
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    const rows = async (text: string) => (await connection.runAndReadAll(text)).getRowObjectsJson()
    const [sum] = await rows(`select count(*)::int as frames, sum(pop_demest26)::int as people from '${file}'`)
    const [stored] = await service().db.rows<object>(
      `select count(*)::int as frames, (
        select sum((recorded ->> 'pop_demest26')::numeric)::int from baseline where layer_id = 'lyr_population'
      ) as people from frame`,
      [],
    )
    assert.deepEqual(sum, { ...stored })
    const [inBox] = await rows(
      `select count(*)::int as frames from '${file}' where bbox.xmax >= 0.2 and bbox.xmin <= 0.3 and bbox.ymax >= 0.1 and bbox.ymin <= 0.2`,
    )
    const [touching] = await service().db.rows<object>(
      'select count(*)::int as frames from frame where geom && ST_MakeEnvelope(0.2, 0.1, 0.3, 0.2, 4326)',
      [],
    )
    assert.deepEqual(inBox, { ...touching })
    const groups = await rows(
      `select path_in_schema as path, stats_min_value as least, stats_max_value as most from parquet_metadata('${file}')
      where path_in_schema in ('bbox, xmin', 'frame_id')`,
    )
    assert.equal(groups.length, 4)
    assert.ok(groups.every(({ least, most }) => least !== null && most !== null))
    const [geometry] = await rows(`select typeof(geometry) like 'GEOMETRY(%WGS 84%' as is from '${file}' limit 1`)
    assert.deepEqual(geometry, { is: true })
  })
})
