-- classes_of_features: the classes of a baseline on the frames where features of a set lie, with their extents.
--   layer         the dataset
--   chunks, bits  the features
--   frame_chunks, frame_bits  the frames of a place
--   subject       {"of": the baseline, "name": its category}
-- A class is null where frames have none. The extent of a feature in a class is in km or km².
create or replace function classes_of_features(layer text, chunks int[], bits bit varying[], frame_chunks int[], frame_bits bit varying[], subject jsonb) returns table (n int, class text, extent numeric)
  language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
  with pair as materialized (  -- the features with their frames
    select found.n, found.number, found.extent from features_on_frames(layer, chunks, bits, frame_chunks, frame_bits) as found
  )
  select pair.n, kept.texts[pair.number % 1024 + 1], round(sum(pair.extent)::numeric / 1000000, 6)
  from pair
  left join values_of_things('frames', array(select distinct number / 1024 from pair), subject) as kept on kept.chunk = pair.number / 1024
  group by 1, 2;
end $$;
comment on function classes_of_features(text, int[], bit varying[], int[], bit varying[], jsonb) is 'The classes of a baseline on the frames where features of a set lie.';
