import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { projectFolder } from '../../src/core/db/statement.js'
import { boundsOfChange, percentChange, percentBetween } from '../../src/app/map/change.js'
import type { Visitor } from '../support/browse.js'
import { cellsOf } from './pages.js'
import { lightness, seenDifference } from './seen-difference.js'
import { memberOf, rows } from './visitors.js'

const PEOPLE = 'dataset=lyr_population&attribute=pop_demest26'
const CHANGE = `${PEOPLE}&with=lyr_population+pop_demest25&as=change`
const LABEL = 'Population, change from 2025 estimate to 2026 estimate'

describe('a map of the change', () => {
  let visitor: Visitor
  before(async () => (visitor = await memberOf()))
  const open = async (query: string) =>
    (await visitor.get(`/app/map?${query}`)).text.replace(/\s+/g, ' ').replaceAll('&quot;', '"')

  it('is one map, whose legend names the change and has a class for none', async () => {
    const text = await open(CHANGE)
    assert.match(text, /<div class="map-window" id="window-beside" hidden>/)
    assert.match(text, /<section id="legend-beside" class="legend" hidden>/)
    assert.ok(text.includes(`data-label="${LABEL}"`))
    const classes = Array.from(text.matchAll(/<svg class="change-(\d)".*?<span>([^<]*)</g), ([, colour, label]) => [
      Number(colour),
      label,
    ])
    const [low, high] = await stepsOfBlocks()
    assert.deepEqual(classes, [
      [1, `decrease of more than ${high} %`],
      [2, `decrease of ${low}–${high} %`],
      [3, `decrease of up to ${low} %`],
      [4, 'no change'],
      [5, `increase of up to ${low} %`],
      [6, `increase of ${low}–${high} %`],
      [7, `increase of more than ${high} %`],
    ])
    assert.ok(text.includes(`"before":"lyr_population pop_demest25","steps":[${low},${high}]`))
  })

  async function stepsOfBlocks(): Promise<[low: number, high: number]> {
    const changes = await rows<{ percent: number }>(
      `select (abs(now.number / before.number - 1) * 100)::float8 as percent
       from unit join unit_total as now using (unit_id) join unit_total as before using (unit_id)
       where unit.level = 'block' and now.attribute = 'pop_demest26' and before.attribute = 'pop_demest25'
         and now.version = (select version from dataset where layer_id = 'lyr_population')
         and before.version = now.version and before.number > 0 and now.number <> before.number
       order by 1`,
    )
    const at = (share: number) => Number(changes[Math.ceil(changes.length * share) - 1]?.percent.toPrecision(2))
    return [at(1 / 3), at(2 / 3)]
  }

  it('is chosen in the legend, and stays in links and forms', async () => {
    const beside = await open(`${PEOPLE}&with=lyr_population+pop_demest25`)
    assert.match(beside, /<select name="as"> <option value="beside" selected>Side by side/)
    const text = await open(CHANGE)
    assert.match(text, /<option value="change" selected>Change in percent/)
    const links = text.match(/<a href="\/app\/map\?[^"]*"/g) ?? []
    assert.ok(links.length > 4)
    for (const link of links) assert.ok(link.includes('&amp;as=change'), link)
    assert.equal((await visitor.get('/app/map?as=map')).status, 400)
  })

  it('is not offered for two attributes of other measures: each has its own map', async () => {
    for (const other of ['lyr_schools+features', 'lyr_terrain+phy_landcov', 'lyr_population+pop_demest26']) {
      const text = await open(`${PEOPLE}&with=${other}&as=change`)
      assert.doesNotMatch(text, /name="as" *>|svg class="change-/, other)
      assert.match(text, /<section id="legend-beside"[^>]*data-dataset/, other)
    }
  })

  it('has both totals and the change in the table and in the file', async () => {
    const totals = await rows<{ state: string; now: number; then: number; lower: string; upper: string }>(
      `select frame.state, sum((recorded ->> 'pop_demest26')::numeric)::float8 as now,
         sum((recorded ->> 'pop_demest25')::numeric)::float8 as then,
         min(bound.lower)::text as lower, min(bound.upper)::text as upper
       from baseline join frame using (frame_id)
       join unit on unit.level = 'state' and unit.state = frame.state
       join unit_interval as bound on bound.unit_id = unit.unit_id and bound.attribute = 'pop_demest26'
         and bound.version = (select version from dataset where layer_id = 'lyr_population')
       where layer_id = 'lyr_population' and frame.state is not null
       group by frame.state order by 2 desc`,
    )
    const { text } = await visitor.get(`/app/map?${CHANGE}`)
    const caption = 'Population, 2026 estimate and Population, 2025 estimate by unit, the largest first'
    const growth = ({ now, then }: (typeof totals)[number]) => Number(((100 * (now - then)) / then).toPrecision(3))
    assert.deepEqual(
      cellsOf(text, caption),
      totals.map((row) => [
        row.state.replace("'", '&#39;'),
        row.now.toLocaleString('en'),
        row.then.toLocaleString('en'),
        // The interval of 2026 alone encloses the value of 2025 in every state.
        `+${growth(row)} % ${boundsOfChange(String(row.then), row)}`,
      ]),
    )
    assert.ok(totals.every((row) => Number(row.lower) < row.then && row.then < Number(row.upper)))
    const link = /<a href="([^"]*map\.csv[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const file: Record<string, string>[] = parse((await visitor.get(link)).text, { columns: true, bom: true })
    assert.deepEqual(
      file.map((row) => [row['state'], Number(row['total_before']), Number(row['change_percent'])]),
      totals.map((row) => [row.state, row.then, growth(row)]),
    )
  })

  it('says within which bounds of the later estimate it lies, and where these do not tell which way it went', () => {
    const texts = [
      // Bounds are rounded outwards, to three digits.
      ['1000', '955', '1076'],
      ['1000', '1010', '1040'],
      ['1000', '900', '980'],
      ['1000', '1000', '1100'],
      ['0', '1', '2'],
      [null, '1', '2'],
      ['1000', null, null],
    ].map(([from = null, lower = null, upper = null]) => boundsOfChange(from, { lower, upper }))
    const unsure = 'within its uncertainty,'
    assert.deepEqual(texts, [
      `${unsure} −4.5 % to +8 %`,
      '+1 % to +4 %',
      '−10 % to −2 %',
      `${unsure} 0 % to +10 %`,
      '',
      '',
      '',
    ])
  })

  it('has no percentage from nothing, and none for what is not recorded in both', () => {
    const texts = [
      ['200', '205'],
      ['-200', '-210'],
      ['3', '3'],
      ['0', '0'],
      ['0', '4'],
      [null, '4'],
    ].map(([from = null, to = null]) => percentChange(percentBetween(from, to)))
    assert.deepEqual(texts, ['+2.5 %', '−5 %', '0 %', '0 %', '', ''])
  })

  it('has colours from light to dark or from dark to light, with that of no change apart', () => {
    const css = readFileSync(new URL('src/app/browser/map.css', projectFolder), 'utf8')
    const colours = Array.from(css.matchAll(/--change-\d: (#[0-9a-f]{6});/g), ([, colour = '']) => colour)
    const grounds = Array.from(css.matchAll(/--map-ground: (#[0-9a-f]{6});/g), ([, colour = '']) => colour)
    assert.deepEqual([colours.length, grounds.length], [14, 2])
    for (const [scheme, ground = ''] of grounds.entries()) {
      const ramp = colours.slice(7 * scheme, 7 * scheme + 7)
      for (const [i, colour] of ramp.entries()) {
        assert.ok(seenDifference(colour, ground) >= 19, `${colour} on the ground`)
        for (const [j, other] of ramp.slice(0, i).entries()) {
          const about = `${colour} and ${other}`
          const darker = (lightness(other) - lightness(colour)) * (scheme === 0 ? 1 : -1)
          assert.ok(darker >= 8 * (i - j), about)
          assert.ok(seenDifference(colour, other) >= 10, about)
        }
      }
    }
  })
})
