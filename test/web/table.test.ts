import assert from 'node:assert/strict'
import type { PageAnswer, Visitor } from '../support/browse.js'
import { ask, bearer, service } from '../support/service.js'
import { organisation, type Organisation } from './organisation.js'
import { unescaped } from './pages.js'
import { rows } from './visitors.js'

const MARKET = 'lyr_market.mkt_shops'
type Sent = { name?: string; file?: string; fields?: [string, string][] }
const FIELDS: [string, string][] = [
  ['column', 'frame'],
  ['column', 'ward'],
  ['figure', MARKET],
  ['figure', 'lyr_population.pop_demest26'],
  ['of', 'row'],
]

describe('a table in the web app', () => {
  let org: Organisation
  let member: Visitor
  let table: string
  before(async () => {
    const found = await rows<{ id: string }>(
      `select frame_id::text as id from baseline_row join dataset using (version) where layer_id = 'lyr_market' order by 1 limit 14`,
    )
    table = ['shop,frame', ...found.map(({ id }, i) => `=Shop ${i},${id}`), 'lost,7'].join('\n')
  })
  beforeEach(async () => {
    org = await organisation()
    await org.buys(3)
    member = await org.enter('Ada', 'member')
  })

  const send = ({ name = 'shops.csv', file = table, fields = FIELDS }: Sent = {}) => {
    const parts = [
      ...fields.map(([field, value]) => `Content-Disposition: form-data; name="${field}"\r\n\r\n${value}`),
      `Content-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n${file}`,
    ]
    const body = `${parts.map((part) => `--edge\r\n${part}\r\n`).join('')}--edge--\r\n`
    return member.post('/app/table', body, { 'content-type': 'multipart/form-data; boundary=edge' })
  }
  const requestOf = ({ text }: PageAnswer): [string, string] => [
    'request',
    unescaped(/name="request"\s+value="([^"]*)"/.exec(text)?.[1] ?? ''),
  ]
  const download = (looked: PageAnswer, { fields = FIELDS, ...more }: Sent = {}) =>
    send({ ...more, fields: [...fields, ['download', 'all'], requestOf(looked)] })

  it('shows ten rows and the price, and is the table of /tools/enrich once it is paid for', async () => {
    const looked = await send()
    assert.equal(looked.status, 200)
    assert.match(looked.text, /15 rows, 14 with a place/)
    assert.match(looked.text, /This costs <strong>2 credits<\/strong>/)
    assert.equal(looked.text.match(/once paid/g)?.length, 10, 'no value of a dataset that costs is shown')
    assert.ok(!looked.text.includes('=Shop 10') && looked.text.includes('=Shop 9'))
    assert.equal(await org.balance(), 3)
    const file = await download(looked)
    assert.equal(file.headers['content-disposition'], 'attachment; filename="shops-enriched.csv"')
    assert.equal(await org.balance(), 1)
    assert.equal((await download(looked)).text, file.text, 'the same form is charged once')
    assert.equal(await org.balance(), 1)
    const other = await organisation()
    await other.buys(2)
    const { secret } = await other.key()
    const columns = `frame,ward,${MARKET},lyr_population.pop_demest26`
    const headers = { ...bearer(secret), 'content-type': 'text/csv' }
    const call = await ask(`${service().url}/tools/enrich?columns=${columns}`, { method: 'POST', headers, body: table })
    assert.equal(file.text, call.text)
    assert.match(file.text, /\nlost,7,,,,,The index has no such frame\.\n$/)
  })

  it('costs nothing where another file or other columns come, where the credits do not cover it, or is not looked at', async () => {
    const looked = await send()
    const fields: [string, string][] = [...FIELDS, ['column', 'state']]
    for (const other of [{ file: `${table}\nlast,8` }, { fields }]) {
      const refused = await download(looked, other)
      assert.equal(refused.status, 422)
      assert.match(refused.text, /Another file or other columns came/)
    }
    assert.equal((await send({ fields: [...FIELDS, ['download', 'all']] })).status, 422)
    const many = await send({ file: `${table}\n${table.split('\n').slice(1).join('\n').repeat(8)}` })
    assert.match(many.text, /The credits do not cover it/)
    assert.ok(!many.text.includes('name="download"'))
    assert.equal(await org.balance(), 3)
  })

  it('may be JSON, and figures of the units around a row', async () => {
    const [, first = ''] = table.split('\n')
    const file = JSON.stringify([{ shop: 'Quay, north', frame: first.split(',')[1] }])
    const fields: [string, string][] = [
      ['figure', 'lyr_population.pop_demest26'],
      ['of', 'state'],
    ]
    const looked = await send({ name: 'shops.json', file, fields })
    const { text } = await download(looked, { name: 'shops.json', file, fields })
    const people = /([\d.]+),$/.exec(text.trimEnd())?.[1]
    assert.equal(text.split('\n')[0], 'shop,frame,state:lyr_population.pop_demest26,reason')
    assert.match(text, /^"Quay, north",/m)
    assert.ok(Number(people) > 1000, people)
  })

  it('is refused with what would be accepted', async () => {
    const none: [string, string][] = []
    for (const [sent, said] of [
      [{ name: '' }, /Choose a file of CSV or JSON/],
      [{ name: 'shops.xlsx' }, /ends in \.csv, \.tsv, \.txt or \.json is accepted, shops\.xlsx came/],
      [{ file: 'a,b\n1,2' }, /a column frame, columns lat and lon, or a column state/],
      [{ file: 'frame\n\0' }, /a NUL character is not accepted/],
      [{ name: 'a.json', file: '[{"frame": "\\u0000"}]' }, /Row 1: a NUL character is not accepted/],
      [{ fields: none }, /href="#columns">columns: tick one at least/],
      [{ fields: [['column', 'lyr_secret.x']] as [string, string][] }, /&quot;lyr_secret.x&quot; is no column/],
      [{ file: `frame\n${'1\n'.repeat(100_001)}` }, /over 100000 rows/],
      [{ file: 'x'.repeat(33 << 20) }, /over 32 MiB/],
    ] as const) {
      const { status, text } = await send(sent)
      assert.equal(status, 422, text)
      assert.match(text, said)
    }
    assert.equal((await member.post('/app/table', {})).status, 415)
    const cut = await member.post('/app/table', '--edge\r\nContent', {
      'content-type': 'multipart/form-data; boundary=edge',
    })
    assert.equal(cut.status, 400)
  })
})
