-- features_join: finds the frames that the features of a version intersect, edges included.
--   $1 version  bigint
-- The planner may not join the two columns itself ("offset 0" keeps it from that): each feature is looked up in the index of frames.
-- The fault: where statistics say that two columns lie apart, as those of an earlier country's features do, PostGIS answers a pointer in
--   place of a selectivity on a PostgreSQL of 32 bits, which PGlite is: "invalid function selectivity: 206024424.000000".
-- Link: postgis/postgis, postgis/gserialized_estimate.c, estimate_join_selectivity: PG_RETURN_FLOAT8(0.0) in a function that returns float8.
-- Gain: an import of features works on the embedded database after a change of country; the plan on PostgreSQL is the same.
-- Delete when PGlite has a PostGIS whose estimate_join_selectivity returns 0.0 itself: then a plain join on ST_Intersects does.
insert into feature_frame (version, frame_id, feature_no)
select feature.version, covering.frame_id, feature.feature_no
from feature
cross join lateral (select frame_id from frame where ST_Intersects(frame.geom, feature.geom) offset 0) as covering
where feature.version = $1::bigint
