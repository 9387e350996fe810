-- bits_of_range: the things of a range of numbers as bits, 1,024 to a row.
--   low, high  the first and the last number
--   total      how many things there are
create or replace function bits_of_range(low int, high int, total int) returns table (chunk int, bits bit varying)
  language sql immutable parallel safe as $$
  select chunk, (repeat('0', first) || repeat('1', last - first + 1) || repeat('0', size - last - 1))::bit varying
  from generate_series(low / 1024, high / 1024) as chunk
  cross join lateral (select least(1024, total - chunk * 1024) as size, greatest(low - chunk * 1024, 0) as first) as start
  cross join lateral (select least(high - chunk * 1024, size - 1) as last) as stop
$$;
comment on function bits_of_range(int, int, int) is 'The frames or features of a range of numbers as bits, 1,024 to a row.';
