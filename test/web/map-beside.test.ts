import assert from 'node:assert/strict'
import type { Visitor } from '../support/browse.js'
import { cellsOf } from './pages.js'
import { memberOf, rows } from './visitors.js'

const PEOPLE = 'dataset=lyr_population&attribute=pop_demest26'
const BEFORE = 'with=lyr_population+pop_demest25'

describe('two views of one map', () => {
  let visitor: Visitor
  before(async () => (visitor = await memberOf()))
  const open = async (query: string) => {
    const { status, text } = await visitor.get(`/app/map?${query}`)
    return { status, text: text.replace(/\s+/g, ' ') }
  }
  const legends = (text: string) => text.match(/<section id="legend[^>]*>/g) ?? []

  it('has one legend for each, and one map unless the address names a second attribute', async () => {
    const [one, two] = [await open(PEOPLE), await open(`${PEOPLE}&${BEFORE}`)]
    assert.match(one.text, /<div class="map-window" id="window-beside" hidden>/)
    assert.match(one.text, /<section id="legend-beside" class="legend" hidden>/)
    assert.match(two.text, /<div class="map-window" id="window-beside" ?>/)
    const [first = '', second = ''] = legends(two.text)
    assert.match(first, /data-attribute="pop_demest26"/)
    assert.match(second, /aria-label="Legend of the second map".*data-attribute="pop_demest25"/)
    // The form and the marks of features stand once.
    for (const part of [/class="legend-form"/g, /class="bare marks"|class="marks/g])
      assert.equal(two.text.match(part)?.length, one.text.match(part)?.length)
  })

  it('is chosen by a form that needs no script', async () => {
    const { text } = await open(`${PEOPLE}&${BEFORE}`)
    const select = /<select id="with" name="with".*?<\/select>/.exec(text)?.[0] ?? ''
    assert.match(select, /<option value="" ?>no second map</)
    assert.deepEqual(select.match(/<option value="[^"]*" selected>/g), [
      '<option value="lyr_population pop_demest25" selected>',
    ])
    const { headers } = await visitor.get('/app/map?colour=lyr_terrain+phy_landcov&with=lyr_schools+features')
    assert.equal(headers.location, '/app/map?dataset=lyr_terrain&attribute=phy_landcov&with=lyr_schools+features')
    assert.equal((await open(`${PEOPLE}&with=`)).status, 200)
  })

  it('stays in every link, and in the forms', async () => {
    const { text } = await open(`${PEOPLE}&${BEFORE}`)
    const links = text.match(/<a href="\/app\/map\?[^"]*"/g) ?? []
    assert.ok(links.length > 4)
    for (const link of links) assert.ok(link.includes(`&amp;${BEFORE}`), link)
    assert.ok((text.match(/name="with" value="lyr_population pop_demest25"/g) ?? []).length >= 4)
  })

  it('has the same classes on both maps where both have one measure', async () => {
    const boundsOf = async (query: string) =>
      legends((await open(query)).text).map((legend) => /data-paint="([^"]*),&quot;isUnsure/.exec(legend)?.[1])
    const [then] = await boundsOf('dataset=lyr_population&attribute=pop_demest25')
    for (const choice of ['', '&per=total', '&classes=log']) {
      const [now, beside] = await boundsOf(`${PEOPLE}&${BEFORE}${choice}`)
      assert.equal(beside, now, choice)
    }
    assert.notEqual(then, (await boundsOf(PEOPLE))[0])
    const [schools] = await boundsOf('dataset=lyr_schools&attribute=features')
    assert.equal((await boundsOf(`${PEOPLE}&with=lyr_schools+features`))[1], schools)
  })

  it('has the totals of both in the table', async () => {
    const { text } = await open(`${PEOPLE}&${BEFORE}`)
    const cells = cellsOf(text, 'Population, 2026 estimate and Population, 2025 estimate by unit, the largest first')
    const totals = await rows<{ state: string; now: string; then: string }>(
      `select state, sum((recorded ->> 'pop_demest26')::numeric)::text as now,
         sum((recorded ->> 'pop_demest25')::numeric)::text as then
       from baseline join frame using (frame_id) where layer_id = 'lyr_population' and state is not null
       group by state order by sum((recorded ->> 'pop_demest26')::numeric) desc`,
    )
    assert.ok(totals.length > 2)
    const number = (figure: string) => Number(figure).toLocaleString('en')
    assert.deepEqual(
      cells.filter(([unit]) => unit !== 'Unit').map(([unit, total = '', other]) => [unit, total.split(' ')[0], other]),
      totals.map(({ state, now, then }) => [state.replace("'", '&#39;'), number(now), number(then)]),
    )
  })

  it('does not read a dataset that costs credits, and refuses what it cannot read', async () => {
    const { status, text } = await open(`${PEOPLE}&with=lyr_market+features`)
    assert.equal(status, 200)
    assert.match(text, /<section id="legend-beside"[^>]*><p>Markets and shops: reading costs 2 credits a call/)
    for (const [choice, fault] of [
      ['pop_demest26', /with: a dataset and an attribute are accepted/],
      ['lyr_none+people', /lyr_none/],
      ['lyr_population+none', /none/],
    ] as const) {
      const refused = await open(`${PEOPLE}&with=${choice}`)
      assert.ok([400, 404].includes(refused.status), `${choice}: ${refused.status}`)
      assert.match(refused.text, fault)
    }
  })
})
