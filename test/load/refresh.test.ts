import assert from 'node:assert/strict'
import type { Attribute } from '../../src/tools/load/catalogue.js'
import { first, second, serviceForImports, third } from './imports.js'

type Total = { attribute: string; unit: string; number: string | null; recorded: string }

/** An attribute of each summary, with every member that an attribute may have. */
const catalogue: Attribute[] = [
  {
    name: 'people',
    label: 'People',
    unit: 'persons',
    type: 'number',
    summary: 'sum',
    description: 'Who lives there.',
    method: 'Counted.',
    noun: 'person',
    plural: 'people',
    synonyms: ['inhabitants'],
  },
  { name: 'height', label: 'Height', unit: 'm', type: 'number', summary: 'weighted_mean', weight: 'area' },
  { name: 'minutes', label: 'Way', unit: 'min', type: 'number', summary: 'weighted_mean', weight: 'people' },
  { name: 'depth', label: 'Depth', type: 'number', summary: 'mean' },
  { name: 'cover', label: 'Cover', type: 'category', summary: 'mode' },
  { name: 'code', label: 'Code', type: 'category', summary: 'none' },
]
const head = `frame,${catalogue.map(({ name }) => name).join()}`
const others = [`${second},20,110.5,30,2,wood,b`, `${third},0,120,45,3,wood,c`]

describe('a baseline that is imported again without a catalogue', function () {
  this.timeout(120_000)
  const imports = serviceForImports()
  const rows = <Row>(text: string) => imports.db.rows<Row>(text, [])
  const attributes = () => rows<object>(`select * from attribute where layer_id = 'lyr_refreshed' order by place`)
  const totals = () =>
    rows<Total>(
      `select attribute, unit_id::text as unit, number::text as number, recorded::text as recorded
      from unit_total join dataset using (version) where layer_id = 'lyr_refreshed' order by 1, 2`,
    )
  const take = (cells: string, more: object = {}, progress?: (step: string) => void) =>
    imports.baseline('lyr_refreshed', [head, `${first},${cells}`, ...others].join('\n'), more, progress)
  before(() => take('10,100,15,1,sand,a', { catalogue }))

  it('keeps its catalogue, and only the figures of the changed values differ', async () => {
    const [entries, before] = [await attributes(), await totals()]
    const { changes, columns } = await take('1010,300,15,9,sand,a', { vintage: '2031' })
    assert.deepEqual(changes, [])
    assert.deepEqual(
      columns?.map(({ name, summary }) => [name, summary]),
      catalogue.map(({ name, summary }) => [name, summary]),
    )
    assert.deepEqual([...(await attributes())], [...entries])
    const after = await totals()
    const differing = after.filter(({ number }, i) => number !== before[i]?.number)
    // The country, the state, the LGA, the ward and the block hold the frame. People weight the minutes.
    const changed = ['depth', 'height', 'minutes', 'people'].flatMap((name) => Array<string>(5).fill(name))
    assert.deepEqual(
      differing.map(({ attribute }) => attribute),
      changed,
    )
    const without = (all: readonly Total[]) => all.map(({ number: _number, ...rest }) => rest)
    assert.deepEqual(without(after), without(before))
  })

  it('lists what a catalogue changes, and forgets the one before where that is asked for', async () => {
    const said: string[] = []
    const { changes, columns } = await take(
      '10,100,15,1,sand,a',
      { resetsAttributes: true },
      (line) => void said.push(line),
    )
    assert.match(changes?.find((each) => each.startsWith('people: ')) ?? '', /summary sum > mean/)
    const [change, put] = ['summary sum > mean', 'putting'].map((words) =>
      said.findIndex((line) => line.includes(words)),
    )
    assert.ok(change !== undefined && put !== undefined && change !== -1 && change < put, said.join('\n'))
    const [kept] = await rows<{ summary: string }>(
      `select summary from attribute where layer_id = 'lyr_refreshed' and name = 'people'`,
    )
    assert.equal(kept?.summary, 'mean')
    const column = columns?.find(({ name }) => name === 'people')
    assert.match(column?.notes.join() ?? '', /All are whole numbers: .* summary "sum"/)
  })
})
