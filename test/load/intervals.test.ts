import assert from 'node:assert/strict'
import { intervalOfPortion, intervalsOfGroups, totalsOfArea } from '../../src/core/db/statements.js'
import { importBaseline } from '../../src/tools/load/import-baseline.js'
import { importFrames } from '../../src/tools/load/import-frames.js'
import type { Attribute } from '../../src/tools/load/catalogue.js'
import { newDatabase } from '../support/database.js'
import { sample } from '../support/sample.js'
import { newOrganisation, service } from '../support/service.js'
import { collection, feature, quiet, rectangle } from './files.js'
import { first, second, serviceForImports, third } from './imports.js'

const people: Attribute = { name: 'people', label: 'People', type: 'number', summary: 'sum', draws: 'runs' }
/** Forty draws around a value; those of each frame move in a way of their own. */
const drawsOf = (value: number, step: number) => Array.from({ length: 40 }, (_, n) => value + ((n * step) % 41) - 20)

describe('the draws and the bounds of a baseline', function () {
  this.timeout(120_000)
  const imports = serviceForImports()
  const rows = <Row>(text: string, args: unknown[] = []) => imports.db.rows<Row>(text, args)
  const intervalOf = async (frames: string[], layerId: string) =>
    (
      await rows<{ lower: string; upper: string; draws: number | null }>(
        'select trim_scale(lower)::text as lower, trim_scale(upper)::text as upper, draws from interval_of_set($1, $2, $3)',
        [frames, layerId, 'people'],
      )
    )[0]

  it('keeps draws beside the rows that callers get, and adds them up by their number', async () => {
    const [one, other] = [drawsOf(100, 7), drawsOf(500, 11)]
    await imports.baseline(
      'lyr_drawn',
      `frame_id,people,runs\n${first},100,"[${one.join(', ')}]"\n${second},500,${other.join(' ')}\n${third},,`,
      { catalogue: [people] },
    )
    assert.deepEqual((await imports.entry(first, 'lyr_drawn'))?.values, { people: '100' })
    const both = one.map((draw, n) => draw + (other[n] ?? 0))
    assert.deepEqual(await intervalOf([first, second], 'lyr_drawn'), { ...quantilesOf(both), draws: 40 })
    assert.deepEqual(await intervalOf(['unit', 'alpha', 'middle', 'south'], 'lyr_drawn'), {
      ...quantilesOf(both),
      draws: 40,
    })
    assert.deepEqual(await intervalOf([second], 'lyr_drawn'), { ...quantilesOf(other), draws: 40 })
    assert.equal(await intervalOf([third], 'lyr_drawn'), undefined)
  })

  it('tells the figures of two datasets of one subject side by side', async () => {
    const counted: Attribute = { name: 'n', label: 'Census', type: 'number', summary: 'sum', synonyms: ['people'] }
    await imports.baseline('lyr_census', `frame_id,n\n${first},90\n${second},510`, { catalogue: [counted] })
    for (const question of ['how many people live here', 'people', 'number of people'])
      assert.equal(
        await imports.headline([first, second], question),
        'Census, total: 600; People, total: 600 (2 frames asked).',
        question,
      )
  })

  it('keeps them through a refresh without a catalogue, and drops those of the version before', async () => {
    const [old] = await rows<{ version: string }>(`select version from dataset where layer_id = 'lyr_drawn'`)
    await imports.baseline('lyr_drawn', `frame_id,people,runs\n${first},7,"{${drawsOf(7, 3).join()}}"`)
    assert.deepEqual(await intervalOf([first], 'lyr_drawn'), { ...quantilesOf(drawsOf(7, 3)), draws: 40 })
    const left = await rows(
      `select version from frame_interval where version = $1 union select version from unit_interval where version = $1`,
      [old?.version],
    )
    assert.deepEqual([...left], [])
    await assert.rejects(
      imports.baseline('lyr_drawn', `frame_id,people,run\n${first},7,1`),
      /people has its draws in runs, which is no column: people, run are\. Did you mean run\?/,
    )
  })

  it('has bounds for a single frame, and none for a sum', async () => {
    const catalogue: Attribute[] = [
      { name: 'people', label: 'People', type: 'number', summary: 'sum', lower: 'least', upper: 'most' },
    ]
    await imports.baseline('lyr_bounded', `frame_id,people,least,most\n${first},7,5,9.5\n${second},8,8,8`, {
      catalogue,
    })
    assert.deepEqual(await intervalOf([first], 'lyr_bounded'), { lower: '5', upper: '9.5', draws: null })
    assert.equal(await intervalOf([first, second], 'lyr_bounded'), undefined)
    assert.equal(await intervalOf(['unit', 'alpha'], 'lyr_bounded'), undefined)
    const summaries = await rows<{ name: string; summary: string }>(
      `select name, summary from attribute where layer_id = 'lyr_bounded' order by place`,
    )
    assert.deepEqual(
      summaries.map(({ name, summary }) => `${name} ${summary}`),
      ['people sum', 'least none', 'most none'],
    )
  })

  const draws = drawsOf(9, 7).join(' ')
  it('adds draws up over the units of a new index', async () => {
    const { db } = await newDatabase()
    const cell = (n: number, ward: string) =>
      feature(324378020 + n, rectangle(20 + n, 10, 21 + n, 11), { state: 'Alpha', lga: 'Middle', ward })
    const grid = (wards: string[]) =>
      imports.folder.write('cells.geojson', collection(wards.map((ward, n) => cell(n, ward))))
    await importFrames(db, grid(['South', 'North']), quiet)
    const orgId = await newOrganisation(db)
    const file = imports.folder.write('drawn.csv', `frame_id,people,runs\n${first},9,${draws}\n${second},9,${draws}`)
    await importBaseline(
      db,
      file,
      { layerId: 'lyr_drawn', orgId, name: 'Drawn', category: 'Tests', catalogue: [people] },
      quiet,
    )
    const highest = async (ward: string) =>
      (
        await db.rows<{ draw: string }>(
          `select draws[1]::text as draw from unit_interval join unit using (unit_id) where ward = $1`,
          [ward],
        )
      ).map(({ draw }) => Number(draw))
    const [draw = 0] = drawsOf(9, 7)
    assert.deepEqual(await highest('SOUTH'), [draw])
    await importFrames(db, grid(['South', 'South']), quiet)
    assert.deepEqual(await highest('SOUTH'), [2 * draw])
  })
})

