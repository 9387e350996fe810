-- feature_frame_rows: what table feature_frame has of a version: the frames that each feature intersects, edges included.
--   served  the version
-- "offset 0" keeps the planner from joining the two columns itself: each feature is searched in the index of frames.
-- Fault: PostGIS returns a pointer instead of a selectivity on a PostgreSQL of 32 bits, which PGlite is. Steps: join
--   two geometry columns whose statistics lie apart, as after a change of country. PostgreSQL refuses the join: "invalid
--   function selectivity: 206024424.000000".
-- Link: postgis/postgis, postgis/gserialized_estimate.c, where estimate_join_selectivity returns PG_RETURN_FLOAT8(0.0).
-- Gain: features can be imported into the embedded database after a change of country. PostgreSQL's plan is the same.
-- Delete it when PGlite has a PostGIS that returns 0.0 there: a plain join on ST_Intersects then does.
create or replace function feature_frame_rows(served bigint) returns table (version bigint, frame_id bigint, feature_no int)
  language sql stable as $$
  select feature.version, covering.frame_id, feature.feature_no
  from feature
  cross join lateral (select frame_id from frame where ST_Intersects(frame.geom, feature.geom) offset 0) as covering
  where feature.version = served
$$;
comment on function feature_frame_rows(bigint) is 'What table feature_frame has of a version: the frames that each feature intersects, edges included.';
