/** Measures points by the thousand, and the export of the largest state with values. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../src/core/db/connect.js'
import { exportFrames } from '../../src/tools/export/export.js'
import { BASELINES } from './national-data.js'
import { atMost, tell, type Row } from './report.js'
import { quickest } from './totals.js'

const POINTS = 10_000
const TURNS = 3

const EACH_POINT = 'select count(frame_at(lon, lat)) as n from unnest($1::float8[], $2::float8[]) as point (lon, lat)'
const ALL_POINTS = 'select count(*) as n from frames_at($1::float8[], $2::float8[])'

export async function bulkRow(db: Database, folder: string): Promise<Row> {
  const [extent] = await db.rows<{ west: number; south: number; east: number; north: number }>(
    'select min(ST_XMin(geom)) as west, min(ST_YMin(geom)) as south, max(ST_XMax(geom)) as east, max(ST_YMax(geom)) as north from frame',
    [],
  )
  if (!extent) throw new Error('The index is empty.')
  const between = (least: number, most: number) =>
    Array.from({ length: POINTS }, () => least + Math.random() * (most - least))
  const points = [between(extent.west, extent.east), between(extent.south, extent.north)]
  const each = await quickest(() => db.rows(EACH_POINT, points), TURNS)
  const all = await quickest(() => db.rows(ALL_POINTS, points), TURNS)
  const [largest] = await db.rows<{ state: string; frames: number }>(
    'select state, frames::int as frames from state order by frames desc limit 1',
    [],
  )
  const { state = '', frames = 0 } = largest ?? {}
  const exporting = await quickest(() => exported(db, state, join(folder, 'state.parquet')), TURNS)
  return {
    key: 'bulk',
    title: `${POINTS} points; a state of ${frames} frames`,
    findings: [
      atMost('a point by frame_at', each / POINTS, 0.1, ' ms'),
      atMost('a point by frames_at', all / POINTS, 0.1, ' ms'),
      atMost(`export with ${BASELINES.length} baselines to Parquet`, exporting / 1000, 20, ' s'),
    ],
  }
}

async function exported(db: Database, state: string, file: string): Promise<void> {
  await exportFrames(
    db,
    { file, format: 'parquet', place: { unit: [state] }, units: true, guards: true, layers: BASELINES },
    tell,
  )
  rmSync(file)
}
