-- Up Migration

-- Totals add frames up by units: the lowest unit and the block of each frame stand in a table of few pages, so that an
-- import neither reads the frames themselves nor compares names.

create table frame_unit (
  frame_id bigint constraint frame_unit_pkey primary key,
  home_id bigint,
  block_id bigint not null
);
comment on table frame_unit is 'The lowest unit and the block of each frame, in few pages: totals add frames up by them.';
comment on column frame_unit.frame_id is 'The frame.';
comment on column frame_unit.home_id is 'unit.unit_id of its ward, or of its area where it has no ward; null outside the units.';
comment on column frame_unit.block_id is 'unit.unit_id of the block that has the centre of its box.';
comment on index frame_unit_pkey is 'The units of a frame.';
