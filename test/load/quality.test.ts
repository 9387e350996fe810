import assert from 'node:assert/strict'
import { checkColumns } from '../../src/tools/load/quality.js'

function figuresOf(values: string[], type: 'number' | 'category' = 'number', isDerived = false) {
  const check = checkColumns(['a'])
  for (const value of values) check.add([value])
  return check.figures([{ type, summary: type === 'number' ? 'mean' : 'mode', isDerived }], [])[0]
}

describe('the figures that an import reports', () => {
  it('say what is odd: one value everywhere, none at all, values that count in no figure', () => {
    assert.deepEqual(figuresOf(['5', '5'])?.notes, ['Every value is 5.'])
    assert.deepEqual(figuresOf(['', ''])?.notes, ['No row has a value.'])
    assert.deepEqual(figuresOf(['1', '007', '1,000', '1e999'])?.notes, [
      '3 values are no plain numbers, such as 007: they count in no figure.',
    ])
    assert.deepEqual(figuresOf(['1', '1,000'])?.notes, [
      '1 value is no plain number, such as 1,000: it counts in no figure.',
    ])
    assert.deepEqual(figuresOf(['dry', 'wet', 'dry', ''], 'category', true), {
      name: 'a',
      type: 'category',
      summary: 'mode',
      recorded: 3,
      blank: 1,
      classes: 2,
      notes: [],
    })
  })
})

describe('a column of numbers that is read as a category', () => {
  const cases: [what: string, values: string[], note: RegExp | undefined][] = [
    ['decimal commas', ['0,5', '12,25', '-,5'], /^3 of 3 values .* write 0\.5 for "0,5", or give its type/],
    ['decimal commas, one like thousands', ['0,5', '1,234'], /write 0\.5 for "0,5", or/],
    ['groups of thousands in every row', ['1,234', '12,345,678.5'], /^2 of 2 .* write 1234 for "1,234", or/],
    ['groups of other marks', ['1.234.567,5', '1.234.567'], /write 1234567\.5 for "1\.234\.567,5"/],
    ['groups of no-break spaces', ['1\u202f234', '7'], /^1 of 2 .* write 1234 for/],
    ['one unit', ['5 km', '12,5 km', '7'], /^2 of 3 .* write 5 for "5 km", or/],
    ['a currency', ['$1,234.50', '$ 7'], /write 1234\.50 for "\$1,234\.50"/],
    ['percentages', ['45%', '7.5 %'], /write 45 for "45%"/],
    ['another minus', ['−5', '3'], /write -5 for "−5"/],
    ['blanks in words', ['1,5', 'NaN', 'n/a', '2'], /^3 of 4 .* write 1\.5 for "1,5", nothing for "NaN", or/],
    ['codes', ['1A', '2B', '3C'], undefined],
    ['ranges', ['0-5', '5-10'], undefined],
    ['dates', ['2024-01-05', '2024-01-06'], undefined],
    ['words, and one number', ['dry', 'wet', '1,5'], undefined],
    ['words for nothing alone', ['unknown', 'none'], undefined],
  ]
  for (const [what, values, note] of cases) {
    it(`${note ? 'is said, with how to write it' : 'is not suspected'}: ${what}`, () => {
      const notes = figuresOf(values, 'category', true)?.notes ?? []
      const found = notes.find((each) => each.includes('look like numbers'))
      if (note) assert.match(found ?? '', note)
      else assert.equal(found, undefined)
      // The owner has said that it is a category.
      assert.ok(!figuresOf(values, 'category')?.notes.some((each) => each.includes('look like numbers')))
    })
  }
})
