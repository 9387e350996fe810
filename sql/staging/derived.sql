-- derived: fills a staged table that is made from others.
--   $1 derived  text  frame_run, unit_area, unit, frame_unit or frame_order
-- example: 'frame_run'
select derived_keep($1::text) as kept
