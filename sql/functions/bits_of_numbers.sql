-- bits_of_numbers: a set of things as bits, 1,024 to a row, in the places that value_array gives them.
--   numbers  of frames (frame_order.number) or of features (feature_no less 1)
--   total    how many things there are, with which the last row ends
create or replace function bits_of_numbers(numbers int[], total int) returns table (chunk int, bits bit varying)
  language sql stable parallel safe as $$
  select number / 1024, bit_or(set_bit(blank.bits, number % 1024, 1))::bit varying
  from unnest(numbers) as thing (number)
  cross join lateral (select repeat('0', least(1024, total - number / 1024 * 1024))::bit varying as bits) as blank
  group by number / 1024
$$;
comment on function bits_of_numbers(int[], int) is 'A set of frames or features as bits, 1,024 to a row.';
