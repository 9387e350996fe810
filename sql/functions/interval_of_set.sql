-- interval_of_set: between which bounds the total of a modelled attribute lies, over a set of frames; no row where it has none.
--   frames     a frame_set
--   layer      the baseline
--   attribute  one that has bounds or draws
-- One frame has the bounds that its row has. Without draws, a sum has no interval: bounds of single frames cannot be added up.
create or replace function interval_of_set(frames text[], layer text, attribute text, out lower numeric, out upper numeric, out draws int)
  returns setof record
  language plpgsql stable parallel safe as $$
#variable_conflict use_column
declare
  served bigint := (select version from dataset where layer_id = layer);
  subject text := attribute;
  added numeric[] := draws_of_set(frames, layer, attribute);
  ids bigint[];
begin
  if added is not null then
    return query select bound.lower, bound.upper, cardinality(added) from draws_interval(added) as bound;
  elsif frames[1] is distinct from 'unit' then
    ids := frame_set(frames);
    return query
      select kept.lower, kept.upper, null::int
      from frame_interval as kept
      where kept.version = served and kept.attribute = subject and kept.frame_id = ids[1] and cardinality(ids) = 1;
  end if;
end $$;
comment on function interval_of_set(text[], text, text) is
  'Between which bounds the total of a modelled attribute lies over a set of frames: its 95 % interval where the dataset has draws.';
