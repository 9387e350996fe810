import assert from 'node:assert/strict'
import pg from 'pg'
import { importFeatures } from '../../src/tools/load/import-features.js'
import { quiet, temporaryFolder } from '../load/files.js'
import { newDatabase, urlOf, type TestDatabase } from '../support/database.js'
import { newOrganisation } from '../support/service.js'

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Join Filter'?: number
  Plans?: Node[]
}
type Explained = { 'Query Text': string; Plan: Node }

const POINTS = 3000
/** PostgreSQL counts a loop for each process that reads: two workers help the first, as its defaults say. */
const PROCESSES = 3
const nodesOf = (plan: Node): Node[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

describe('the plans of totals', () => {
  const folder = temporaryFolder()
  let database: TestDatabase
  let admin: pg.Client

  before(async () => {
    database = await newDatabase('datasets')
    admin = new pg.Client({ connectionString: urlOf(database.adminTarget) })
    await admin.connect()
  })
  after(async () => {
    await admin.end()
    folder.remove()
    await database.drop()
  })

  /** Runs totals_keep on a version that no statistics know, as in an import, and undoes it. */
  async function explained(layerId: string): Promise<Explained[]> {
    const plans: Explained[] = []
    const listen = ({ message = '' }) => {
      const [, json] = /plan:\s*(\{[^]*\})\s*$/.exec(message) ?? []
      if (json !== undefined) plans.push(JSON.parse(json) as Explained)
    }
    admin.on('notice', listen)
    await admin.query('begin')
    for (const table of ['feature', 'feature_frame', 'dataset'])
      await admin.query(
        `update ${table} set version = 1000000000 where version = (select version from dataset where layer_id = '${layerId}')`,
      )
    await admin.query(`load 'auto_explain'`)
    for (const [name, value] of Object.entries({
      log_min_duration: '0',
      log_nested_statements: 'on',
      log_analyze: 'on',
      log_format: 'json',
      // totals_keep hides notices.
      log_level: 'warning',
    }))
      await admin.query(`set local auto_explain.${name} = '${value}'`)
    await admin.query(`select totals_keep('${layerId}')`)
    await admin.query('rollback')
    admin.off('notice', listen)
    return plans
  }

  it('compare no feature with every unit, though statistics do not have its version yet', async () => {
    const [box] = await database.db.rows<{ west: number; south: number; east: number; north: number }>(
      `select ST_XMin(box) as west, ST_YMin(box) as south, ST_XMax(box) as east, ST_YMax(box) as north
       from (select ST_Extent(geom) as box from frame) as whole`,
      [],
    )
    assert.ok(box)
    // Steps of the golden section spread the points evenly.
    const points = Array.from({ length: POINTS }, (_, at) => {
      const lon = box.west + ((at * 0.618_033_988_7) % 1) * (box.east - box.west)
      const lat = box.south + (at / POINTS) * (box.north - box.south)
      return `${at},${lon.toFixed(6)},${lat.toFixed(6)}`
    })
    const entry = {
      layerId: 'lyr_planned',
      orgId: await newOrganisation(database.db),
      name: 'Planned',
      category: 'Tests',
      hasDistances: false,
    }
    await importFeatures(database.db, folder.write('points.csv', `id,lon,lat\n${points.join('\n')}\n`), entry, quiet)
    const [units] = await database.db.rows<{ n: number }>('select count(*)::int as n from unit', [])
    assert.ok(units && units.n > 20)

    for (const layerId of ['lyr_planned', 'lyr_roads', 'lyr_reserves']) {
      const plans = await explained(layerId)
      const [pairs] = plans.filter(({ Plan }) =>
        nodesOf(Plan).some((node) => node['Relation Name'] === 'feature_frame'),
      )
      assert.ok(pairs, 'a plan reads the pairs of features and frames')
      for (const { 'Query Text': text, Plan } of plans)
        for (const node of nodesOf(Plan)) {
          const compared = (node['Rows Removed by Join Filter'] ?? 0) * node['Actual Loops']
          assert.ok(compared <= POINTS, `${text}: ${JSON.stringify(node)}`)
          // The names of a unit have no index of their own: each search by names reads a whole index.
          const searches =
            node['Relation Name'] === 'unit' && node['Index Name'] !== 'unit_pkey' ? node['Actual Loops'] : 0
          assert.ok(searches <= PROCESSES, `${text}: ${JSON.stringify(node)}`)
          // The other index of pairs is read from end to end for each feature, unless the frame is known too.
          const isOfPair = node['Index Cond']?.includes('frame_id =') && node['Index Cond'].includes('feature_no =')
          if (node['Index Name']?.startsWith('feature_frame') && node['Actual Loops'] > PROCESSES && !isOfPair)
            assert.equal(node['Index Name'], 'feature_frame_feature_idx', text)
        }
    }
  })
})
