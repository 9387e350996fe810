-- features_on_frames: the frames of a set on which features of a set lie.
--   layer                      the dataset
--   chunks, bits               the features
--   frame_chunks, frame_bits   the frames
-- One row for each pair, with the extent of the feature inside the frame, as feature_frame has it.
create or replace function features_on_frames(layer text, chunks int[], bits bit varying[], frame_chunks int[], frame_bits bit varying[]) returns table (n int, number int, extent float8)
  language plpgsql stable rows 10000 as $$
#variable_conflict use_column
declare
  served bigint := (select version from dataset where layer_id = layer);
begin
  return query
  select pair.feature_no - 1, pair.number, pair.extent
  from numbers_of_bits(chunks, bits) as feature
  join feature_frame as pair on pair.version = served and pair.feature_no = feature.number + 1
  join unnest(frame_chunks, frame_bits) as held (chunk, bits) on held.chunk = pair.number / 1024 and get_bit(held.bits, pair.number % 1024) = 1;
end $$;
comment on function features_on_frames(text, int[], bit varying[], int[], bit varying[]) is 'The frames of a set on which features of a set lie.';
