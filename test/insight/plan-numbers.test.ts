/** Tests how the check of a plan finds the numbers and the words of a question. */
import assert from 'node:assert/strict'
import { numbersIn, spanIn } from '../../src/insight/reading/plan-numbers.js'

describe('the numbers of a question', () => {
  for (const [question, values] of [
    ['5,000 people', [['5000']]],
    ['5 000 habitants', [['5000']]],
    ['5.000 habitants', [['5000', '5']]],
    ['1.234.567,5', [['1234567.5']]],
    ['1,234.50', [['1234.5']]],
    ['2,5 km', [['2.5']]],
    ['in 2025, 2026', [['2025'], ['2026']]],
    ['the 3 of 12.', [['3'], ['12']]],
    ['１２ frames', [['12']]],
    ['over 5k of 20', [[], ['20']]],
    ['no number', []],
  ] as const) {
    it(`are read from "${question}"`, () => {
      assert.deepEqual(
        numbersIn(question).map((number) => number.values),
        values,
      )
    })
  }

  it('and its words are found in order, whatever the case, accents and marks', () => {
    assert.equal(spanIn("Combien d'écoles, ici ?", 'D ECOLES'), "d'écoles")
    assert.equal(spanIn('a b c', 'a c'), undefined)
    assert.equal(spanIn('a b c', ' , '), undefined)
  })
})
