import assert from 'node:assert/strict'
import { license } from '../../src/core/access/licences.js'
import { signIn } from '../support/browse.js'
import { service } from '../support/service.js'
import { organisation, serving } from './organisation.js'
import { cellsOf } from './pages.js'
import { rows } from './visitors.js'

/** These statements read values of a dataset. */
const READS_VALUES = /^-- (figures_of_dataset|classes_of_dataset|profile_by_unit):/

describe('the pages about datasets', function () {
  this.timeout(60_000)
  const sent: string[] = []
  const running = serving({ watch: (text) => void sent.push(text) })

  const orgNamed = async (name: string) =>
    (await rows<{ id: string }>('select org_id as id from organisation where name = $1::text', name))[0]?.id ?? ''
  const enter = (orgId: string) => signIn(running.url, service().db, { orgId, role: 'member', name: 'Member' })
  const without = (page: string) => page.replace(/Request <code>[^<]+/g, '')

  it('list what the organisation owns or has a licence for, and nothing of any other dataset', async () => {
    const stranger = (await organisation(running)).orgId
    for (const orgId of [await orgNamed('demo'), await orgNamed('Rich Survey'), stranger]) {
      const visitor = await enter(orgId)
      const { text } = await visitor.get('/app/datasets')
      const all = await rows<{ id: string; name: string; mayRead: boolean }>(
        `select substr(layer_id, 5) as id, name, org_id = $1::text or exists (
           select from licence where licence.layer_id = coalesce(distance_to, dataset.layer_id) and coalesce(licence.org_id, $1::text) = $1::text
         ) as "mayRead" from dataset`,
        orgId,
      )
      const listed = cellsOf(text, 'Datasets that your organisation may read').map(([name = '']) =>
        name.replace(/^.*lyr_/, ''),
      )
      const may = all.filter(({ mayRead }) => mayRead).map(({ id }) => id)
      assert.deepEqual(listed.toSorted(), may.toSorted())
      const unknown = await visitor.get('/app/datasets/lyr_nobody_has_this')
      assert.equal(unknown.status, 404)
      for (const { id, name } of all.filter(({ mayRead }) => !mayRead)) {
        assert.ok(!text.includes(`lyr_${id}`) && !text.includes(name), id)
        const answer = await visitor.get(`/app/datasets/lyr_${id}`)
        assert.equal(answer.status, 404, id)
        assert.equal(without(answer.text).replaceAll(`lyr_${id}`, 'lyr_nobody_has_this'), without(unknown.text))
      }
      if (orgId === stranger) assert.ok(!text.includes('Rich Survey'), 'the owner of what it may not read')
    }
  })

  it('say where a dataset comes from, as its owner said it', async () => {
    const put = (origin: object) =>
      rows(`update dataset set origin = $1::text::jsonb where layer_id = 'lyr_terrain'`, JSON.stringify(origin))
    await put({ source: '<b>Survey</b>', url: 'https://example.org/?a=1&b=2', flags: ['modelled', 'provisional'] })
    try {
      const { text } = await (await enter(await orgNamed('demo'))).get('/app/datasets/lyr_terrain')
      assert.match(text, /<dt>Source<\/dt>\s*<dd>&lt;b&gt;Survey&lt;\/b&gt;<\/dd>/)
      assert.match(text, /<a href="https:\/\/example\.org\/\?a=1&amp;b=2" rel="noreferrer">/)
      assert.match(text, /<dt>Quality<\/dt>\s*<dd>modelled, provisional<\/dd>/)
      assert.doesNotMatch(text, /<dt>(Terms|Cite as|Released)<\/dt>/)
    } finally {
      await put({})
    }
  })

  it('take a licence away with the next click', async () => {
    const org = await organisation(running)
    const visitor = await org.enter('Ada', 'member')
    const status = async () => (await visitor.get('/app/datasets/lyr_market')).status
    assert.equal(await status(), 404)
    await license(service().db.run, 'lyr_market', org.orgId, undefined)
    assert.equal(await status(), 200)
    await org.rows('delete from licence where org_id = $1::text')
    assert.equal(await status(), 404)
  })

  it('describe a dataset that costs by its columns, and read no value of it', async () => {
    const demo = await orgNamed('demo')
    const visitor = await enter(demo)
    const priced = await rows<{ id: string }>(
      'select layer_id as id from licence where org_id = $1::text and price is not null order by 1',
      demo,
    )
    assert.deepEqual([...priced], [{ id: 'lyr_market' }, { id: 'lyr_reserves' }])
    for (const { id } of priced) {
      sent.length = 0
      const { text } = await visitor.get(`/app/datasets/${id}`)
      assert.ok(cellsOf(text, id === 'lyr_market' ? 'Attributes' : 'Properties').length >= 3)
      assert.ok(!sent.some((each) => READS_VALUES.test(each)))
    }
  })
})
