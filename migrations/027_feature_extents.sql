-- Up Migration

-- A figure of chosen lines or polygons adds up what is kept for each pair: to cut 30,000 roads at their frames takes a minute.
-- Pairs know the number of their frame, too: to look up 300,000 in frame_order took ten times as long as all else.

alter table feature_frame add column number int;
alter table feature_frame add column extent float8;
comment on column feature_frame.number is 'frame_order.number of the frame.';
comment on column feature_frame.extent is 'The length of a line inside the frame in whole millimetres, or the area of a polygon in whole square metres; null for a point.';

drop function if exists feature_extents(bigint, text, int[]);
drop function if exists draws_of_frames(bigint[], bigint, text);
drop function if exists feature_frame_rows(bigint);
drop function if exists frames_with_features(text, bit varying, text);
