/**
 * Builds a national index on a PostgreSQL of its own and looks at what its reads cost.
 *   npm run -s bench:national -- WARDS.json     wards of Nigeria as {State, LGA, Ward, Latitude, Longitude}
 * Exit status 1 when a check fails. Without a ward file it says so and ends.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { connect, type Database } from '../../src/db/connect.js'
import { migrate } from '../../src/db/migrate.js'
import * as statements from '../../src/db/statements.js'
import { build } from '../../src/load/build.js'
import { startPostgres } from '../support/postgres-server.js'
import { loadNationalData, readNationalData } from './national-data.js'
import { check, failures, milliseconds, ms, say } from './report.js'

function writeOutline(file: string): void {
  const atlas = createRequire(import.meta.url).resolve('world-atlas/countries-10m.json')
  const topology = JSON.parse(readFileSync(atlas, 'utf8')) as Topology<{
    countries: GeometryCollection<{ name: string }>
  }>
  const countries = feature(topology, topology.objects.countries).features
  const country = countries.find(({ properties }) => properties.name === 'Nigeria')
  writeFileSync(file, JSON.stringify(country))
}

async function buildNational(db: Database, outline: string, wards: string): Promise<void> {
  const from = performance.now()
  const made = await build(db, { outline, wards }, (step) =>
    say(`        ${((performance.now() - from) / 1000).toFixed(1)} s  ${step}`),
  )
  const seconds = (performance.now() - from) / 1000
  check('the national build takes under three minutes', seconds < 180, `${seconds.toFixed(1)} s`)
  check('about 750,000 frames', made.frames > 740_000 && made.frames < 760_000, String(made.frames))
  check(
    '37 states, 774 local government areas',
    made.states === 37 && made.lgas === 774,
    `${made.states}, ${made.lgas}`,
  )
  check('every row of wards is accounted for', made.wards > 8600, `${made.wards} of ${made.wardRows}`)
}

async function readNational(db: Database): Promise<void> {
  const country = () => statements.framesInBox(db, 2, 4, 15, 14.5, 5001)
  check('a box over the whole country answers 5,001 frames', (await country()).length === 5001, '')
  const whole = await milliseconds(country)
  check('... within 100 ms', whole < 100, ms(whole))
  const tall = await milliseconds(() => statements.framesInBox(db, 9, 4, 9.3, 14, 5001))
  check('a tall narrow box of over 20,000 frames within 100 ms', tall < 100, ms(tall))

  const largest = (await statements.states(db)).sort((a, b) => b.frames - a.frames)[0]
  const [last] = await db.rows<{ after: string }>(
    'select frame_id::text as after from frame where state = $1::text order by frame_id desc offset 5001 limit 1',
    [largest?.state ?? ''],
  )
  const page = (after: string) => milliseconds(() => statements.framesInState(db, largest?.state ?? '', after, 5001))
  const [firstPage, lastPage] = [await page('-1'), await page(last?.after ?? '')]
  const figures = `${ms(firstPage)}, ${ms(lastPage)} (${largest?.state}, ${largest?.frames} frames)`
  check('the last page of the largest state costs what the first does', lastPage < firstPage * 1.5, figures)
  await scans(db)
}

/** Every statement with its real plan: no table of size may be read from end to end. */
async function scans(db: Database): Promise<void> {
  const calls: [string, unknown[], string][] = [
    ['frames_at', [[7.4951], [9.0579]], statements.framesAt.text],
    ['frames_by_id', [['356457949', '356457950']], statements.framesById.text],
    ['frames_in_box', [7.4, 9, 7.5, 9.1, 5001], statements.framesInBox.text],
    ['frames_in_box, whole country', [2, 4, 15, 14.5, 5001], statements.framesInBox.text],
    ['frames_in_state', ['niger', '-1', 5001], statements.framesInState.text],
    ['frames_in_lga', ['niger', 'bosso', '-1', 5001], statements.framesInLga.text],
    ['frames_in_ward', ['niger', 'bosso', 'bosso central i', '-1', 5001], statements.framesInWard.text],
    ['wards_of_lga', ['niger', 'bosso'], statements.wardsOfLga.text],
  ]
  for (const [name, args, text] of calls) {
    const plan = await db.rows<{ 'QUERY PLAN': string }>(`explain (analyze, buffers) ${text}`, args)
    const lines = plan.map((row) => row['QUERY PLAN'])
    const scan = lines.find((line) => /Seq Scan on (frame|ward)\b/.test(line) && !/never executed/.test(line))
    check(`${name} reads no table from end to end`, scan === undefined, scan?.trim() ?? lines.at(-1) ?? '')
  }
}

async function main(wards: string | undefined): Promise<void> {
  if (wards === undefined || !existsSync(wards)) {
    say(
      `The ward file is absent (${wards ?? 'none named'}): nothing was measured. Name one: npm run -s bench:national -- WARDS.json`,
    )
    return
  }
  const server = await startPostgres({ shared_buffers: '1GB', max_wal_size: '4GB' })
  const folder = mkdtempSync(join(tmpdir(), 'frames-national-'))
  try {
    await migrate(server.url('postgres'))
    const db = connect(server.url('postgres'), { connections: 3, deadlineMs: 600_000 })
    const outline = join(folder, 'outline.geojson')
    writeOutline(outline)
    await buildNational(db, outline, wards)
    await readNational(db)
    await loadNationalData(db, folder)
    await readNationalData(db)
    await db.close()
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  process.exitCode = failures() === 0 ? 0 : 1
}

await main(process.argv[2])
