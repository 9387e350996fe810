-- units_in: the units of a level inside the unit that a place names, or this unit itself.
--   place  a frame_set: {unit,marembe}
--   level  state, lga or ward; null for the unit of the place
-- PostgreSQL puts this body in the place of a call (one select, stable, not strict), so it plans with the index of names.
create or replace function units_in(place text[], level text)
  returns table (unit_id bigint, state text, lga text, ward text, frames bigint, km2 numeric, first_number int, last_number int)
  language sql stable parallel safe as $$
  select unit.unit_id, unit.state, unit.lga, unit.ward, unit.frames, unit.km2, unit.first_number, unit.last_number
  from unit
  where unit.level = coalesce(units_in.level, (array['country', 'state', 'lga', 'ward'])[cardinality(place)])
    and (place[2] is null or unit.state = fold_name(place[2]))
    and (place[3] is null or unit.lga = fold_name(place[3]))
    and (place[4] is null or unit.ward = fold_name(place[4]))
$$;
comment on function units_in(text[], text) is 'The units of a level inside the unit that a place names, or this unit itself.';
