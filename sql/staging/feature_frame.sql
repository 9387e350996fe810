-- feature_frame: finds the staged frames that the features being served intersect, edges included.
-- Staged frames have no index yet, so each of them is looked up among the features. Why "offset 0": see sql/import/features_join.sql.
insert into feature_frame (version, frame_id, feature_no)
select crossing.version, frame.frame_id, crossing.feature_no
from frame
cross join lateral (select version, feature_no from feature where ST_Intersects(frame.geom, feature.geom) offset 0) as crossing
join dataset using (version)
