-- homes_of_units: the states, areas and wards that lie in some units, or are one of them: frames have their home there.
--   units  null for none
create or replace function homes_of_units(units bigint[]) returns bigint[]
  language sql stable as $$
  select array_agg(unit_id) from unit where within && units and level <> 'block'
$$;
comment on function homes_of_units(bigint[]) is 'The units that lie in some units, or are one of them.';
