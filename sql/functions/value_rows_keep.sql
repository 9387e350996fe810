-- value_rows_keep: keeps the values of each row of a baseline, as value_row_rows defines them, unless its version has them.
--   layer  the dataset
create or replace function value_rows_keep(layer text) returns void
  language plpgsql as $$
begin
  if not exists (select from value_row where version = (select version from dataset where layer_id = layer)) then
    insert into value_row (version, frame_id, numbers, texts) select version, frame_id, numbers, texts from value_row_rows(layer, null);
  end if;
end $$;
comment on function value_rows_keep(text) is 'Keeps the values of each row of a baseline, unless its version has them: views and arrays are made of them.';
revoke execute on function value_rows_keep from public;
