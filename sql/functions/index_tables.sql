-- index_tables: the tables that together are the frame index and change together.
create or replace function index_tables() returns text[]
  language sql immutable parallel safe
  return array['state', 'lga', 'ward', 'frame_run', 'frame', 'feature_frame', 'unit_area', 'unit', 'frame_unit', 'frame_order', 'value_array', 'unit_total', 'block_class', 'block_feature', 'attribute_spread', 'unit_interval'];
comment on function index_tables() is 'The tables that together are the frame index and change together.';
