import assert from 'node:assert/strict'
import type { Visitor } from '../support/browse.js'
import { corpus } from '../support/corpus.js'
import { service } from '../support/service.js'
import { organisation } from './organisation.js'
import { cellsOf, leadOf, litOf, panelTitle, unescaped } from './pages.js'
import { rows } from './visitors.js'

const PEOPLE = 'How many people live here?'

/** A place of each kind: what names it, its title, what a question is about, and the condition of its frames. */
const PLACES =
  corpus<[fields: Record<string, string>, title: string, label: string, frames: string]>('web/places.jsonl')

describe('a place of the map', function () {
  this.timeout(60_000)
  let visitor: Visitor
  before(async () => (visitor = await (await organisation()).enter('Ada', 'member')))

  const open = async (fields: Record<string, string>, page = 'map') => {
    const answer = await visitor.get(`/app/${page}?${new URLSearchParams(fields).toString()}`)
    return { ...answer, text: answer.text.replace(/\s+/g, ' ') }
  }
  const numbered = (figure: unknown) => Number(figure).toLocaleString('en')

  for (const [fields, title, label, condition] of PLACES) {
    const name = Object.values(fields).join(', ') || 'the whole index'

    it(`tells what its frames have, answers with the same, as the page Ask does, and stays in every link: ${name}`, async () => {
      const [known] = await rows<{ people: string; frames: number }>(
        `select sum((recorded ->> 'pop_demest26')::numeric)::text as people, (select count(*)::int from frame where ${condition}) as frames
         from baseline join frame using (frame_id) where layer_id = 'lyr_population' and ${condition}`,
      )
      const people = `${numbered(known?.people)} people`
      const said = known?.people === '0' ? ' no people' : people
      const kept = { ...fields, dataset: 'lyr_population', attribute: 'pop_demest26', lat: '0.1', lon: '0.2', z: '9' }
      const { status, text } = await open({ ...kept, question: PEOPLE })
      assert.equal(status, 200)
      assert.equal(panelTitle(text), title)
      if (!fields['frame']) assert.ok(text.includes(`${numbered(known?.frames)} frame`), title)
      if (!/^Frame|frames$/.test(title))
        assert.equal(
          cellsOf(text, 'Totals by dataset').find(([each]) => /^Population, 2026 estimate( |$)/.test(each ?? ''))?.[1],
          people,
        )
      assert.ok(leadOf(text).includes(said), leadOf(text))
      assert.ok(text.includes(`Ask about ${label}, or find</label>`), label)
      assert.match(text, /name="q"\s+value="How many people live here\?"/)
      const form = /<form [^>]*class="ask".*?<\/form>/.exec(text)?.[0] ?? ''
      for (const [field, value] of Object.entries(kept))
        assert.ok(form.includes(`type="hidden" name="${field}" value="${value}"`), field)
      const next = /<ul class="bare">(.*?)<\/ul>/.exec(text.slice(text.indexOf('id="follow-ups"')))?.[1] ?? ''
      const links = Array.from(next.matchAll(/href="([^"]*)"/g), ([, link = '']) => unescaped(link))
      assert.ok(links.length > 0)
      for (const link of links) {
        const { pathname, searchParams } = new URL(link, service().url)
        assert.equal(pathname, '/app/map')
        for (const [field, value] of Object.entries({ ...fields, z: '9' }))
          assert.equal(searchParams.get(field), value, link)
        assert.notEqual(searchParams.get('question') ?? '', '')
        assert.ok(leadOf((await visitor.get(link)).text), link)
      }
      const asked = await open({ ...fields, question: PEOPLE }, 'ask')
      if (Object.keys(fields).length > 0) assert.ok(leadOf(asked.text).includes(said), leadOf(asked.text))
    })
  }

  /** Questions, and the frame, the unit or the frames of the box that the answer lights. */
  const LIT: readonly [fields: Record<string, string>, question: string, lit: string][] = [
    [{ state: 'marembe', lga: 'lakeside' }, 'which frame has the most people', ''],
    [{ state: 'marembe' }, 'which frame has the most people', ''],
    [{}, 'which frame has the most people', ''],
    [{ state: 'marembe' }, 'which ward has the most schools', `ward = 'KOFA (NORTH)'`],
    [{}, 'which state has the most people', `state = 'MAREMBE' and lga is null`],
    [{ box: '0.201,0.101,0.219,0.119' }, PEOPLE, 'frame_id in (324378020, 324378021, 324414020, 324414021)'],
  ]
  it('is lit where an answer names it: the frame, the unit, or the frames that the answer rests on', async () => {
    for (const [fields, question, condition] of LIT) {
      const { text } = await open({ ...fields, question })
      const [, frame] = / frame (\d+) has/.exec(leadOf(text)) ?? []
      const found = await rows<{ shape: string }>(
        /^(ward|state)/.test(condition)
          ? `select ST_AsGeoJSON(geom, 6) as shape from unit_area where ${condition}`
          : `select geojson as shape from frame where ${condition || `frame_id = ${frame}`}`,
      )
      const texts = (shapes: readonly unknown[]) => shapes.map((shape) => JSON.stringify(shape)).toSorted()
      assert.deepEqual(texts(litOf(text)), texts(found.map(({ shape }) => JSON.parse(shape))), leadOf(text))
    }
  })

  it('that is a shape too long for an address is refused', async () => {
    const { status, text } = await open({ shape: `POLYGON((${'0 0,'.repeat(2000)}0 0))` })
    assert.deepEqual([status, /takes \d+ characters, and an address 6000/.test(text)], [400, true])
  })

  it('is asked about by up to 50 listed frames, and for more a line says what a question takes', async () => {
    const found = await rows<{ id: string }>('select frame_id::text as id from frame order by frame_id limit 51')
    const ids = found.map(({ id }) => id)
    const NOTE = 'A question takes a frame, at most 50 listed frames, a unit, a box, a shape or the whole index.'
    const { text: fifty } = await open({ frames: ids.slice(1).join() })
    assert.match(fifty, /Ask about these 50 frames, or find<\/label>/)
    assert.ok(!fifty.includes(NOTE))
    for (const question of ['', PEOPLE]) {
      const { status, text } = await open({ frames: ids.join(), question })
      assert.equal(status, 200)
      assert.ok(text.includes(NOTE))
      assert.doesNotMatch(text, /Ask about|None was read/)
    }
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
})
