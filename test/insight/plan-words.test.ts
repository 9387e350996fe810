/** Tests how the words and the numbers of a plan are found in its question. */
import assert from 'node:assert/strict'
import { numbersIn, spanOf } from '../../src/core/insight/reading/plan-words.js'

describe('the check of a plan', () => {
  it('finds the numbers of a question, however they are written', () => {
    for (const [question, values] of [
      ['5,000 people', [['5000']]],
      ['5 000 habitants', [['5000']]],
      ['5.000 habitants', [['5000', '5']]],
      ['1.234.567,5', [['1234567.5']]],
      ['2,5 km', [['2.5']]],
      ['in 2025, 2026', [['2025'], ['2026']]],
      ['the 3 of 12.', [['3'], ['12']]],
      ['１２ frames', [['12']]],
      ['over 5k of 20', [[], ['20']]],
      ['no number', []],
    ] as const)
      assert.deepEqual(
        numbersIn(question).map((number) => number.values),
        values,
        question,
      )
  })

  it('finds the words of a question in order, whatever the case, accents and marks, and what stands between', () => {
    assert.equal(spanOf("Combien d'écoles, ici ?", 'D ECOLES'), "d'écoles")
    assert.equal(spanOf('How many Écoles, please, in Kofa?', 'ecoles in kofa'), 'Écoles in Kofa')
    assert.throws(() => spanOf('a b c', 'c a'), /not in the question/)
    assert.throws(() => spanOf('a b c', 'a d'), /not in the question/)
    assert.throws(() => spanOf('a b c', ' , '), /not in the question/)
  })
})
