import assert from 'node:assert/strict'
import pg from 'pg'
import { analystTarget, urlOf } from '../support/database.js'
import { service } from '../support/service.js'
import { byText, names, rows } from './fixture.js'

/** QGIS sends these statements in this order, as its sources and logs show. */
describe('QGIS', () => {
  let client: pg.Client
  before(async () => {
    client = new pg.Client({ connectionString: urlOf(analystTarget(service().database)) })
    await client.connect()
  })
  after(() => client.end())
  const ask = async (text: string) => (await client.query<Record<string, unknown>>(text)).rows

  it('finds the layers that it may read, each with its type', async () => {
    const found = await ask(
      `SELECT l.f_table_name,l.f_table_schema,l.f_geometry_column,upper(l.type),l.srid,l.coord_dimension,c.relkind
      FROM geometry_columns l,pg_class c,pg_namespace n
      WHERE c.relname=l.f_table_name AND l.f_table_schema=n.nspname AND n.oid=c.relnamespace
      AND has_schema_privilege(n.nspname,'usage') AND has_table_privilege('"'||n.nspname||'"."'||c.relname||'"','select')
      ORDER BY n.nspname,c.relname,l.f_geometry_column`,
    )
    const layers = found.filter((row) => row['f_table_schema'] === 'analyst')
    assert.deepEqual(layers.map((row) => String(row['f_table_name'])).toSorted(byText), names)
    assert.equal(found.length, layers.length, 'an analyst has nothing else to choose from')
  })

  it('draws what is in its window through a binary cursor', async () => {
    await ask('BEGIN READ ONLY')
    await ask(
      `DECLARE qgis_1 BINARY CURSOR FOR SELECT st_asbinary("geom",'NDR'),"frame_id","pop_demest26"::text FROM "analyst"."lyr_population"
      WHERE "geom" && st_makeenvelope(0.2,0.1,0.3,0.2,4326)`,
    )
    const first = await ask('FETCH FORWARD 100 FROM qgis_1')
    const rest = await ask('FETCH FORWARD 2000 FROM qgis_1')
    await ask('CLOSE qgis_1')
    await ask('COMMIT')
    assert.equal(first.length, 100)
    const [count] = await rows<{ n: number }>(
      'select count(*)::int as n from frame join baseline using (frame_id) where layer_id = $1::text and geom && ST_MakeEnvelope(0.2, 0.1, 0.3, 0.2, 4326)',
      ['lyr_population'],
    )
    assert.equal(first.length + rest.length, count?.n)
  })
})
