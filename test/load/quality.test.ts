import assert from 'node:assert/strict'
import fc from 'fast-check'
import { checkColumns } from '../../src/tools/load/quality.js'
import { readCatalogue } from '../../src/tools/load/catalogue.js'
import { sampleOfCases } from '../support/sample.js'
import { temporaryFolder } from './files.js'

function figuresOf(values: string[], type: 'number' | 'category' = 'number', isDerived = false) {
  const check = checkColumns(['a'])
  for (const value of values) check.add([value])
  return check.figures([{ type, summary: type === 'number' ? 'mean' : 'mode', isDerived }])[0]
}

describe('the figures that an import reports', () => {
  it('are the values, blanks, range and exact total of a column of numbers', () => {
    assert.deepEqual(figuresOf(['0.1', '0.2', '', ' ', '-5', '1e3', '9007199254740993', '3.00']), {
      name: 'a',
      type: 'number',
      summary: 'mean',
      recorded: 6,
      blank: 2,
      odd: 0,
      lowest: '-5',
      highest: '9007199254740993',
      total: '9007199254741991.3',
      notes: [],
    })
  })

  it('have the exact total of any numbers', () => {
    const number = fc.tuple(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.integer({ min: 0, max: 6 }))
    const written = ([digits, scale]: readonly [bigint, number]) => {
      const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
      const point = text.length - scale
      return `${digits < 0n ? '-' : ''}${text.slice(0, point)}${scale > 0 ? `.${text.slice(point)}` : ''}`
    }
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 50 }), (numbers) => {
        const total = numbers.reduce((sum, [digits, scale]) => sum + digits * 10n ** BigInt(6 - scale), 0n)
        const expected = written([total, 6]).replace(/\.?0+$/, '')
        assert.equal(figuresOf(numbers.map(written))?.total, expected === '-0' ? '0' : expected)
      }),
      sampleOfCases(100, 1000),
    )
  })

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

describe('a catalogue of attributes', () => {
  const folder = temporaryFolder()
  const depth = { name: 'depth', label: 'Depth', type: 'number', summary: 'sum' }
  const read = (entry: object) => () => readCatalogue(folder.write('attributes.json', JSON.stringify([entry])))

  for (const [what, entry, message] of [
    [
      'member',
      { ...depth, labell: 'x' },
      /attribute 1: "labell" is not a member of an attribute\. Did you mean label\?/,
    ],
    [
      'type',
      { ...depth, type: 'numbre' },
      /type: number or category is accepted, "numbre" came\. Did you mean number\?/,
    ],
    ['summary', { ...depth, summary: 'men' }, /summary: .* are accepted, "men" came\. Did you mean mean\?/],
    [
      'list of synonyms',
      { ...depth, synonyms: 'deep' },
      /synonyms: a list of texts is accepted, "deep" came for depth/,
    ],
  ] as const) {
    it(`with a wrong ${what} is refused, with the nearest word`, () => {
      assert.throws(read(entry), message)
    })
  }
})
