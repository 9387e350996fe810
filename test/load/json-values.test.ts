import assert from 'node:assert/strict'
import fc from 'fast-check'
import { FileFault } from '../../src/core/text-file/file-fault.js'
import { type JsonItem, jsonValues } from '../../src/core/text-file/json-values.js'
import { sampleOfCases } from '../support/sample.js'

type Source = string | Buffer

async function* inChunks(source: Source, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(source)
  for (let at = 0; at < bytes.length; at += size) yield Buffer.from(bytes.subarray(at, at + size))
}

/** The items, and the fault after them if there is one. */
async function outcomeOf(source: Source, size = 65536): Promise<{ items: JsonItem[]; fault?: FileFault }> {
  const items: JsonItem[] = []
  try {
    for await (const item of jsonValues(inChunks(source, size))) items.push(item)
    return { items }
  } catch (error) {
    assert.ok(error instanceof FileFault, String(error))
    return { items, fault: error }
  }
}

async function itemsOf(source: Source, size?: number): Promise<JsonItem[]> {
  const { items, fault } = await outcomeOf(source, size)
  assert.equal(fault, undefined)
  return items
}

async function faultOf(source: Source, size?: number): Promise<FileFault> {
  return (await outcomeOf(source, size)).fault ?? assert.fail('no fault came')
}

const valuesOf = (items: JsonItem[], kind: JsonItem['kind'] = 'value') =>
  items.filter((item) => item.kind === kind).map(({ value }) => value)

const tricky = `\ufeff
 { "type":"FeatureCollection" , "name":"a \\"features\\": [1] \\\\", "properties":{"features":[1,{"features":[2]}]},
  "features" : [
    {"type":"Feature","properties":{"features":[1,2],"data":[3],"name":"Ìkẹjà 𝄞 \ufffd }]\\u005d\\\\"},"geometry":null}
    ,
    {"a":{"b":[[],{},[{"c":"\\""}]]}} , "s,]}" , -1.5e+3,true,null , [ ] , {

    "last" : 1 }
  ] , "crs":null,"after":["features",[]] }
`

const forms: [form: string, source: string, values: unknown[], members?: object[]][] = [
  ['a list', ' [ {"a":1} , 2 ] ', [{ a: 1 }, 2]],
  ['an empty list', '[\n]', []],
  ['a FeatureCollection', '{"features":[{},{}],"b":1}', [{}, {}], [{ features: [] }, { features: [], b: 1 }]],
  [
    'one with features last',
    '{"b":1,"features":[7]}',
    [7],
    [
      { b: 1, features: [] },
      { b: 1, features: [] },
    ],
  ],
  ['one without features in it', '{"features":[ ]}', [], [{ features: [] }, { features: [] }]],
  [
    'our answer with a collection',
    '{"data": {"type":"F","features":[1, 2], "crs":null}, "meta":{}}',
    [1, 2],
    [{ data: { type: 'F', features: [] } }, { data: { type: 'F', features: [], crs: null }, meta: {} }],
  ],
  ['our answer with a list', '{"data":[{"id":"1"}]}', [{ id: '1' }], [{ data: [] }, { data: [] }]],
  ['a text sequence', '\x1e{"a":1}\n\x1e{"b":\n2}\n', [{ a: 1 }, { b: 2 }]],
  ['a text sequence without line feeds', '\x1e{"a":1}\x1e{"b":2}', [{ a: 1 }, { b: 2 }]],
  ['a value a line', '{"a":1}\r\n\n{"b":2}\r\n', [{ a: 1 }, { b: 2 }]],
  ['a single Feature', '{"type":"Feature","id":1}', [{ type: 'Feature', id: 1 }]],
  ['an object whose features are no list', '{"features":{"features":[1]}}', [{ features: { features: [1] } }]],
  ['an object without members', '{ }', [{}]],
]

