import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import pg from 'pg'
import postgres from 'postgres'
import { connect } from '../../src/db/connect.js'
import { migrate } from '../../src/db/migrate.js'
import { projectFolder } from '../../src/db/statement.js'
import { analystTarget, databaseWith, onPostgres, urlOf, type TestDatabase } from '../support/database.js'

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** The migrations before 010, in which the key of a frame was called id in schema analyst. */
async function migrateToNine(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await runner({
    dbClient: client,
    dir: fileURLToPath(new URL('migrations/', projectFolder)),
    ignorePattern: '(?!00\\d_.*\\.sql$).*',
    direction: 'up',
    migrationsTable: 'migration',
    logger: silent,
  })
  await client.end()
}

const onNine = `
  insert into frame (frame_id, geom, state, lga, ward)
  select id, ST_MakeEnvelope(1 + id / 100.0, 1, 1.01 + id / 100.0, 1.01, 4326), 'ALPHA', 'MIDDLE', 'WEST' from generate_series(1, 3) as id;
  insert into state (state, frames) values ('ALPHA', 3);
  insert into unit_area (unit_id, state, lga, ward, geom)
  select row_number() over (), unit.*, ST_Multi(ST_Union(geom)) from frame
  cross join (values ('ALPHA', null, null), ('ALPHA', 'MIDDLE', null), ('ALPHA', 'MIDDLE', 'WEST')) as unit (state, lga, ward)
  group by unit.state, unit.lga, unit.ward;
  insert into organisation (org_id, name, plan) values ('org_AbCdEfGhIjKl', 'Tests', 'trial');
  insert into dataset (layer_id, org_id, name, category, kind, version, items) values
    ('lyr_people', 'org_AbCdEfGhIjKl', 'People', 'Tests', 'frames', 1, 1), ('lyr_sites', 'org_AbCdEfGhIjKl', 'Sites', 'Tests', 'points', 2, 1);
  insert into attribute (layer_id, name, place, label, type, summary) values ('lyr_people', 'people', 1, 'People', 'number', 'sum');
  insert into baseline_row values (1, 2, '{"people":"7"}');
  insert into feature (version, feature_no, feature_id, geom, properties) values (2, 1, 'a', ST_SetSRID(ST_MakePoint(1.025, 1.005), 4326), '{"name":"Site"}');
  insert into feature_frame (version, frame_id, feature_no) values (2, 2, 1);
  select analyst_views();
  create schema mine;
  create view mine.frames as select id, ward from analyst.frame;
  create view mine.people as select id, people from analyst.lyr_people`

if (onPostgres) {
  describe('an installation whose views have another key', function () {
    this.timeout(120_000)
    let url: string
    let database: TestDatabase

    before(async () => {
      database = await databaseWith('', 'bare')
      url = urlOf(database.ownerTarget)
      await migrateToNine(url)
      await asOwner((run) => run(onNine))
    })
    after(() => database.drop())

    async function asOwner<T>(ask: (run: (text: string) => Promise<T>) => Promise<T>): Promise<T> {
      const sql = postgres(url, { max: 1, onnotice: () => {} })
      try {
        return await ask(async (text) => (await sql.unsafe(text)) as T)
      } finally {
        await sql.end()
      }
    }

    it('is not migrated over a view of its own that reads columns which change: a sentence names it, and all stays as it was', async () => {
      await asOwner((run) => run('create view mine.sites as select id, name from analyst.lyr_sites'))
      await assert.rejects(
        migrate(url),
        /columns of analyst\.lyr_sites change, .*view mine\.sites depends on .*Drop them, run "npm run -s frames -- migrate", then create them again/,
      )
      const kept = await asOwner<object[]>((run) =>
        run(`select (select count(*)::int from migration where name like '010%') as done,
          (select id::int from analyst.frame order by 1 limit 1) as id, (select name from mine.sites) as site`),
      )
      assert.deepEqual(
        [...kept].map((row) => ({ ...row })),
        [{ done: 0, id: 1, site: 'Site' }],
      )
      await asOwner((run) => run('drop view mine.sites'))
    })

    it('is migrated with its own views over frames and baselines in place, its areas filled and its key named', async () => {
      assert.ok((await migrate(url)).includes('010_analyst_keys'))
      const analyst = connect(analystTarget(database), { connections: 1 })
      try {
        const [now] = await analyst.rows<object>(
          `select (select array_agg(frame_id::int order by frame_id) from frame) as frames, (select bool_and(km2 = round((ST_Area(geom::geography) / 1e6)::numeric, 6)) from frame) as filled,
            (select round(km2, 2)::text from state) as state, (select frame_id::int from lyr_people) as people,
            (select frame_ids::text || ward from lyr_sites) as site, (select column_name from attribute) as col`,
          [],
        )
        assert.deepEqual(
          { ...now },
          { frames: [1, 2, 3], filled: true, state: '3.69', people: 2, site: '{2}WEST', col: 'people' },
        )
      } finally {
        await analyst.close()
      }
      // A process of the release before goes on asking so while the new one starts: its own km2 must not be ambiguous.
      const before =
        'with asked as (select frame.*, ST_Area(geom) as km2 from public.frame) select count(km2)::int as frames from asked'
      assert.equal((await asOwner<{ frames: number }[]>((run) => run(before)))[0]?.frames, 3)
      const mine = await asOwner<object[]>((run) =>
        run(
          'select (select count(*)::int from mine.frames) as frames, (select people::int from mine.people where id = 2) as people',
        ),
      )
      assert.deepEqual(
        [...mine].map((row) => ({ ...row })),
        [{ frames: 3, people: 7 }],
      )
    })
  })
}
