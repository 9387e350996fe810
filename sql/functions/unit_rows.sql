-- unit_rows: what table unit has: the country, its states, areas, wards and blocks, with the frames and the land of each.
-- The units of names have the numbers of unit_area. Each is one range of frame_order: the frames that have it as their
-- lowest unit, and then those of the units in it, whose numbers follow its own.
create or replace function unit_rows()
  returns table (unit_id bigint, level text, state text, lga text, ward text, block bigint, frames bigint, within bigint[], km2 numeric, first_number int, last_number int)
  language sql stable as $$
  with placed as (  -- one row for each block
    select block, count(*) as frames, sum(area_km2) as km2
    from (
      select area_km2, block_at((ST_XMin(geom) + ST_XMax(geom)) / 2, (ST_YMin(geom) + ST_YMax(geom)) / 2) as block from frame
    ) as located
    group by block
  ), land as (  -- one row for each state, each area and each ward
    select state, lga, ward, sum(frames)::bigint as frames, sum(km2) as km2, grouping(lga, ward) as above
    -- one row for each ward first, as in unit_counts
    from (select state, lga, ward, count(*) as frames, sum(area_km2) as km2 from frame group by state, lga, ward offset 0) as counted
    group by grouping sets ((state), (state, lga), (state, lga, ward))
  ), ranged as (  -- one row for each unit of names, with the frames of those before it
    select area.unit_id, coalesce(sum(own.frames) over (order by area.unit_id rows between unbounded preceding and 1 preceding), 0)::int as first_number
    from unit_area as area
    left join land as own
      on own.above = 0 and own.state = area.state and own.lga = area.lga and coalesce(own.ward, '') = coalesce(area.ward, '')
  )
  select 0, 'country', null, null, null, null::bigint, coalesce(sum(frames), 0)::bigint, '{0}'::bigint[], coalesce(sum(km2), 0), 0, sum(frames)::int - 1 from placed
  union all
  select
    area.unit_id, case when area.ward is not null then 'ward' when area.lga is not null then 'lga' else 'state' end,
    area.state, area.lga, area.ward, null, land.frames,
    array_remove(array[0, whole_state.unit_id, whole_lga.unit_id, case when area.ward is not null then area.unit_id end], null), land.km2,
    ranged.first_number, ranged.first_number + land.frames::int - 1
  from unit_area as area
  join ranged using (unit_id)
  join unit_area as whole_state on whole_state.state = area.state and whole_state.lga is null
  left join unit_area as whole_lga on whole_lga.state = area.state and whole_lga.lga = area.lga and whole_lga.ward is null
  left join land
    on land.above = case when area.ward is not null then 0 when area.lga is not null then 1 else 3 end
    and land.state = area.state and coalesce(land.lga, '') = coalesce(area.lga, '') and coalesce(land.ward, '') = coalesce(area.ward, '')
  union all
  select 10000000 + block, 'block', null, null, null, block, frames, array[0, 10000000 + block], km2, null, null from placed
  order by 1
$$;
comment on function unit_rows() is 'What table unit has: the units of the frame index, their frames and their land.';
