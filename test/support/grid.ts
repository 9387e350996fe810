/** Makes an invented grid in SQL: 65,000 frames with units, datasets, licences, keys and accounts; 260,000 with LONG=1. */
import type { Database } from '../../src/core/db/connect.js'
import { sqlText } from '../../src/core/db/statement.js'
import { sample } from './sample.js'

/** The columns and rows of cells, from 3° east, 4° north. */
export const [COLUMNS, ROWS] = [sample(260, 520), sample(250, 500)]
/** A ward has as many columns and rows: the fewer frames, the smaller its wards, so that there are over 8,000. */
const WARD = sample(3, 5)
const ENTRIES = sample(20_000, 99_000)

/** A state has 87 columns and 84 rows, and an area 18 and 17. A line cuts every 1,009th cell in two. */
const frames = `insert into staging.frame (frame_id, geom, state, state_code, lga, lga_code, ward, ward_code, zone, zone_code)
select row * 36000 + col, geom, state, 'S' || state_no, state || ' LGA ' || lga_no, 'L' || lga_no,
  'WARD ' || ward_no, 'W' || ward_no, 'ZONE ' || state_no % 6, 'Z' || state_no % 6
from generate_series(0, ${COLUMNS * ROWS - 1}) as n
cross join lateral (select 18300 + n % ${COLUMNS} as col, 9400 + n / ${COLUMNS} as row, n % ${COLUMNS} as x, n / ${COLUMNS} as y) as cell
cross join lateral (select x / 87 + y / 84 * 6 as state_no, x % 87 / 18 + y % 84 / 17 * 5 as lga_no) as area
cross join lateral (select 'STATE ' || lpad(state_no::text, 2, '0') as state, x % 87 % 18 / ${WARD} + y % 84 % 17 / ${WARD} * ${Math.ceil(18 / WARD)} as ward_no) as unit
cross join lateral (select ST_MakeEnvelope(col / 100.0 - 180, row / 100.0 - 90, (col + 1) / 100.0 - 180, (row + 1) / 100.0 - 90, 4326) as cell) as whole
cross join lateral (
  select case
    when n % 1009 > 0 then ST_ForcePolygonCCW(cell)
    else ST_ReducePrecision(ST_ForcePolygonCCW(ST_Difference(cell, ST_Buffer(ST_MakeLine(
      ST_MakePoint(col / 100.0 - 180.01, row / 100.0 - 89.995), ST_MakePoint(col / 100.0 - 179.98, row / 100.0 - 89.996))::geometry(LineString, 4326), 0.001))), 1e-7)
  end as geom
) as shape
order by geom`

const organisations = `insert into organisation (org_id, name, plan)
select 'org_' || lpad(n::text, 12, '0'), 'Organisation ' || n, 'trial' from generate_series(1, 1000) as n;
insert into credit_entry (org_id, request_id, kind, ref, credits)
select org_id, 'opening', 'top_up', '', 200 from organisation
union all
select 'org_' || lpad((1 + n % 1000)::text, 12, '0'), 'request ' || n, 'dataset', 'lyr_' || n % 7, -1 from generate_series(1, ${ENTRIES}) as n
union all
select 'org_' || lpad((1 + n % 1000)::text, 12, '0'), 'request ' || n, 'refund', 'lyr_' || n % 7, 1 from generate_series(100, ${ENTRIES}, 100) as n;
insert into account (org_id, balance) select org_id, sum(credits) from credit_entry group by org_id;
insert into api_key (key_id, org_id, secret_hash, last_four, name, capabilities, created_at, expires_at)
select 'key_' || lpad(n::text, 12, '0'), 'org_' || lpad((1 + n % 1000)::text, 12, '0'), sha256(n::text::bytea), '0000', 'key ' || n,
  array['frame.read', 'feature.read', 'ask.query'], clock_timestamp(), clock_timestamp() + interval '300 days'
from generate_series(1, 20000) as n;
insert into paid_walk (org_id, key_id, walk, request_id, paid_at)
select org_id, key_id, 'walk', 'request', clock_timestamp() from api_key`

