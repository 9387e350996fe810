-- features_join: finds the frames that the features of a version intersect.
--   $1 version  bigint
-- example: 1000000
insert into feature_frame (version, frame_id, feature_no)
select version, frame_id, feature_no from feature_frame_rows($1::bigint)
