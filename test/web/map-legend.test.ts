import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { projectFolder } from '../../src/core/db/statement.js'
import { CLASSINGS, CLASS_COLOURS, classColours } from '../../src/app/map/classing.js'
import type { Visitor } from '../support/browse.js'
import { newOrganisation, service } from '../support/service.js'
import { lightness, seenDifference } from './seen-difference.js'
import { rows, signedIn } from './visitors.js'

describe('the legend of the map', () => {
  let visitor: Visitor
  before(async () => (visitor = await signedIn({ orgId: await newOrganisation(service().db) })))

  async function classesOf(query: string): Promise<Map<string, string[]>> {
    const { text } = await visitor.get(`/app/map?part=panel${query}`)
    const lists = text.replace(/\s+/g, ' ').matchAll(/data-level="(\w+)"[^>]*>(.*?)<\/div>/g)
    const levels = Array.from(
      lists,
      ([, level = '', list = '']) =>
        [level, Array.from(list.matchAll(/ramp-(?:\d|zero)".*?<span>([^<]*)</g), ([, label = '']) => label)] as const,
    )
    assert.ok(levels.length > 0, query)
    return new Map(levels)
  }

  const boundsIn = (text: string) => {
    const paint = (/data-paint="([^"]*)"/.exec(text)?.[1] ?? '').replaceAll('&quot;', '"')
    const { levels } = JSON.parse(paint) as { levels: Record<string, { bounds: number[] }> }
    return Object.fromEntries(Object.entries(levels).map(([level, { bounds }]) => [level, bounds]))
  }

  it('counts whole numbers from one above the class before', async () => {
    const subjects = ['&dataset=lyr_population&attribute=pop_demest26', '&dataset=lyr_schools&attribute=features']
    for (const query of CLASSINGS.flatMap((each) => subjects.map((subject) => `${subject}&per=total&classes=${each}`)))
      for (const [level, labels] of await classesOf(query)) {
        const bounds = labels.map((label) => label.replaceAll(',', '').split('–').map(Number))
        assert.ok(bounds.flat().every(Number.isInteger), labels.join('; '))
        for (const [i, [from]] of bounds.entries())
          if (i > 0) assert.equal(from, (bounds[i - 1]?.at(-1) ?? 0) + 1, `${level}: ${labels.join('; ')}`)
      }
  })

  it('lets classes of other numbers, and of means of whole ones, touch', async () => {
    const index = await classesOf('&dataset=lyr_urban&attribute=urb_index')
    const ends = (index.get('frame') ?? []).map((label) => label.replace('up to ', '0–').split('–'))
    assert.ok(ends.length > 2)
    for (const [i, [from]] of ends.entries()) if (i > 0) assert.equal(from, ends[i - 1]?.at(-1))
  })

  it('has no more classes than states, and none that begins where it ends', async () => {
    const [known] = await rows<{ states: number }>('select count(*)::int as states from state')
    const subjects = [
      'lyr_population&attribute=pop_demest26',
      'lyr_terrain&attribute=phy_elevmean',
      'lyr_urban&attribute=urb_index',
    ]
    for (const query of CLASSINGS.flatMap((each) => subjects.map((subject) => `&dataset=${subject}&classes=${each}`)))
      for (const [level, labels] of await classesOf(query)) {
        if (level === 'state' && query.endsWith('quantiles'))
          assert.ok(labels.length <= (known?.states ?? 0), labels.join('; '))
        for (const label of labels) {
          const ends = label.split(/–| to /)
          assert.equal(new Set(ends).size, ends.length, `${level}: ${labels.join('; ')}`)
        }
      }
  })

  it('puts a state whose density is a bound into the class that it ends', async () => {
    const { text } = await visitor.get('/app/map?part=panel&dataset=lyr_population&attribute=pop_demest26')
    const states = await rows<{ density: number }>(
      `select (number / km2)::float8 as density from unit_total join unit using (unit_id)
       where version = (select version from dataset where layer_id = 'lyr_population') and attribute = 'pop_demest26'
         and level = 'state' order by density`,
    )
    const below = (boundsIn(text)['state'] ?? []).map(
      (bound) => states.filter(({ density }) => density <= bound).length,
    )
    assert.deepEqual(
      below,
      states.slice(1).map((_, i) => i + 1),
    )
  })

  it('has zero apart, and shows sums of units and blocks for each km² unless totals are chosen', async () => {
    const people = '&dataset=lyr_population&attribute=pop_demest26'
    const page = (query: string) => visitor.get(`/app/map?part=panel${query}`).then(({ text }) => text)
    const [densities, totals] = [await page(people), await page(`${people}&per=total`)]
    for (const text of [densities, totals]) assert.match(text, /<svg class="ramp-zero" [^\n]*\n *<span>0<\/span>/)
    assert.match(densities, /blocks of 0\.1°, people per km²/)
    assert.doesNotMatch(totals, /people per km²<\/p>/)
    assert.deepEqual(boundsIn(densities)['frame'], boundsIn(totals)['frame'])
    const [least] = await rows<{ density: number }>(
      `select percentile_disc(6 / 7.0) within group (order by number / km2)::float8 as density
       from unit_total join unit using (unit_id)
       where version = (select version from dataset where layer_id = 'lyr_population') and attribute = 'pop_demest26'
         and level = 'block' and number > 0`,
    )
    assert.ok(Math.abs((boundsIn(densities)['block']?.at(-1) ?? 0) / (least?.density ?? 1) - 1) < 1e-5)
    assert.ok((boundsIn(totals)['block']?.at(-1) ?? 0) > 1000)
    // A mean is the same for areas of every size.
    assert.doesNotMatch(await page('&dataset=lyr_urban&attribute=urb_index'), /name="per"|per km²<\/p>/)
  })

  it('keeps the choice of classes in every link and form, and refuses a choice that it does not have', async () => {
    const { text } = await visitor.get('/app/map?dataset=lyr_population&attribute=pop_demest26&classes=log&per=total')
    assert.match(text, /<option value="log" selected>Log steps/)
    assert.match(
      text,
      /<a href="[^"]*state=MAREMBE[^"]*">|<a href="[^"]*classes=log&amp;per=total&amp;state=MAREMBE[^"]*">/,
    )
    assert.ok((text.match(/<input type="hidden" name="classes" value="log"/g) ?? []).length >= 3)
    const bad = await visitor.get('/app/map?classes=best')
    assert.equal(bad.status, 400)
    assert.match(bad.text, /classes: quantiles, equal, log or natural is accepted/)
  })

  it('is not offered for names and codes, which a link may still colour by', async () => {
    const options = async (query: string) =>
      Array.from(
        (await visitor.get(`/app/map${query}`)).text.matchAll(/<option value="(lyr_[^"]+)"/g),
        ([, value = '']) => value,
      )
    const offered = await options('')
    for (const name of ['lyr_population pop_demest26', 'lyr_terrain phy_landcov', 'lyr_schools features'])
      assert.ok(offered.includes(name), name)
    for (const name of ['adm_ward', 'adm_ward_code', 'adm_state'])
      assert.ok(!offered.includes(`lyr_administrative ${name}`), name)
    assert.ok((await options('?dataset=lyr_administrative&attribute=adm_ward')).includes('lyr_administrative adm_ward'))
  })
})

describe('the colours of classes', () => {
  it('fit the usual classes of land, whatever their order', () => {
    const names = ['Bare rock', 'Built-up', 'Cropland', 'Forest', 'Grassland', 'Shrub', 'Water', 'Wetland', 'Woodland']
    const colours = new Map(names.map((name, i) => [name, classColours(names)[i]]))
    const turned = names.toReversed()
    for (const name of ['Bare rock', 'Built-up', 'Cropland', 'Grassland', 'Water'])
      assert.equal(classColours(turned)[turned.indexOf(name)], colours.get(name), name)
    assert.deepEqual([colours.get('Water'), colours.get('Forest'), colours.get('Built-up')], [1, 6, 9])
  })

  it('are different for each of twelve classes, and blue comes last', () => {
    const names = Array.from({ length: 15 }, (_, i) => `class ${i}`)
    const colours = classColours(names)
    assert.equal(new Set(colours).size, CLASS_COLOURS)
    assert.deepEqual(colours.slice(-2), [5, 1])
    const woods = Array.from({ length: 12 }, (_, i) => `forest ${i}`)
    assert.equal(new Set(classColours(woods)).size, CLASS_COLOURS)
  })

  it('of numbers grow darker or lighter from zero on, also in grey and for all kinds of colour vision', () => {
    const css = readFileSync(new URL('src/app/browser/map.css', projectFolder), 'utf8')
    const ramps = Array.from(css.matchAll(/--ramp-\w+: (#[0-9a-f]{6});/g), ([, colour = '']) => colour)
    assert.equal(ramps.length, 16)
    for (const ramp of [ramps.slice(0, 8), ramps.slice(8)]) {
      const greys = ramp.map(lightness)
      const isLight = (greys[0] ?? 0) > 50
      for (const [i, colour] of ramp.entries()) {
        if (i === 0) continue
        const step = ((greys[i] ?? 0) - (greys[i - 1] ?? 0)) * (isLight ? -1 : 1)
        assert.ok(step >= 8, `${ramp[i - 1]} to ${colour}: ${step.toFixed(1)}`)
        assert.ok(seenDifference(ramp[i - 1] ?? '', colour) >= 10, colour)
      }
    }
  })

  it('differ from one another and from the ground for all kinds of colour vision', () => {
    const css = readFileSync(new URL('src/app/browser/map.css', projectFolder), 'utf8')
    const classes = Array.from(css.matchAll(/--class-(\w+): (#[0-9a-f]{6});/g), ([, name = '', colour = '']) => ({
      name,
      colour,
    }))
    const grounds = Array.from(css.matchAll(/--map-ground: (#[0-9a-f]{6});/g), ([, colour = '']) => ({
      name: 'ground',
      colour,
    }))
    assert.deepEqual([classes.length, grounds.length], [CLASS_COLOURS + 1, 2])
    for (const [i, one] of classes.entries())
      for (const other of [...classes.slice(i + 1), ...grounds]) {
        const difference = seenDifference(one.colour, other.colour)
        assert.ok(difference >= 19, `${one.name} and ${other.name}: ${difference.toFixed(1)}`)
      }
  })
})
