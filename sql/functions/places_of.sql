-- places_of: the places that the figure of a measure is rounded to; null for counts and values, which are exact.
--   measure  as function measured reads it
create or replace function places_of(measure jsonb) returns int
  language sql immutable parallel safe
  return case
    when measure ->> 'how' not in ('count', 'min', 'max', 'distinct', 'mode') then 2
    when measure -> 'subject' ? 'extent' or measure -> 'subject' = '{"of": "frames", "name": "geom"}' then 2
  end;
comment on function places_of(jsonb) is 'The places that the figure of a measure is rounded to.';
