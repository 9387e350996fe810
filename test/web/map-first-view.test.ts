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

  it('takes no more than 450 kB of scripts, as browsers ask for them', async () => {
    const text = await page('')
    const files = [
      ...Array.from(text.matchAll(/<link rel="modulepreload" href="([^"]+)"/g), ([, file = '']) => file),
      ...Array.from(text.matchAll(/<script type="module" src="([^"]+)"/g), ([, file = '']) => file),
      ...(/<meta name="ahead" content="([^"]+)"/.exec(text)?.[1]?.split(' ') ?? []),
    ]
    assert.ok(files.some((file) => file.endsWith('maplibre-gl-worker.mjs')))
    // Browsers ask for brotli over HTTPS and on this machine, and PUBLIC_URL is one of both.
    const answers = await Promise.all(
      files.map((file) => visitor.get(file, { 'accept-encoding': 'gzip, deflate, br' })),
    )
    for (const { status, headers } of answers) {
      assert.equal(status, 200)
      // A file of a few hundred bytes is sent as it is.
      assert.ok(headers['content-encoding'] === 'br' || Number(headers['content-length']) < 1000)
    }
    const bytes = answers.reduce((sum, { headers }) => sum + Number(headers['content-length']), 0)
    assert.ok(bytes <= 450_000, `${bytes} bytes`)
  })

  it('takes a quarter of its bytes as browsers ask for it, and what answers a form, which may hold a secret, is plain', async () => {
    const length = async (coding: string) => {
      const { headers, bytes } = await visitor.get('/app/map', { 'accept-encoding': coding })
      assert.equal(headers['content-encoding'], coding === 'identity' ? undefined : coding)
      assert.match(String(headers.vary), /Cookie.*Accept-Encoding/)
      return bytes.length
    }
    const plain = await length('identity')
    for (const coding of ['gzip', 'br']) assert.ok((await length(coding)) < plain / 4, coding)
    const form = await visitor.post('/app/ask', {}, { 'accept-encoding': 'gzip' })
    assert.equal(form.headers['content-encoding'], undefined)
  })

  it('draws the land of the whole index, unless the page shows another place', async () => {
    const [, height = '', path = ''] =
      /<svg id="map-skeleton" viewBox="0 -(\d+) 1000 \d+" aria-hidden="true">\s*<path d="([^"]+)"/.exec(
        await page(''),
      ) ?? []
    assert.ok(Number(height) > 500 && Number(height) < 2000, height)
    assert.match(path, /^[-\d MlzZ]+$/)
    assert.ok(path.length > 500 && path.length < 20_000, String(path.length))
    for (const query of ['?state=marembe', '?lat=0&lon=0&z=7', '?frame=324378020', '?part=panel'])
      assert.doesNotMatch(await page(query), /map-skeleton/, query)
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

  it('says what a frame is, and offers questions that are answered, about a unit also that for its frames', async () => {
    assert.match(await page(''), /A frame is a cell of the grid, 0\.01° wide and high/)
    for (const [query, count] of [
      ['', 3],
      ['?state=marembe&lga=lakeside', 2],
      ['?state=marembe&lga=lakeside&ward=sand+quay', 1],
    ] as const) {
      const [list = ''] = /<ul class="chips" aria-label="Questions[\s\S]*?<\/ul>/.exec(await page(query)) ?? []
      const links = Array.from(list.matchAll(/href="([^"]+)"/g), ([, link = '']) => link.replaceAll('&amp;', '&'))
      assert.equal(links.length, count)
      for (const link of links) {
        const answer = (await visitor.get(link)).text
        assert.match(answer, /class="map-answer"/, link)
        assert.doesNotMatch(answer, /Not answered|A frame is a cell|aria-label="Questions/, link)
      }
    }
    const { text } = await visitor.get(
      '/app/map?state=marembe&lga=lakeside&question=Which+5+frames+have+the+most+people',
    )
    assert.equal(text.match(/<li>\s*<a href="\/app\/map\?frame=\d+">Frame \d+<\/a>/g)?.length, 5)
  })
})
