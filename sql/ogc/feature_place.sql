-- feature_place: the number of the last feature whose id is the one given, or comes before it.
--   $1 layer  text
--   $2 id     text
-- index: feature_pkey
-- budget: buffers <= 120, rows read <= 120
-- example: 'lyr_schools', 'school_007'
-- Features are numbered as sql/import/features_put.sql does, so halving finds one among a million in 20 steps.
with recursive asked as (  -- what an id is sorted by: numbers come first
  -- "offset 0": else the cast of a constant is computed beforehand, and fails for a word
  select id !~ '^\d{1,18}$' as is_word, case when id ~ '^\d{1,18}$' then id::bigint else 0 end as number
  from (select $2::text as id offset 0) as given
), layer as (  -- the dataset that is served, and its last feature
  select version, (select coalesce(max(feature_no), 0) from feature where feature.version = dataset.version) as features
  from dataset
  where layer_id = $1::text and kind <> 'frames'
), search (low, high) as (  -- the feature is numbered from low to high
  select 0, features from layer
  union all
  select case when found.is_before then middle else low end, case when found.is_before then high else middle - 1 end
  from search
  cross join lateral (select (low + high + 1) / 2 as middle) as halved
  cross join layer
  cross join asked
  cross join lateral (
    select (feature_id !~ '^\d{1,18}$', case when feature_id ~ '^\d{1,18}$' then feature_id::bigint else 0 end, feature_id collate "C")
      <= (asked.is_word, asked.number, $2::text collate "C") as is_before
    from feature
    where feature.version = layer.version and feature_no = middle
  ) as found
  where low < high
)
select low::int as place, coalesce((
    select feature_id = $2::text from feature where feature.version = layer.version and feature_no = low
  ), false) as "isFound"
from search
cross join layer
where low = high