describe('the values of a JSON file', () => {
  for (const [form, source, values, members = []] of forms) {
    it(`are found in ${form}`, async () => {
      const items = await itemsOf(source)
      assert.deepEqual(valuesOf(items), values)
      assert.deepEqual(valuesOf(items, 'members'), members)
    })
  }

  it('carry the line on which they start and their number in the file', async () => {
    const items = await itemsOf('[\n{"a":\n1},\n\n 2, 3]\n[\n4]')
    const places = items.map((item) => item.kind === 'value' && [item.value, item.line, item.number])
    assert.deepEqual(places, [
      [{ a: 1 }, 2, 1],
      [2, 5, 2],
      [3, 5, 3],
      [4, 7, 4],
    ])
  })

  it('are those of a tricky document, down to the byte', async () => {
    const items = await itemsOf(tricky)
    const whole = JSON.parse(tricky.trim()) as { features: unknown[] }
    assert.deepEqual(valuesOf(items), whole.features)
    const [before, after] = valuesOf(items, 'members')
    assert.deepEqual(after, { ...whole, features: [] })
    assert.deepEqual(Object.keys(before as object), ['type', 'name', 'properties', 'features'])
    const lines = items.map((item) => item.kind === 'value' && item.line)
    assert.deepEqual(lines, [false, 4, 6, 6, 6, 6, 6, 6, 6, false])
  })

  it('are the same in chunks of any size from 1 byte to 64, the fault of a broken end with them', async () => {
    const bytes = Buffer.from(tricky)
    const sources = [bytes, ...[-3, -30, -60, -120].map((end) => bytes.subarray(0, end)), Buffer.from(`${tricky}]`)]
    for (const source of sources) {
      const whole = await outcomeOf(source)
      for (let size = 1; size <= 64; size++) assert.deepEqual(await outcomeOf(source, size), whole, `${size} bytes`)
    }
  })

  it('are those that JSON.parse finds, whatever the JSON, its white space and the chunks', async () => {
    const layout = fc.record({
      values: fc.array(fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }), { maxLength: 6 }),
      indent: fc.constantFrom('', ' ', '\t', '\r\n'),
      before: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
      size: fc.integer({ min: 1, max: 40 }),
    })
    const property = fc.asyncProperty(layout, async ({ values, indent, before, size }) => {
      delete before['features']
      delete before['data']
      const whole = JSON.stringify({ ...before, features: values }, undefined, indent)
      const items = await itemsOf(whole, size)
      // Parses the text again, since JSON has no -0.
      const parsed = JSON.parse(whole) as { features: unknown[] }
      assert.deepEqual(valuesOf(items), parsed.features)
      assert.deepEqual(valuesOf(items, 'members')[1], { ...parsed, features: [] })
      const list = JSON.stringify(values, undefined, indent)
      assert.deepEqual(valuesOf(await itemsOf(list, size)), parsed.features)
    })
    await fc.assert(property, sampleOfCases(15, 300))
  })
})

describe('a JSON file is refused', () => {
  it('when one value is larger than 64 MiB, before it ends', async () => {
    const open = Buffer.concat([Buffer.from('[1,\n"'), Buffer.alloc(64 * 1024 * 1024 + 1, 'a')])
    const fault = await faultOf(open)
    assert.match(fault.message, /at most 64 MiB may be in one value, and feature 2, which starts on line 2, has more/)
    assert.equal(fault.line, 2)
  })

  it('when the members of an object are larger together', async () => {
    const half = Buffer.alloc(33 * 1024 * 1024, 'a')
    const { message } = await faultOf(
      Buffer.concat([Buffer.from('{"a":"'), half, Buffer.from('","b":"'), half, Buffer.from('",')]),
    )
    assert.equal(message, 'at most 64 MiB may be in one value, and the object that starts on line 1, has more')
  })

  it('at any byte where it is cut, and never taken for a whole', async () => {
    const bytes = Buffer.from(tricky.trimEnd())
    for (let end = 0; end < bytes.length; end++) await faultOf(bytes.subarray(0, end), 16)
  })
})
