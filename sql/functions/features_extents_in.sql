-- features_extents_in: the length in km or the area in km² of each feature of a set, inside the frames of a place.
--   layer          a dataset of lines or polygons
--   chunks, bits   the features
--   frame_chunks, frame_bits  the frames of a place
--   firsts, lasts  the range of each unit, in their order; null for all frames of the place together, whose place is null
-- A feature that meets the frames at their edges alone has 0. Land that two polygons cover counts for each.
-- 300,000 pairs of 30,000 roads take 0.3 s of processor time, those of an area of 1,000 frames 4 ms.
create or replace function features_extents_in(layer text, chunks int[], bits bit varying[], frame_chunks int[], frame_bits bit varying[], firsts int[], lasts int[])
  returns table (n int, place int, extent numeric)
  language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
  select pair.n, found.place, round(sum(pair.extent)::numeric / 1000000, 6)
  from features_on_frames(layer, chunks, bits, frame_chunks, frame_bits) as pair
  cross join lateral (select width_bucket(pair.number, firsts) as place offset 0) as found
  where pair.extent is not null and (firsts is null or pair.number <= lasts[found.place])
  group by pair.n, found.place;
end $$;
comment on function features_extents_in(text, int[], bit varying[], int[], bit varying[], int[], int[]) is
  'The length or the area of each feature of a set inside the frames of a place, in all or in each unit.';
