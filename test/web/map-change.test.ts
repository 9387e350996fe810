import assert from 'node:assert/strict'
import { classesOf } from '../../src/app/map/classes.js'
import { boundsOfChange, percentBetween, percentChange } from '../../src/app/map/change.js'

describe('a change', () => {
  /** From, to, and both bounds of the later estimate: the percentage, and within what it lies. */
  const CHANGES: readonly [from: string | null, to: string, percent: string, ...within: (string | null)[]][] = [
    ['200', '205', '+2.5 %'],
    ['-200', '-210', '−5 %'],
    ['3', '3', '0 %'],
    ['0', '0', '0 %'],
    ['0', '4', '', '1', '2', ''],
    [null, '4', '', '1', '2', ''],
    // Bounds are rounded outwards, to three digits.
    ['1000', '1010', '+1 %', '955', '1076', 'within its uncertainty, −4.5 % to +8 %'],
    ['1000', '1020', '+2 %', '1010', '1040', '+1 % to +4 %'],
    ['1000', '950', '−5 %', '900', '980', '−10 % to −2 %'],
    ['1000', '1050', '+5 %', '1000', '1100', 'within its uncertainty, 0 % to +10 %'],
    ['1000', '1050', '+5 %', null, null, ''],
  ]
  it('has a percentage, and bounds that say where they do not tell which way it went; from nothing it has none', () => {
    for (const [from, to, percent, lower = null, upper = null, within = ''] of CHANGES) {
      assert.equal(percentChange(percentBetween(from, to)), percent, `${from} to ${to}`)
      assert.equal(boundsOfChange(from, { lower, upper }), within, `${from} to ${to}`)
    }
  })

  it('is hatched on the map where the bounds enclose the earlier value, unless it is none', () => {
    const before = { dataset: 'lyr_population', attribute: 'pop_demest25', version: '1' }
    const { unsureOf } = classesOf({ before, steps: [2], colours: [] }, 'frame')
    const hatched = CHANGES.filter(([from, to, , lower, upper]) => {
      const number = (text: string | null = null) => (text === null ? null : Number(text))
      return unsureOf({ value: number(to), before: number(from), lower: number(lower), upper: number(upper) }) > 0
    })
    assert.deepEqual(
      hatched,
      CHANGES.filter(([, , , , , within = '']) => within?.startsWith('within')),
    )
    assert.equal(unsureOf({ value: 3, before: 3, lower: 2, upper: 4 }), 0)
  })
})
