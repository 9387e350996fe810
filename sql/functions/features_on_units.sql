-- features_on_units: the units on which features of a set lie, with frames of a place.
--   layer          the dataset
--   chunks, bits   the features
--   frame_chunks, frame_bits  the frames of a place
--   firsts, lasts  the range of each unit, in their order
create or replace function features_on_units(layer text, chunks int[], bits bit varying[], frame_chunks int[], frame_bits bit varying[], firsts int[], lasts int[])
  returns table (n int, place int)
  language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
  select distinct pair.n, found.place
  from features_on_frames(layer, chunks, bits, frame_chunks, frame_bits) as pair
  cross join lateral (select width_bucket(pair.number, firsts) as place offset 0) as found
  where pair.number <= lasts[found.place];
end $$;
comment on function features_on_units(text, int[], bit varying[], int[], bit varying[], int[], int[]) is 'The units on which features of a set lie.';