/** Type 6 of R: with forty draws, a fortieth of the way from the outermost to the next. In thousandths, since they are exact. */
function quantilesOf(draws: readonly number[]): { lower: string; upper: string } {
  const sorted = draws.toSorted((a, b) => a - b).map((draw) => draw * 1000)
  const [least = 0, next = 0, last = 0, most = 0] = [...sorted.slice(0, 2), ...sorted.slice(-2)]
  const text = (thousandths: number) => String(thousandths / 1000)
  return { lower: text(least + (next - least) / 40), upper: text(most - (most - last) / 40) }
}

describe('the interval of a set of frames', function () {
  this.timeout(600_000)

  it('is the quantile of its added draws, for ids, units, boxes and shapes', async () => {
    const { db } = service()
    const kept = await db.rows<{ id: string; draws: string[]; state: string; lga: string; ward: string; box: string }>(
      `select frame_id::text as id, draws::text[] as draws, state, lga, ward, bbox as box
       from frame_interval join frame using (frame_id)
       where attribute = 'pop_demest26' and version = (select version from dataset where layer_id = 'lyr_population')`,
      [],
    )
    const frames = kept.map(({ draws, box, ...frame }) => ({
      ...frame,
      draws: draws.map(Number),
      box: JSON.parse(box) as [number, number, number, number],
    }))
    const next = random(7)
    const some = <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)] as Item
    const near = (value: number) => Number((value + next() * 0.4 - 0.2).toFixed(4))
    for (let i = 0; i < sample(120, 10_000); i += 1) {
      const { state, lga, ward, box } = some(frames)
      const [west, south] = [near(box[0]), near(box[1])]
      const [east, north] = [Number((west + next() / 2).toFixed(4)), Number((south + next() / 2).toFixed(4))]
      const kind = i % 4
      const ids = Array.from({ length: 1 + Math.floor(next() * 50) }, () => some(frames).id)
      const names = [state, lga, ward].slice(0, Math.floor(next() * 4))
      const set =
        kind === 0
          ? [...new Set(ids)]
          : kind === 1
            ? ['unit', ...names]
            : kind === 2
              ? ['box', west, south, east, north].map(String)
              : [
                  'shape',
                  `POLYGON((${west} ${south},${east} ${south},${east} ${north},${west} ${north},${west} ${south}))`,
                ]
      const isIn = (frame: (typeof frames)[number]) =>
        kind === 0
          ? set.includes(frame.id)
          : kind === 1
            ? names.every((name, k) => name === [frame.state, frame.lga, frame.ward][k])
            : undefined
      // Which frames touch a box is proved elsewhere: here their draws are added up.
      const touching = kind > 1 ? await db.rows<{ id: string }>('select unnest(frame_set($1))::text as id', [set]) : []
      const held = new Set(touching.map(({ id }) => id))
      const asked = frames.filter((frame) => isIn(frame) ?? held.has(frame.id))
      const sums = Array.from({ length: 40 }, (_, n) => asked.reduce((sum, { draws }) => sum + (draws[n] ?? 0), 0))
      const [found] = await db.rows<{ lower: string; upper: string }>(
        'select trim_scale(lower)::text as lower, trim_scale(upper)::text as upper from interval_of_set($1, $2, $3)',
        [set, 'lyr_population', 'pop_demest26'],
      )
      const wanted = asked.length === 0 ? undefined : quantilesOf(sums)
      assert.deepEqual(found, wanted, set.join())
      if (kind <= 1) continue
      const totals = await totalsOfArea(db, set, ['lyr_population'])
      const row = totals.find((each) => each.layer !== null && each.attribute === 'pop_demest26')
      const [lower, upper] = row && row.layer !== null ? [row.lower, row.upper] : []
      assert.deepEqual([lower ?? undefined, upper ?? undefined], [wanted?.lower, wanted?.upper], set.join())
    }
  })

  it('of a share is the quantile of the shares of its draws', async () => {
    const { db } = service()
    const kept = await db.rows<{ id: string; ward: string; lga: string; state: string; draws: string[] }>(
      `select frame_id::text as id, state, lga, ward, draws::text[] as draws from frame_interval join frame using (frame_id)
       where attribute = 'pop_demest26' and version = (select version from dataset where layer_id = 'lyr_population')`,
      [],
    )
    const frames = kept.map(({ draws, ...frame }) => ({ ...frame, draws: draws.map(Number) }))
    const next = random(5)
    const addedUp = (some: typeof frames) =>
      Array.from({ length: 40 }, (_, n) => some.reduce((sum, { draws }) => sum + (draws[n] ?? 0), 0))
    for (let i = 0; i < sample(40, 1000); i += 1) {
      const middle = frames[Math.floor(next() * frames.length)]
      assert.ok(middle)
      // All frames of an LGA or of a ward, or a few of any place; some of them have a part.
      const isIn = (frame: (typeof frames)[number]) =>
        frame.state === middle.state && frame.lga === middle.lga && (i % 3 === 0 || frame.ward === middle.ward)
      const asked = i % 3 === 2 ? frames.filter(() => next() < 0.002) : frames.filter(isIn)
      const share = next()
      const some = asked.filter(() => next() < share)
      const { state, lga, ward } = middle
      const set = i % 3 === 2 ? asked.map(({ id }) => id) : ['unit', state, lga, ward].slice(0, i % 3 === 0 ? 3 : 4)
      const [found] = await intervalOfPortion(db, set, 'lyr_population', 'pop_demest26', some.map(({ id }) => id)) // prettier-ignore
      const whole = addedUp(asked)
      if (some.length === 0 || whole.includes(0)) {
        assert.equal(found, undefined)
        continue
      }
      const shares = addedUp(some).map((part, n) => (100 * part) / (whole[n] ?? 0))
      const sorted = shares.toSorted((a, b) => a - b)
      const [least = 0, after = 0, last = 0, most = 0] = [...sorted.slice(0, 2), ...sorted.slice(-2)]
      for (const [given, wanted] of [
        [found?.lower, least + (after - least) / 40],
        [found?.upper, most - (most - last) / 40],
      ] as const)
        assert.ok(Math.abs(Number(given) - wanted) <= 1e-9 * Math.max(1, wanted), `${set.join()}: ${given}, ${wanted}`)
    }
  })

  it('of each group is the quantile of its added draws, for units and classes of ids, units and boxes', async () => {
    const { db } = service()
    const next = random(9)
    for (let i = 0; i < sample(24, 500); i += 1) {
      const [west, south] = [-0.6 + next(), -0.6 + next()]
      const box = ['box', west, south, west + 0.05 + next() / 4, south + 0.05 + next() / 4].map(String)
      const [few] = await db.rows<{ ids: string[] }>(
        `select array_agg(id::text) as ids from unnest(frame_set($1::text[])) as id where mod(id, 3) = 0`,
        [box],
      )
      const set = [box, few?.ids ?? [], ['unit'], ['unit', 'MAREMBE'], ['unit', 'MAREMBE', 'LAKESIDE']][i % 5] ?? []
      const [layer, group, column] = [
        ['frames', 'lga', 'state, lga'],
        ['frames', 'ward', 'state, lga, ward'],
        ['lyr_urban', 'urb_class', 'trim(recorded::json ->> $2)'],
      ][Math.floor(next() * 3)] as [string, string, string]
      const found = await intervalsOfGroups(db, set, 'lyr_population', 'pop_demest26', layer, group)
      const isUnit = layer === 'frames'
      const members = isUnit
        ? `select array_remove(array[${column}], null) as names, frame_id, $2::text as given from frame`
        : `select array[${column}] as names, frame_id, $2::text as given from baseline where layer_id = 'lyr_urban'`
      const drawn = await db.rows<{ name: string; draws: string[] }>(
        `select array_to_string(names, '/') as name, array_agg(total::text order by total) as draws from (
           select names, n, sum(draw) as total
           from (${members}) as member
           join frame_interval as kept using (frame_id)
           join dataset on dataset.version = kept.version and layer_id = 'lyr_population'
           cross join unnest(draws) with ordinality as each (draw, n)
           where kept.attribute = 'pop_demest26' and frame_id = any (frame_set($1::text[])) and names[1] is not null
           group by names, n
         ) as summed group by names`,
        [set, group],
      )
      const wanted = drawn.map(({ name, draws }) => {
        const sorted = draws.map(Number).toSorted((a, b) => a - b)
        const [least = 0, after = 0, last = 0, most = 0] = [...sorted.slice(0, 2), ...sorted.slice(-2)]
        return `${name} ${(least + (after - least) / 40).toFixed(3)} ${(most - (most - last) / 40).toFixed(3)}`
      })
      const given = found.map(
        ({ name, path, lower, upper }) =>
          `${path?.join('/') ?? name} ${Number(lower).toFixed(3)} ${Number(upper).toFixed(3)}`,
      )
      assert.deepEqual(given.toSorted(), wanted.toSorted(), `${set.slice(0, 5).join()} ${group}`)
    }
  })

  it('has a truth inside in 95 of 100 cases, for 39, 100 and 1,000 draws', async () => {
    const { db } = service()
    const next = random(11)
    // The model does not know the middle; the truth is one more draw of it.
    const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
    for (const count of [39, 100, 1000]) {
      const cases = sample(2000, 20_000)
      let inside = 0
      for (let done = 0; done < cases; done += 500) {
        const truths = Array.from({ length: 500 }, () => Math.round(1000 * normal()))
        const draws = truths.map(() => Array.from({ length: count }, () => Math.round(1000 * normal())))
        const [found] = await db.rows<{ inside: number }>(
          `select count(*) filter (where truth between bound.lower and bound.upper)::int as inside
           from unnest($1::numeric[], $2::text[]) as made (truth, draws)
           cross join lateral draws_interval(draws::numeric[]) as bound`,
          [truths, draws.map((each) => `{${each.join()}}`)],
        )
        inside += found?.inside ?? 0
      }
      const share = (100 * inside) / cases
      assert.ok(Math.abs(share - 95) <= 1, `${count} draws: ${share} %`)
    }
  })
})

/** The same numbers in every run. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
