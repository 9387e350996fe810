-- totals_made: the totals of a dataset over units, as tables unit_total and block_class keep them, with the spread of its values.
--   layer  the dataset
--   units  those asked for; null for all
create or replace function totals_made(layer text, units bigint[])
  returns table (attribute text, unit_id bigint, number numeric, total numeric, weight numeric, recorded bigint,
    classes text[], class_frames bigint[], lowest numeric, highest numeric, numbers numeric[])
  language plpgsql stable as $$
declare
  served dataset;
begin
  select * into served from dataset where layer_id = layer;
  if served.kind = 'frames' then
    return query select * from totals_of_baseline(layer, units);
  else
    return query select * from totals_of_features(served.version, served.kind, units);
  end if;
end $$;
comment on function totals_made(text, bigint[]) is 'The totals of a dataset over units, with the spread of its values: totals_keep keeps them.';
