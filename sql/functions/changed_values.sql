-- changed_values: the members of an object that differ from those of another, each with its value before and after.
--   before, after  objects with the same members
create or replace function changed_values(before jsonb, after jsonb) returns jsonb
  language sql immutable parallel safe
  return (
    select coalesce(jsonb_object_agg(key, jsonb_build_object('from', before -> key, 'to', value)), '{}')
    from jsonb_each(after)
    where value is distinct from before -> key
  );
comment on function changed_values(jsonb, jsonb) is 'The members of an object that differ from those of another, each with its value before and after.';
