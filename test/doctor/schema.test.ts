import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import {
  expectedObjects,
  isOfDataset,
  OBJECTS,
  type PresentObject,
  type SchemaObject,
} from '../../src/core/db/release.js'
import { projectFolder } from '../../src/core/db/statement.js'
import { newDatabase, onPostgres, urlOf } from '../support/database.js'
import { service } from '../support/service.js'
import { schemaOf } from './schema.js'

describe('the schema that the repository holds', () => {
  if (onPostgres) {
    it('is that of a new database; "npm run schema" writes it', async () => {
      const database = await newDatabase()
      const { sql, json } = await schemaOf(urlOf(database.adminTarget), urlOf(database.ownerTarget))
      await database.drop()
      const committed = (name: string) => readFileSync(new URL(`migrations/${name}`, projectFolder), 'utf8')
      assert.equal(committed('schema.sql'), sql)
      assert.equal(committed('schema.json'), json)
    })
  }

  it('has the same objects in every version of PostgreSQL', async () => {
    const present = await service().db.rows<PresentObject>(OBJECTS, [])
    const objects = present.map(({ kind, relation, name, definition, statement }) => ({
      kind,
      relation,
      name,
      definition,
      statement,
    }))
    // The embedded database has one role, which may do everything.
    const isMeant = (object: SchemaObject) =>
      !isOfDataset(object) && (onPostgres || object.kind !== 'grant' || object.name.endsWith(' to public'))
    assert.deepEqual(objects.filter(isMeant), expectedObjects().filter(isMeant))
  })
})

/** One row for each object of ours, with its comment. An object of PostGIS belongs to its extension. */
const COMMENTS = `
  with ours as (
    select pg_class.oid, relkind from pg_class
    where relnamespace in ('public'::regnamespace, 'analyst'::regnamespace)
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
  ), relation as (
    select oid from ours where relkind in ('r', 'p', 'v', 'm', 'f')
  ), object (catalogue, id, part) as (
    select 'pg_class'::regclass, oid, 0 from ours where relkind in ('r', 'p', 'v', 'm', 'f', 'S')
    union all
    select 'pg_class', indexrelid, 0 from pg_index join relation on relation.oid = indrelid
    union all
    select 'pg_class', attrelid, attnum from pg_attribute join relation on relation.oid = attrelid where attnum > 0 and not attisdropped
    union all
    select 'pg_constraint', pg_constraint.oid, 0 from pg_constraint join relation on relation.oid = conrelid where contype = 'c'
    union all
    select 'pg_trigger', pg_trigger.oid, 0 from pg_trigger join relation on relation.oid = tgrelid where not tgisinternal
    union all
    select 'pg_proc', pg_proc.oid, 0 from pg_proc
    where pronamespace in ('public'::regnamespace, 'analyst'::regnamespace)
      and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
    union all
    select 'pg_namespace', 'analyst'::regnamespace, 0
  )
  select pg_describe_object(catalogue, id, part) as object, description as comment
  from object
  left join pg_description on objoid = id and classoid = catalogue and objsubid = part`

describe('the database', () => {
  it('has a comment on every table, column, sequence, index, rule, trigger, view and function', async () => {
    const objects = await service().db.rows<{ object: string; comment: string | null }>(COMMENTS, [])
    for (const known of [
      'table frame',
      'table migration',
      'sequence dataset_version',
      'column geom of table frame',
      'column pop_demest26 of view analyst.lyr_population',
      'index frame_geom_idx',
      'constraint balance_not_negative on table account',
      'trigger credit_entry_append_only on table credit_entry',
      'function fold_name(text)',
      'schema analyst',
    ]) {
      assert.ok(
        objects.some(({ object }) => object === known),
        `${known} was not looked at`,
      )
    }
    assert.deepEqual(
      objects.filter(({ comment }) => !comment?.trim()).map(({ object }) => object),
      [],
    )
  })
})
