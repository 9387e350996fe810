import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { collectColumns, uniqueNames, type FileItem } from '../../src/core/frame-file/columns.js'
import { csvLines } from '../../src/core/frame-file/texts.js'

const columnsOf = (...records: Record<string, string>[]) => {
  const collector = collectColumns(['lyr_a', 'lyr_b'], uniqueNames(['id', 'State']))
  for (const [i, record] of records.entries()) collector.add(i % 2 === 0 ? [record, null] : [null, record])
  return collector.columns().map(({ name, type }) => [name, type])
}

describe('a line of CSV', () => {
  const frame: FileItem = {
    id: '7',
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [-1, 0],
          [0, 0],
          [0, 1],
          [-1, 0],
        ],
      ],
    },
    units: { ward: '=1+1' },
    values: [{ '@a': '-1.5' }],
  }
  const lines = (guards: boolean) => {
    const columns = [{ layer: 0, attribute: '@a', name: '@a', type: 'number' as const }]
    return text(csvLines([frame], { units: true, guards, columns }))
  }

  it('has no formula among names, units and values, unless it is asked for; numbers stay', async () => {
    const [head, line] = (await lines(true)).split('\n')
    assert.ok(head?.endsWith(`,zone_code,'@a`), head)
    assert.equal(line, `7,-1,0,0,1,-0.5,0.5,"POLYGON((-1 0,0 0,0 1,-1 0))",,,,,'=1+1,,,,-1.5`)
    assert.equal(await lines(false), (await lines(true)).replaceAll(`'`, ''))
  })
})

describe('a column of values', () => {
  it('is a number where every value is one that a double holds as it is written', () => {
    for (const [values, type] of [
      [['1', '-20', '0', ''], 'integer'],
      [['1', '2.50', '1e3'], 'number'],
      [['0.30000000000000004'], 'number'],
      [['999999999999999'], 'integer'],
      [['12345678901234567890'], 'text'],
      [['9007199254740993'], 'text'],
      [['0.10000000000000001'], 'text'],
      [['0.123456789012345678901'], 'text'],
      [['007'], 'text'],
      [['1,000'], 'text'],
      [['+5'], 'text'],
      [['1', 'n/a'], 'text'],
      [['n/a', '1'], 'text'],
      [['NaN'], 'text'],
      [[''], 'text'],
    ] as const) {
      assert.deepEqual(columnsOf(...values.flatMap((value) => [{ a: value }, {}])), [['a', type]], values.join())
    }
  })

  it('has a name of its own, whatever the other columns are called', () => {
    assert.deepEqual(
      columnsOf({ state: 'x', ID: '1', people: '2' }, { people: '3', lyr_b_People: '4', state: 'y' }).map(
        ([name]) => name,
      ),
      ['lyr_a_state', 'lyr_a_ID', 'people', 'lyr_b_people', 'lyr_b_lyr_b_People', 'lyr_b_state'],
    )
  })

  it('stays in the order of the datasets, and of the attributes as they were first met', () => {
    assert.deepEqual(
      columnsOf({ b: '1' }, { z: '1' }, { a: '1', b: '2' }, { y: '1' }).map(([name]) => name),
      ['b', 'a', 'z', 'y'],
    )
  })
})
