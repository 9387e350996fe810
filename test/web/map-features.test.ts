import assert from 'node:assert/strict'
import type { Visitor } from '../support/browse.js'
import { newOrganisation, service } from '../support/service.js'
import { panelTitle } from './pages.js'
import { memberOf, rows, signedIn } from './visitors.js'

describe('a feature on the map page', () => {
  let visitor: Visitor
  let school: { no: number; id: string; name: string; frame: string }
  before(async () => {
    visitor = await memberOf()
    const [found] = await rows<typeof school>(
      `select feature_no as no, feature_id as id, properties ->> 'name' as name, frame_id::text as frame
       from feature join dataset using (version) join feature_frame using (version, feature_no) where layer_id = 'lyr_schools' order by 1 limit 1`,
    )
    assert.ok(found)
    school = found
  })

  const open = (feature: string, who = visitor) =>
    who.get(`/app/map?feature=${encodeURIComponent(feature)}`).then(({ status, text }) => ({ status, text }))

  it('shows its properties, its dataset and the frames that it lies on', async () => {
    const { text, status } = await open(`lyr_schools ${school.no} ${school.id}`)
    assert.equal(status, 200)
    assert.equal(panelTitle(text), school.name)
    assert.ok(text.includes(`frame=${school.frame}`))
    assert.match(text, /<dt>name<\/dt>/)
    assert.match(text, /data-outlines="\[\{&quot;type&quot;:&quot;Point/)
    // A question takes no feature.
    assert.doesNotMatch(text, /class="map-ask"/)
  })

  it('that another import put there is not shown in place of the one that was asked for', async () => {
    const { text, status } = await open(`lyr_schools ${school.no} another`)
    assert.equal(status, 200)
    assert.match(text, /no such feature in this place/)
    assert.ok(!text.includes(school.name))
  })

  it('of a dataset that costs, or that the organisation may not know, is refused', async () => {
    const stranger = await signedIn({ orgId: await newOrganisation(service().db), role: 'owner' })
    const priced = await open('lyr_reserves 1 x')
    assert.equal(priced.status, 403)
    assert.equal((await open('lyr_clinics 1 x', stranger)).status, 404)
    assert.equal((await open('lyr_population 1 x')).status, 404)
    for (const bad of ['lyr_schools', 'lyr_schools one two', 'lyr_schools 1'])
      assert.equal((await open(bad)).status, 400, bad)
    assert.equal((await visitor.get('/app/map?feature=lyr_schools+1+x&state=marembe')).status, 400)
  })

  it('has a mark of its own in the legend for each dataset that is read at no cost', async () => {
    const { text } = await visitor.get('/app/map')
    const marks = Array.from(
      text.matchAll(/<li data-dataset="(lyr_\w+)" data-kind="(\w+)" data-path="([^"]+)" data-dash="([^"]*)"/g),
      ([, dataset = '', ...mark]) => ({ dataset, mark: mark.join(' ') }),
    )
    assert.deepEqual(marks.map(({ dataset }) => dataset).toSorted(), [
      'lyr_clinics',
      'lyr_roads',
      'lyr_schools',
      'lyr_stalls',
    ])
    assert.equal(new Set(marks.map(({ mark }) => mark)).size, marks.length)
  })
})
