-- intervals_kept: units whose draws differ from the sum of those of their frames, or whose bounds are not those of their draws.
--   $1 percent  float8  of the units, looked at; 100 for all
--   $2 seed     int     chooses them: another one chooses others
-- index: frame_interval_pkey, unit_interval_pkey
with asked as materialized (  -- the units looked at, with their frames
  select unit.unit_id, placed.frame_id
  from unit
  join frame_unit as placed on placed.block_id = unit.unit_id or placed.home_id = unit.unit_id
  where $1::float8 >= 100 or abs(hashint8extended(unit_id, $2::int) % 10000) < 100 * $1::float8
), drawn as (  -- one row per attribute with draws
  select layer_id, version, attribute.name from dataset join attribute using (layer_id) where attribute.draws is not null
), summed as (  -- one row per attribute and unit with a value
  select version, name, unit_id, array_agg(number order by n) as draws
  from (
    select drawn.version, drawn.name, asked.unit_id, draw.n, sum(draw.number) as number
    from drawn
    cross join asked
    join frame_interval as kept on kept.version = drawn.version and kept.attribute = drawn.name and kept.frame_id = asked.frame_id
    cross join lateral unnest(kept.draws) with ordinality as draw (number, n)
    group by drawn.version, drawn.name, asked.unit_id, draw.n
  ) as added
  group by version, name, unit_id
), differing as (  -- units that differ
  select drawn.layer_id, drawn.name, looked_at.unit_id
  from drawn
  cross join (select distinct unit_id from asked) as looked_at
  left join summed on summed.version = drawn.version and summed.name = drawn.name and summed.unit_id = looked_at.unit_id
  left join unit_interval as kept on kept.version = drawn.version and kept.attribute = drawn.name and kept.unit_id = looked_at.unit_id
  left join lateral draws_interval(kept.draws) as bound on true
  where summed.draws is distinct from kept.draws or bound.lower is distinct from kept.lower or bound.upper is distinct from kept.upper
)
select 'wrong' as severity, 'Intervals of ' || layer_id || ' that differ from the draws of their frames: ' || count(*) || ', such as of ' || min(name) || '.' as what,
  format(E'begin;\nselect totals_keep(%L);\nupdate index_generation set generation = generation + 1;\ncommit;', layer_id) as fix
from differing
group by layer_id
order by layer_id
