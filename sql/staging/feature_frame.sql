-- feature_frame: finds the staged frames that the features being served intersect, edges included.
insert into staging.feature_frame (version, frame_id, feature_no)
select feature.version, frame.frame_id, feature.feature_no
from feature
join dataset using (version)
join staging.frame on ST_Intersects(frame.geom, feature.geom)
