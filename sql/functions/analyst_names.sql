-- analyst_names: the views that the program makes in schema analyst.
-- Whatever else is there belongs to others: nothing grants it, replaces it or drops it.
create or replace function analyst_names() returns setof text
  language sql stable as $$
  select unnest(array['attribute', 'dataset', 'feature_frame', 'frame', 'state', 'lga', 'ward', 'state_totals', 'lga_totals', 'ward_totals'])
  union all
  select analyst_name(layer_id) from dataset
$$;
comment on function analyst_names() is 'The views that the program makes in schema analyst. Whatever else is there belongs to others.';
revoke execute on function analyst_names from public;
