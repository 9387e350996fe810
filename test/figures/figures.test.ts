import assert from 'node:assert/strict'
import { figure } from '../../src/core/db/statements.js'
import { newDatabase, onPostgres, type TestDatabase } from '../support/database.js'
import { figureNaively, measureNaively, numberIn, readWorld, type Group, type World } from './naive.js'
import { drawArithmetic, drawFigure, drawingOf } from './random-figures.js'

/** LONG=1 draws twenty times as many. */
const FIGURES = (onPostgres ? 500 : 24) * (process.env['LONG'] ? 20 : 1)
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000)

/** What the fixture lacks: frames in no ward and in no unit, negative weights, properties that are missing. */
const ODD = `update frame set ward = null, ward_code = null where frame_id % 13 = 0;
update frame set state = null, state_code = null, lga = null, lga_code = null, ward = null, ward_code = null where frame_id % 29 = 0;
update baseline_row set recorded = replace(recorded::text, '"phy_slopemean":"', '"phy_slopemean":"-')::json where frame_id % 11 = 0;
update feature set properties = (properties::jsonb - 'pupils' - 'level')::json where feature_no % 3 = 0;
update feature set properties = (properties::jsonb - 'beds' - 'lanes' - 'surface')::json where feature_no % 2 = 0;
select unit_counts_keep(), derived_keep('unit_area');
select derived_keep('unit');
select derived_keep('frame_unit');
select derived_keep('frame_order');
delete from value_row;
select value_rows_keep(layer_id) from dataset where kind = 'frames';
select arrays_keep('frames');
select classes_keep(layer_id), totals_keep(layer_id) from dataset;`

describe('figures', function () {
  this.timeout(1_800_000)
  let database: TestDatabase
  let world: World

  before(async () => {
    database = await newDatabase('datasets')
    await database.db.work(ODD)
    world = await readWorld(database.db)
  })
  after(() => database.drop())

  it(`are those that a loop over frames and features finds, for ${FIGURES} drawn at random`, async () => {
    const drawing = drawingOf(world, SEED)
    let told = 0
    // Few draws may all be of no things: drawing goes on until enough are of some.
    for (let turn = 0; turn < FIGURES || (told < FIGURES / 3 && turn < 20 * FIGURES); turn += 1) {
      const { measure, groups } = drawFigure(drawing)
      const what = `seed ${SEED}, figure ${turn}: ${JSON.stringify([measure, groups])}`
      const rows = await figure(database.db, JSON.stringify({ of: measure, ...(groups && { by: groups }) })).catch(
        (error: unknown) => {
          throw new Error(what, { cause: error })
        },
      )
      const found = new Map<string, Group>()
      // Units without anything to count are told with 0.
      for (const { path, class: name, things, recorded, value } of rows.filter((row) => row.things > 0))
        found.set(groups === null ? '' : 'level' in groups ? path.join('/') : `: ${name ?? ''}`, {
          things,
          recorded,
          number: value === null ? undefined : Number(value),
        })
      const wanted = await measureNaively(world, measure, groups)
      for (const [name, group] of wanted) wanted.set(name, { ...group, number: numberIn(measure, group) })
      compare(found, wanted, what)
      if (found.size > 0) told += 1
    }
    assert.ok(told >= FIGURES / 3, `${told} of ${FIGURES} figures are of some things`)
  })

  it('are added, divided, tested and ordered as the loop does', async () => {
    const drawing = drawingOf(world, SEED)
    for (let turn = 0; turn < FIGURES / 4; turn += 1) {
      const asked = drawArithmetic(drawing)
      const what = `seed ${SEED}, figure ${turn}: ${JSON.stringify(asked)}`
      const rows = await figure(database.db, JSON.stringify(asked)).catch((error: unknown) => {
        throw new Error(what, { cause: error })
      })
      const wanted = [...(await figureNaively(world, asked))]
      const { order, n = Infinity } = asked
      const placeOf = (value: number | undefined) =>
        wanted.filter(
          ([, other]) =>
            other !== undefined &&
            value !== undefined &&
            (order === 'lowest' ? other < value : other > value) &&
            !isNear(other, value),
        ).length
      const first = order ? wanted.filter(([, value]) => value !== undefined && placeOf(value) < n) : wanted
      const groupOf = ({ path, name }: (typeof rows)[number]) => (name === null ? path.join('/') : `# ${name}`)
      assert.deepEqual(rows.map(groupOf).sort(), first.map(([name]) => name).sort(), what)
      for (const { value, ...row } of rows) {
        const own = new Map(wanted).get(groupOf({ ...row, value }))
        assert.ok(
          own === undefined ? value === null : isNear(Number(value), own),
          `${what}, ${row.path.join('/')}: ${value} instead of ${own}`,
        )
      }
      const values = rows.map(({ value }) => Number(value))
      if (order)
        assert.deepEqual(
          values,
          values.toSorted((a, b) => (order === 'lowest' ? a - b : b - a)),
          what,
        )
    }
  })
})

const isNear = (one: number, other: number) => Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other))

function compare(found: Map<string, Group>, wanted: Map<string, Group>, what: string): void {
  assert.deepEqual([...found.keys()].sort(), [...wanted.keys()].sort(), what)
  for (const [group, { things, recorded, number }] of wanted) {
    const own = found.get(group)
    assert.deepEqual([own?.things, own?.recorded], [things, recorded], `${what}, group ${group}`)
    const isClose =
      number === undefined || own?.number === undefined ? number === own?.number : isNear(own.number, number)
    assert.ok(isClose, `${what}, group ${group}: ${own?.number} instead of ${number}`)
  }
}
