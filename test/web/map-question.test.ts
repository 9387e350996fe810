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
    ['an LGA', { state: 'MAREMBE', lga: 'LAKESIDE' }, 'this LGA', `state = 'MAREMBE' and lga = 'LAKESIDE'`],
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

  it('that the call would refuse keeps the form and what was typed', async () => {
    const long = `<img src=x> ${'why '.repeat(300).trim()}`
    const { status, text } = await open({ frame: '324378020', question: long })
    assert.equal(status, 422)
    assert.ok(text.includes(`value="${long.replace('<', '&lt;').replace('>', '&gt;')}"`))
    assert.match(text, /<p class="fault" id="question-fault">/)
    assert.match(text, /Frame 324378020<\/h2>/)
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
