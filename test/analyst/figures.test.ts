/** Functions of schema analyst that take filters and figures: what they find, and for whom. */
import assert from 'node:assert/strict'
import { connect, type Database } from '../../src/core/db/connect.js'
import { figure } from '../../src/core/db/statements.js'
import { newDatabase, urlOf, type TestDatabase } from '../support/database.js'
import { measureNaively, readWorld, type World } from '../figures/naive.js'
import { drawArithmetic, drawFigure, drawingOf } from '../figures/random-figures.js'
import { sample } from '../support/sample.js'

const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const COUNTRY = `'{unit}'`
const CLOSED = ['lyr_schools', 'lyr_terrain']
/** A role is of the whole server, on which this test may run several times at once. */
const SECOND = `frames_second_${process.pid}`
const REFUSED = new RegExp(`there is no such dataset, or ${SECOND}`)

/** A filter that names a closed dataset at its end, inside of others. */
const hidden = (name: string) => [
  `{"of": "${name}", "atLeast": 1}`,
  `{"not": {"near": "${name}", "metres": 5}}`,
  `{"all": [{"any": [{"not": {"of": "${name}", "name": "x", "is": ["y"]}}]}]}`,
  `{"near": "lyr_clinics", "metres": 9, "where": {"near": "${name}", "metres": 5}}`,
  `{"near": "lyr_clinics", "metres": 9, "where": {"on": {"of": "${name}", "recorded": true}}}`,
  `{"of": "lyr_clinics", "where": {"on": {"not": {"of": "${name}", "above": 0}}}, "below": 1}`,
  `{"units": "ward", "measure": {"things": "${name}", "place": ["unit"], "how": "count"}, "above": 1}`,
  `{"units": "ward", "measure": {"things": "frames", "place": ["unit"], "how": "weighted_mean",
    "subject": {"of": "lyr_population", "name": "pop_demest26"}, "weight": {"of": "${name}", "name": "x"}}, "above": 1}`,
  // Text that JSON escapes, and members that no figure has: also a name.
  `{"of": "\\u006c${name.slice(1)}", "recorded": true}`,
  `{"all": [], "later": {"member": ["${name}"]}}`,
  `"${name}"`,
]

