-- feature_frame: finds the staged frames that the served features intersect, edges included.
-- Staged frames have no index yet, so that each frame is searched in the index of features.
-- sql/import/features_join.sql says why "offset 0" is there.
insert into feature_frame (version, frame_id, feature_no)
select crossing.version, frame.frame_id, crossing.feature_no
from frame
cross join lateral (select version, feature_no from feature where ST_Intersects(frame.geom, feature.geom) offset 0) as crossing
join dataset using (version)
