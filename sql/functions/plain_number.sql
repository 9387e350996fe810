-- plain_number: the number that a value is written as, or null.
--   value  as the dataset has it
-- Null stands for a value that is no plain decimal, such as 007, 1,000 or n/a.
create or replace function plain_number(value text) returns numeric
  language sql immutable parallel safe
  return case
    when btrim(value) ~ '^[+-]?(0|[1-9]\d{0,29})(\.\d{1,30})?([eE][+-]?\d{1,2})?$' then btrim(value)::numeric
  end;
comment on function plain_number(text) is 'The number that a value is written as; null for one that is not a plain decimal, such as 007, 1,000 or n/a.';
