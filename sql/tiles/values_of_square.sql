-- values_of_square: the frames of a square of 1 degree with values of an attribute, one row for each run of ids.
--   $1 lon        int   its south-west corner
--   $2 lat        int
--   $3 layer      text  null for the frames alone
--   $4 attribute  text  of a baseline; else features are counted
-- index: frame_order_spot_idx, attribute_pkey, value_array_pkey, frame_interval_pkey, feature_frame_pkey
-- budget: buffers <= 450, rows read <= 15000
-- at worst: buffers <= 35000, rows read <= 15000
-- example: 0, 0, 'lyr_population', 'pop_demest26'
-- null: $3, $4
-- json: numbers (number | null)[]
-- json: classes (string | null)[]
-- json: lower (number | null)[]
-- json: upper (number | null)[]
with chosen as materialized (  -- the version of the dataset that is served, and what it records
  select dataset.version, dataset.kind, attribute.type, coalesce(attribute.draws, attribute.lower) is not null as has_interval
  from dataset left join attribute on attribute.layer_id = dataset.layer_id and attribute.name = $4::text
  where dataset.layer_id = $3::text
), placed as materialized (  -- the frames whose inner points lie in the square
  select frame_id, number
  from frame_order
  where spot && ST_MakeEnvelope($1::int, $2::int, $1::int + 1, $2::int + 1, 4326)
    and ST_X(spot) >= $1::int and ST_X(spot) < $1::int + 1 and ST_Y(spot) >= $2::int and ST_Y(spot) < $2::int + 1
), unpacked as materialized (  -- the values of all frames in the arrays of these
  select value_array.chunk * 1024 + cell.place - 1 as number, cell.value::float8 as value, cell.class
  from chosen
  join value_array on value_array.version = chosen.version and value_array.name = $4::text
    and value_array.chunk = any(array(select distinct placed.number / 1024 from placed))
  cross join lateral unnest(value_array.numbers, value_array.texts) with ordinality as cell (value, class, place)
  where chosen.kind = 'frames'
), found as materialized (  -- one row for each frame
  select placed.frame_id, placed.frame_id - row_number() over (order by placed.frame_id) as run,
    case when chosen.kind <> 'frames' then (
      select count(*) from feature_frame where feature_frame.version = chosen.version and feature_frame.frame_id = placed.frame_id
    ) else unpacked.value end as value,
    unpacked.class, bound.lower, bound.upper
  from placed
  left join chosen on true
  left join unpacked using (number)
  left join lateral (
    select lower, upper
    from frame_interval
    where chosen.has_interval and frame_interval.version = chosen.version and frame_interval.attribute = $4::text
      and frame_interval.frame_id = placed.frame_id
    limit 1
  ) as bound on true
)
select
  min(frame_id)::text as first,
  array_agg(value order by frame_id)::float8[] as numbers,
  case when (select type from chosen) = 'category' then array_agg(class order by frame_id) else '{}' end as classes,
  case when (select has_interval from chosen) then array_agg(lower order by frame_id)::float8[] else '{}' end as lower,
  case when (select has_interval from chosen) then array_agg(upper order by frame_id)::float8[] else '{}' end as upper
from found
group by run
order by min(frame_id)
