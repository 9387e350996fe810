import assert from 'node:assert/strict'
import type { Visitor } from '../support/browse.js'
import { newOrganisation, service } from '../support/service.js'
import { rows, signedIn } from './visitors.js'

const PEOPLE = '&dataset=lyr_population&attribute=pop_demest26'

describe('the value that the map is coloured by stands first in a panel', () => {
  let visitor: Visitor
  before(async () => (visitor = await signedIn({ orgId: await newOrganisation(service().db) })))

  async function chosen(query: string): Promise<string[]> {
    const { text } = await visitor.get(`/app/map?part=panel&${query}`)
    const [block = ''] = /<div class="chosen-value">[\s\S]*?<\/div>/.exec(text) ?? []
    return Array.from(block.matchAll(/<p class="[^"]+">\s*([^<]*?)\s*<\/p>/g), ([, line = '']) =>
      line.replaceAll('\u00a0', ' ').replaceAll('&#39;', "'"),
    )
  }

  const PLACES = `with valued as (
    select frame.frame_id::text as id, state, lga, (recorded ->> 'pop_demest26')::numeric as people
    from frame join baseline using (frame_id)
    where layer_id = 'lyr_population' and recorded ->> 'pop_demest26' <> ''
  )
  select valued.id, people::int, lga, state,
    (rank() over (partition by state, lga order by people desc))::int as place,
    (count(*) over (partition by state, lga))::int as frames,
    (avg(people) over (partition by state))::float8 as mean
  from valued where state = 'MAREMBE' order by people desc, id`

  it('for a frame with its rank in the LGA and the mean of the state', async () => {
    const ranked = await rows<
      Record<'id' | 'lga' | 'state', string> & Record<'people' | 'place' | 'frames' | 'mean', number>
    >(PLACES)
    for (const each of [ranked[0], ranked[1000], ranked.at(-1)]) {
      assert.ok(each)
      const [label, value, note = ''] = await chosen(`frame=${each.id}${PEOPLE}`)
      assert.match(label ?? '', /^Population, 2026 estimate · /)
      assert.equal(value, `${each.people.toLocaleString('en')} people`)
      const [, rank, mean = ''] =
        /^(Rank .* in .*)\. The frames of .* have ([\d.]+) people on average\.$/.exec(note) ?? []
      assert.equal(
        rank,
        `Rank ${each.place.toLocaleString('en')} of ${each.frames.toLocaleString('en')} frames in ${each.lga}`,
      )
      assert.ok(Math.abs(Number(mean) - each.mean) <= 0.005, `${note}; ${each.mean}`)
    }
  })

  it('for a frame without a value it says so, and ranks nothing', async () => {
    const [silent] = await rows<{ id: string }>(
      `select frame_id::text as id from frame where frame_id not in (select frame_id from baseline where layer_id = 'lyr_population') limit 1`,
    )
    assert.deepEqual((await chosen(`frame=${silent?.id}${PEOPLE}`)).slice(1), ['no value'])
  })

  it('for a frame it counts features', async () => {
    const [most] = await rows<{ id: string; features: number }>(
      `select frame_id::text as id, count(*)::int as features from feature_frame
       where version = (select version from dataset where layer_id = 'lyr_schools') group by frame_id order by 2 desc, 1 limit 1`,
    )
    const [label, value, note] = await chosen(`frame=${most?.id}&dataset=lyr_schools&attribute=features`)
    assert.match(label ?? '', /^Schools/)
    assert.equal(value, String(most?.features))
    assert.match(note ?? '', /^Rank 1 of /)
  })

  it('for a unit with its rank among the units of its level, and for a box and the whole index as a total', async () => {
    const totals = await rows<
      Record<'state' | 'people', string> & { lga: string | null } & Record<'place' | 'dense' | 'units' | 'km2', number>
    >(
      `select unit.state, unit.lga, number::float8::text as people, area_km2::float8 as km2,
         (rank() over (among order by number desc))::int as place,
         (rank() over (among order by number / area_km2 desc))::int as dense, (count(*) over among)::int as units
       from unit_total join unit using (unit_id) join unit_area using (unit_id)
       where version = (select version from dataset where layer_id = 'lyr_population') and attribute = 'pop_demest26'
         and (level = 'state' or level = 'lga' and unit.state = 'MAREMBE')
       window among as (partition by level)`,
    )
    assert.ok(totals.some(({ place, dense }) => place !== dense))
    // The map is coloured by people per km², unless the person chooses totals: the rank follows it.
    for (const { state, lga, people, place, dense, units, km2 } of totals) {
      const query = new URLSearchParams({ state, ...(lga !== null && { lga }) }).toString() + PEOPLE
      const [[, value, note = ''], byTotal] = [await chosen(query), await chosen(`${query}&per=total`)]
      assert.equal(value, `${Number(people).toLocaleString('en')} people`)
      const among = `of ${units} ${lga === null ? 'states' : 'LGAs in MAREMBE'}`
      const [, density = '', rank = ''] = /^([\d.,]+) per km², rank (\d+ [^.]+)\./.exec(note) ?? []
      assert.equal(rank, `${dense} ${among}`)
      assert.ok(Math.abs(Number(density) / (Number(people) / km2) - 1) < 0.001, note)
      const ranked = `Rank ${place} ${among} by total. ${density} per km².`
      assert.equal(byTotal[2]?.slice(0, ranked.length), ranked)
    }
    for (const query of ['box=0.201,0.101,0.219,0.119', 'frames=324378020,324378021', ''])
      assert.match((await chosen(`${query}${PEOPLE}`))[1] ?? '', /^[\d,]+ people$/, query)
  })
})
