-- things_passing: those of a set of frames or features that pass a filter.
--   things        frames, or a dataset of features
--   chunks, bits  the set
--   filter        {"all": [...]}, {"any": [...]} or {"not": ...} of filters, or a test as things_tested reads it
--   negated       whether those that do not pass are asked for
-- "Not" goes to the tests: a frame without a value neither passes nor fails one. Each part of "all" looks at what the parts
-- before it left: places come first, since they leave whole chunks unread, and distances last.
create or replace function things_passing(things text, chunks int[], bits bit varying[], filter jsonb, negated boolean) returns bit varying[]
  language plpgsql stable as $$
declare
  part jsonb;
  found bit varying[];
  passing bit varying[];
begin
  if filter ? 'not' then
    return things_passing(things, chunks, bits, filter -> 'not', not negated);
  elsif not filter ?| array['all', 'any'] then
    return things_tested(things, chunks, bits, filter, negated);
  elsif (filter ? 'all') <> negated then
    for part in select each from jsonb_array_elements(coalesce(filter -> 'all', filter -> 'any')) as each order by not each ? 'in', each ? 'near' loop
      bits := things_passing(things, chunks, bits, part, negated);
    end loop;
    return bits;
  end if;
  found := bits_met(chunks, bits, '{}', '{}', false);
  for part in select each from jsonb_array_elements(coalesce(filter -> 'all', filter -> 'any')) as each loop
    passing := things_passing(things, chunks, bits, part, negated);
    found := array(select (one | other)::bit varying from unnest(found, passing) with ordinality as each (one, other, place) order by place);
  end loop;
  return found;
end $$;
comment on function things_passing(text, int[], bit varying[], jsonb, boolean) is 'Those of a set of frames or features that pass a filter.';
