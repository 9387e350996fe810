-- profile_by_unit: one figure of a profile in each unit of a level, the largest first.
--   $1 frames     text[]  a frame_set: the unit that they lie in
--   $2 level      text    state, lga or ward
--   $3 layer      text
--   $4 attribute  text    as profile names it
-- index: attribute_pkey, unit_once, unit_area_pkey, unit_total_pkey, unit_interval_pkey
-- budget: buffers <= 500 + 10 * rows, rows read <= 16000 + 5 * rows
-- example: '{unit,marembe,lakeside}', 'ward', 'lyr_population', 'pop_demest26'
-- Rounded as in profile; bounds are exact. Units without a number come last.
-- null: lga, ward, number, class, classFrames, km2, lower, upper
with listed as materialized (  -- the figure
  select version, name, summary from figures_listed(array[$3::text]) where name = $4::text
)
select
  unit.state as state, unit.lga as lga, unit.ward as ward,
  rounded(figure.number, 2)::text as number,
  total.class as class, total.class_frames::int as "classFrames", coalesce(total.recorded, 0)::int as recorded, unit.frames::int as frames,
  unit_area.area_km2::float8 as km2, trim_scale(bound.lower)::text as lower, trim_scale(bound.upper)::text as upper
from units_in($1::text[], $2::text) as unit
left join unit_area on unit_area.unit_id = unit.unit_id
left join listed on true
left join unit_total as total on total.version = listed.version and total.attribute = listed.name and total.unit_id = unit.unit_id
left join unit_interval as bound on bound.version = listed.version and bound.attribute = listed.name and bound.unit_id = unit.unit_id
cross join lateral (select case when listed.summary in ('count', 'length', 'area') then coalesce(total.number, 0) else total.number end as number) as figure
order by figure.number desc nulls last, unit.state collate "C", unit.lga collate "C", unit.ward collate "C"
