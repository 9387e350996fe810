/** Measures the same reads on larger and larger grids of whole cells, from 12,000 frames on. SQL makes the grids. */
import { connect, type Database } from '../../src/core/db/connect.js'
import { replaceIndex } from '../../src/tools/load/new-index.js'
import { byService, contest, type Contender, type Machinery } from './contest.js'
import { atLeast, tell, type Row } from './report.js'
import { atAsks, boxAsks } from './rows.js'
import { boxesOf5000, mintKeys, pointsIn, wholeSquares } from './questions.js'
import { startService, type Service } from './servers.js'

export const SIZES = [12_000, 750_000] as const
export const LARGE = 7_500_000
/** Takes 60 GB of disk, and hours on two cores. */
export const HUGE = 75_000_000
const COST_MOST = 1.3

export async function growthRows(
  machinery: Machinery,
  sizes: readonly number[],
  database: NewDatabase,
): Promise<Row[]> {
  const points: Contender[] = []
  const boxes: Contender[] = []
  const services: Service[] = []
  try {
    for (const frames of sizes) {
      const { ownerUrl, serviceUrl } = await database(`grid_${frames}`)
      const db = connect(ownerUrl, { connections: 3, deadlineMs: 3_600_000 })
      tell(`making a grid of ${frames} frames`)
      await makeGrid(db, frames)
      const service = await startService({ DATABASE_URL: serviceUrl, REDIS_URL: database.redisUrl }, machinery.folder)
      services.push(service)
      const name = `${frames.toLocaleString('en')} frames`
      const keys = await mintKeys(db, 'locality', 1000)
      const asked = pointsIn(await wholeSquares(db, 100), 10_000)
      points.push(byService(machinery, name, service, atAsks(keys, asked), 32))
      const { boxes: found } = await boxesOf5000(db, 20)
      boxes.push(byService(machinery, name, service, boxAsks(keys, found), 8))
      await db.close()
    }
    return [
      await growth(machinery, 'growth-at', '/at as the grid grows', points),
      await growth(machinery, 'growth-box', 'box of 5,000 as the grid grows', boxes),
    ]
  } finally {
    for (const service of services) await service.stop()
  }
}

export type NewDatabase = ((name: string) => Promise<{ ownerUrl: string; serviceUrl: string }>) & { redisUrl: string }

/** The largest grid may cost 1.3 times what the smallest does. */
async function growth(machinery: Machinery, key: string, title: string, contenders: Contender[]): Promise<Row> {
  const measured = await contest(machinery, contenders)
  const smallest = measured[0]?.rate ?? NaN
  const findings = measured
    .slice(1)
    .map(({ rate }, i) =>
      atLeast(`${contenders[i + 1]?.name}, of ${Math.round(smallest)} with the fewest`, rate / smallest, 1 / COST_MOST),
    )
  const largest = measured.at(-1)
  return { key, title, ...(largest ? { measured: largest } : {}), findings }
}

/** A state is a square of as many cells a side. It has areas of 50 by 50 cells and wards of 25 by 25. */
const STATE_SIDE = 250

/**
 * Makes a square grid with its corner at 60 W 31 S. It is staged, indexed and switched to as every index is. The states
 * go in one by one, along the Hilbert curve: sorting 75 million frames at once would take 25 GB of disk.
 */
async function makeGrid(db: Database, frames: number): Promise<void> {
  const side = Math.ceil(Math.sqrt(frames))
  const last = Math.ceil(side / STATE_SIDE) - 1
  const load = async () => {
    const states = await db.rows<State>(
      `select col::int as col, row::int as row
      from generate_series(0, $1::int) as col
      cross join generate_series(0, $1::int) as row
      order by ST_MakeEnvelope(col - 24, row - 12, col - 23, row - 11, 4326)`,
      [last],
    )
    for (const state of states) await db.work(framesOfState(state, side))
    return async () => ({})
  }
  await replaceIndex(db, () => {}, { source: `a grid of ${frames} frames`, load })
  await db.work('vacuum analyze frame')
}

type State = { col: number; row: number }

function framesOfState({ col, row }: State, side: number): string {
  const end = (from: number) => Math.min((from + 1) * STATE_SIDE, side) - 1
  return `
    insert into staging.frame (frame_id, geom, state, lga, ward)
    select (row + 5900) * 36000 + col + 12000, cell, 'STATE ${row} ${col}',
      'AREA ' || row / 50 || ' ' || col / 50, 'WARD ' || row / 25 || ' ' || col / 25
    from generate_series(${row * STATE_SIDE}, ${end(row)}) as row
    cross join generate_series(${col * STATE_SIDE}, ${end(col)}) as col
    cross join lateral (
      select ST_ForcePolygonCCW(ST_MakeEnvelope(
        (col - 6000) / 100.0, (row - 3100) / 100.0, (col - 5999) / 100.0, (row - 3099) / 100.0, 4326
      )) as cell
    ) as made
    order by cell`
}
