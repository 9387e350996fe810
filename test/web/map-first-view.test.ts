import assert from 'node:assert/strict'
import type { Visitor } from '../support/browse.js'
import { newOrganisation, service } from '../support/service.js'
import { signedIn } from './visitors.js'

describe('the first view of the map, before any script runs', () => {
  let visitor: Visitor
  before(async () => (visitor = await signedIn({ orgId: await newOrganisation(service().db) })))

  const page = (query: string) => visitor.get(`/app/map${query}`).then(({ text }) => text)
  const levelsShown = (text: string) =>
    Array.from(text.matchAll(/<div class="classes" data-level="(\w+)"\s*(hidden)?/g))
      .filter(([, , hidden]) => hidden === undefined)
      .map(([, level]) => level)

  it('says that the map loads', async () => {
    const text = await page('')
    assert.match(text, /<div class="map-area" aria-busy="true">/)
    assert.match(text, /<p id="map-loading" role="status">Loading …<\/p>/)
    assert.match(text, /id="map-missing" hidden/)
  })

  it('has the legend of the level on view, and no other', async () => {
    for (const [query, level] of [
      ['', 'frame'],
      ['?state=marembe&lga=lakeside', 'frame'],
      ['?lat=0&lon=0&z=3', 'state'],
      ['?lat=0&lon=0&z=5', 'lga'],
      ['?lat=0&lon=0&z=7.5', 'block'],
      ['?lat=0&lon=0&z=11', 'frame'],
    ] as const)
      assert.deepEqual(levelsShown(await page(query)), [level], query)
    // The script chooses among all of a part.
    assert.equal(levelsShown(await page('?part=panel')).length, 5)
  })

  it('says what a frame is, and offers three questions that are answered', async () => {
    const text = await page('')
    assert.match(text, /A frame is a cell of the grid, 0\.01° wide and high/)
    const [list = ''] = /<ul class="chips" aria-label="Questions[\s\S]*?<\/ul>/.exec(text) ?? []
    const links = Array.from(list.matchAll(/href="([^"]+)"/g), ([, link = '']) => link.replaceAll('&amp;', '&'))
    assert.equal(links.length, 3)
    for (const link of links) {
      const answer = (await visitor.get(link)).text
      assert.match(answer, /class="map-answer"/, link)
      assert.doesNotMatch(answer, /Not answered|A frame is a cell/, link)
    }
    assert.doesNotMatch(await page('?state=marembe'), /A frame is a cell/)
  })
})
