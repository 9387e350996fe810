-- feature_bits: the features of a dataset that lie on some frames, as bits.
--   layer                     the dataset
--   frame_chunks, frame_bits  the frames
-- All frames have all features that are on any. Few frames find their features; of many, each feature looks for its frames.
create or replace function feature_bits(layer text, frame_chunks int[], frame_bits bit varying[]) returns table (chunk int, bits bit varying)
  language plpgsql stable as $$
#variable_conflict use_column
declare
  served dataset;
  asked bigint := (select sum(bit_count(each.bits)) from unnest(frame_bits) as each (bits));
  found int[];
begin
  select * into served from dataset where layer_id = layer;
  if asked = things_total('frames') then
    found := array(select distinct feature_no - 1 from feature_frame where version = served.version);
  elsif asked < 5000 then
    found := array(
      select distinct pair.feature_no - 1
      from (
        select cell.frame_id::bigint as frame_id
        from unnest(frame_chunks, frame_bits) as asked (chunk, bits)
        join value_array as ids on ids.version = 0 and ids.name = 'frame_id' and ids.chunk = asked.chunk
        cross join lateral unnest(ids.numbers, string_to_array(asked.bits::text, null)) as cell (frame_id, bit)
        where cell.bit = '1'
        offset 0
      ) as frame
      join feature_frame as pair on pair.version = served.version and pair.frame_id = frame.frame_id
    );
  else
    found := array(
      select distinct pair.feature_no - 1
      from feature_frame as pair
      join unnest(frame_chunks, frame_bits) as asked (chunk, bits) on asked.chunk = pair.number / 1024
      where pair.version = served.version and get_bit(asked.bits, pair.number % 1024) = 1
    );
  end if;
  return query select made.chunk, made.bits from bits_of_numbers(found, served.items::int) as made;
end $$;
comment on function feature_bits(text, int[], bit varying[]) is 'The features of a dataset that lie on some frames, as bits.';
