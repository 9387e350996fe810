import assert from 'node:assert/strict'
import { license } from '../../src/core/access/licences.js'
import { signIn, type Visitor } from '../support/browse.js'
import { newOrganisation, service, startService } from '../support/service.js'
import { cellsOf } from './pages.js'
import { rows } from './visitors.js'

/** These statements read values of a dataset. */
const READS_VALUES = /^-- (figures_of_dataset|classes_of_dataset|totals_of_level):/

describe('the pages about datasets', function () {
  this.timeout(60_000)
  let running: Awaited<ReturnType<typeof startService>>
  const sent: string[] = []
  before(async () => {
    running = await startService(service().database, { publicUrl: 'listening', watch: (text) => void sent.push(text) })
  })
  after(() => running.stop())

  const orgNamed = async (name: string) => {
    const [row] = await rows<{ orgId: string }>(
      'select org_id as "orgId" from organisation where name = $1::text',
      name,
    )
    return row?.orgId ?? ''
  }
  const enter = (orgId: string): Promise<Visitor> =>
    signIn(running.url, service().db, { orgId, role: 'member', name: 'Member' })
  const namesOn = (page: string) =>
    cellsOf(page, 'Datasets that your organisation may read').map(([name = '']) => name.replace(/^.*lyr_/, ''))
  const without = (page: string) => page.replace(/Request <code>[^<]+/g, '')

  it('list what the organisation owns or has a licence for, and nothing of any other dataset', async () => {
    const stranger = await newOrganisation(service().db)
    for (const orgId of [await orgNamed('demo'), await orgNamed('Rich Survey'), stranger]) {
      const visitor = await enter(orgId)
      const { text } = await visitor.get('/app/datasets')
      const all = await rows<{ id: string; name: string; mayRead: boolean }>(
        `select substr(layer_id, 5) as id, name, org_id = $1::text or exists (
           select from licence where licence.layer_id = coalesce(distance_to, dataset.layer_id) and coalesce(licence.org_id, $1::text) = $1::text
         ) as "mayRead" from dataset`,
        orgId,
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

  it('say which attributes have an interval, and from how many draws', async () => {
    const { text } = await (await enter(await orgNamed('demo'))).get('/app/datasets/lyr_population')
    const attributes = cellsOf(text, 'Attributes').map(([name = '', , over = '']) => [
      /pop_demest\d+/.exec(name)?.[0],
      over,
    ])
    assert.deepEqual(attributes, [
      ['pop_demest25', 'added up over frames'],
      ['pop_demest26', 'added up over frames 95 % interval from 40 draws'],
    ])
  })

  it('take a licence away with the next click', async () => {
    const orgId = await newOrganisation(service().db)
    const visitor = await enter(orgId)
    const path = '/app/datasets/lyr_market'
    assert.equal((await visitor.get(path)).status, 404)
    await license(service().db.run, 'lyr_market', orgId, undefined)
    assert.equal((await visitor.get(path)).status, 200)
    await rows('delete from licence where org_id = $1::text', orgId)
    assert.equal((await visitor.get(path)).status, 404)
  })

  it('describe a dataset that costs without its values, which its owner sees', async () => {
    const visitor = await enter(await orgNamed('demo'))
    const prices = await rows<{ id: string; price: number }>(
      'select layer_id as id, price from licence where org_id = $1::text and price is not null',
      await orgNamed('demo'),
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
})
