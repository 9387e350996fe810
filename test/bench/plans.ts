/** Checks the plans of the reads on a national index: none reads a large table whole, each visits its index once. */
import type { Database } from '../../src/core/db/connect.js'
import { pageOf } from '../../src/core/db/page.js'
import * as statements from '../../src/core/db/statements.js'
import { BASELINES, POINTS } from './national-data.js'
import { atMost, holds, type Finding, type Row } from './report.js'

export async function planRow(db: Database): Promise<Row> {
  const findings = [...(await boxes(db)), ...(await scans(db)), ...(await records(db))]
  return { key: 'plans', title: 'plans and single reads', findings }
}

/** Takes the quickest of several runs, which other work of the machine slowed least. */
async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 7; i += 1) {
    const from = performance.now()
    await work()
    times.push(performance.now() - from)
  }
  return Math.min(...times)
}

async function boxes(db: Database): Promise<Finding[]> {
  const country = () => pageOf(statements.framesInBox, db, 2, 4, 15, 14.5, 5000)
  const page = await country()
  const { length } = JSON.parse(`[${page.features.toString()}]`) as unknown[]
  return [
    holds('a box over the whole country: 5,000 frames, and more', page.next !== undefined, String(length)),
    atMost('... in', await milliseconds(country), 100, ' ms'),
    atMost(
      'a tall box of over 20,000 frames in',
      await milliseconds(() => pageOf(statements.framesInBox, db, 9, 4, 9.3, 14, 5000)),
      100,
      ' ms',
    ),
  ]
}

async function scans(db: Database): Promise<Finding[]> {
  const [unit] = await db.rows<{ state: string; lga: string; ward: string }>(
    'select state, lga, ward from ward order by frames desc, ward limit 1',
    [],
  )
  const { state, lga, ward } = unit ?? { state: '', lga: '', ward: '' }
  const calls: [string, unknown[], string][] = [
    ['frames_at', [[7.4951], [9.0579]], statements.framesAt.text],
    ['frames_by_id', [['356457949', '356457950']], statements.framesById.text],
    ['frames_in_box', [7.4, 9, 7.5, 9.1, 5000], statements.framesInBox.text],
    ['frames_in_box, whole country', [2, 4, 15, 14.5, 5000], statements.framesInBox.text],
    ['frames_in_state', [state, '-1', 5000], statements.framesInState.text],
    ['frames_in_lga', [state, lga, '-1', 5000], statements.framesInLga.text],
    ['frames_in_ward', [state, lga, ward, '-1', 5000], statements.framesInWard.text],
    ['wards_of_lga', [state, lga], statements.wardsOfLga.text],
  ]
  const findings: Finding[] = []
  for (const [name, args, text] of calls) {
    const plan = await db.rows<{ 'QUERY PLAN': string }>(`explain (analyze, buffers) ${text}`, args)
    const lines = plan.map((row) => row['QUERY PLAN'])
    const scan = lines.find((each) => /Seq Scan on (frame|ward)\b/.test(each) && !/never executed/.test(each))
    findings.push(holds(`${name}: no table end to end`, scan === undefined, scan?.trim() ?? lines.at(-1) ?? ''))
  }
  return findings
}

type Node = { 'Node Type': string; 'Relation Name'?: string; 'Actual Loops': number; Plans?: Node[] }
const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

async function records(db: Database): Promise<Finding[]> {
  const near = await db.rows<{ id: string }>(
    'select frame_id::text as id from frame where geom && ST_MakeEnvelope(7.4, 9, 7.495, 9.095, 4326) limit 100',
    [],
  )
  const apart = await db.rows<{ id: string }>(
    'select frame_id::text as id from frame tablesample system (0.2) limit 100',
    [],
  )
  const findings: Finding[] = []
  for (const [where, rows] of [
    ['side by side', near],
    ['all over', apart],
  ] as const) {
    const ids = rows.map(({ id }) => id)
    const ofBaselines = await milliseconds(() => statements.recordsOfBaselines(db, ids, BASELINES))
    const ofFeatures = await milliseconds(() => statements.recordsOfFeatures(db, ids, POINTS, 200))
    findings.push(atMost(`six baselines on 100 frames ${where}`, ofBaselines, 30, ' ms'))
    findings.push(atMost(`points on 100 frames ${where}`, ofFeatures, 30, ' ms'))
    findings.push(...(await visits(db, `records_of_baselines ${where}`, baselinesRead(ids))))
    findings.push(...(await visits(db, `records_of_features ${where}`, featuresRead(ids))))
  }
  return findings
}

type Read = { text: string; args: unknown[]; table: string; visits: number }
const baselinesRead = (ids: string[]): Read => ({
  text: statements.recordsOfBaselines.text,
  args: [ids, BASELINES],
  table: 'baseline_row',
  visits: BASELINES.length * ids.length,
})
const featuresRead = (ids: string[]): Read => ({
  text: statements.recordsOfFeatures.text,
  args: [ids, POINTS, 200],
  table: 'feature_frame',
  visits: ids.length,
})

async function visits(db: Database, name: string, { text, args, table, visits: most }: Read): Promise<Finding[]> {
  const [plan] = await db.rows<{ 'QUERY PLAN': [{ Plan: Node }] }>(`explain (analyze, format json) ${text}`, args)
  const nodes = plan ? nodesOf(plan['QUERY PLAN'][0].Plan) : []
  const visited = nodes.filter((node) => node['Relation Name'] === table)
  const loops = visited.reduce((sum, node) => sum + node['Actual Loops'], 0)
  const scan = nodes.find(
    (node) => node['Node Type'] === 'Seq Scan' && /^(baseline_row|feature)/.test(node['Relation Name'] ?? ''),
  )
  return [
    holds(`${name}: a visit a dataset and frame`, loops === most, `${loops} visits`),
    holds(`${name}: no table end to end`, scan === undefined, scan?.['Relation Name'] ?? ''),
  ]
}
