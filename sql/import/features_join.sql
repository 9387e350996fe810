-- features_join: finds the frames that the features of a version intersect, and measures each inside them.
--   $1 version  bigint
-- example: 1000000
insert into feature_frame (version, frame_id, feature_no, number, extent)
select version, frame_id, feature_no, number, extent from feature_frame_rows($1::bigint)
