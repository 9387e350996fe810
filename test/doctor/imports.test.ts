import assert from 'node:assert/strict'
import { first, second, serviceForImports } from '../load/imports.js'
import { collection, feature } from '../load/files.js'
import { found, reportOf } from './patient.js'

const CHECKS_OF_DATASETS = [
  'features_joined',
  'distances_kept',
  'dataset_items',
  'classes_kept',
  'totals_missing',
  'totals_add_up',
  'baseline_totals',
  'intervals_kept',
  'feature_totals',
  'versions_left',
  'analyst_views',
]

describe('the doctor after an import', function () {
  this.timeout(120_000)
  const imports = serviceForImports()
  const findings = async () => (await reportOf(imports.db, CHECKS_OF_DATASETS)).findings.map(({ what }) => what)
  const files: [what: string, csv: string][] = [
    ['a column of blanks', `frame_id,x,empty\n${first},1,\n${second},2,\n`],
    ['a column of codes', `frame_id,code\n${first},007\n${second},008\n`],
    ['blanks alone', `frame_id,empty\n${first},\n`],
  ]
  for (const [what, csv] of files) {
    it(`finds nothing wrong with ${what}`, async () => {
      await imports.baseline('lyr_odd', csv)
      assert.deepEqual(await findings(), [])
    })
  }

  it('finds nothing wrong with features that lie beyond the frames', async () => {
    await imports.features('lyr_abroad', collection([feature('a', { type: 'Point', coordinates: [9, 9] })]))
    assert.deepEqual(await findings(), [])
  })

  it('finds the totals and the spread of a column that are lost', async () => {
    for (const lost of [
      "unit_total where unit_id = 0 and attribute = 'x'",
      "attribute_spread where level = 'frame' and attribute = 'x'",
    ]) {
      await imports.baseline('lyr_odd', `frame_id,x\n${first},1\n${second},2\n`)
      await imports.db.work(
        `delete from ${lost} and version = (select version from dataset where layer_id = 'lyr_odd')`,
      )
      const [finding] = await found(imports.db, 'totals_add_up')
      assert.match(finding?.what ?? '', /^Totals of lyr_odd that do not add up: \d+, such as of x\.$/)
    }
  })
})