describe('what an analyst asks of figures', function () {
  this.timeout(sample(240_000, 3_600_000))
  let database: TestDatabase
  let analyst: Database
  let second: Database
  let world: World

  const as = (role: string) =>
    connect(urlOf(database.adminTarget).replace('//postgres@', `//${role}@`), { connections: 1, deadlineMs: 60_000 })
  before(async () => {
    database = await newDatabase('datasets')
    const admin = as('postgres')
    const views = CLOSED.map((name) => `analyst.${name}`)
    await admin.work(`create role ${SECOND} login; select analyst_may('${SECOND}');
      revoke select on ${views.join()} from ${SECOND}; create schema survey authorization ${SECOND};
      do $$ begin execute format('grant connect on database %I to ${SECOND}', current_database()); end $$`)
    await admin.close()
    analyst = as('frames_analyst')
    second = as(SECOND)
    world = await readWorld(database.db)
  })
  after(async () => {
    await Promise.all([analyst.close(), second.close()])
    const admin = as('postgres')
    await admin.work(`drop owned by ${SECOND} cascade; drop role ${SECOND}`)
    await admin.close()
    await database.drop()
  })

  const refusal = (name: string) => ({
    message: `${name}: there is no such dataset, or ${SECOND} may not read its view.`,
  })

  it('is each frame that passes, as a loop over frames finds them', async () => {
    const drawing = drawingOf(world, SEED)
    let some = 0
    let refused = 0
    // Few draws may name what is closed: drawing goes on until enough do.
    for (let turn = 0; turn < sample(60, 2000) || some < 10 || refused < 5; turn += 1) {
      const { place, where = { all: [] }, things } = drawFigure(drawing).measure
      if (things !== 'frames') continue
      const what = `seed ${SEED}, turn ${turn}: ${JSON.stringify([place, where])}`
      const asked = `select count(*)::int as frames, count(distinct frame_id)::int as once, coalesce(sum(km2), 0)::float8 as km2
        from analyst.frames_where($1::text[], $2::text::jsonb) join analyst.frame using (frame_id)`
      const args = [place, JSON.stringify(where)]
      const [came] = await analyst.rows<{ frames: number; once: number; km2: number }>(asked, args)
      const land = { of: 'frames', name: 'geom' }
      const wanted = (await measureNaively(world, { things, place, where, how: 'sum', subject: land }, null)).get('')
      assert.deepEqual([came?.frames, came?.once], [wanted?.things ?? 0, wanted?.things ?? 0], what)
      assert.ok(Math.abs((came?.km2 ?? NaN) - (wanted?.number ?? 0)) < 1e-6, what)
      if (came && came.frames > 0) some += 1
      if (CLOSED.some((name) => args[1]?.includes(`"${name}"`))) {
        refused += 1
        await assert.rejects(second.rows(asked, args), REFUSED, what)
      } else assert.deepEqual((await second.rows(asked, args))[0], came, what)
    }
  })

  it('is each group that statement figure answers', async () => {
    const drawing = drawingOf(world, SEED)
    let [told, refused] = [0, 0]
    for (let turn = 0; turn < sample(40, 1000) || told < 10 || refused < 5; turn += 1) {
      const json = JSON.stringify(drawArithmetic(drawing))
      const what = `seed ${SEED}, turn ${turn}: ${json}`
      const asked = `select path, class, name, things, recorded, value::text as value from analyst.figure($1::text::jsonb)`
      const came = (await analyst.rows<{ path: string[] }>(asked, [json])).map((row) => ({ ...row }))
      const rows = await figure(database.db, json)
      const wanted = rows.map(({ path, class: group, name, things, recorded, value }) => ({
        path,
        class: group,
        name,
        things,
        recorded,
        value,
      }))
      assert.deepEqual(came, wanted, what)
      if (came.length > 0) told += 1
      if (CLOSED.some((name) => json.includes(`"${name}"`))) {
        refused += 1
        await assert.rejects(second.rows(asked, [json]), REFUSED, what)
      } else assert.equal((await second.rows(asked, [json])).length, came.length, what)
    }
  })

  it('is refused where it names a dataset whose view the analyst may not read, however deep', async () => {
    for (const name of [...CLOSED, 'lyr_nothing'])
      for (const filter of hidden(name)) {
        // What no member for a dataset holds is no name, unless a dataset has it.
        if (name === 'lyr_nothing' && (filter.startsWith('"') || filter.includes('later'))) continue
        const place = '"place": ["unit"]'
        const ways = [
          [`select analyst.frames_where(${COUNTRY}, $1::text::jsonb)`, filter],
          ['select analyst.figure($1::text::jsonb)', `{"of": {${place}, "where": ${filter}}}`],
          ['select analyst.figure($1::text::jsonb)', `{"of": {${place}}, "by": {"class": ${filter}}}`],
          ['select analyst.figure($1::text::jsonb)', `{"of": {${place}}, "op": "sum", "to": {"weight": ${filter}}}`],
        ] as const
        for (const [statement, json] of ways) await assert.rejects(second.rows(statement, [json]), refusal(name), json)
      }
  })

  it('is refused where a column or the view of frames is all that is granted or taken', async () => {
    const filter = `'{"near": "lyr_schools", "metres": 10}'`
    const asked = `select count(*) from analyst.frames_where(${COUNTRY}, ${filter})`
    await database.db.work(`grant select (id, geom) on analyst.lyr_schools to ${SECOND}`)
    await assert.rejects(second.rows(asked, []), refusal('lyr_schools'))
    await database.db.work(`grant select on analyst.lyr_schools to ${SECOND}`)
    assert.equal((await second.rows(asked, [])).length, 1)
    await database.db.work(`revoke select on analyst.lyr_schools, analyst.frame from ${SECOND}`)
    await assert.rejects(second.rows(asked, []), /permission denied for view frame/)
    await database.db.work(`grant select on analyst.frame to ${SECOND}`)
  })

  it('is not reached by another way: functions below, a search path, a view or a role of others', async () => {
    const closed = `'{"of": "lyr_schools", "atLeast": 1}'`
    const whole = `{"things": "lyr_schools", "place": ["unit"], "how": "count"}`
    for (const statement of [
      `select * from measured('${whole}', null)`,
      `select * from things_where('frames', ${COUNTRY}, ${closed})`,
      `select features_chosen('lyr_schools', '{"all": []}')`,
      `select * from value_array`,
      `select * from figured('{"of": ${whole}}')`,
      `select * from analyst.lyr_schools`,
      `set role frames_owner`,
      `set session authorization frames_analyst`,
    ])
      await assert.rejects(
        second.work(`set default_transaction_read_only = off; ${statement}`),
        /permission denied/,
        statement,
      )
    // Names that the function calls are not looked up in the schema of the caller.
    await second.work(`set default_transaction_read_only = off;
      create function survey.has_table_privilege(name, regclass, text) returns bool language sql as 'select true';
      create function survey.refuse_unread_datasets(jsonb) returns void language sql as '';
      create function survey.asked() returns setof bigint language sql security definer as
        $$select analyst.frames_where('{unit}', '{"of": "lyr_schools", "atLeast": 1}')$$;
      create view survey.asked as select * from survey.asked()`)
    const ways = [`set search_path = survey, pg_catalog, public; select analyst.frames_where(${COUNTRY}, ${closed})`]
    for (const statement of [...ways, 'select * from survey.asked()', 'table survey.asked'])
      await assert.rejects(second.work(statement), refusal('lyr_schools'), statement)
  })
})
