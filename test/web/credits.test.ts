import assert from 'node:assert/strict'
import { parse } from 'csv-parse/sync'
import { voidCharge } from '../../src/credits/ledger.js'
import { signIn, type Visitor } from '../support/browse.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { anotherReader, balanceOf, credit, ids, makeWorld } from '../support/datasets.js'
import { ask, bearer, mint, startService, type Minted } from '../support/service.js'
import { startWordingServer, type WordingServer } from '../support/wording-server.js'
import { cellsOf, figuresOf } from './pages.js'

type CsvRow = Record<'entry_id' | 'kind' | 'dataset_id' | 'key_id' | 'request_id' | 'credits' | 'balance', string>

describe('the credits page', function () {
  this.timeout(120_000)
  let database: TestDatabase
  let wording: WordingServer
  let running: Awaited<ReturnType<typeof startService>>
  let visitor: Visitor
  let key: Minted
  let second: Minted

  before(async () => {
    database = await newDatabase('frames')
    await makeWorld(database.db)
    wording = await startWordingServer()
    running = await startService(database, { publicUrl: 'listening', wordingUrl: wording.url })
    key = await anotherReader(database.db, 100)
    second = await mint(database.db, { org: key.orgId, name: '-2+3' })
    visitor = await signIn(running.url, database.db, { orgId: key.orgId, role: 'admin' })
    await makeCharges()
  })
  after(async () => {
    await running.stop()
    await wording.close()
    await database.drop()
  })

  /** Charges of 2, 3 and 4 credits by two keys, one of them given back, and one worded answer that costs a credit. */
  async function makeCharges(): Promise<void> {
    const data = (which: string[], { secret }: Minted) =>
      ask(`${running.url}/v1/frames/data?ids=${which.join(',')}`, { headers: bearer(secret) })
    await data(ids.slice(0, 3), key)
    await data(ids.slice(0, 5), second)
    const failed = await data(ids.slice(0, 3), key)
    await voidCharge(database.db, key, failed.headers.get('x-request-id') ?? '')
    await database.db.rows(
      `insert into worded_use (org_id, day, by_allowance)
       values ($1::text, (ledger_clock() at time zone 'UTC')::date, 100)`,
      [key.orgId],
    )
    await ask(`${running.url}/v1/frames/insight`, {
      method: 'POST',
      headers: { ...bearer(key.secret), 'content-type': 'application/json' },
      body: JSON.stringify({ frameIds: [ids[9]] }),
    })
  }

  const csv = async (): Promise<CsvRow[]> => parse((await visitor.get('/app/credits.csv')).text, { columns: true })

  it('names the key of each entry with the last four of its secret', async () => {
    const { text } = await visitor.get('/app/credits')
    const [, statement = ''] = text.split('<h2>Statement</h2>')
    for (const { secret } of [key, second]) assert.match(statement, new RegExp(`…${secret.slice(-4)}`))
  })

  it('says which parameter of its address cannot be read, as the pages of usage and events do', async () => {
    for (const path of ['credits?period=x', 'usage?period=x', 'credits?before=x', 'events?before=x', 'events?key=x']) {
      const { status, text } = await visitor.get(`/app/${path}`)
      assert.equal(status, 400, path)
      assert.match(text, /<h1>This address cannot be read<\/h1>/, path)
    }
  })

  it('shows figures that agree with the ledger', async () => {
    const { text } = await visitor.get('/app/credits')
    const [ledger] = await database.db.rows<Record<string, string>>(
      `select
         (select balance from account where org_id = $1::text)::text as "Balance now",
         (-sum(credits) filter (where kind in ('dataset', 'worded')))::text as "Spent",
         (sum(credits) filter (where kind = 'refund'))::text as "Given back",
         (sum(credits) filter (where kind = 'top_up'))::text as "Topped up"
       from credit_entry where org_id = $1::text`,
      [key.orgId],
    )
    assert.deepEqual(figuresOf(text), { ...ledger })
    assert.deepEqual(figuresOf(text), { 'Balance now': '88', Spent: '14', 'Given back': '2', 'Topped up': '100' })
    assert.equal(await balanceOf(database.db, key.orgId), 88)
  })

  it('shows credits by day, dataset and key', async () => {
    const { text } = await visitor.get('/app/credits?period=7d')
    assert.deepEqual(cellsOf(text, 'Credits by day')[0], [new Date().toISOString().slice(0, 10), '13', '1', '2', '100'])
    assert.deepEqual(cellsOf(text, 'Credits by dataset'), [
      ['Name of lyr_query_a lyr_query_a', '3', '6', '2'],
      ['Name of lyr_query_points lyr_query_points', '1', '4', '0'],
      ['Name of lyr_query_b lyr_query_b', '1', '3', '0'],
      ['Worded answers', '1', '1', '0'],
    ])
    const byKey = cellsOf(text, 'Credits by key').map(([name = '', ...figures]) => [
      name.replace(/ …\w+$/, ''),
      ...figures,
    ])
    assert.deepEqual(byKey, [
      ['-2+3', '3', '9', '0'],
      ['tests', '3', '5', '2'],
    ])
  })

  it('lists every entry with the balance that credit_statement has', async () => {
    const statement = await database.db.rows<{ request: string; credits: string; balance: string }>(
      `select request_id as request, credits::text as credits, balance::text as balance
       from credit_statement where org_id = $1::text order by balance, request_id`,
      [key.orgId],
    )
    const { text } = await visitor.get('/app/credits')
    const shown = cellsOf(text, 'Entries, the newest first').map((cells) => ({
      request: cells[3] ?? '',
      credits: (cells[4] ?? '').replace('+', ''),
      balance: cells[5] ?? '',
    }))
    const inFile = (await csv()).map(({ request_id: request, credits, balance }) => ({ request, credits, balance }))
    const sorted = (rows: readonly { balance: string; request: string }[]) =>
      rows.toSorted(
        (one, other) => Number(one.balance) - Number(other.balance) || one.request.localeCompare(other.request),
      )
    assert.deepEqual(sorted(shown), sorted([...statement]))
    assert.deepEqual(inFile, shown)
    assert.equal(shown[0]?.balance, '88')
  })

  it('keeps numbers numbers in its file, and names texts', async () => {
    const file = await visitor.get('/app/credits.csv')
    assert.equal(file.headers['content-disposition'], 'attachment; filename="credits-30d.csv"')
    assert.match(file.text, /,'-2\+3,/)
    assert.ok((await csv()).some(({ credits }) => credits === '-4'))
  })

  it('leads from page to page, each entry once, and its file has all of them', async () => {
    const rich = await anotherReader(database.db, 0)
    const admin = await signIn(running.url, database.db, { orgId: rich.orgId, role: 'admin' })
    for (let i = 0; i < 120; i += 1) await credit(database.db, rich.orgId, i + 1)
    const seen: string[] = []
    let path: string | undefined = '/app/credits'
    let pages = 0
    while (path !== undefined) {
      const { text } = await admin.get(path)
      seen.push(...cellsOf(text, 'Entries, the newest first').map(([, , , , credits = '']) => credits))
      path = /href="(\/app\/credits\?[^"]*before=\d+)"/.exec(text)?.[1]?.replace('&amp;', '&')
      pages += 1
    }
    assert.equal(pages, 5)
    assert.deepEqual(
      seen,
      Array.from({ length: 120 }, (_, i) => `+${120 - i}`),
    )
    assert.equal((await admin.get('/app/credits.csv')).text.trim().split('\r\n').length, 121)
  })

  it('shows nothing of another organisation', async () => {
    const other = await anotherReader(database.db, 7)
    const theirs = await signIn(running.url, database.db, { orgId: other.orgId, role: 'owner' })
    const { text } = await theirs.get('/app/credits')
    assert.deepEqual(figuresOf(text), { 'Balance now': '7', Spent: '0', 'Given back': '0', 'Topped up': '7' })
    assert.doesNotMatch(text, new RegExp(`${key.keyId}|${second.keyId}`))
  })

  it('refuses an entry that is no number', async () => {
    for (const before of ['x', '-1', '1e3', '99999999999999999999', "1'--"]) {
      assert.equal((await visitor.get(`/app/credits?before=${encodeURIComponent(before)}`)).status, 400, before)
    }
  })
})
