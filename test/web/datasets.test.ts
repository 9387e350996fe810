import assert from 'node:assert/strict'
import { license } from '../../src/core/access/licences.js'
import { html, textOf } from '../../src/app/shell/html.js'
import { signIn, type Visitor } from '../support/browse.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { newOrganisation, startService } from '../support/service.js'
import { cellsOf } from './pages.js'

const NAME = '<img src=x onerror=alert(1)> & "quotes"'

/** These statements read values of a dataset. */
const READS_VALUES = /^-- (figures_of_dataset|classes_of_dataset|totals_of_level):/

describe('the pages about datasets', function () {
  this.timeout(60_000)
  let database: TestDatabase
  let running: Awaited<ReturnType<typeof startService>>
  const sent: string[] = []
  before(async () => {
    database = await newDatabase('datasets')
    running = await startService(database, { publicUrl: 'listening', watch: (text) => void sent.push(text) })
  })
  after(async () => {
    await running.stop()
    await database.drop()
  })

  const orgNamed = async (name: string) => {
    const rows = await database.db.rows<{ orgId: string }>(
      'select org_id as "orgId" from organisation where name = $1::text',
      [name],
    )
    return rows[0]?.orgId ?? ''
  }
  const enter = (orgId: string): Promise<Visitor> =>
    signIn(running.url, database.db, { orgId, role: 'member', name: 'Member' })
  const rows = <Row>(text: string, args: unknown[] = []) => database.db.rows<Row>(text, args)
  const namesOn = (page: string) =>
    cellsOf(page, 'Datasets that your organisation may read').map(([name = '']) => name.replace(/^.*lyr_/, ''))
  const without = (page: string) => page.replace(/Request <code>[^<]+/g, '')

  it('list what the organisation owns or has a licence for, and nothing of any other dataset', async () => {
    const stranger = await newOrganisation(database.db)
    for (const orgId of [await orgNamed('demo'), await orgNamed('Rich Survey'), stranger]) {
      const visitor = await enter(orgId)
      const { text } = await visitor.get('/app/datasets')
      const all = await rows<{ id: string; name: string; mayRead: boolean }>(
        `select substr(layer_id, 5) as id, name, org_id = $1::text or exists (
           select from licence where licence.layer_id = dataset.layer_id and coalesce(licence.org_id, $1::text) = $1::text
         ) as "mayRead" from dataset`,
        [orgId],
      )
      const may = all.filter(({ mayRead }) => mayRead).map(({ id }) => id)
      assert.deepEqual(namesOn(text).toSorted(), may.toSorted())
      const unknown = await visitor.get('/app/datasets/lyr_nobody_has_this')
      assert.equal(unknown.status, 404)
      for (const { id, name } of all.filter(({ mayRead }) => !mayRead)) {
        assert.ok(!text.includes(`lyr_${id}`) && !text.includes(name), id)
        const answer = await visitor.get(`/app/datasets/lyr_${id}`)
        assert.equal(answer.status, 404, id)
        assert.equal(without(answer.text).replaceAll(`lyr_${id}`, 'lyr_nobody_has_this'), without(unknown.text))
      }
    }
    const { text } = await (await enter(stranger)).get('/app/datasets')
    assert.ok(!text.includes('Rich Survey'), 'the owner of what it may not read')
  })

  it('take a licence away with the next click', async () => {
    const orgId = await newOrganisation(database.db)
    const visitor = await enter(orgId)
    const path = '/app/datasets/lyr_market'
    assert.equal((await visitor.get(path)).status, 404)
    await license(database.db.run, 'lyr_market', orgId, undefined)
    assert.equal((await visitor.get(path)).status, 200)
    await rows('delete from licence where org_id = $1::text', [orgId])
    assert.equal((await visitor.get(path)).status, 404)
  })

  it('describe a dataset that costs without its values, which its owner sees', async () => {
    const visitor = await enter(await orgNamed('demo'))
    const prices = await rows<{ id: string; price: number }>(
      'select layer_id as id, price from licence where org_id = $1::text and price is not null',
      [await orgNamed('demo')],
    )
    assert.deepEqual(prices.map(({ id }) => id).toSorted(), ['lyr_market', 'lyr_reserves'])
    for (const { id, price } of prices) {
      sent.length = 0
      const { text, status } = await visitor.get(`/app/datasets/${id}`)
      assert.equal(status, 200)
      assert.ok(text.includes(`${price} credits a call`))
      assert.match(text, /Its values cost credits, so this page shows none of them\./)
      assert.doesNotMatch(text, /Coverage|Lowest|Spread|Values of|Without a value|<figure|analyst\.|psql|ogr2ogr/)
      assert.match(text, /price=true/)
      assert.deepEqual(
        sent.filter((each) => READS_VALUES.test(each)),
        [],
      )
      // An address that names an attribute changes nothing.
      const chosen = await visitor.get(`/app/datasets/${id}?attribute=mkt_shops`)
      assert.doesNotMatch(chosen.text, /Coverage|<figure/)
      const columns = cellsOf(text, id === 'lyr_market' ? 'Attributes' : 'Properties')
      assert.ok(columns.length >= 3)
      const owner = await (await enter(await orgNamed('Rich Survey'))).get(`/app/datasets/${id}`)
      assert.match(owner.text, /Your organisation owns it/)
      assert.match(owner.text, /Coverage by state/)
      assert.doesNotMatch(owner.text, /price=true/)
    }
  })

  it('are found by all of the words of a search, in any case and without accents', async () => {
    const visitor = await enter(await orgNamed('demo'))
    await rows(`update dataset set description = 'Où sont les ÉCOLES' where layer_id = 'lyr_schools'`)
    for (const [words, expected] of [
      ['', undefined],
      ['ecoles', ['schools']],
      ['POPULATION estimate', ['population']],
      ['atlas  elevation ', ['terrain']],
      ['lyr_roads', ['roads']],
      ['survey credits', []],
      ['rich survey', ['clinics', 'market', 'reserves']],
      ['100%', []],
      ['%', []],
      ['zzz', []],
    ] as const) {
      const { text, status } = await visitor.get(`/app/datasets?q=${encodeURIComponent(words).replaceAll('%20', '+')}`)
      assert.equal(status, 200, words)
      if (expected === undefined) assert.equal(namesOn(text).length, 12)
      else if (expected.length === 0) assert.match(text, /No dataset has all of these words/, words)
      else assert.deepEqual(namesOn(text).toSorted(), expected, words)
    }
  })

  it('spend from the bucket of the organisation', async () => {
    const size = { burst: 4, perMinute: 1 }
    const roomy = { burst: 900, perMinute: 900 }
    const buckets = { key: roomy, insight: roomy, map: roomy, organisation: size, address: roomy }
    const metered = await startService(database, { publicUrl: 'listening', buckets })
    try {
      const visitor = await signIn(metered.url, database.db, { orgId: await orgNamed('demo') })
      for (let i = 0; i < 4; i += 1)
        assert.equal((await visitor.get(i % 2 ? '/app/datasets' : '/app/datasets/lyr_roads')).status, 200)
      const refused = await visitor.get('/app/datasets')
      assert.equal(refused.status, 429)
      assert.ok(Number(refused.headers['retry-after']) >= 1)
    } finally {
      await metered.stop()
    }
  })

  it('know every attribute that they link to, and no other', async () => {
    const visitor = await enter(await orgNamed('demo'))
    const { text } = await visitor.get('/app/datasets')
    let linked = 0
    for (const id of namesOn(text)) {
      const page = await visitor.get(`/app/datasets/lyr_${id}`)
      for (const [, link = ''] of page.text.matchAll(/href="(\/app\/(?:datasets|map)[^"#]*attribute=[^"#]*)/g)) {
        linked += 1
        assert.equal((await visitor.get(link.replaceAll('&amp;', '&'))).status, 200, link)
      }
    }
    assert.ok(linked > 30, String(linked))
    for (const attribute of ['none', '', '%00', '%ff', encodeURIComponent(NAME), '__proto__'])
      assert.equal((await visitor.get(`/app/datasets/lyr_population?attribute=${attribute}`)).status, 404, attribute)
    for (const id of ['none', '%00', 'lyr_population%27', '__proto__', 'x'.repeat(5000)])
      assert.equal((await visitor.get(`/app/datasets/${id}`)).status, 404, id)
  })

  // The last of the suite: it writes over all names.
  it('write every text as text', async () => {
    await rows(`update dataset set name = $1::text, description = $1::text, vintage = $1::text, category = $1::text`, [
      NAME,
    ])
    await rows('update attribute set label = $1::text, unit = $1::text, description = $1::text, method = $1::text', [
      NAME,
    ])
    const owner = await orgNamed('Rich Survey')
    await rows('update organisation set name = $1::text || org_id', [NAME])
    const visitor = await enter(owner)
    const shown = textOf(html`${NAME}`)
    for (const path of ['', '/lyr_population', '/lyr_market', '/lyr_schools', `?q=${encodeURIComponent(NAME)}`]) {
      const { text, status } = await visitor.get(`/app/datasets${path}`)
      assert.equal(status, 200)
      assert.ok(text.includes(shown), path)
      assert.ok(!text.includes('<img') && !text.includes('"quotes"'), path)
    }
  })
})
