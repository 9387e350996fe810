-- features_joined: feature datasets whose rows in feature_frame do not match the frames.
--   $1 percent  float8  of the features' pages, looked at; 100 for all
--   $2 join     text    the statement that joins a version, as an import runs it
-- index: frame_geom_idx, feature_frame_pkey
with asked as materialized (  -- the features on the pages looked at
  select feature.version, feature_no, geom from feature tablesample system ($1::float8) join dataset using (version)
), fault (version, frame_id) as (  -- one row per join that is missing, wrong, or of a row that is gone
  select asked.version, frame.frame_id
  from asked
  join frame on ST_Intersects(frame.geom, asked.geom)
  where not exists (
    select from feature_frame as joined
    where joined.version = asked.version and joined.frame_id = frame.frame_id and joined.feature_no = asked.feature_no
  )
  union all
  select joined.version, joined.frame_id
  from feature_frame as joined
  join dataset using (version)
  left join frame using (frame_id)
  left join feature using (version, feature_no)
  where frame.frame_id is null or feature.version is null
  union all
  select asked.version, frame.frame_id
  from asked
  join feature_frame using (version, feature_no)
  join frame using (frame_id)
  where not ST_Intersects(frame.geom, asked.geom)
)
select 'wrong' as severity,
  'Places where ' || dataset.layer_id || ' is out of step with the frames: ' || count(*) || ', such as frame ' || min(fault.frame_id) || '.' as what,
  format(E'begin;\ndelete from feature_frame where version = %s;\n%s;\nupdate index_generation set generation = generation + 1;\ncommit;',
    dataset.version, replace($2::text, '$1::bigint', dataset.version::text)) as fix
from fault
join dataset using (version)
group by dataset.layer_id, dataset.version
