-- features_join: finds the frames that the features of a version intersect, edges included.
--   $1 version  bigint
insert into feature_frame (version, frame_id, feature_no)
select feature.version, frame.frame_id, feature.feature_no
from feature
join frame on ST_Intersects(frame.geom, feature.geom)
where feature.version = $1::bigint
