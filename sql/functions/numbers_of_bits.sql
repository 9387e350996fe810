-- numbers_of_bits: the numbers of the frames or features of a set, in order.
--   chunks, bits  the set
create or replace function numbers_of_bits(chunks int[], bits bit varying[]) returns table (number int)
  language sql immutable parallel safe rows 10000 as $$
  select each.chunk * 1024 + (cell.place - 1)::int
  from unnest(chunks, bits) as each (chunk, bits)
  cross join lateral unnest(string_to_array(each.bits::text, null)) with ordinality as cell (bit, place)
  where cell.bit = '1'
$$;
comment on function numbers_of_bits(int[], bit varying[]) is 'The numbers of the frames or features of a set, in order.';
