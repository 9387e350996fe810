-- arrays_keep: keeps the values of a dataset as arrays, as value_array_rows defines them.
--   layer  the dataset, or frames for the index itself
-- totals_keep calls it for a dataset, a new index for itself. The arrays of a baseline are made of its rows in value_row.
create or replace function arrays_keep(layer text) returns void
  -- Groups of one sorted input keep its order, and an array has the order of its chunk. The planner expects no rows of a
  -- version that its statistics lack, and would compare each frame with each row: 100,000 rows took minutes.
  language plpgsql set work_mem = '128MB' set jit = off set enable_hashagg = off set enable_nestloop = off as $$
begin
  perform value_rows_keep(layer_id) from dataset where layer_id = layer and kind = 'frames';
  delete from value_array where version = coalesce((select version from dataset where layer_id = layer), 0);
  insert into value_array (version, name, chunk, numbers, texts)
  select version, name, chunk, numbers, texts from value_array_rows(layer, null)
  order by name collate "C", chunk;
end $$;
comment on function arrays_keep(text) is 'Keeps the values of a dataset, or of the index itself, as arrays: figures over any frames read them.';
revoke execute on function arrays_keep from public;
