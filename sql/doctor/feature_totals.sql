-- feature_totals: totals of features that differ from those of their frames.
--   $1 percent  float8  of the wards and blocks, looked at; 100 for all units
--   $2 seed     int     draws them, with one state and one area: another one draws others
--   $3 largest  int     frames in such a state or area, at most
-- index: feature_pkey
with asked as (  -- the units looked at
  select unit_id from unit
  where $1::float8 >= 100 or level in ('ward', 'block') and abs(hashint8extended(unit_id, $2::int) % 10000) < 100 * $1::float8
  union
  select unit_id from (
    select distinct on (level) unit_id from unit
    where level in ('state', 'lga') and frames <= $3::int
    order by level, hashint8extended(unit_id, $2::int)
  ) as drawn
), member as materialized (  -- one row per frame and unit looked at
  select frame.frame_id, frame.geom, within.unit_id
  from frame
  left join unit as home on home.state = frame.state and home.lga = frame.lga and coalesce(home.ward, '') = coalesce(frame.ward, '')
  cross join lateral unnest(coalesce(home.within, '{0}')
    || (10000000 + block_at((ST_XMin(geom) + ST_XMax(geom)) / 2, (ST_YMin(geom) + ST_YMax(geom)) / 2))) as within (unit_id)
  join asked on asked.unit_id = within.unit_id
  where exists (select from dataset where kind <> 'frames')
), pair as materialized (  -- one row per feature and frame, with the length or area of the part inside
  select dataset.layer_id, dataset.version, dataset.kind, pair.frame_id, pair.feature_no,
    case kind
      when 'lines' then round((ST_Length(ST_CollectionExtract(ST_Intersection(feature.geom, frame.geom), 2)::geography) / 1e3)::numeric, 6)
      when 'polygons' then round((ST_Area(ST_CollectionExtract(ST_Intersection(feature.geom, frame.geom), 3)::geography) / 1e6)::numeric, 6)
    end as extent
  from dataset
  cross join (select distinct frame_id, geom from member) as frame
  join feature_frame as pair on pair.version = dataset.version and pair.frame_id = frame.frame_id
  join feature on feature.version = pair.version and feature.feature_no = pair.feature_no
  where dataset.kind <> 'frames'
), summed as (  -- one row per dataset and unit; each part is rounded to a millionth of a km or km²
  select pair.layer_id, pair.version, pair.kind, member.unit_id, count(distinct pair.feature_no) as features, count(distinct pair.frame_id) as recorded,
    sum(pair.extent) as extent, count(*) * 0.000001 as slack
  from pair
  join member using (frame_id)
  group by pair.layer_id, pair.version, pair.kind, member.unit_id
), stored as (  -- the same as table unit_total has it
  select dataset.layer_id, dataset.version, unit_id, max(number) filter (where attribute = 'features') as features,
    max(recorded) filter (where attribute = 'features') as recorded, max(number) filter (where attribute <> 'features') as extent
  from unit_total
  join dataset using (version)
  join asked using (unit_id)
  where dataset.kind <> 'frames'
  group by dataset.layer_id, dataset.version, unit_id
), differing as (  -- the totals that differ; a line on the edge of two frames lies in both, and counts in one
  select layer_id from summed full join stored using (layer_id, version, unit_id)
  where summed.features is distinct from stored.features or summed.recorded is distinct from stored.recorded
    or case kind
      when 'lines' then stored.extent is null or stored.extent not between summed.extent / 2 - slack and summed.extent + slack
      when 'polygons' then stored.extent is null or abs(summed.extent - stored.extent) > slack
    end
)
select 'wrong' as severity, 'Totals of ' || layer_id || ' that differ from their frames: ' || count(*) || '.' as what,
  format(E'begin;\nselect totals_keep(%L);\nupdate index_generation set generation = generation + 1;\ncommit;', layer_id) as fix
from differing
group by layer_id
order by layer_id
