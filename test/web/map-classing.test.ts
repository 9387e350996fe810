import assert from 'node:assert/strict'
import { classBounds, CLASSINGS, type Spread, usualClassing } from '../../src/app/map/classing.js'
import { spreadBins } from '../../src/core/spread-bins.js'
import { service } from '../support/service.js'
import { rows } from './visitors.js'

/** Half of the frames have nobody, and few have very many. */
const SKEWED: Spread = {
  lowest: 0,
  highest: 8192,
  breaks: [6, 20, 39, 71, 117, 216],
  bins: [50, 0, 0, 0, 0, 0, 0, 2, 3, 5, 8, 12, 9, 6, 4, 3, 2, 1, 0, 0, 1],
  isZeroApart: true,
  isWhole: true,
}
const EVEN: Spread = {
  lowest: -50,
  highest: 90,
  breaks: [-30, -10, 10, 30, 50, 70],
  bins: Array.from({ length: 20 }, (_, i) => (i % 5 === 4 ? 0 : 10)),
  isZeroApart: false,
  isWhole: false,
}

describe('the classes of numbers', () => {
  it('are at most seven besides zero, each above the one before; below zero no number has a logarithm', () => {
    for (const classing of CLASSINGS)
      for (const { spread, most } of [
        { spread: SKEWED, most: 7 },
        { spread: EVEN, most: 6 },
      ]) {
        const bounds = classBounds(spread, classing)
        assert.ok(bounds.length <= most, classing)
        if (spread.isZeroApart) assert.equal(bounds[0], 0, classing)
        const ends = [...bounds, spread.highest]
        assert.deepEqual(
          ends,
          [...new Set(ends)].toSorted((one, other) => one - other),
          classing,
        )
      }
    assert.deepEqual(classBounds(EVEN, 'log'), EVEN.breaks)
  })

  it('are quantiles unless the last one holds more than ten times its smallest number', () => {
    assert.equal(usualClassing(SKEWED), 'log')
    assert.equal(usualClassing({ ...SKEWED, highest: 2160 }), 'quantiles')
    assert.equal(usualClassing({ ...SKEWED, highest: 2161 }), 'log')
    assert.equal(usualClassing(EVEN), 'quantiles')
    assert.equal(usualClassing({ ...EVEN, highest: 701 }), 'natural')
    assert.equal(usualClassing({ ...SKEWED, breaks: [0, 0, 0, 0, 0, 0] }), 'natural')
    assert.deepEqual(classBounds(SKEWED), classBounds(SKEWED, 'log'))
  })

  it('of natural breaks spread no wider within than any other seven of the same bins', () => {
    const groups = spreadBins(EVEN.bins, EVEN.lowest, EVEN.highest).filter(({ numbers }) => numbers > 0)
    const within = (bounds: readonly number[]) => {
      const ends = [...bounds, EVEN.highest]
      return ends.reduce((sum, end, i) => {
        const part = groups.filter(({ to }) => to <= end + 1e-9 && (i === 0 || to > (ends[i - 1] ?? 0) + 1e-9))
        const numbers = part.reduce((total, group) => total + group.numbers, 0)
        const middle = ({ from, to }: (typeof part)[number]) => (from + to) / 2
        const mean = part.reduce((total, group) => total + group.numbers * middle(group), 0) / Math.max(numbers, 1)
        return sum + part.reduce((total, group) => total + group.numbers * (middle(group) - mean) ** 2, 0)
      }, 0)
    }
    const best = within(classBounds(EVEN, 'natural'))
    const edges = groups.slice(0, -1).map(({ to }) => to)
    const choose = (from: number, left: number): number[][] =>
      left === 0
        ? [[]]
        : edges.flatMap((edge, i) => (i < from ? [] : choose(i + 1, left - 1).map((more) => [edge, ...more])))
    const others = choose(0, 6).map(within)
    assert.ok(others.length > 1000)
    assert.ok(others.every((other) => other >= best - 1e-6))
  })

  it('take one bin for zero and doubling ones for skewed numbers, as the import counted them', async () => {
    const [kept] = await rows<{ highest: number; bins: number[] }>(
      `select highest::float8 as highest, bins::float8[] as bins from attribute_spread join dataset using (version)
       where layer_id = 'lyr_population' and attribute = 'pop_demest26' and level = 'frame'`,
    )
    assert.ok(kept)
    const values = await service().db.rows<{ people: number }>(
      `select (recorded ->> 'pop_demest26')::float8 as people from baseline where layer_id = 'lyr_population' and recorded ->> 'pop_demest26' <> ''`,
      [],
    )
    const bins = spreadBins(kept.bins, 0, kept.highest)
    assert.deepEqual([bins[0]?.from, bins[0]?.to, bins.at(-1)?.to], [0, 0, kept.highest])
    for (const { from, to, numbers } of bins)
      assert.equal(
        numbers,
        values.filter(({ people }) => (to === 0 ? people === 0 : people > from && people <= to)).length,
        `${from} to ${to}`,
      )
    const [slopes] = await rows<{ bins: number[] }>(
      `select bins::float8[] as bins from attribute_spread join dataset using (version)
       where layer_id = 'lyr_terrain' and attribute = 'phy_elevmean' and level = 'frame'`,
    )
    assert.equal(slopes?.bins.length, 20)
  })
})
