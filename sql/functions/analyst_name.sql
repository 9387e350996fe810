-- analyst_name: a name that PostgreSQL takes for a table or a column: 63 bytes at most.
--   name  of any length
-- A longer name is cut, and ends in the first 8 digits of its MD5.
create or replace function analyst_name(name text) returns text
  language sql immutable strict parallel safe
  return case
    when octet_length(name) <= 63 then name
    else (select left(name, max(n)) from generate_series(1, 54) as n where octet_length(left(name, n)) <= 54) || '_' || left(md5(name), 8)
  end;
comment on function analyst_name(text) is 'A name as PostgreSQL takes it: one of over 63 bytes is cut, and ends in the beginning of its MD5.';
