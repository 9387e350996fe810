-- analyst_own_columns: the columns that the view of every dataset of a kind begins with.
--   kind  frames, or another kind of dataset for features
-- The last column of a view is recorded for baselines and properties for features.
create or replace function analyst_own_columns(kind text) returns text[]
  language sql immutable strict parallel safe
  return case kind
    when 'frames' then array['frame_id', 'geom', 'state', 'lga', 'ward']
    else array['id', 'geom', 'feature_id', 'state', 'lga', 'ward', 'frame_ids']
  end;
comment on function analyst_own_columns(text) is
  'The columns that the view of every dataset of a kind begins with; the last column is recorded for baselines, properties for features.';
