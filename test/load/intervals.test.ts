import { sumOf } from '../../src/core/figures/algebra.js'
import assert from 'node:assert/strict'
import { randomNumbers } from '../support/random-numbers.js'
import { interval, profile } from '../../src/core/db/statements.js'
import { sample } from '../support/sample.js'
import { service } from '../support/service.js'
import { plays } from '../support/transcript.js'
import { importGrid } from './imports.js'

/** Forty draws around a value; those of each frame move in a way of their own. */
const drawsOf = (value: number, step: number) => Array.from({ length: 40 }, (_, n) => value + ((n * step) % 41) - 20)

const textOf = (value: number, step: number) => drawsOf(value, step).join(' ')
plays(
  'load/intervals',
  importGrid,
  {},
  {
    around_100: textOf(100, 7),
    around_500: textOf(500, 11),
    braced: `{${drawsOf(7, 3).join()}}`,
    around_9: textOf(9, 7),
  },
)

/** Type 6 of R: with forty draws, a fortieth of the way from the outermost to the next. */
function boundsOf(draws: readonly number[]): [lower: number, upper: number] {
  const sorted = draws.toSorted((a, b) => a - b)
  const [least = 0, next = 0, last = 0, most = 0] = [...sorted.slice(0, 2), ...sorted.slice(-2)]
  return [least + (next - least) / 40, most - (most - last) / 40]
}

/** As texts, computed in thousandths, since they are exact. */
function quantilesOf(draws: readonly number[]): { lower: string; upper: string } {
  const [lower, upper] = boundsOf(draws.map((draw) => draw * 1000))
  return { lower: String(lower / 1000), upper: String(upper / 1000) }
}

const SUBJECT = { of: 'lyr_population', name: 'pop_demest26' }

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
    const next = randomNumbers(7)
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
      const [row] = await interval(db, sumOf(set, 'lyr_population', 'pop_demest26'))
      const found = row && { lower: row.lower, upper: row.upper }
      const wanted = asked.length === 0 ? undefined : quantilesOf(sums)
      assert.deepEqual(found, wanted, set.join())
      const totals = await profile(db, set, ['lyr_population'])
      const total = totals.find((each) => each.layer !== null && each.attribute === 'pop_demest26')
      const [lower, upper] = total && total.layer !== null ? [total.lower, total.upper] : []
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
    const next = randomNumbers(5)
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
      const asPart = { place: some.map(({ id }) => id), subject: SUBJECT, how: 'sum' }
      const [found] = await interval(db, JSON.stringify({ of: asPart, op: 'percent', to: { ...asPart, place: set } }))
      const whole = addedUp(asked)
      if (some.length === 0 || whole.includes(0)) {
        assert.equal(found, undefined)
        continue
      }
      const shares = addedUp(some).map((part, n) => (100 * part) / (whole[n] ?? 0))
      const [lower, upper] = boundsOf(shares)
      for (const [given, wanted] of [
        [found?.lower, lower],
        [found?.upper, upper],
      ] as const)
        assert.ok(Math.abs(Number(given) - wanted) <= 1e-9 * Math.max(1, wanted), `${set.join()}: ${given}, ${wanted}`)
    }
  })

  it('of each group is the quantile of its added draws, for units and classes of ids, units and boxes', async () => {
    const { db } = service()
    const next = randomNumbers(9)
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
      const by = layer === 'frames' ? { level: group } : { class: { of: layer, name: group } }
      const groups = await interval(db, JSON.stringify({ of: { place: set, subject: SUBJECT, how: 'sum' }, by }))
      // Frames without a class are in no group.
      const found = groups.flatMap(({ path, class: name, ...bounds }) =>
        name === null && layer !== 'frames'
          ? []
          : [{ ...bounds, name: name ?? path.at(-1), path: name === null ? path : null }],
      )
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
        const [lower, upper] = boundsOf(draws.map(Number))
        return `${name} ${lower.toFixed(3)} ${upper.toFixed(3)}`
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
    const next = randomNumbers(11)
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
