import assert from 'node:assert/strict'
import { signIn, type Visitor } from '../support/browse.js'
import { newOrganisation, service, startService } from '../support/service.js'
import { leadOf } from './pages.js'
import { rows, signedIn } from './visitors.js'

const PEOPLE = 'How many people live here?'

describe('a question beside the map', () => {
  let visitor: Visitor
  before(async () => (visitor = await signedIn({ orgId: await newOrganisation(service().db), role: 'member' })))

  const open = async (fields: Record<string, string>) => {
    const answer = await visitor.get(`/app/map?${new URLSearchParams(fields).toString()}`)
    return { ...answer, text: answer.text.replace(/\s+/g, ' ') }
  }
  const peopleOf = async (condition: string): Promise<string> => {
    const [row] = await rows<{ people: string }>(
      `select sum((recorded ->> 'pop_demest26')::numeric)::text as people from baseline join frame using (frame_id)
       where layer_id = 'lyr_population' and ${condition}`,
    )
    return Number(row?.people).toLocaleString('en')
  }

  const PLACES: readonly [name: string, fields: Record<string, string>, label: string, condition: string][] = [
    ['a frame', { frame: '324414021' }, 'this frame', 'frame_id = 324414021'],
    [
      'a box',
      { box: '0.201,0.101,0.219,0.119' },
      'the frames of this box',
      'frame_id in (324378020, 324378021, 324414020, 324414021)',
    ],
    ['an LGA', { state: 'MAREMBE', lga: 'LAKESIDE' }, 'this LGA', `state = 'MAREMBE' and lga = 'LAKESIDE'`],
    ['the whole index', {}, 'the whole index', 'true'],
  ]

  for (const [name, fields, label, condition] of PLACES) {
    it(`about ${name} is answered in the panel, the address reproduces it, and links lead on`, async () => {
      const kept = { ...fields, dataset: 'lyr_population', attribute: 'pop_demest26', lat: '0.1', lon: '0.2', z: '9' }
      const { status, text } = await open({ ...kept, question: PEOPLE })
      assert.equal(status, 200)
      assert.ok(text.includes(`Ask about ${label}</label>`), name)
      assert.ok(leadOf(text).includes(`${await peopleOf(condition)} people`), leadOf(text))
      assert.match(text, /name="question" value="How many people live here\?"/)
      const form = /<form [^>]*class="map-ask".*?<\/form>/.exec(text)?.[0] ?? ''
      for (const [field, value] of Object.entries(kept))
        assert.ok(form.includes(`type="hidden" name="${field}" value="${value}"`), `${field} of ${name}`)
      const next = /<ul class="bare">(.*?)<\/ul>/.exec(text.slice(text.indexOf('id="follow-ups"')))?.[1] ?? ''
      const links = Array.from(next.matchAll(/href="([^"]*)"/g), ([, link = '']) => link.replaceAll('&amp;', '&'))
      assert.ok(links.length > 0, name)
      for (const link of links) {
        const { pathname, searchParams } = new URL(link, service().url)
        assert.equal(pathname, '/app/map')
        for (const [field, value] of Object.entries(fields)) assert.equal(searchParams.get(field), value, link)
        assert.equal(searchParams.get('z'), '9')
        assert.notEqual(searchParams.get('question') ?? '', '')
        assert.ok(leadOf((await visitor.get(link)).text), link)
      }
    })
  }

  it('about modelled totals shows their intervals: of one below the headline, of units below their bars', async () => {
    const known = await rows<{ lower: number; upper: number }>(
      `select lower::float8 as lower, upper::float8 as upper
       from interval_of_set('{unit,marembe,lakeside}', 'lyr_population', 'pop_demest26')`,
    )
    const lakeside = { state: 'MAREMBE', lga: 'LAKESIDE' }
    const places: [Record<string, string>, string, RegExp][] = [
      [lakeside, PEOPLE, /95 % interval: between ([\d,]+) and ([\d,]+) people\./],
      [{ state: 'MAREMBE' }, 'people by LGA', />LAKESIDE, MAREMBE<.*?between ([\d,]+) and ([\d,]+) people \(95 %\)/],
    ]
    for (const [fields, question, interval] of places) {
      const { text } = await open({ ...fields, question })
      const card = /<section class="card answer".*?<\/section>/.exec(text)?.[0] ?? ''
      const shown = interval
        .exec(card)
        ?.slice(1)
        .map((bound) => Number(bound.replaceAll(',', '')))
      assert.ok(known[0] && shown?.[0] !== undefined && shown[1] !== undefined, card)
      const { lower, upper } = known[0]
      assert.ok(shown[0] <= lower && shown[0] > lower * 0.99, question)
      assert.ok(shown[1] >= upper && shown[1] < upper * 1.01, question)
    }
    const { text } = await open({ question: 'which LGA has the lowest share of people within 5 km of a school' })
    assert.doesNotMatch(/<section class="card answer".*?<\/section>/.exec(text)?.[0] ?? '95 %', /95 %/)
  })

  type Shape = { type: string; coordinates: unknown }
  const litOf = (text: string) =>
    JSON.parse((/data-lit="([^"]*)"/.exec(text)?.[1] ?? '').replaceAll('&quot;', '"')) as Shape[]

  it('lights the frame that an answer about a unit or the whole index names', async () => {
    for (const fields of [{ state: 'marembe', lga: 'lakeside' }, { state: 'marembe' }, {}]) {
      const { text } = await open({ ...fields, question: 'which frame has the most people' })
      const [, id = ''] = / in frame (\d+)/.exec(leadOf(text)) ?? []
      const [row] = await rows<{ geojson: string }>('select geojson from frame where frame_id = $1', id)
      assert.deepEqual(litOf(text), [JSON.parse(row?.geojson ?? '')], leadOf(text))
    }
  })

  const UNITS: readonly [question: string, fields: Record<string, string>, units: string, condition: string][] = [
    ['which ward has the most schools', { state: 'marembe' }, 'KOFA (NORTH)', `ward = 'KOFA (NORTH)'`],
    ['which state has the most people', {}, 'MAREMBE', `state = 'MAREMBE' and lga is null`],
  ]
  for (const [question, fields, unit, condition] of UNITS)
    it(`lights the unit that the answer names: ${question}`, async () => {
      const { text } = await open({ ...fields, question })
      assert.ok(leadOf(text).includes(unit), leadOf(text))
      const found = await rows<{ outline: string }>(
        `select ST_AsGeoJSON(geom, 6) as outline from unit_area where ${condition}`,
      )
      assert.equal(found.length, 1)
      assert.deepEqual(litOf(text), [JSON.parse(found[0]?.outline ?? '')])
    })

  it('lights each of several units, and no more than 50', async () => {
    const litBy = async (question: string) => litOf((await open({ question })).text).length
    assert.equal(await litBy('which three LGAs have the most people'), 3)
    const few = await litBy('which wards have fewer than 100000 people')
    assert.ok(few > 0 && few <= 50, String(few))
  })

  it('lights nothing where the answer names all of the unit', async () => {
    assert.deepEqual(litOf((await open({ state: 'marembe', question: PEOPLE })).text), [])
    assert.deepEqual(litOf((await open({ question: PEOPLE })).text), [])
  })

  it('lights the frames that the answer rests on', async () => {
    const { text } = await open({ box: '0.201,0.101,0.219,0.119', question: PEOPLE })
    const lit = litOf(text)
    const found = await rows<{ geometry: string }>(
      'select geojson as geometry from frame where frame_id in (324378020, 324378021, 324414020, 324414021)',
    )
    assert.deepEqual(
      lit.map((shape) => JSON.stringify(shape)).toSorted(),
      found.map(({ geometry }) => JSON.stringify(JSON.parse(geometry))).toSorted(),
    )
    assert.deepEqual(litOf((await open({ box: '0.201,0.101,0.219,0.119' })).text), [])
  })

  it('that the call would refuse keeps the form and what was typed', async () => {
    const long = `<img src=x> ${'why '.repeat(300).trim()}`
    const { status, text } = await open({ frame: '324378020', question: long })
    assert.equal(status, 422)
    assert.match(text, /<title>Error: Map/)
    assert.ok(text.includes(`value="${long.replace('<', '&lt;').replace('>', '&gt;')}"`))
    assert.match(text, /<p class="fault" id="question-fault">/)
    assert.match(text, /Frame 324378020<\/h2>/)
  })

  it('is offered for up to 50 listed frames and for any box, and for more frames a line says what it takes', async () => {
    const found = await rows<{ id: string }>('select frame_id::text as id from frame order by frame_id limit 51')
    const ids = found.map(({ id }) => id)
    const NOTE = 'A question takes a frame, at most 50 listed frames, a unit, a box, a shape or the whole index.'
    const { text: fifty } = await open({ frames: ids.slice(1).join() })
    assert.match(fifty, /Ask about these 50 frames<\/label>/)
    assert.ok(!fifty.includes(NOTE))
    for (const question of ['', PEOPLE]) {
      const { status, text } = await open({ frames: ids.join(), question })
      assert.equal(status, 200)
      assert.ok(text.includes(NOTE))
      assert.doesNotMatch(text, /class="map-ask"|None was read/)
    }
    for (const box of ['0.001,0.001,0.109,0.109', '-0.5,-0.5,0.5,0.5']) {
      const { status, text } = await open({ box, question: PEOPLE })
      assert.equal(status, 200)
      assert.match(text, /Ask about the frames of this box<\/label>/)
      assert.match(text, /Population, 2026 estimate, total: [\d,]+ people/)
    }
    const { text: empty } = await open({ box: '5,5,6,6' })
    assert.doesNotMatch(empty, /class="map-ask"|A question takes/)
  })

  it('draws itself, colours the map by what it names, and takes a slip in a name for the unit that is meant', async () => {
    const { text } = await open({ question: 'which state has the most schools' })
    const names = Array.from(
      text.matchAll(/<li>\s*<a href="[^"]*state=[^"]*">([^<]*)<\/a>\s*<span class="number">/g),
      ([, name = '']) => name,
    )
    const known = await rows<{ state: string }>('select state from state')
    assert.deepEqual(
      names.map((name) => name.replaceAll('&#39;', "'")).toSorted(),
      known.map(({ state }) => state).toSorted(),
    )
    const [, address = ''] = /<a href="([^"]+)">Colour the map by Schools</.exec(text) ?? []
    assert.match(address, /dataset=lyr_schools&amp;attribute=features/)
    assert.match(
      (await visitor.get(address.replaceAll('&amp;', '&'))).text,
      /<h2>Number of features: Schools|<h2>Schools/,
    )
    const slip = await open({ question: 'how many people live in Lakesde' })
    assert.match(slip.text, /Did you mean <a href="[^"]+">LAKESIDE<\/a>\?/)
    const none = await open({ question: 'how many people died of cholera in Lagoon' })
    assert.match(none.text, /<summary>Other figures \(\d+\)<\/summary>/)
    assert.doesNotMatch(none.text, /Did you mean/)
  })

  it('lists every unit of a ranking, each with a link and a bar that is as long as its share of all, and lights them', async () => {
    const { text } = await open({ question: 'share of people in urban frames by LGA' })
    const bars = Array.from(
      text.matchAll(
        /<a href="\/app\/map\?state=([^&]*)&amp;lga=[^"]*">[^<]*<\/a>\s*<span class="number">([\d.]+) %<.*?width="([\d.]+)" height="8"><\/rect>\s*<\/svg>/g,
      ),
      ([, , percent = '', width = '']) => [Number(percent), Number(width)] as const,
    )
    const [known] = await rows<{ lgas: number }>('select count(*)::int as lgas from lga')
    assert.equal(bars.length, known?.lgas)
    for (const [percent, width] of bars)
      assert.ok(Math.abs(width - 10 * percent) < 1, `${width} of 1000 for ${percent} %`)
    assert.ok(text.includes(`<summary>${bars.length - 8} more</summary>`))
    assert.equal(litOf(text).length, bars.length)
    assert.match(text, />Colour the map by Population, 2026 estimate</)
  })

  it('is not asked of an index that has no such place', async () => {
    for (const fields of [{ state: 'atlantis' }, { q: 'xyzzy' }])
      assert.doesNotMatch((await open(fields)).text, /class="map-ask"/)
  })

  it('spends from its bucket; an empty one keeps the form with the question, and says when to ask again', async () => {
    const size = { burst: 100, perMinute: 500 }
    for (const [buckets, ofMap] of [
      [{ key: size, organisation: size, insight: { burst: 1, perMinute: 10 } }, 200],
      [{ key: { burst: 1, perMinute: 10 }, organisation: size, insight: size }, 429],
    ] as const) {
      const metered = await startService(service().database, { publicUrl: 'listening', buckets })
      const ada = await signIn(metered.url, service().db, { orgId: await newOrganisation(service().db) })
      const fields = { state: 'MAREMBE', dataset: 'lyr_population', lat: '0.1', lon: '0.2', z: '9' }
      const query = new URLSearchParams({ ...fields, question: PEOPLE }).toString()
      assert.equal((await ada.get(`/app/map?${query}`)).status, 200)
      const { status, text, headers } = await ada.get(`/app/map?${query}`)
      assert.equal(status, 429)
      assert.match(String(headers['retry-after']), /^[1-9]\d*$/)
      const plain = text.replace(/\s+/g, ' ')
      assert.match(plain, /role="alert">Nothing was asked, and nothing was spent\. [^<]* in \d+ s\.</)
      const form = /<form [^>]*class="map-ask" action="\/app\/map".*?<\/form>/.exec(plain)?.[0] ?? ''
      assert.ok(form.includes(`name="question" value="${PEOPLE}"`), form)
      for (const [name, value] of Object.entries(fields))
        assert.ok(form.includes(`type="hidden" name="${name}" value="${value}"`), name)
      const part = await ada.get(`/app/map?part=panel&${query}`)
      assert.equal(part.status, 429)
      assert.doesNotMatch(part.text, /map-ask/)
      const map = await ada.get('/app/map?frame=324378020&question=')
      assert.equal(map.status, ofMap)
      await metered.stop()
    }
  })
})
