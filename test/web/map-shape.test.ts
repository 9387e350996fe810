/** A shape on the map, without scripts: the form, the two totals, the question, the file, and what cannot be read. */
import assert from 'node:assert/strict'
import type { Visitor } from '../support/browse.js'
import { newOrganisation, service } from '../support/service.js'
import { cellsOf, leadOf, panelTitle } from './pages.js'
import { rows, signedIn } from './visitors.js'

const WKT = 'POLYGON((0.05 0.05,0.31 0.08,0.22 0.13,0.3 0.33,0.05 0.05))'
const GEOJSON =
  '{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0.05,0.05],[0.31,0.08],[0.22,0.13],[0.3,0.33],[0.05,0.05]]]}}'

describe('a shape on the map', () => {
  let visitor: Visitor
  before(async () => (visitor = await signedIn({ orgId: await newOrganisation(service().db), role: 'member' })))

  const address = (fields: Record<string, string>, page = 'map') =>
    `/app/${page}?${new URLSearchParams(fields).toString()}`
  const open = async (fields: Record<string, string>, page = 'map') => {
    const answer = await visitor.get(address(fields, page))
    return { ...answer, text: answer.text.replace(/\s+/g, ' ') }
  }
  const grouped = (number: unknown) => Number(number).toLocaleString('en')

  it('has its totals over whole frames and by area, and its frames', async () => {
    const { status, text } = await visitor.get(address({ shape: WKT }))
    assert.equal(status, 200)
    assert.equal(panelTitle(text), 'Shape')
    const [wanted] = await rows<{ total: string; byArea: string; frames: string }>(
      `select total::text as total, total_by_area::text as "byArea", frames::text as frames
       from analyst.totals_in(ST_GeomFromText($1::text)) where attribute = 'pop_demest26'`,
      WKT,
    )
    assert.match(text, new RegExp(`${wanted?.frames} frames, [\\d,.]+ km²; [\\d,.]+ km² inside`))
    assert.match(text.replace(/\s+/g, ' '), /<th scope="col" class="number">Whole frames<\/th> <th [^>]*>By area<\/th>/)
    assert.deepEqual(
      cellsOf(text, 'Totals by dataset')
        .find(([name]) => name?.startsWith('Population, 2026 estimate '))
        ?.slice(1)
        .map((cell) => cell.replace(/ between [\d,]+ and [\d,]+ \(95.%\)$/, '')),
      [`${grouped(wanted?.total)} people`, grouped(wanted?.byArea)],
    )
    assert.match(text, /data-corners="0\.05,0\.05,0\.31,0\.33"/)
    assert.ok(text.includes('&quot;type&quot;:&quot;Polygon&quot;,&quot;coordinates&quot;:[[[0.05,0.05],[0.31,0.08]'))
    assert.match(text, /href="\/app\/take\?shape=POLYGON[^"]*" data-drawer>Take along/)
  })

  it('is written in one form in the address, whatever was pasted', async () => {
    const far = 'SRID=3857;POLYGON((0 0,22000 0,0 22000,0 0))'
    for (const [typed, wanted] of [
      [GEOJSON, WKT],
      [` polygon (( 0.05 0.05, 0.31 0.08, 0.22 0.13, 0.3 0.33, 0.05 0.05 )) `, WKT],
      [far, /^POLYGON\(\(0 0,0\.\d{7} 0,/],
    ] as const) {
      const { status, headers } = await visitor.get(address({ shape: typed, dataset: 'lyr_population' }))
      assert.equal(status, 303)
      const there = new URL(headers['location'] ?? '', service().url)
      const shape = there.searchParams.get('shape') ?? ''
      if (typeof wanted === 'string') assert.equal(shape, wanted)
      else assert.match(shape, wanted)
      assert.equal(there.searchParams.get('dataset'), 'lyr_population')
      assert.equal((await visitor.get(there.pathname + there.search)).status, 200)
    }
  })

  it('answers a question, shows its statement, and leads on with the same shape', async () => {
    const { text } = await open({ shape: WKT, question: 'How many people live here?' })
    const [sum] = await rows<{ people: string }>(
      `select sum((recorded ->> 'pop_demest26')::numeric)::text as people from baseline join frame using (frame_id)
       where layer_id = 'lyr_population' and ST_Intersects(geom, ST_GeomFromText($1::text, 4326))`,
      WKT,
    )
    assert.match(text, /Ask about the frames of this shape<\/label>/)
    assert.ok(leadOf(text).includes(`${grouped(sum?.people)} people`), leadOf(text))
    const next = /id="follow-ups".*?<ul class="bare">(.*?)<\/ul>/.exec(text)?.[1] ?? ''
    const [, link = ''] = /href="([^"]*)"/.exec(next) ?? []
    assert.equal(new URL(link.replaceAll('&amp;', '&'), service().url).searchParams.get('shape'), WKT)
    const own = await open({ shape: WKT, question: 'How many people live here?' }, 'ask')
    assert.ok(leadOf(own.text).includes(`${grouped(sum?.people)} people`), leadOf(own.text))
  })

  it('is taken along as a file', async () => {
    const { status, text } = await open({ shape: WKT }, 'take')
    assert.equal(status, 200)
    assert.match(text, /Take along \d+ frames/)
  })

  it('that has a fault comes back in the form with the place of the fault, on every page', async () => {
    const crossing = 'POLYGON((0 0,0.2 0.2,0.2 0,0 0.2,0 0))'
    const { status, text } = await open({ shape: crossing, dataset: 'lyr_terrain', attribute: 'phy_landcov' })
    assert.equal(status, 400)
    assert.match(text, /This shape cannot be read\. The shape is not valid: self-intersection at lon 0\.1, lat 0\.1\./)
    assert.match(text, /<details class="fold box-form" id="shape-fold" open>/)
    assert.match(text, /aria-describedby="shape-note" aria-invalid="true"/)
    assert.ok(text.includes(`${crossing}</textarea>`))
    assert.match(text, /<p class="fault" id="shape-note">The shape is not valid/)
    for (const page of ['ask', 'take']) {
      const refused = await open({ shape: crossing, question: 'how many people' }, page)
      assert.ok(refused.status >= 400 && refused.status < 500, `${page} ${refused.status}`)
      assert.match(refused.text, /self-intersection at lon 0\.1, lat 0\.1/, page)
    }
    for (const [shape, said] of [
      ['<b>x</b>', /a POLYGON or a MULTIPOLYGON is accepted/],
      [`POLYGON((${'0 0,'.repeat(2000)}0 0))`, /takes \d+ characters, and an address 6000/],
      ['POLYGON((0 0,1', /at character \d+/],
    ] as const) {
      const { status: other, text: page } = await open({ shape })
      assert.equal(other, 400)
      assert.match(page, said)
      assert.ok(!page.includes('<b>x</b>'))
    }
    assert.equal((await open({ shape: WKT, box: '0,0,1,1' })).status, 400)
  })

  it('off the grid says that no frame lies there', async () => {
    const { text } = await open({ shape: 'POLYGON((50 50,51 50,51 51,50 50))' })
    assert.match(text, /No frame of the index lies here\./)
  })
})
