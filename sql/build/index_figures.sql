-- index_figures: the extent and the land of the staged frames, and the figures of each column of their units.
with unit as (  -- one row for each combination of names and codes: far fewer rows than there are frames, which are read once
  select state, state_code, lga, lga_code, ward, ward_code, zone, zone_code, count(*) as frames,
    ST_Extent(geom) as extent, sum(area_km2) as total, min(area_km2) as smallest, max(area_km2) as largest
  from staging.frame
  group by state, state_code, lga, lga_code, ward, ward_code, zone, zone_code
), field as (  -- each value, and the unit that has to have one value there
  select place, name, value, owner, frames
  from unit
  cross join lateral (
    values (1, 'state', state, null::text[]), (2, 'stateCode', state_code, array[state]),
      (3, 'lga', lga, null), (4, 'lgaCode', lga_code, array[state, lga]),
      (5, 'ward', ward, null), (6, 'wardCode', ward_code, array[state, lga, ward]),
      (7, 'zone', zone, array[state]), (8, 'zoneCode', zone_code, array[state])
  ) as named (place, name, value, owner)
), owned as (  -- how many values each unit has
  select place, owner, count(distinct value) as values
  from field
  where owner is not null and array_position(owner, null) is null
  group by place, owner
), described as (  -- one row for each column
  select place, name,
    coalesce(sum(frames) filter (where value is not null), 0)::int as recorded,
    coalesce(sum(frames) filter (where value is null), 0)::int as blank,
    count(distinct value)::int as classes,
    min(value) as value,
    (select count(*) from owned where owned.place = field.place and owned.values > 1)::int as mixed
  from field
  group by place, name
), land as (  -- the extent and the areas of the frames
  select ST_Extent(extent::geometry) as extent, sum(total) as total, min(smallest) as smallest, max(largest) as largest
  from unit
)
select
  array[ST_XMin(extent), ST_YMin(extent), ST_XMax(extent), ST_YMax(extent)] as bbox,
  total::text as "totalKm2",
  smallest::text as "smallestKm2",
  largest::text as "largestKm2",
  (
    select json_agg(json_strip_nulls(json_build_object(
      'name', name, 'recorded', recorded, 'blank', blank, 'classes', case when recorded > 0 then classes end,
      'notes', array_remove(array[
        case when recorded = 0 then 'No frame has a value.' end,
        case when recorded > 1 and classes = 1 then 'Every value is ' || value || '.' end,
        case when mixed > 0 then mixed || case mixed when 1 then ' unit has' else ' units have' end || ' more than one: the lowest is kept.' end
      ], null)
    )) order by place)
    from described
  ) as columns
from land
