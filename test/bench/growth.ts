/** Measures the same reads on larger and larger grids of whole cells, from 12,000 frames on. SQL makes the grids. */
import { connect, type Database } from '../../src/db/connect.js'
import { replaceIndex } from '../../src/load/new-index.js'
import { byService, contest, type Contender, type Machinery } from './contest.js'
import { atLeast, tell, type Row } from './report.js'
import { atAsks, boxAsks } from './rows.js'
import { boxesOf5000, mintKeys, pointsIn, wholeSquares } from './questions.js'
import { startService, type Service } from './servers.js'

export const SIZES = [12_000, 750_000] as const
export const LARGE = 7_500_000
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

/** Makes a square grid with its corner at 2 E 2 N. It is staged, indexed and switched to as every index is. */
async function makeGrid(db: Database, frames: number): Promise<void> {
  const side = Math.ceil(Math.sqrt(frames))
  const load = () =>
    db.work(`
      insert into staging.frame (frame_id, geom, state, lga, ward)
      select row * 36000 + col, cell, 'STATE', 'AREA ' || (row / 30), 'WARD ' || (col / 30)
      from generate_series(9200, 9200 + ${side - 1}) as row
      cross join generate_series(18200, 18200 + ${side - 1}) as col
      cross join lateral (
        select ST_ForcePolygonCCW(ST_MakeEnvelope(
          (col - 18000) / 100.0, (row - 9000) / 100.0, (col - 17999) / 100.0, (row - 8999) / 100.0, 4326
        )) as cell
      ) as made
      order by cell`)
  await replaceIndex(db, () => {}, { source: `a grid of ${frames} frames`, load })
  await db.work('vacuum analyze frame')
}
