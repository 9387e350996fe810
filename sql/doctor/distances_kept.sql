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
  cross join lateral (  -- a degree has 110 km at least to the north, and to the east as many as at the latitude farthest from the equator
    select (coalesce(kept.metres, 0) + 1) / 110000.0 as north
  ) as reach
  cross join lateral (
    -- beyond 89 degrees, and over the 180th meridian, the box goes around the earth
    select case
      when abs(ST_Y(kept.middle)) + north >= 89 then 360
      when abs(ST_X(kept.middle)) + north / cos(radians(abs(ST_Y(kept.middle)) + north)) >= 180 then 360
      else north / cos(radians(abs(ST_Y(kept.middle)) + north))
    end as east
  ) as wide
  cross join lateral (
    select round(min(ST_Distance(feature.geom::geography, kept.middle::geography))) as metres
    from feature
    where feature.version = kept.features
      and feature.geom && ST_Expand(kept.middle, east, north)
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
