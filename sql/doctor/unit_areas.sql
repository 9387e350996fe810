-- unit_areas: units whose stored land differs from that of their frames.
with frames_of as materialized (  -- one row per lowest unit, with the area of its frames
  select state, lga, ward, sum(ST_Area(geom)) as area from frame where state is not null group by state, lga, ward
), united (state, lga, ward, area) as (  -- one row per unit of any level, with the area of its frames
  select state, '', '', sum(area) from frames_of group by state
  union all
  select state, lga, '', sum(area) from frames_of group by state, lga
  union all
  select state, lga, ward, area from frames_of where ward is not null
), stored (state, lga, ward, area) as (  -- one row per unit of any level, with its stored area
  select state, coalesce(lga, ''), coalesce(ward, ''), ST_Area(geom) from unit_area
), differing as (  -- the units whose two areas differ
  select state, lga, ward
  from united
  full join stored using (state, lga, ward)
  where abs(coalesce(united.area, 0) - coalesce(stored.area, 0)) > 1e-8
)
select 'wrong' as severity,
  'Units with other land than their frames: ' || count(*) || ', such as ' || min(concat_ws(', ', nullif(ward, ''), nullif(lga, ''), state)) || '.'
    as what,
  'select derived_keep(''unit_area'');' as fix
from differing
having count(*) > 0
