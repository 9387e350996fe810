-- homes_of_units: the states, areas and wards that lie in some units, or are one of them: frames have their home there.
--   units  null for none
create or replace function homes_of_units(units bigint[]) returns bigint[]
  language sql stable as $$
  -- a hash of the units is looked into: to compare arrays with thousands of them takes a second
  select array_agg(distinct unit_id) from unit cross join unnest(within) as above where level <> 'block' and above in (select unnest(units))
$$;
comment on function homes_of_units(bigint[]) is 'The units that lie in some units, or are one of them.';
