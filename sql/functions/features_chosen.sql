-- features_chosen: the features of a dataset that pass a filter, as one text of bits: the bit of each is at feature_no less 1.
--   layer   the dataset
--   filter  as things_passing reads it
-- Features that lie on no frame are among them: frames have distances to them, too.
create or replace function features_chosen(layer text, filter jsonb) returns bit varying
  language plpgsql stable as $$
#variable_conflict use_column
declare
  total int := things_total(layer);
  every_chunk int[];
  every_bit bit varying[];
begin
  select array_agg(chunk order by chunk), array_agg(bits order by chunk) into every_chunk, every_bit from bits_of_range(0, total - 1, total);
  return (
    select string_agg(each.bits::text, '' order by each.place)::bit varying
    from unnest(things_passing(layer, every_chunk, every_bit, filter, false)) with ordinality as each (bits, place)
  );
end $$;
comment on function features_chosen(text, jsonb) is 'The features of a dataset that pass a filter, as one text of bits.';
