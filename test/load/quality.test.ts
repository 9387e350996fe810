import assert from 'node:assert/strict'
import fc from 'fast-check'
import { checkColumns } from '../../src/load/quality.js'
import { importBaseline } from '../../src/load/import-baseline.js'
import { importFeatures } from '../../src/load/import-features.js'
import { readCatalogue } from '../../src/load/catalogue.js'
import { sampleOfCases } from '../support/sample.js'
import { quiet, temporaryFolder } from './files.js'
import { first, second, serviceForImports, third } from './imports.js'

function figuresOf(values: string[], type: 'number' | 'category' = 'number', isDerived = false) {
  const check = checkColumns(['a'])
  for (const value of values) check.add([value])
  return check.figures([{ type, isDerived }])[0]
}

describe('the figures that an import reports', () => {
  const imports = serviceForImports()

  it('are the values, blanks, range and exact total of a column of numbers', () => {
    assert.deepEqual(figuresOf(['0.1', '0.2', '', ' ', '-5', '1e3', '9007199254740993', '3.00']), {
      name: 'a',
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
      recorded: 3,
      blank: 1,
      classes: 2,
      notes: [],
    })
  })

  it('come with the import of a baseline, for each column in the order of the file', async () => {
    const file = imports.folder.write('rows.csv', `id,depth,kind\n${first},12.5,dry\n${second},7,\n`)
    const { columns = [] } = await importBaseline(imports.db, file, imports.wanted('lyr_quality'), quiet)
    assert.deepEqual(
      columns.map(({ name, recorded, blank, total, classes }) => [name, recorded, blank, total, classes]),
      [
        ['depth', 2, 0, '19.5', undefined],
        ['kind', 1, 1, undefined, 1],
      ],
    )
  })

  it('say why a column of numbers became a category', async () => {
    const file = imports.folder.write(
      'few.csv',
      `id,depth,code,given\n${first},12.5,a,1\n${second},n/a,b,x\n${third}, 7 ,c,2\n`,
    )
    const catalogue = [{ name: 'given', label: 'Given', type: 'category', summary: 'mode' }] as const
    const { columns = [] } = await importBaseline(imports.db, file, { ...imports.wanted('lyr_few'), catalogue }, quiet)
    const note =
      '1 of 3 values is no number, such as "n/a": the column is a category. Correct the file, or give its type with --attributes.'
    assert.deepEqual(
      columns.map(({ name, classes, notes }) => [name, classes, notes]),
      [
        ['depth', 3, [note]],
        ['code', 3, []],
        ['given', 3, []],
      ],
    )
  })

  it('take a number with blanks around it for a number, as figures do', async () => {
    const file = imports.folder.write('blanks.csv', `id,depth\n${first}, 12.5\n${second},  \n${third},7\n`)
    const { columns = [] } = await importBaseline(imports.db, file, imports.wanted('lyr_blanks'), quiet)
    assert.deepEqual(
      columns.map(({ recorded, blank, odd, total }) => [recorded, blank, odd, total]),
      [[2, 1, 0, '19.5']],
    )
  })

  it('name the category that is nearest to a new one', async () => {
    const file = imports.folder.write('one.csv', `id,depth\n${first},12.5\n`)
    const take = async (category: string) =>
      (await importBaseline(imports.db, file, { ...imports.wanted('lyr_one'), category }, quiet)).notes
    assert.deepEqual(await take('Populaton'), ['The category "Populaton" is new. Did you mean Population?'])
    assert.deepEqual(await take('population'), ['The category "population" is new. Did you mean Population?'])
    assert.deepEqual(await take('Hydrology'), [])
    assert.deepEqual(await take('Hydrologie'), ['The category "Hydrologie" is new. Did you mean Hydrology?'])
  })

  it('count the features that touch no frame', async () => {
    const file = imports.folder.write('sites.csv', 'id,lon,lat\na,0.205,0.105\nb,50,50\nc,51,51\n')
    const { items, outside } = await importFeatures(imports.db, file, imports.wanted('lyr_sites'), quiet)
    assert.deepEqual([items, outside], [3, 2])
  })
})

describe('a catalogue of attributes', () => {
  const folder = temporaryFolder()
  after(() => folder.remove())
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
