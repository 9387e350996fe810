-- distances_kept: distances of frames to features that are missing, or differ from those that PostGIS measures.
--   $1 percent  float8  of the frames' pages, looked at; 100 for all
-- index: baseline_row_pkey, feature_geom_idx
with asked as materialized (  -- the middles of the frames on the pages looked at
  select frame_id, ST_PointOnSurface(geom) as middle from frame tablesample system ($1::float8)
), kept as (  -- one row per frame and dataset of distances
  select distances.layer_id, distances.version, target.layer_id as target, target.version as features, asked.*, found.metres
  from dataset as distances
  join dataset as target on target.layer_id = distances.distance_to
  cross join asked
  left join lateral (
    select 1000 * plain_number(recorded ->> (substr(target.layer_id, 5) || '_km')) as metres from baseline_row
    where baseline_row.version = distances.version and baseline_row.frame_id = asked.frame_id
    limit 1
  ) as found on true
), differing as (  -- those that differ; a box that reaches as far as the kept distance holds the nearest feature
  select kept.layer_id, kept.version, kept.target, kept.features, kept.frame_id
  from kept
  cross join lateral (
    select round(min(ST_Distance(feature.geom::geography, kept.middle::geography))) as metres
    from feature
    where feature.version = kept.features
      and feature.geom && reach_of(kept.middle, coalesce(kept.metres, 0))
  ) as measured
  where measured.metres is distinct from kept.metres
)
select 'wrong' as severity,
  'Distances to ' || target || ' that differ from its features: ' || count(*) || ', such as of frame ' || min(frame_id) || '.' as what,
  format(
    E'begin;\nselect intake_open();\ndelete from baseline_row where version = %1$s;\nselect distances_put(%2$s, %1$s, %3$L);\nselect classes_keep(%4$L);\nselect totals_keep(%4$L);\nselect staging_close();\nupdate index_generation set generation = generation + 1;\ncommit;',
    version, features, substr(target, 5), layer_id) as fix
from differing
group by layer_id, version, target, features
order by layer_id
