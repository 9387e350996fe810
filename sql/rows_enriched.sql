-- rows_enriched: the place of each row of a table, and its columns; no row without one.
--   $1 lons    float8[]
--   $2 lats    float8[]
--   $3 ids     bigint[]
--   $4 states  text[]
--   $5 lgas    text[]
--   $6 wards   text[]
--   $7 layers  text[]
--   $8 names   text[]
--   $9 levels  text[]
-- index: frame_geom_idx, frame_pkey, unit_once, baseline_row_pkey, feature_frame_pkey, unit_total_pkey
-- budget: buffers <= 60 + 12 * lons + 16 * lons * layers, rows read <= 600 + 20 * lons
-- example: '{0.2}', '{0.1}', '{}', '{}', '{}', '{}', '{lyr_population}', '{pop_demest26}', '{}'
-- null: frame, stateCode, lga, lgaCode, ward, wardCode, zone, zoneCode, told
-- A row has a point, or else an id, or a unit: the lists of the others may be empty. A column names an attribute as
-- profile does; its level is that of the unit around the row, or null for the row itself. On a frame the value of a
-- baseline is the whole record: one visit for all attributes, which JavaScript takes apart in a fifth of the time.
-- A built index has the cell in the id of a frame: the primary key finds a point in a fifth of the time that the index
-- of shapes takes, which finds what is left. Frames share no land: one with the point inside is the only one.
with asked as materialized (  -- one row for each row of the table
  select given.*, ST_SetSRID(ST_MakePoint(lon, lat), 4326) as point, (floor((lat + 90) * 100) * 36000 + floor((lon + 180) * 100))::bigint as cell
  from unnest($1::float8[], $2::float8[], $3::bigint[], $4::text[], $5::text[], $6::text[])
    with ordinality as given (lon, lat, frame_id, state, lga, ward, place)
), wanted as materialized (  -- one row for each column
  select given.place as number, given.level, dataset.version, dataset.kind, given.name, listed.summary
  from unnest($7::text[], $8::text[], $9::text[]) with ordinality as given (layer_id, name, level, place)
  left join dataset using (layer_id)
  left join figures_listed(array(select distinct unnest($7::text[]))) as listed on listed.version = dataset.version and listed.name = given.name
), found as materialized (  -- the frame or the unit of each row
  select asked.place, frame.frame_id, frame.state, frame.state_code, frame.lga, frame.lga_code, frame.ward, frame.ward_code, frame.zone, frame.zone_code
  from asked
  cross join lateral (
    (select * from frame where frame.frame_id = asked.cell and ST_Contains(frame.geom, asked.point) limit 1)
    union all
    -- "offset 0" keeps the planner from walking the primary key; of the frames at an edge, the lowest id answers
    (select * from (select * from frame where ST_Covers(frame.geom, asked.point) offset 0) as covering order by frame_id limit 1)
    limit 1
  ) as frame
  where asked.lon is not null
  union all
  select asked.place, frame.frame_id, frame.state, frame.state_code, frame.lga, frame.lga_code, frame.ward, frame.ward_code, frame.zone, frame.zone_code
  from asked
  cross join lateral (select * from frame where frame.frame_id = asked.frame_id limit 1) as frame
  union all
  select asked.place, null, unit.state, null, unit.lga, null, unit.ward, null, null, null
  from asked
  cross join lateral (
    -- "limit 1" keeps to one visit of the index for each row
    select unit.state, unit.lga, unit.ward
    from unit
    where unit.level = case when asked.ward is not null then 'ward' when asked.lga is not null then 'lga' else 'state' end
      and coalesce(unit.state, '') = fold_name(asked.state) and coalesce(unit.lga, '') = coalesce(fold_name(asked.lga), '')
      and coalesce(unit.ward, '') = coalesce(fold_name(asked.ward), '') and coalesce(unit.block, -1) = -1
    limit 1
  ) as unit
  where asked.state is not null
)
select
  found.place::int as place, found.frame_id::text as frame,
  found.state as state, found.state_code as "stateCode", found.lga as lga, found.lga_code as "lgaCode",
  found.ward as ward, found.ward_code as "wardCode", found.zone as zone, found.zone_code as "zoneCode",
  (
    select json_agg(
      case
        when found.frame_id is not null and wanted.level is null and wanted.kind = 'frames' then (
          select recorded from baseline_row
          where baseline_row.version = wanted.version and baseline_row.frame_id = found.frame_id
          limit 1
        )
        when found.frame_id is not null and wanted.level is null then (
          -- millimetres, or square metres
          select to_json(case wanted.summary when 'count' then count(*)::text else rounded(coalesce(sum(extent), 0)::numeric / 1000000, 2)::text end)
          from feature_frame
          where feature_frame.version = wanted.version and feature_frame.frame_id = found.frame_id
        )
        else (
          select to_json(coalesce(
            total.class,
            rounded(total.number, 2)::text,
            case when wanted.summary in ('count', 'length', 'area') then '0' end
          ))
          from unit
          left join unit_total as total on total.version = wanted.version and total.attribute = wanted.name and total.unit_id = unit.unit_id
          where unit.level = coalesce(wanted.level, case when found.ward is not null then 'ward' when found.lga is not null then 'lga' else 'state' end)
            and coalesce(unit.state, '') = found.state
            and coalesce(unit.lga, '') = case when wanted.level = 'state' then '' else coalesce(found.lga, '') end
            and coalesce(unit.ward, '') = case when wanted.level in ('state', 'lga') then '' else coalesce(found.ward, '') end
            and coalesce(unit.block, -1) = -1
        )
      end
      order by wanted.number
    )::text
    from wanted
  ) as told
from found
