import assert from 'node:assert/strict'
import pg from 'pg'
import { migrate } from '../../src/db/migrate.js'
import { analystTarget, onPostgres } from '../support/database.js'
import { service } from '../support/service.js'

type Plan = {
  'Node Type': string
  'Index Name'?: string
  'Relation Name'?: string
  'Index Cond'?: string
  Plans?: Plan[]
}
const rows = <Row>(text: string, args: unknown[] = []) => service().db.rows<Row>(text, args)
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

const fills = [
  'lyr_administrative',
  'lyr_buildings',
  'lyr_culture',
  'lyr_market',
  'lyr_population',
  'lyr_terrain',
  'lyr_urban',
]
const types: Record<string, string> = {
  ...Object.fromEntries(
    ['frame', 'state', 'lga', 'ward', 'lyr_reserves', ...fills].map((name) => [name, 'MULTIPOLYGON']),
  ),
  ...Object.fromEntries(['lyr_schools', 'lyr_clinics', 'lyr_stalls'].map((name) => [name, 'MULTIPOINT'])),
  lyr_roads: 'MULTILINESTRING',
}
const byText = (one: string, other: string) => (one < other ? -1 : 1)
const names = Object.keys(types).toSorted(byText)
/** The key of a frame is the frame; a unit and a feature have a number. */
const keyOf = (name: string) => (name === 'frame' || fills.includes(name) ? 'frame_id' : 'id')
const isFeatures = (name: string) => name.startsWith('lyr_') && !fills.includes(name)

