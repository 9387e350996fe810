import assert from 'node:assert/strict'
import { parse } from 'csv-parse/sync'
import { license } from '../../src/core/access/licences.js'
import { voidCharge } from '../../src/core/credits/ledger.js'
import { signIn, type Visitor } from '../support/browse.js'
import { balanceOf, credit } from '../support/datasets.js'
import { ask, bearer, mint, newOrganisation, service, startService, type Minted } from '../support/service.js'
import { startWordingServer, type WordingServer } from '../support/wording-server.js'
import { cellsOf, figuresOf } from './pages.js'

type CsvRow = Record<'entry_id' | 'kind' | 'dataset_id' | 'key_id' | 'request_id' | 'credits' | 'balance', string>

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
  let wording: WordingServer
  let running: Awaited<ReturnType<typeof startService>>
  let visitor: Visitor
  let key: Minted
  let second: Minted
  const db = () => service().db

  before(async () => {
    wording = await startWordingServer()
    running = await startService(service().database, { publicUrl: 'listening', wordingUrl: wording.url })
    const org = await newOrganisation(db())
    await license(db().run, 'lyr_market', org, 2)
    await license(db().run, 'lyr_reserves', org, 4)
    await credit(db(), org, 100)
    key = await mint(db(), { org })
    second = await mint(db(), { org, name: '-2+3' })
    visitor = await signIn(running.url, db(), { orgId: org, role: 'admin' })
    await makeCharges()
  })
  after(async () => {
    await running.stop()
    await wording.close()
  })

  /** Charges of 2 and 4 credits by two keys, one of them given back, and one worded answer that costs a credit. */
  async function makeCharges(): Promise<void> {
    const data = (frame: string, { secret }: Minted) =>
      ask(`${running.url}/v1/frames/data?ids=${frame}`, { headers: bearer(secret) })
    const [frames] = await db().rows<{ both: string; shops: string; neither: string }>(FRAMES, [])
    assert.ok(frames)
    await data(frames.shops, key)
    await data(frames.both, second)
    const failed = await data(frames.shops, key)
    await voidCharge(db(), key, failed.headers.get('x-request-id') ?? '')
    await db().rows(
      `insert into worded_use (org_id, day, by_allowance)
       values ($1::text, (ledger_clock() at time zone 'UTC')::date, 100)`,
      [key.orgId],
    )
    await ask(`${running.url}/v1/frames/insight`, {
      method: 'POST',
      headers: { ...bearer(key.secret), 'content-type': 'application/json' },
      body: JSON.stringify({ frameIds: [frames.neither] }),
    })
  }

  const csv = async (): Promise<CsvRow[]> => parse((await visitor.get('/app/credits.csv')).text, { columns: true })

  it('shows figures that agree with the ledger', async () => {
    const { text } = await visitor.get('/app/credits')
    const [ledger] = await db().rows<Record<string, string>>(
      `select
         (select balance from account where org_id = $1::text)::text as "Balance now",
         (-sum(credits) filter (where kind in ('dataset', 'worded')))::text as "Spent",
         (sum(credits) filter (where kind = 'refund'))::text as "Given back",
         (sum(credits) filter (where kind = 'top_up'))::text as "Topped up"
       from credit_entry where org_id = $1::text`,
      [key.orgId],
    )
    assert.deepEqual(figuresOf(text), { ...ledger })
    assert.deepEqual(figuresOf(text), { 'Balance now': '91', Spent: '11', 'Given back': '2', 'Topped up': '100' })
    assert.equal(await balanceOf(db(), key.orgId), 91)
  })

  it('shows credits by day, dataset and key', async () => {
    const { text } = await visitor.get('/app/credits?period=7d')
    assert.deepEqual(cellsOf(text, 'Credits by day')[0], [new Date().toISOString().slice(0, 10), '10', '1', '2', '100'])
    assert.deepEqual(cellsOf(text, 'Credits by dataset'), [
      ['Markets and shops lyr_market', '3', '6', '2'],
      ['Nature reserves lyr_reserves', '1', '4', '0'],
      ['Worded answers', '1', '1', '0'],
    ])
    const byKey = cellsOf(text, 'Credits by key').map(([name = '', ...figures]) => [
      name.replace(/ …\w+$/, ''),
      ...figures,
    ])
    assert.deepEqual(byKey, [
      ['-2+3', '2', '6', '0'],
      ['tests', '3', '5', '2'],
    ])
  })

  it('lists every entry with the balance that credit_statement has', async () => {
    const statement = await db().rows<{ request: string; credits: string; balance: string }>(
      `select request_id as request, credits::text as credits, balance::text as balance
       from credit_statement where org_id = $1::text order by balance, request_id`,
      [key.orgId],
    )
    const { text } = await visitor.get('/app/credits')
    for (const { secret } of [key, second])
      assert.match(text.split('<h2>Statement</h2>')[1] ?? '', new RegExp(`…${secret.slice(-4)}`))
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
    assert.equal(shown[0]?.balance, '91')
  })

  it('keeps numbers numbers in its file, and names texts', async () => {
    const file = await visitor.get('/app/credits.csv')
    assert.equal(file.headers['content-disposition'], 'attachment; filename="credits-30d.csv"')
    assert.match(file.text, /,'-2\+3,/)
    assert.ok((await csv()).some(({ credits }) => credits === '-4'))
  })

  it('leads from page to page, each entry once, and its file has all of them', async () => {
    const orgId = await newOrganisation(db())
    const admin = await signIn(running.url, db(), { orgId, role: 'admin' })
    for (let i = 0; i < 60; i += 1) await credit(db(), orgId, i + 1)
    const seen: string[] = []
    let path: string | undefined = '/app/credits'
    let pages = 0
    while (path !== undefined) {
      const { text } = await admin.get(path)
      seen.push(...cellsOf(text, 'Entries, the newest first').map(([, , , , credits = '']) => credits))
      path = /href="(\/app\/credits\?[^"]*before=\d+)"/.exec(text)?.[1]?.replace('&amp;', '&')
      pages += 1
    }
    assert.equal(pages, 3)
    assert.deepEqual(
      seen,
      Array.from({ length: 60 }, (_, i) => `+${60 - i}`),
    )
    assert.equal((await admin.get('/app/credits.csv')).text.trim().split('\r\n').length, 61)
  })

  it('shows nothing of another organisation', async () => {
    const orgId = await newOrganisation(db())
    await credit(db(), orgId, 7)
    const theirs = await signIn(running.url, db(), { orgId, role: 'owner' })
    const { text } = await theirs.get('/app/credits')
    assert.deepEqual(figuresOf(text), { 'Balance now': '7', Spent: '0', 'Given back': '0', 'Topped up': '7' })
    assert.doesNotMatch(text, new RegExp(`${key.keyId}|${second.keyId}`))
  })

  it('says which parameter of its address cannot be read, as the pages of usage and events do', async () => {
    const numbers = ['x', '-1', '1e3', '99999999999999999999', "1'--"].map(
      (n) => `credits?before=${encodeURIComponent(n)}`,
    )
    for (const path of ['credits?period=x', 'usage?period=x', 'events?before=x', 'events?key=x', ...numbers]) {
      const { status, text } = await visitor.get(`/app/${path}`)
      assert.equal(status, 400, path)
      assert.match(text, /<h1>This address cannot be read<\/h1>/, path)
    }
  })
})
