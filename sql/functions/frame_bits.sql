-- frame_bits: the frames of a place as bits, 1,024 to a row.
--   place  a frame_set
-- A unit is one range of numbers, so that no frame of it is read.
create or replace function frame_bits(place text[]) returns table (chunk int, bits bit varying)
  language plpgsql stable as $$
declare
  total int := things_total('frames');
  ids bigint[];
begin
  if place[1] = 'unit' then
    return query
    select found.chunk, found.bits
    from unit
    cross join lateral bits_of_range(unit.first_number, unit.last_number, total) as found
    where unit.level = (array['country', 'state', 'lga', 'ward'])[cardinality(place)]
      and coalesce(unit.state, '') = coalesce(fold_name(place[2]), '') and coalesce(unit.lga, '') = coalesce(fold_name(place[3]), '')
      and coalesce(unit.ward, '') = coalesce(fold_name(place[4]), '');
    return;
  end if;
  ids := frame_set(place);
  return query
  select found.chunk, found.bits
  from bits_of_numbers(array(select number from frame_order where frame_id = any(ids)), total) as found;
end $$;
comment on function frame_bits(text[]) is 'The frames of a place as bits, 1,024 to a row.';
