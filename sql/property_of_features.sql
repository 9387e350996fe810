-- property_of_features: the figures of one property over the features on these frames, each feature counted once.
--   $1 frames    text[]  a frame_set
--   $2 layer     text      a feature dataset
--   $3 property  text
-- index: feature_frame_pkey, feature_pkey
-- budget: buffers <= 100 + 30 * frames, rows read <= 300 + 40 * frames
-- at worst: buffers <= 4000 + 10 * frames, rows read <= 6000
-- example: '{322074005,322074006}', 'lyr_schools', 'pupils'
-- A feature without a name has its id. Exact decimals, and a mean to 2 places.
-- null: total, mean, lowest, lowestName, highest, highestName, classes
-- json: classes { value: string; features: number; names: string[] }[]
with inside as (  -- the features on the frames
  select distinct feature_frame.version, feature_no
  from dataset
  cross join unnest(frame_set($1::text[])) as asked (frame_id)
  join feature_frame on feature_frame.version = dataset.version and feature_frame.frame_id = asked.frame_id
  where dataset.layer_id = $2::text
), valued as materialized (  -- each of them, with its name, its value and the number that the value is
  select feature_no, coalesce(nullif(btrim(readable_json(properties) ->> 'name'), ''), feature_id) as name,
    nullif(btrim(readable_json(properties) ->> $3::text), '') as value, plain_number(readable_json(properties) ->> $3::text) as number
  from inside
  join feature using (version, feature_no)
)
select
  count(*)::int as features,
  count(value)::int as recorded,
  count(number)::int as numbers,
  trim_scale(sum(number))::text as total,
  trim_scale(round(avg(number), 2))::text as mean,
  trim_scale(min(number))::text as lowest,
  (array_agg(name order by number, feature_no) filter (where number is not null))[1] as "lowestName",
  trim_scale(max(number))::text as highest,
  (array_agg(name order by number desc, feature_no) filter (where number is not null))[1] as "highestName",
  (
    select json_agg(json_build_object('value', value, 'features', features, 'names', names) order by features desc, value collate "C")
    from (
      select value, count(*)::int as features, (array_agg(name order by feature_no))[1:10] as names
      from valued where value is not null group by value
    ) as class
  ) as classes
from valued