/** The catalogue has 100 datasets: six baselines of ten attributes, three feature datasets, and others without rows. */
const catalogue = `insert into dataset (layer_id, org_id, name, category, kind, version, items)
select 'lyr_' || n, 'org_' || lpad((1 + n % 5)::text, 12, '0'), 'Dataset ' || n, 'Physical',
  case when n in (7, 8, 9) then 'points' else 'frames' end, n, case n when 7 then 20000 when 8 then 600 when 9 then 500 else 0 end
from generate_series(1, 100) as n;
insert into licence (layer_id, org_id, price)
select 'lyr_' || layer, case when holder > 0 then 'org_' || lpad(holder::text, 12, '0') end, null
from generate_series(1, 100) as layer, generate_series(0, 19) as holder
where holder > 0 or layer < 50;
insert into attribute (layer_id, name, place, label, type, summary, synonyms)
select layer_id, 'attribute_' || place, place, 'Attribute ' || place || ' of ' || name, case when place < 6 then 'number' else 'category' end,
  case when place < 6 then 'sum' else 'mode' end, array['thing ' || place]
from dataset, generate_series(1, 10) as place where kind = 'frames'`

/** The baselines record every third frame. */
const baselines = `insert into baseline_row (version, frame_id, recorded)
select version, frame_id, ('{"attribute_1":"' || frame_id % 9973 || '","attribute_2":"' || frame_id % 97 / 10.0 || '","attribute_6":"class ' || frame_id % 5 || '"}')::json
from generate_series(1, 6) as version, (select frame_id from frame where frame_id % 3 = 1 order by frame_id) as frame`

/** The features are 20,000 points spread over the country, 600 on one frame, and 500 lines of a tenth of a degree. */
const features = `insert into feature (version, feature_no, feature_id, geom, properties)
select 7, n, n::text, ST_SetSRID(ST_MakePoint(3 + n::bigint * 7919 % 20000 * ${COLUMNS / 100} / 20000, 4 + n::bigint * 104729 % 19997 * ${ROWS / 100} / 19997), 4326), '{"name":"point"}'::json
from generate_series(1, 20000) as n
union all
select 8, n, n::text, ST_SetSRID(ST_MakePoint(5.001 + n % 25 * 0.0003, 6.001 + n / 25 * 0.0003), 4326), '{"name":"crowd"}'::json
from generate_series(1, 600) as n
union all
select 9, n, n::text, ST_SetSRID(ST_MakeLine(
    ST_MakePoint(3.003 + n % 50 * ${COLUMNS / 5200}, 4.003 + n / 50 * ${ROWS / 1042}),
    ST_MakePoint(3.103 + n % 50 * ${COLUMNS / 5200}, 4.004 + n / 50 * ${ROWS / 1042})), 4326), '{"name":"line"}'::json
from generate_series(1, 500) as n;
insert into feature_frame (version, frame_id, feature_no)
select version, frame_id, feature_no from feature join frame on ST_Intersects(frame.geom, feature.geom) order by 1, 2, 3`

/** Each unit has the box of its frames: tiles read it, and to unite the frames takes as long as all else. */
const unitArea = `insert into staging.unit_area (unit_id, state, lga, ward, geom)
select row_number() over (order by state, lga nulls first, ward nulls first), state, lga, ward, ST_Multi(ST_SetSRID(ST_Extent(geom)::geometry, 4326))
from staging.frame
group by grouping sets ((state), (state, lga), (state, lga, ward))`

const inStaging = (...calls: string[]) =>
  [sqlText('session/in_staging'), ...calls.map((call) => `select ${call}`)].join(';\n')
const index = [
  'select staging_open()',
  frames,
  inStaging('unit_counts_keep()', `derived_keep('frame_run')`),
  unitArea,
  inStaging(
    `derived_keep('unit')`,
    `derived_keep('frame_unit')`,
    `derived_keep('frame_order')`,
    `arrays_keep('frames')`,
  ),
  'select staging_index(name) from unnest(index_tables()) as name',
  `select staging_switch('a generated grid')`,
  'select staging_close()',
]

const totals = 'select totals_keep(layer_id) from dataset where version < 10'

/** An attribute has 39 draws, the fewest that have an interval. */
const intervals = `update attribute set draws = 'draws' where layer_id = 'lyr_1' and name = 'attribute_1';
insert into frame_interval (version, attribute, frame_id, lower, upper, draws)
select 1, 'attribute_1', frame_id, 1, 2, array_fill(1, '{39}') from baseline_row where version = 1 order by frame_id;
insert into unit_interval (version, attribute, unit_id, lower, upper, draws)
select 1, 'attribute_1', unit_id, 1, 2, array_fill(1, '{39}') from unit order by unit_id`

/** Needs a database that is migrated and empty. Vacuums it: a statement then costs the same in every run. */
export async function makeGrid(db: Database): Promise<void> {
  for (const step of [...index, organisations, catalogue, baselines, features, totals, intervals, 'vacuum analyze'])
    await db.work(step)
}
