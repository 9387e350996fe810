import assert from 'node:assert/strict'
import type { Visitor } from '../support/browse.js'
import { newOrganisation, service } from '../support/service.js'
import { cellsOf, panelTitle } from './pages.js'
import { memberOf, rows, signedIn } from './visitors.js'

const FRAME = '324378020'

describe('the map page', () => {
  let demo: Visitor
  before(async () => (demo = await memberOf()))

  const open = async (query: string, visitor = demo) => {
    const answer = await visitor.get(`/app/map${query}`)
    return { ...answer, text: answer.text.replace(/\s+/g, ' '), title: panelTitle(answer.text) }
  }

  it('opens at the whole index, coloured by population, with the method and the vintage', async () => {
    const { text, title } = await open('')
    assert.equal(title, 'The whole index')
    assert.equal((await demo.get('/app')).headers.location, '/app/map')
    assert.match(text, /12,411 frames, 4 states/)
    assert.match(text, /<option value="lyr_population pop_demest26" selected>/)
    assert.match(text, /people · modelled estimate, 2026/)
    assert.match(text, /Source: National Atlas Office · free/)
    assert.match(text, /no value/)
  })

  it('is where the links of other programs to /app lead', async () => {
    for (const query of [`?frame=${FRAME}`, '?state=marembe&lga=lakeside', '?box=0,0,1,1', '?q=lakeside&dataset=x'])
      for (const path of ['/app', '/app/'])
        assert.equal((await demo.get(path + query)).headers.location, `/app/map${query}`)
  })

  describe('tells', () => {
    it('of a frame: its units, its corners, its area, and what free datasets record', async () => {
      const { text, title } = await open(`?frame=${FRAME}`)
      assert.equal(title, `Frame ${FRAME}`)
      for (const part of [/LAKE ISLAND/, /0\.2, 0\.1, 0\.21, 0\.11/, /1\.23 km²/, /Mean elevation/, /MR-02-03/])
        assert.match(text, part)
      assert.match(
        text,
        /Not read, since reading costs credits: Markets and shops \(2 credits a call\), Nature reserves \(4 credits a call\)/,
      )
      assert.match(text, /data-outlines="\[\{&quot;type&quot;:&quot;Polygon&quot;/)
    })

    it('first of what the map is coloured by', async () => {
      const [row] = await rows<Record<'id' | 'people', string>>(
        `select frame_id::text as id, recorded ->> 'pop_demest26' as people
         from baseline where layer_id = 'lyr_population' order by plain_number(recorded ->> 'pop_demest26') desc limit 1`,
      )
      const { text } = await open(`?frame=${row?.id}`)
      assert.ok(text.includes(`<p class="large">${Number(row?.people).toLocaleString('en')} people</p>`))
      const { text: cover } = await open(`?frame=${row?.id}&dataset=lyr_terrain&attribute=phy_landcov`)
      assert.match(cover, /<p class="large">[A-Z][a-z -]+<\/p>/)
      const { text: schools } = await open(`?frame=${FRAME}&dataset=lyr_schools&attribute=features`)
      assert.match(schools, /<p class="large">0<\/p>/)
    })

    it('of a unit: its size, its totals with their coverage, its neighbours, and the units in it', async () => {
      const { text, title } = await open('?state=marembe&lga=lakeside')
      assert.equal(title, 'LAKESIDE')
      assert.match(text, /1,975\.69 km², 1,648 frames/)
      const totals = cellsOf(text, 'Totals by dataset')
      const [sum] = await rows<{ people: string; frames: string }>(
        `select sum((recorded ->> 'pop_demest26')::numeric)::text as people, count(*)::text as frames
         from baseline join frame using (frame_id) where layer_id = 'lyr_population' and lga = 'LAKESIDE'`,
      )
      const [name = '', ...found] = totals.find(([each]) => each?.startsWith('Population, 2026 estimate')) ?? []
      assert.match(name, /estimate between 4\d,\d00 and 5\d,\d00 \(95.%\)$/)
      assert.deepEqual(found, [`${Number(sum?.people).toLocaleString('en')} people`, '100 %'])
    })

    it('of a box: the frames that touch it, and their totals', async () => {
      const { text, title } = await open('?box=0.201,0.101,0.219,0.119')
      assert.equal(title, 'Box')
      assert.match(text, /4 frames, 4\.92 km²/)
      const large = await open('?box=-0.5,-0.5,0.5,0.5')
      assert.match(large.text, /10,178 frames, [\d,.]+ km²<\/dd>/)
      assert.match(
        large.text,
        /from 64 blocks of 0\.1° that lie wholly inside, with 6,335 frames, and from 3,843 frames/,
      )
      const [all] = await rows<{ people: string }>(
        `select sum((recorded ->> 'pop_demest26')::numeric)::text as people from baseline join frame using (frame_id)
         where layer_id = 'lyr_population' and ST_Intersects(geom, ST_MakeEnvelope(-0.5, -0.5, 0.5, 0.5, 4326))`,
      )
      const allPeople = cellsOf(large.text, 'Totals by dataset').find(([name]) =>
        /2026 estimate between 1,0/.test(name ?? ''),
      )
      assert.equal(allPeople?.[1], `${Number(all?.people).toLocaleString('en')} people`)
    })

    it('what the file says: every unit with its total', async () => {
      const file = await demo.get('/app/map.csv?dataset=lyr_population&attribute=pop_demest26&state=marembe')
      assert.match(file.headers['content-type'] ?? '', /^text\/csv/)
      const lines = file.text.trim().split('\r\n')
      const headings = 'state,lga,ward,layer_id,attribute,summary,unit,total,frames_recorded,frames,km2'
      assert.equal(lines[0], `${headings},total_lower_95,total_upper_95`)
      assert.equal(lines.length, 6)
      const known = await rows<{ lower: string; upper: string }>(
        `select trim_scale(lower)::text as lower, trim_scale(upper)::text as upper from unit_interval join unit using (unit_id)
         where attribute = 'pop_demest26' and state = 'MAREMBE' and level = 'lga' order by lga collate "C"`,
      )
      for (const [i, line] of lines.slice(1).sort().entries()) {
        assert.match(line, /^MAREMBE,[A-Z ]+,,lyr_population,pop_demest26,sum,people,\d+,\d+,\d+,\d+\.\d+,/)
        assert.deepEqual(line.split(',').slice(-2), Object.values(known[i] ?? {}), 'the bounds are exact')
      }
      const { text } = await open('?dataset=lyr_population&attribute=pop_demest26&state=marembe')
      const table = cellsOf(text, 'Population, 2026 estimate by unit, the largest first')
      for (const [, total = ''] of table) assert.match(total, /^[\d,]+ [\d,]+00 to [\d,]+00$/)
      const without = await demo.get('/app/map.csv?dataset=lyr_population&attribute=pop_demest25')
      assert.equal(without.text.split('\r\n')[0], headings)
    })
  })

  describe('withstands', () => {
    it('ids and units that the index does not know', async () => {
      for (const query of ['?frame=7', '?frame=99999999999999999999', '?state=atlantis', '?state=marembe&lga=atlantis'])
        assert.match((await open(query)).text, /The index has no (frame|unit)/, query)
    })

    it('a list of frames of which the index lacks some: it names them, and counts the others', async () => {
      const some = await open('?frames=322074005,322110005,999,007')
      assert.equal(some.title, '2 frames')
      assert.match(some.text, /Ask about these 2 frames.*The index has no frames 999, 007\..*<dd>2 frames,/)
      for (const query of ['?frame=999', '?frames=998,999', '?box=5,5,5.1,5.1', '?state=atlantis']) {
        const { text } = await open(query)
        assert.doesNotMatch(text, /Take along|Ask about/, query)
      }
      assert.match((await open('?frames=998,999')).text, /The index has no frames 998, 999\./)
    })

    it('a parameter that it does not know, and a dataset that nobody may know of', async () => {
      const { status, text } = await open('?colour=x')
      assert.equal(status, 400)
      assert.match(text, /cannot be read/)
      assert.equal((await open('?dataset=%3Cb%3E')).status, 404)
    })

    it('a dataset that costs: it is named with its price, and no value of it is read', async () => {
      const { text, status } = await open('?dataset=lyr_market&attribute=mkt_shops')
      assert.equal(status, 200)
      assert.match(text, /Markets and shops: reading costs 2 credits a call, so the map is not coloured by it/)
      assert.doesNotMatch(text, /data-paint/)
      const [row] = await rows<{ id: string }>(
        `select frame_id::text as id from baseline where layer_id = 'lyr_market' order by frame_id limit 1`,
      )
      for (const query of [`?frame=${row?.id}`, '?state=marembe', '']) {
        const page = (await open(query)).text
        assert.match(page, /Not read, since reading costs credits: Markets and shops/, query)
        assert.doesNotMatch(page, /Time to the nearest market|Households/, query)
      }
      assert.equal((await demo.get('/app/map.csv?dataset=lyr_market&attribute=mkt_shops')).status, 404)
    })

    it('another organisation: what it may not read is not even named', async () => {
      const orgId = await newOrganisation(service().db)
      const stranger = await signedIn({ orgId, role: 'owner' })
      for (const query of ['', `?frame=${FRAME}`, '?state=marembe', '?box=0.201,0.101,0.219,0.119'])
        assert.doesNotMatch((await open(query, stranger)).text, /Markets and shops|Clinics|Nature reserves/, query)
      for (const query of ['?dataset=lyr_market', '?dataset=lyr_clinics&attribute=features'])
        assert.equal((await open(query, stranger)).status, 404, query)
      const owner = await memberOf('Rich Survey')
      assert.match(
        (await open('?dataset=lyr_market&attribute=mkt_shops', owner)).text,
        /Source: Rich Survey · your own/,
      )
    })

    it('markup in what is typed', async () => {
      const bad = '<img src=x onerror=alert(1)>'
      for (const query of [`?q=${encodeURIComponent(bad)}`, `?state=${encodeURIComponent(bad)}`]) {
        const { text } = await open(query)
        assert.ok(!text.includes('<img'), query)
        assert.match(text, /&lt;img src=x/i)
      }
    })
  })
})
