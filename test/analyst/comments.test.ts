/** What schema analyst says of itself: comments, and the catalogue. */
import assert from 'node:assert/strict'
import { rows } from './fixture.js'

/** Every view, every column of one, and every function. */
const OBJECTS = `select pg_describe_object(catalogue, id, part) as object, description as comment
  from (
    select 'pg_class'::regclass as catalogue, attrelid as id, attnum as part
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'analyst'::regnamespace and attnum > 0 and not attisdropped
    union all
    select 'pg_class', oid, 0 from pg_class where relnamespace = 'analyst'::regnamespace
    union all
    select 'pg_proc', oid, 0 from pg_proc where pronamespace = 'analyst'::regnamespace
  ) as object
  left join pg_description on classoid = catalogue and objoid = id and objsubid = part`

/** A column of the view of a dataset is one that each has, or the catalogue names it: as values, as bounds, or as draws. */
const COLUMNS = `select relname || '.' || attname as column, dataset.layer_id || '.' || known.name as name
  from dataset
  join pg_class on relname = analyst_name(dataset.layer_id) and relnamespace = 'analyst'::regnamespace
  join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    and attname <> all (analyst_own_columns(case dataset.kind when 'frames' then 'frames' else 'features' end)) and attname not in ('recorded', 'properties')
  full join (
    select layer_id, name, column_name from analyst.attribute
    union
    select layer_id, name, unnest(array_remove(array[lower, upper, draws], null)) from analyst.attribute
  ) as known on known.layer_id = dataset.layer_id and known.column_name = attname
  where known.name is null or attname is null`

describe('schema analyst', () => {
  it('says something of every view, every column and every function', async () => {
    const objects = await rows<{ object: string; comment: string | null }>(OBJECTS)
    for (const known of [
      'view analyst.attribute',
      'column geom of view analyst.lyr_roads',
      'function analyst.figure(jsonb)',
    ])
      assert.ok(
        objects.some(({ object }) => object === known),
        `${known} was not looked at`,
      )
    const silent = objects.filter(({ comment }) => !/\S \S.*\.$|^\S+\.$/su.test(comment ?? ''))
    assert.deepEqual(silent, [])
  })

  it('lists every column of a dataset in its catalogue, and nothing else', async () => {
    assert.deepEqual(await rows(COLUMNS), [])
    const [modelled] = await rows("select lower, upper, draws from analyst.attribute where name = 'pop_demest26'")
    assert.deepEqual(modelled, {
      lower: 'pop_demest26_lower',
      upper: 'pop_demest26_upper',
      draws: 'pop_demest26_draws',
    })
  })
})
