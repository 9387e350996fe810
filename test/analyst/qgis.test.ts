import assert from 'node:assert/strict'
import pg from 'pg'
import { migrate } from '../../src/core/db/migrate.js'
import { analystTarget, urlOf } from '../support/database.js'
import { service } from '../support/service.js'
import { byText, names, rows, types } from './fixture.js'

describe('the styles for QGIS', () => {
  // QGIS looks for the name of the database, and this one is a copy under another: "frames migrate" sets that right.
  before(() => migrate(service().database.ownerTarget))

  it('are there for every layer, as its default, under the name of this database', async () => {
    const styles = await rows<{ name: string; mine: boolean; geom: string; is: boolean }>(
      `select f_table_name as name, f_table_catalog = current_database() as mine, f_geometry_column as geom, useasdefault as is
      from layer_styles where f_table_schema = 'analyst' order by f_table_name collate "C"`,
    )
    assert.deepEqual(
      [...styles],
      names.map((name) => ({ name, mine: true, geom: 'geom', is: true })),
    )
  })

  it('are QML: one renderer, whose classes each have their symbol, of the kind of the layer', async () => {
    const styles = await rows<{ name: string; renderers: number; kinds: string[]; symbols: string[]; used: string[] }>(
      `select f_table_name as name, cardinality(xpath('/qgis/renderer-v2', style)) as renderers,
        array(select distinct unnest(xpath('//symbol/@type', style))::text) as kinds,
        array(select unnest(xpath('/qgis/renderer-v2/symbols/symbol/@name', style))::text) as symbols,
        array(select unnest(xpath('//range/@symbol | //category/@symbol', style))::text) as used
      from layer_styles cross join lateral (select xmlparse(document styleqml::text) as style) as parsed
      where f_table_schema = 'analyst'`,
    )
    assert.equal(styles.length, names.length)
    for (const { name, renderers, kinds, symbols, used } of styles) {
      assert.equal(renderers, 1)
      const kind = { MULTIPOINT: 'marker', MULTILINESTRING: 'line' }[types[name] ?? ''] ?? 'fill'
      assert.deepEqual(kinds, [kind], name)
      assert.deepEqual(symbols, used.length > 0 ? used : ['0'], name)
    }
  })

  it('colour a baseline by its main attribute: classes that hold every number, or every value', async () => {
    const [graduated] = await rows<{ attr: string; lower: string[]; upper: string[] }>(
      `select (xpath('//renderer-v2/@attr', styleqml))[1]::text as attr, array(select unnest(xpath('//range/@lower', styleqml))::text) as lower,
        array(select unnest(xpath('//range/@upper', styleqml))::text) as upper
      from layer_styles where f_table_name = 'lyr_terrain'`,
    )
    const [ends] = await rows<{ low: string; high: string }>(
      'select min(phy_elevmean)::text as low, max(phy_elevmean)::text as high from analyst.lyr_terrain',
    )
    assert.equal(graduated?.attr, 'phy_elevmean')
    assert.deepEqual([graduated.lower[0], graduated.upper.at(-1)], [ends?.low, ends?.high])
    assert.deepEqual(graduated.lower.slice(1), graduated.upper.slice(0, -1), 'no gap between classes')
    const [categorised] = await rows<{ values: string[]; known: string[] }>(
      `select array(select unnest(xpath('//category/@value', styleqml))::text order by 1) as values,
        array(select distinct urb_class from analyst.lyr_urban order by 1) as known
      from layer_styles where f_table_name = 'lyr_urban'`,
    )
    assert.deepEqual(categorised?.values, categorised?.known)
  })
})

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

  it('finds the default style of a layer', async () => {
    const [database] = await ask('SELECT current_database() AS name')
    const styles = await ask(
      `SELECT styleQML FROM layer_styles WHERE f_table_catalog='${String(database?.['name'])}' AND f_table_schema='analyst'
      AND f_table_name='lyr_population' AND f_geometry_column='geom' AND (type='Polygon' OR type IS NULL)
      ORDER BY CASE WHEN useAsDefault THEN 1 ELSE 2 END,update_time DESC LIMIT 1`,
    )
    assert.match(String(styles[0]?.['styleqml']), /^<qgis .*graduatedSymbol.*pop_demest25/)
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
