-- things_where: the frames of a place that pass a filter, or the features on its frames that do, as bits.
--   things  frames, or a dataset of features
--   place   a frame_set
--   filter  as things_passing reads it; {"all": []} lets everything pass
-- Answers no chunk in which nothing passes.
create or replace function things_where(things text, place text[], filter jsonb) returns table (chunk int, bits bit varying)
  language plpgsql stable as $$
#variable_conflict use_column
declare
  asked_chunks int[];
  asked_bits bit varying[];
begin
  select array_agg(chunk order by chunk), array_agg(bits order by chunk) into asked_chunks, asked_bits from frame_bits(place);
  if things <> 'frames' then
    select array_agg(chunk order by chunk), array_agg(bits order by chunk) into asked_chunks, asked_bits
    from feature_bits(things, asked_chunks, asked_bits);
  end if;
  return query
  select found.chunk, found.bits
  from unnest(asked_chunks, things_passing(things, asked_chunks, asked_bits, filter, false)) as found (chunk, bits)
  where bit_count(found.bits) > 0;
end $$;
comment on function things_where(text, text[], jsonb) is 'The frames of a place, or the features on them, that pass a filter, as bits.';
