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
const of = (name: string) => ({ property: name })
const [newYear, june] = [{ date: '2025-01-01' }, { date: '2025-06-30' }]
const [noon, later] = [{ timestamp: '2026-01-31T12:00:00Z' }, { timestamp: '2026-01-31T12:00:00.5Z' }]

/** The wells that each filter passes. */
const DATED: [filter: string, json: unknown, expected: string][] = [
  ['works = true', { op: '=', args: [of('works'), true] }, 'ac'],
  ['works <> true', { op: '<>', args: [of('works'), true] }, 'b'],
  ['NOT (works = FALSE)', { op: 'not', args: [{ op: '=', args: [of('works'), false] }] }, 'ac'],
  ['works IN (true, false)', { op: 'in', args: [of('works'), [true, false]] }, 'abc'],
  ['true', true, 'abcde'],
  ['NOT TRUE', { op: 'not', args: [true] }, ''],
  ['works = true AND true', { op: 'and', args: [{ op: '=', args: [of('works'), true] }, true] }, 'ac'],
  ['false OR works = false', { op: 'or', args: [false, { op: '=', args: [of('works'), false] }] }, 'b'],
  [`dug >= DATE('2025-01-01')`, { op: '>=', args: [of('dug'), newYear] }, 'bc'],
  [`dug < DATE('2025-01-01')`, { op: '<', args: [of('dug'), newYear] }, 'a'],
  [`NOT (dug < DATE('2025-01-01'))`, { op: 'not', args: [{ op: '<', args: [of('dug'), newYear] }] }, 'bc'],
  [`DATE('2025-01-01') = dug`, { op: '=', args: [newYear, of('dug')] }, 'b'],
  [`dug BETWEEN DATE('2025-01-01') AND DATE('2025-06-30')`, { op: 'between', args: [of('dug'), newYear, june] }, 'bc'],
  [`dug NOT IN (DATE('2025-01-01'))`, { op: 'not', args: [{ op: 'in', args: [of('dug'), [newYear]] }] }, 'ac'],
  [`seen > TIMESTAMP('2026-01-31T12:00:00Z')`, { op: '>', args: [of('seen'), noon] }, 'c'],
  [`seen <= TIMESTAMP('2026-01-31T12:00:00Z')`, { op: '<=', args: [of('seen'), noon] }, 'ab'],
  [`seen < TIMESTAMP('2026-01-31T12:00:00.5Z')`, { op: '<', args: [of('seen'), later] }, 'ab'],
  [`seen >= TIMESTAMP('2026-01-31T12:00:00.5Z')`, { op: '>=', args: [of('seen'), later] }, 'c'],
  ['geometry IS NOT NULL', { op: 'not', args: [{ op: 'isNull', args: [of('geometry')] }] }, 'abcde'],
  ['geometry IS NULL', { op: 'isNull', args: [of('geometry')] }, ''],
]

const CONFORMANCE = 'http://www.opengis.net/spec/cql2/1.0/conf/'

describe('Basic CQL2', function () {
  this.timeout(60_000)

  it('is declared, since the other parts rest on it', async () => {
    const { conformsTo } = await found<{ conformsTo: string[] }>('/conformance')
    assert.deepEqual(
      conformsTo.filter((each) => each.startsWith(CONFORMANCE)).map((each) => each.slice(CONFORMANCE.length)),
      ['cql2-text', 'cql2-json', 'basic-cql2', 'advanced-comparison-operators'],
    )
  })

  it('compares booleans, dates and timestamps, in both forms of CQL2, and tests the geometry', async () => {
    const { db } = service()
    const org = await newOrganisation(db)
    const { secret } = await mint(db, { org })
    const place = join(newFolder('dated'), 'wells.csv')
    writeFileSync(place, ['id,lon,lat,dug,seen,works', ...WELLS].join('\n'))
    const entry = { layerId: 'lyr_wells', orgId: org, name: 'Wells', category: 'Water', hasDistances: false }
    await importFeatures(db, place, entry, () => {})
    try {
      for (const [filter, json, expected] of DATED) {
        for (const form of [filter, JSON.stringify(json)]) {
          const path = `/collections/lyr_wells/items?${query({ filter: form })}`
          const ids = (await found<Items>(path, secret)).features.map(({ id }) => id)
          assert.equal(ids.join(''), expected, form)
        }
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
