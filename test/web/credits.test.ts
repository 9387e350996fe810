import assert from 'node:assert/strict'
import { parse } from 'csv-parse/sync'
import { license } from '../../src/core/access/licences.js'
import { voidCharge } from '../../src/core/credits/ledger.js'
import type { Visitor } from '../support/browse.js'
import { credit } from '../support/datasets.js'
import { ask, bearer, service, type Minted } from '../support/service.js'
import { organisation, serving, type Organisation } from './organisation.js'
import { cellsOf, figuresOf } from './pages.js'
import { rows } from './visitors.js'

type CsvRow = Record<'request_id' | 'credits' | 'balance', string>
const ENTRIES = 'Entries, the newest first'

/** A frame with shops and a reserve, one with shops alone, and one with neither. */
const FRAMES = `with shops as (select frame_id from baseline where layer_id = 'lyr_market'),
  reserve as (select frame_id from feature_frame join dataset using (version) where layer_id = 'lyr_reserves')
  select
    (select min(frame_id)::text from shops where frame_id in (select frame_id from reserve)) as both,
    (select min(frame_id)::text from shops where frame_id not in (select frame_id from reserve)) as shops,
    (select min(frame_id)::text from baseline where layer_id = 'lyr_population'
      and frame_id not in (select frame_id from shops union select frame_id from reserve)) as neither`

describe('the credits page', function () {
  this.timeout(60_000)
  const running = serving()
  let org: Organisation
  let visitor: Visitor
  let keys: [Minted, Minted]

  /** Charges of 2 and 4 credits by two keys, one of them given back, and one worded answer that costs a credit. */
  before(async () => {
    org = await organisation(running)
    await org.buys(100)
    await license(service().db.run, 'lyr_reserves', org.orgId, 4)
    keys = [await org.key(), await org.key({ name: '-2+3' })]
    visitor = await org.enter('Ada', 'admin')
    const data = (frame: string, { secret }: Minted) =>
      ask(`${running.url}/v1/frames/data?ids=${frame}`, { headers: bearer(secret) })
    const [key, second] = keys
    const [frames] = await rows<{ both: string; shops: string; neither: string }>(FRAMES)
    assert.ok(frames)
    await data(frames.shops, key)
    await data(frames.both, second)
    const failed = await data(frames.shops, key)
    await voidCharge(service().db, key, failed.headers.get('x-request-id') ?? '')
    await org.rows(
      `insert into worded_use (org_id, day, by_allowance)
       values ($1::text, (ledger_clock() at time zone 'UTC')::date, 100)`,
    )
    await ask(`${running.url}/v1/frames/insight`, {
      method: 'POST',
      headers: { ...bearer(key.secret), 'content-type': 'application/json' },
      body: JSON.stringify({ frameIds: [frames.neither] }),
    })
  })

  const csv = async (): Promise<CsvRow[]> => parse((await visitor.get('/app/credits.csv')).text, { columns: true })

  it('shows figures that agree with the ledger', async () => {
    const { text } = await visitor.get('/app/credits')
    const [ledger] = await org.rows<Record<string, string>>(
      `select
         (select balance from account where org_id = $1::text)::text as "Balance now",
         (-sum(credits) filter (where kind in ('dataset', 'worded')))::text as "Spent",
         (sum(credits) filter (where kind = 'refund'))::text as "Given back",
         (sum(credits) filter (where kind = 'top_up'))::text as "Topped up"
       from credit_entry where org_id = $1::text`,
    )
    assert.deepEqual(figuresOf(text), { ...ledger })
    assert.deepEqual(figuresOf(text), { 'Balance now': '91', Spent: '11', 'Given back': '2', 'Topped up': '100' })
  })

  it('shows credits by day, dataset and key', async () => {
    const { text } = await visitor.get('/app/credits?period=7d')
    assert.deepEqual(cellsOf(text, 'Credits by day')[0], [new Date().toISOString().slice(0, 10), '10', '1', '2', '100'])
    assert.deepEqual(cellsOf(text, 'Credits by dataset'), [
      ['Markets and shops lyr_market', '3', '6', '2'],
      ['Nature reserves lyr_reserves', '1', '4', '0'],
      ['Worded answers', '1', '1', '0'],
    ])
    assert.deepEqual(
      cellsOf(text, 'Credits by key').map(([name = '', ...figures]) => [name.replace(/ …\w+$/, ''), ...figures]),
      [
        ['-2+3', '2', '6', '0'],
        ['tests', '3', '5', '2'],
      ],
    )
  })

  it('lists every entry with the balance that credit_statement has, as its file does', async () => {
    const statement = await org.rows<Record<string, string>>(
      `select request_id as request, credits::text as credits, balance::text as balance
       from credit_statement where org_id = $1::text`,
    )
    const { text } = await visitor.get('/app/credits')
    for (const { secret } of keys)
      assert.match(text.split('<h2>Statement</h2>')[1] ?? '', new RegExp(`…${secret.slice(-4)}`))
    const shown = cellsOf(text, ENTRIES).map(([, , , request = '', credits = '', balance = '']) => ({
      request,
      credits: credits.replace('+', ''),
      balance,
    }))
    const inFile = (await csv()).map(({ request_id: request, credits, balance }) => ({ request, credits, balance }))
    const sorted = (all: readonly object[]) => all.map((row) => JSON.stringify(row)).toSorted()
    assert.deepEqual(sorted(shown), sorted(statement))
    assert.deepEqual(inFile, shown)
    assert.equal(shown[0]?.balance, '91')
  })

  it('keeps numbers numbers in its file, and names texts', async () => {
    const file = await visitor.get('/app/credits.csv')
    assert.equal(file.headers['content-disposition'], 'attachment; filename="credits-30d.csv"')
    assert.match(file.text, /,'-2\+3,/)
    assert.ok((await csv()).some(({ credits }) => credits === '-4'))
  })

  it('leads from page to page, each entry once, and its file has all of them', async () => {
    const long = await organisation(running)
    const admin = await long.enter('Ada', 'admin')
    for (let i = 0; i < 60; i += 1) await credit(service().db, long.orgId, i + 1)
    const pages: string[][] = []
    for (let path: string | undefined = '/app/credits'; path !== undefined;) {
      const { text } = await admin.get(path)
      pages.push(cellsOf(text, ENTRIES).map(([, , , , credits = '']) => credits))
      path = /href="(\/app\/credits\?[^"]*before=\d+)"/.exec(text)?.[1]?.replace('&amp;', '&')
    }
    assert.equal(pages.length, 3)
    const all = Array.from({ length: 60 }, (_, i) => `+${60 - i}`)
    assert.deepEqual(pages.flat(), all)
    assert.equal((await admin.get('/app/credits.csv')).text.trim().split('\r\n').length, 61)
  })

  it('shows nothing of another organisation', async () => {
    const other = await organisation(running)
    await credit(service().db, other.orgId, 7)
    const { text } = await (await other.enter()).get('/app/credits')
    assert.deepEqual(figuresOf(text), { 'Balance now': '7', Spent: '0', 'Given back': '0', 'Topped up': '7' })
    for (const { keyId } of keys) assert.ok(!text.includes(keyId))
  })
})
