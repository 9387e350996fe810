-- analyst_taken: names that no attribute or property gets for its column: those of the view itself and of other keys.
--   kind  frames, or another kind of dataset for features
create or replace function analyst_taken(kind text) returns text[]
  language sql immutable strict parallel safe
  return analyst_own_columns(kind) || case kind when 'frames' then array['recorded', 'id'] else array['properties', 'frame_id'] end;
comment on function analyst_taken(text) is
  'Names that no attribute or property gets for its column in a view of that kind of dataset: those of the view, and those of other keys.';
