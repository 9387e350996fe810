-- analyst_views_follow: points the views that read the frame index to the index in a schema.
--   index_schema  public, or staging just before a switch
-- A view follows its table when the table moves to another schema.
create or replace function analyst_views_follow(index_schema text) returns void
  language plpgsql as $$
begin
  perform analyst_units(index_schema);
  perform analyst_totals(index_schema);
  perform analyst_baseline(layer_id, index_schema) from dataset where kind = 'frames' order by layer_id;
end $$;
comment on function analyst_views_follow(text) is 'Points the views that read the frame index to the one in a schema. A view follows the table it reads when that is moved.';
revoke execute on function analyst_views_follow from public;
