import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { importFeatures } from '../../src/tools/load/import-features.js'
import { removeDataset } from '../../src/tools/load/remove-dataset.js'
import { mint, newOrganisation, service } from '../support/service.js'
import { newFolder } from '../support/temporary.js'
import { everyItem, found, query, type Items } from './ogc-calls.js'

/** Wells a to e: when each was dug and seen, and whether it works. */
const WELLS = [
  'a,0.001,0.001,2024-12-31,2026-01-31T11:59:59Z,true',
  'b,0.002,0.001,2025-01-01,2026-01-31T12:00:00Z,false',
  'c,0.003,0.001,2025-06-30,2026-01-31T12:00:01Z,true',
  'd,0.004,0.001,in 2025,noon,yes',
  'e,0.005,0.001,,,',
]
/** The wells that each filter passes. */
const DATED: [filter: string, expected: string][] = [
  ['works = true', 'ac'],
  ['works <> true', 'b'],
  ['NOT (works = FALSE)', 'ac'],
  ['works IN (true, false)', 'abc'],
  ['true', 'abcde'],
  ['NOT TRUE', ''],
  ['works = true AND true', 'ac'],
  ['false OR works = false', 'b'],
  [`dug >= DATE('2025-01-01')`, 'bc'],
  [`dug < DATE('2025-01-01')`, 'a'],
  [`NOT (dug < DATE('2025-01-01'))`, 'bc'],
  [`DATE('2025-01-01') = dug`, 'b'],
  [`dug BETWEEN DATE('2025-01-01') AND DATE('2025-06-30')`, 'bc'],
  [`dug NOT IN (DATE('2025-01-01'))`, 'ac'],
  [`seen > TIMESTAMP('2026-01-31T12:00:00Z')`, 'c'],
  [`seen <= TIMESTAMP('2026-01-31T12:00:00Z')`, 'ab'],
  [`seen < TIMESTAMP('2026-01-31T12:00:00.5Z')`, 'ab'],
  [`seen >= TIMESTAMP('2026-01-31T12:00:00.5Z')`, 'c'],
  ['geometry IS NOT NULL', 'abcde'],
  ['geometry IS NULL', ''],
]

const CONFORMANCE = 'http://www.opengis.net/spec/cql2/1.0/conf/'

describe('Basic CQL2', function () {
  this.timeout(60_000)

  it('is declared, since the other parts rest on it', async () => {
    const { conformsTo } = await found<{ conformsTo: string[] }>('/conformance')
    assert.deepEqual(
      conformsTo.filter((each) => each.startsWith(CONFORMANCE)).map((each) => each.slice(CONFORMANCE.length)),
      ['cql2-text', 'basic-cql2', 'advanced-comparison-operators'],
    )
  })

  it('compares booleans, dates and timestamps, and tests the geometry', async () => {
    const { db } = service()
    const org = await newOrganisation(db)
    const { secret } = await mint(db, { org })
    const place = join(newFolder('dated'), 'wells.csv')
    writeFileSync(place, ['id,lon,lat,dug,seen,works', ...WELLS].join('\n'))
    const entry = { layerId: 'lyr_wells', orgId: org, name: 'Wells', category: 'Water', hasDistances: false }
    await importFeatures(db, place, entry, () => {})
    try {
      for (const [filter, expected] of DATED) {
        const path = `/collections/lyr_wells/items?${query({ filter })}`
        const ids = (await found<Items>(path, secret)).features.map(({ id }) => id)
        assert.equal(ids.join(''), expected, filter)
      }
    } finally {
      await removeDataset(db, 'lyr_wells', () => {})
    }
    const all = await everyItem('/collections/lyr_schools/items')
    for (const [filter, boarding] of [
      ['boarding = true', true],
      ['boarding <> TRUE', false],
      ['NOT (boarding = true)', false],
    ] as const)
      assert.deepEqual(
        await everyItem(`/collections/lyr_schools/items?${query({ filter, limit: 5000 })}`),
        all.filter(({ properties }) => String(properties['boarding']) === String(boarding)),
        filter,
      )
  })
})
