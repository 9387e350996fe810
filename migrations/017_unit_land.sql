-- Up Migration

-- A density of a whole state read the land of each of its frames. Every unit now has the land of its frames.

comment on column unit.km2 is 'Land of the frames of the unit, in km².';

update unit
set km2 = land.km2
from (
  select
    coalesce(state, '') as state, coalesce(lga, '') as lga, coalesce(ward, '') as ward, sum(area_km2) as km2,
    case grouping(state, lga, ward) when 0 then 'ward' when 1 then 'lga' when 3 then 'state' else 'country' end as level
  from frame
  group by grouping sets ((), (state), (state, lga), (state, lga, ward))
) as land
where unit.level = land.level and coalesce(unit.state, '') = land.state and coalesce(unit.lga, '') = land.lga
  and coalesce(unit.ward, '') = land.ward and coalesce(unit.block, -1) = -1;
