-- records_of_features: features on frames, up to a number of each dataset, by the place of the frame and by id.
--   $1 ids     bigint[]  frame ids, each once
--   $2 layers  text[]    feature datasets
--   $3 most    int       features of one dataset, over all frames
-- index: feature_frame_pkey, feature_pkey
-- budget: buffers <= 10 + 5 * ids * layers + 4 * rows, rows read <= 120 + ids * layers + 3 * rows
-- example: '{322074005,322074006}', '{lyr_schools,lyr_roads}', 200
-- A frame whose features are not all there has one more row, without a feature.
-- null together: id, geometry, properties
with asked as (  -- one row for each id, with its place among $1
  select frame_id, place
  from unnest($1::bigint[]) with ordinality as id (frame_id, place)
), layer as materialized (  -- one row for each dataset that exists, with its place among $2
  select dataset.version, given.place
  from unnest($2::text[]) with ordinality as given (layer_id, place)
  join dataset using (layer_id)
  order by given.place
), counted as (  -- the features of each dataset, numbered, on each frame one more than are answered
  select layer.place as layer, asked.place, layer.version, found.feature_no,
    row_number() over (partition by layer.place order by asked.place, found.feature_no) as number
  from layer
  cross join asked
  cross join lateral (
    select feature_no
    from feature_frame
    where feature_frame.version = layer.version and feature_frame.frame_id = asked.frame_id
    order by feature_no
    limit $3::int + 1
  ) as found
)
select counted.place::int as place, counted.layer::int as layer, counted.number::int as number,
  feature.feature_id as id, feature.geojson as geometry, feature.properties::text as properties
from counted
join feature using (version, feature_no)
where number <= $3::int
union all
select counted.place::int as place, counted.layer::int as layer, min(counted.number)::int as number,
  null as id, null as geometry, null as properties
from counted
where number > $3::int
group by counted.layer, counted.place
order by layer, number
