-- feature_frame: finds the staged frames that the served features intersect, in the index of staged frames, and measures each inside them.
insert into feature_frame (version, frame_id, feature_no, number, extent)
select made.version, made.frame_id, made.feature_no, made.number, made.extent
from dataset
cross join lateral feature_frame_rows(dataset.version) as made
where dataset.kind <> 'frames'
