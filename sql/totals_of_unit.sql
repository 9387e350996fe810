-- totals_of_unit: the totals of datasets over a unit.
--   $1 level   text    country, state, lga, ward or block
--   $2 state   text    any case
--   $3 lga     text
--   $4 ward    text
--   $5 block   bigint  as block_at gives it
--   $6 layers  text[]
-- index: unit_once, attribute_pkey, unit_total_pkey, unit_interval_pkey
-- budget: buffers <= 40 + 35 * layers, rows read <= 250 + 20 * layers
-- example: 'lga', 'marembe', 'lakeside', null, null, '{lyr_population,lyr_schools}'
-- Names above the level alone are given. Quotients and extents have 2 places, or two digits.
-- null: unit, number, class, classFrames, lower, upper, $2, $3, $4, $5
-- kind: $1 country|state|lga|ward|block, type number|category, summary sum|mean|weighted_mean|mode|none|count|length|area
with asked as materialized (  -- the unit
  select unit_id, frames, km2
  from unit
  where level = $1::text and coalesce(state, '') = coalesce(fold_name($2::text), '') and coalesce(lga, '') = coalesce(fold_name($3::text), '')
    and coalesce(ward, '') = coalesce(fold_name($4::text), '') and coalesce(block, -1) = coalesce($5::bigint, -1)
), layer as materialized (  -- one row for each dataset that exists, with its place among $6
  select layer_id, version, kind, name, given.place
  from unnest($6::text[]) with ordinality as given (layer_id, place)
  join dataset using (layer_id)
), listed as (  -- one row for each attribute; features are counted, lines measured in km and polygons in km²
  select layer.place as layer, layer.version, attribute.place, attribute.name, attribute.label, attribute.unit, attribute.type, attribute.summary,
    attribute.draws is not null as has_draws
  from layer
  join attribute using (layer_id)
  where kind = 'frames'
  union all
  select layer.place, layer.version, 1, 'features', layer.name, null, 'number', 'count', false from layer where kind <> 'frames'
  union all
  select layer.place, layer.version, 2, 'km', layer.name, 'km', 'number', 'length', false from layer where kind = 'lines'
  union all
  select layer.place, layer.version, 2, 'km2', layer.name, 'km²', 'number', 'area', false from layer where kind = 'polygons'
)
select
  listed.layer::int as layer, listed.name as attribute, listed.label as label, listed.unit as unit, listed.type as type, listed.summary as summary,
  trim_scale(case
    when listed.summary in ('count', 'length', 'area') and total.number is null then 0
    when listed.summary in ('sum', 'count') then total.number
    else round(total.number, greatest(2, coalesce(1 - floor(log(nullif(abs(total.number), 0))), 2))::int)
  end)::text as number,
  total.class as class, total.class_frames::int as "classFrames", coalesce(total.recorded, 0)::int as recorded, asked.frames::int as frames,
  trim_scale(bound.lower)::text as lower, trim_scale(bound.upper)::text as upper,
  trim_scale(round(asked.km2, 2))::text as km2, trim_scale(asked.km2)::text as "exactKm2"
from asked
cross join listed
left join lateral (
  select number, class, class_frames, recorded from unit_total
  where unit_total.version = listed.version and unit_total.attribute = listed.name and unit_total.unit_id = asked.unit_id
  limit 1
) as total on true
left join lateral (  -- the 95 % interval of the total, where the attribute has draws
  select lower, upper from unit_interval
  where listed.has_draws and unit_interval.version = listed.version and unit_interval.attribute = listed.name and unit_interval.unit_id = asked.unit_id
  limit 1
) as bound on true
order by listed.layer, listed.place, listed.name