describe('the layers of schema analyst', () => {
  it('are listed in geometry_columns, each of one type and in WGS 84', async () => {
    const listed = await rows<{ name: string; type: string; srid: number; dimensions: number }>(
      `select f_table_name as name, type, srid, coord_dimension as dimensions from geometry_columns
      where f_table_schema = 'analyst' and f_geometry_column = 'geom' order by f_table_name collate "C"`,
    )
    assert.deepEqual(
      [...listed],
      names.map((name) => ({ name, type: types[name], srid: 4326, dimensions: 2 })),
    )
  })

  for (const name of names) {
    it(`${name} has a unique whole number first, and only geometries of its type`, async () => {
      const [first] = await rows<{ column: string; type: string }>(
        `select attname as column, format_type(atttypid, atttypmod) as type from pg_attribute
        where attrelid = $1::text::regclass and attnum = 1`,
        [`analyst.${name}`],
      )
      assert.deepEqual(first, { column: keyOf(name), type: isFeatures(name) ? 'integer' : 'bigint' })
      const [count] = await rows<{ all: number; ids: number; typed: number }>(
        `select count(*)::int as all, count(distinct ${keyOf(name)})::int as ids,
          count(*) filter (where GeometryType(geom) = $1::text and ST_SRID(geom) = 4326 and ST_IsValid(geom))::int as typed
        from analyst.${name}`,
        [types[name]],
      )
      assert.ok(count && count.all > 0)
      assert.deepEqual(count, { all: count.all, ids: count.all, typed: count.all })
    })

    it(`${name} is read by its GiST index where a box is asked for`, async () => {
      const [row] = await rows<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `explain (format json) select * from analyst.${name} where geom && ST_MakeEnvelope(0.2, 0.1, 0.25, 0.15, 4326)`,
      )
      assert.ok(row)
      const nodes = nodesOf(row['QUERY PLAN'][0].Plan)
      const searched = nodes.filter((node) => node['Index Cond']?.includes('&&'))
      assert.equal(searched.length, 1, JSON.stringify(nodes))
      const large = nodes.filter(
        (node) =>
          node['Node Type'] === 'Seq Scan' &&
          /^(frame|baseline_row|feature|unit_area)$/.test(node['Relation Name'] ?? ''),
      )
      assert.deepEqual(large, [])
      for (const node of nodes.filter((each) => each['Relation Name'] === 'baseline_row')) {
        assert.match(node['Index Cond'] ?? '', /frame_id/, 'only the rows of the frames in the box are read')
      }
    })
  }

  it('show frames with the very land, units, codes and corners that are kept', async () => {
    const [count] = await rows<{ all: number; same: number; area: number }>(
      `select count(*)::int as all, (sum(shown.km2) / sum(ST_Area(frame.geom::geography) / 1e6))::float8 as area,
        count(*) filter (where ST_Equals(shown.geom, frame.geom)
          and (shown.state, shown.state_code, shown.lga, shown.lga_code, shown.ward, shown.ward_code, shown.zone, shown.zone_code)
            is not distinct from (frame.state, frame.state_code, frame.lga, frame.lga_code, frame.ward, frame.ward_code, frame.zone, frame.zone_code)
          and array[min_lon, min_lat, max_lon, max_lat] = array(select json_array_elements_text(frame.bbox::json)::float8))::int as same
      from frame join analyst.frame as shown using (frame_id)`,
    )
    const [frames] = await rows<{ all: number }>('select count(*)::int as all from frame')
    assert.equal(count?.all, frames?.all)
    assert.equal(count?.same, frames?.all)
    assert.ok(Math.abs((count?.area ?? 0) - 1) < 1e-6)
  })

  for (const [level, key] of [
    ['state', 'state'],
    ['lga', 'state, lga'],
    ['ward', 'state, lga, ward'],
  ] as const) {
    it(`give each ${level} the union of its frames: all of them, nothing else, nothing twice`, async () => {
      const units = await rows<{ unit: string; covered: number; frames: number; off: number }>(
        `select unit.id::text as unit, unit.frames::int as frames,
          count(*) filter (where ST_Covers(unit.geom, ST_PointOnSurface(frame.geom)))::int as covered,
          (ST_Area(unit.geom) / sum(ST_Area(frame.geom)) - 1)::float8 as off
        from analyst.${level} as unit join frame using (${key})
        group by unit.id, unit.geom, unit.frames`,
      )
      const [known] = await rows<{ n: number }>(
        `select count(distinct (${key}))::int as n from frame where ${level} is not null`,
      )
      assert.equal(units.length, known?.n)
      for (const { unit, covered, frames, off } of units) {
        assert.equal(covered, frames, `unit ${unit}`)
        assert.ok(Math.abs(off) < 1e-9, `unit ${unit}: ${off}`)
      }
    })
  }

  it('show areas that are stored, on the ellipsoid and to the square metre: no view works one out for each row', async () => {
    const [odd] = await rows<{ n: number }>(
      `select count(*)::int as n from (
        select km2, geom from analyst.frame union all select km2, geom from analyst.state
        union all select km2, geom from analyst.lga union all select km2, geom from analyst.ward
      ) as area where km2 is distinct from round((ST_Area(geom::geography) / 1e6)::numeric, 6)`,
    )
    assert.equal(odd?.n, 0)
    const [working] = await rows<{ n: number }>(
      `select count(*)::int as n from pg_views where schemaname = 'analyst' and definition ~* 'st_area|geography'`,
    )
    assert.equal(working?.n, 0)
  })

  it('show each feature with the frames that it intersects, and with the units of the lowest', async () => {
    for (const name of ['lyr_schools', 'lyr_roads', 'lyr_reserves']) {
      const [count] = await rows<{ all: number; same: number; placed: number }>(
        `select count(*)::int as all, count(*) filter (where cardinality(shown.frame_ids) > 0)::int as placed,
          count(*) filter (where shown.frame_ids = known.ids and (shown.state, shown.lga, shown.ward) is not distinct from (frame.state, frame.lga, frame.ward))::int as same
        from analyst.${name} as shown
        cross join lateral (
          select coalesce(array_agg(frame_id order by frame_id), '{}') as ids
          from feature_frame join dataset using (version) where layer_id = '${name}' and feature_no = shown.id
        ) as known
        left join frame on frame.frame_id = known.ids[1]`,
      )
      assert.ok(count && count.placed > 0)
      assert.deepEqual(count, { ...count, same: count.all })
    }
  })

  it('show every pair of a feature and a frame in feature_frame, with the units of the frame', async () => {
    const [count] = await rows<{ known: number; shown: number; same: number }>(
      `select (select count(*) from feature_frame join dataset using (version))::int as known, count(*)::int as shown,
        count(*) filter (where ST_Intersects(frame.geom, feature.geom) and pair.feature_id = feature.feature_id
          and (pair.state, pair.lga, pair.ward) is not distinct from (frame.state, frame.lga, frame.ward))::int as same
      from analyst.feature_frame as pair
      left join dataset using (layer_id)
      left join feature on feature.version = dataset.version and feature_no = id
      left join frame on frame.frame_id = pair.frame_id`,
    )
    assert.ok(count && count.known > 0)
    assert.deepEqual(count, { known: count.known, shown: count.known, same: count.known })
  })

  it('look a feature up by its number, and its frames by an index, in place of reading all of them', async () => {
    await service().db.transaction(async (run) => {
      // The fixture is so small that reading all of it is cheap.
      for (const way of ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'])
        await run(`set local enable_${way} = off`, [])
      for (const asked of [
        'select frame_ids from analyst.lyr_schools where id = 1',
        `select school.feature_id from analyst.feature_frame as pair join analyst.lyr_schools as school using (id)
        where pair.layer_id = 'lyr_schools' and pair.frame_id = 324378020`,
      ]) {
        const [row] = await run<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (format json) ${asked}`, [])
        assert.ok(row)
        for (const table of ['feature', 'feature_frame']) {
          const read = nodesOf(row['QUERY PLAN'][0].Plan).filter((node) => node['Relation Name'] === table)
          assert.ok(read.length > 0, table)
          for (const node of read) assert.match(node['Index Cond'] ?? '', /feature_no|frame_id/, JSON.stringify(read))
        }
      }
    })
  })

  it('have a catalogue: datasets with their views, and attributes with their columns', async () => {
    const [datasets] = await rows<{ all: number; there: number }>(
      `select count(*)::int as all, count(*) filter (where to_regclass('analyst.' || quote_ident(view_name)) is not null)::int as there
      from analyst.dataset`,
    )
    const [known] = await rows<{ n: number }>('select count(*)::int as n from dataset')
    assert.deepEqual(datasets, { all: known?.n, there: known?.n })
    const [odd] = await rows<{ n: number }>(
      `select count(*)::int as n
      from attribute
      full join analyst.attribute as shown using (layer_id, name)
      left join pg_attribute on attrelid = to_regclass('analyst.' || quote_ident(analyst_name(layer_id))) and attname = shown.column_name
      where attname is null or (attribute.label, attribute.unit, attribute.summary, attribute.weight, attribute.description)
        is distinct from (shown.label, shown.unit, shown.summary, shown.weight, shown.description)`,
    )
    assert.equal(odd?.n, 0)
    const [population] = await rows<object>(
      `select dataset, column_name, label, summary from analyst.attribute where layer_id = 'lyr_population' and name = 'pop_demest26'`,
    )
    assert.deepEqual(
      { ...population },
      { dataset: 'Population', column_name: 'pop_demest26', label: 'Population, 2026 estimate', summary: 'sum' },
    )
  })

  it('show the counts and codes of units as the API lists them', async () => {
    const [odd] = await rows<{ n: number }>(
      `select (select count(*) from ward full join analyst.ward as shown using (state, lga, ward)
          where ward.frames is distinct from shown.frames or ward.ward_code is distinct from shown.ward_code)
        + (select count(*) from lga full join analyst.lga as shown using (state, lga)
          where lga.frames is distinct from shown.frames or lga.lga_code is distinct from shown.lga_code)
        + (select count(*) from state full join analyst.state as shown using (state)
          where state.frames is distinct from shown.frames or (state.state_code, state.zone, state.zone_code)
            is distinct from (shown.state_code, shown.zone, shown.zone_code)) as n`,
    )
    assert.equal(Number(odd?.n), 0)
  })

  it('show every value of a baseline, numbers as numbers, and all as they were stored', async () => {
    const [count] = await rows<{ all: number; same: number; types: string }>(
      `select count(*)::int as all, min(pg_typeof(shown.pop_demest26)::text) as types,
        count(*) filter (where shown.pop_demest26 = (recorded_row.recorded ->> 'pop_demest26')::numeric
          and shown.recorded::text = recorded_row.recorded::text)::int as same
      from analyst.lyr_population as shown
      join baseline as recorded_row on recorded_row.frame_id = shown.frame_id and recorded_row.layer_id = 'lyr_population'`,
    )
    const [items] = await rows<{ n: number }>(`select items::int as n from dataset where layer_id = 'lyr_population'`)
    assert.deepEqual(count, { all: items?.n, same: items?.n, types: 'numeric' })
  })
})

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

/** What QGIS sends, in the order it sends it, as its sources and logs show. */
describe('QGIS', () => {
  let client: pg.Client
  before(async () => {
    const target = analystTarget(service().database)
    client = new pg.Client(typeof target === 'string' ? { connectionString: target } : target)
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
    // As an analyst there is nothing else to choose from; the embedded database has one user, who sees the tables too.
    if (onPostgres) assert.equal(found.length, layers.length)
  })

  it('takes the first column of a view for its key', async () => {
    const columns = await ask(
      `SELECT attname FROM pg_attribute JOIN pg_type ON atttypid=pg_type.oid
      WHERE attrelid='"analyst"."lyr_population"'::regclass AND attnum>0 AND NOT attisdropped AND typname NOT IN ('geometry','geography') ORDER BY attnum`,
    )
    assert.equal(columns[0]?.['attname'], 'frame_id')
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

  it('asks for the extent and the count of a layer, and for one feature by its key', async () => {
    const [extent] = await ask(`SELECT st_extent("geom") AS box FROM "analyst"."state"`)
    assert.match(String(extent?.['box']), /^BOX\(/)
    const [feature] = await ask(`SELECT "frame_id","state" FROM "analyst"."frame" WHERE "frame_id"=324378020`)
    assert.equal(feature?.['state'], 'MAREMBE')
  })
})
