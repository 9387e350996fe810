/** Compares kinds of indexes on the frames: what each costs to build, and what a point, a box, a page and a tile cost. */
import type { Database } from '../../src/core/db/connect.js'
import { rolledBack } from '../../src/api/inspect/what-if.js'
import { sqlText } from '../../src/core/db/statement.js'
import * as statements from '../../src/core/db/statements.js'
import { measurePlan } from '../../src/api/inspect/explained.js'
import { planFacts } from '../../src/api/inspect/plan.js'
import type { Asked } from './rows.js'
import { tell, told, type Finding, type Row } from './report.js'
import { tileAt } from './tiles.js'

type Kind = { title: string; removed: string; added: string }

const OF_GEOM = 'frame_geom_idx, frame_multipolygon_idx'
const ofGeom = (title: string, definition: string): Kind => ({
  title,
  removed: OF_GEOM,
  added: `on frame ${definition}`,
})
const KINDS: Kind[] = [
  ofGeom('GiST', 'using gist (geom)'),
  ofGeom('GiST that covers frame_id and geojson', 'using gist (geom) include (frame_id, geojson)'),
  ofGeom('SP-GiST', 'using spgist (geom)'),
  ofGeom('BRIN, 4 pages a range', 'using brin (geom) with (pages_per_range = 4)'),
  ofGeom('BRIN, 16 pages a range', 'using brin (geom) with (pages_per_range = 16)'),
  ofGeom('BRIN, 128 pages a range', 'using brin (geom)'),
  { title: 'btree', removed: 'frame_state_frame_id_idx', added: 'on frame (state, frame_id)' },
  {
    title: 'btree that covers geojson',
    removed: 'frame_state_frame_id_idx',
    added: 'on frame (state, frame_id) include (geojson)',
  },
]

const POINTS_ASKED = 1000
const RUNS = 3

export async function indexRows(db: Database, asked: Asked): Promise<Row[]> {
  const rows: Row[] = []
  for (const kind of KINDS) {
    tell(`measuring the index ${kind.title}`)
    rows.push({
      key: 'indexes',
      title: kind.title,
      findings: await rolledBack(db, (run) => measured(run, kind, asked)),
    })
  }
  return rows
}

/** Scans of the whole table are off, so that the planner uses the index, whatever it costs. */
async function measured(run: Database['rows'], { removed, added }: Kind, asked: Asked): Promise<Finding[]> {
  await run('set local enable_seqscan = off', [])
  await run(`drop index ${removed}`, [])
  const from = performance.now()
  await run(`create index tried ${added}`, [])
  const built = (performance.now() - from) / 1000
  const [size] = await run<{ mb: number }>(`select pg_relation_size('tried') / 1048576.0::float8 as mb`, [])
  const findings = [told('build', built, ' s'), told('size', size?.mb ?? Number.NaN, ' MB')]
  for (const { title, text, args, count } of questions(asked)) {
    let executionMs = Infinity
    let buffers = 0
    for (let i = 0; i < RUNS; i += 1) {
      const facts = planFacts(await measurePlan(run, { text, args }))
      executionMs = Math.min(executionMs, facts.executionMs)
      buffers = facts.buffers
    }
    findings.push(told(`${title}, buffers`, buffers / count), told(`${title}, milliseconds`, executionMs / count))
  }
  return findings
}

type Question = { title: string; text: string; args: unknown[]; count: number }

function questions({ points, boxes: { boxes }, squares, pages: { state } }: Asked): Question[] {
  const some = points.slice(0, POINTS_ASKED)
  const lonLats = [some.map(({ lon }) => lon), some.map(({ lat }) => lat)]
  const [box, square] = [boxes[0], squares[0]]
  if (!box || !square) throw new Error('The index has no box and no square to ask for.')
  const { z, x, y } = tileAt('frames', 9, square)
  return [
    { title: 'a point', text: statements.framesAt.text, args: lonLats, count: some.length },
    {
      title: 'a box',
      text: statements.framesInBox.text,
      args: [box.minLon, box.minLat, box.maxLon, box.maxLat, 5000],
      count: 1,
    },
    { title: 'a page of a state', text: statements.framesInState.text, args: [state, '-1', 5000], count: 1 },
    { title: 'a tile of zoom 9', text: sqlText('tiles/frames_of_tile'), args: [z, x, y], count: 1 },
  ]
}
