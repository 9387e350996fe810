-- feature_frame: finds the staged frames that the served features intersect, in the index of staged frames.
insert into feature_frame (version, frame_id, feature_no)
select made.version, made.frame_id, made.feature_no
from dataset
cross join lateral feature_frame_rows(dataset.version) as made
where dataset.kind <> 'frames'
