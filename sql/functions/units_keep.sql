-- units_keep: fills table unit with the country, its states, areas, wards and blocks, with the frames and the land of each.
-- frame_units_keep then places the frames. Tables have no schema here: a new index calls it in schema staging, where
-- unit_area has its numbers already.
create or replace function units_keep() returns void
  language plpgsql as $$
begin
  delete from unit;
  insert into unit (unit_id, level, state, lga, ward, block, frames, within, km2)
  with placed as (  -- one row for each block
    select block, count(*) as frames, sum(area_km2) as km2
    from (
      select area_km2, block_at((ST_XMin(geom) + ST_XMax(geom)) / 2, (ST_YMin(geom) + ST_YMax(geom)) / 2) as block from frame
    ) as located
    group by block
  ), land as (  -- one row for the country, each state, each area and each ward
    select state, lga, ward, sum(area_km2) as km2, grouping(state, lga, ward) as above
    from frame
    group by grouping sets ((), (state), (state, lga), (state, lga, ward))
  )
  select 0, 'country', null, null, null, null::bigint, coalesce(sum(frames), 0), '{0}'::bigint[], coalesce(sum(km2), 0) from placed
  union all
  select
    area.unit_id, case when area.ward is not null then 'ward' when area.lga is not null then 'lga' else 'state' end,
    area.state, area.lga, area.ward, null, coalesce(ward.frames, lga.frames, state.frames),
    array_remove(array[0, whole_state.unit_id, whole_lga.unit_id, case when area.ward is not null then area.unit_id end], null), land.km2
  from unit_area as area
  left join state on state.state = area.state and area.lga is null
  left join lga on lga.state = area.state and lga.lga = area.lga and area.ward is null
  left join ward on ward.state = area.state and ward.lga = area.lga and ward.ward = area.ward
  join unit_area as whole_state on whole_state.state = area.state and whole_state.lga is null
  left join unit_area as whole_lga on whole_lga.state = area.state and whole_lga.lga = area.lga and whole_lga.ward is null
  left join land
    on land.above = case when area.ward is not null then 0 when area.lga is not null then 1 else 3 end
    and land.state = area.state and coalesce(land.lga, '') = coalesce(area.lga, '') and coalesce(land.ward, '') = coalesce(area.ward, '')
  union all
  select 10000000 + block, 'block', null, null, null, block, frames, array[0, 10000000 + block], km2 from placed
  order by 1;
  perform frame_units_keep();
end $$;
comment on function units_keep() is 'Fills table unit with the units of the frame index, their frames and their land.';
revoke execute on function units_keep from public;
