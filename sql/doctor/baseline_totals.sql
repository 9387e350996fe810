-- baseline_totals: totals of baselines that differ from the sum of their frames.
--   $1 percent  float8  of the wards and blocks, looked at; 100 for all units
--   $2 seed     int     draws them, with one state and one area: another one draws others
--   $3 largest  int     frames in such a state or area, at most
-- index: baseline_row_pkey
-- The sums are made in another way than totals_keep makes them: from a row for each value. Each value is read once: it is
-- added up over pieces, into which wards and blocks cut each other, and pieces over units.
with asked as materialized (  -- the units looked at
  select unit_id from unit
  where $1::float8 >= 100 or level in ('ward', 'block') and abs(hashint8extended(unit_id, $2::int) % 10000) < 100 * $1::float8
  union
  select unit_id from (
    select distinct on (level) unit_id from unit
    where level in ('state', 'lga') and frames <= $3::int
    order by level, hashint8extended(unit_id, $2::int)
  ) as drawn
), asked_home as materialized (  -- the lowest units in them
  select distinct unit.unit_id from unit cross join unnest(within) as above (unit_id) join asked on asked.unit_id = above.unit_id where level <> 'block'
), placed as materialized (  -- one row per frame of a unit looked at, with its ward and its block
  select located.frame_id, located.area_km2, home.unit_id as home_id, located.block_id
  from (
    select frame.*, 10000000 + block_at((ST_XMin(geom) + ST_XMax(geom)) / 2, (ST_YMin(geom) + ST_YMax(geom)) / 2) as block_id from frame offset 0
  ) as located
  left join unit as home on home.state = located.state and home.lga = located.lga and coalesce(home.ward, '') = coalesce(located.ward, '')
  where $1::float8 >= 100 or home.unit_id in (select unit_id from asked_home) or located.block_id in (select unit_id from asked)
), summed as (  -- one row per attribute and unit looked at; datasets are added up one by one
  select dataset.layer_id, dataset.version, whole.name, whole.unit_id, whole.recorded,
    case attribute.summary
      when 'sum' then whole.total
      when 'mean' then whole.total / whole.recorded
      when 'weighted_mean' then whole.weighted / nullif(whole.weight, 0)
    end as number,
    case attribute.summary when 'mean' then whole.total when 'weighted_mean' then whole.weighted end as total
  from dataset
  cross join lateral (
    select piece.name, within.unit_id, sum(piece.recorded) as recorded, sum(piece.total) as total,
      sum(piece.weighted) as weighted, sum(piece.weight) as weight
    from (
      select valued.name, valued.home_id, valued.block_id, count(*) as recorded, sum(valued.number) as total,
        sum(valued.number * valued.share) filter (where valued.share > 0) as weighted,
        sum(valued.share) filter (where valued.share > 0) as weight
      from (
        select attribute.name, attribute.type, placed.home_id, placed.block_id,
          case attribute.type when 'number' then plain_number(cell.value) end as number,
          case attribute.weight when 'area' then placed.area_km2 else plain_number(baseline_row.recorded ->> attribute.weight) end as share
        from baseline_row
        join placed using (frame_id)
        cross join lateral json_each_text(baseline_row.recorded) as cell
        join attribute on attribute.layer_id = dataset.layer_id and attribute.name = cell.key
        where baseline_row.version = dataset.version and btrim(cell.value) <> ''
        offset 0
      ) as valued
      where valued.type = 'category' or valued.number is not null
      group by valued.name, valued.home_id, valued.block_id
    ) as piece
    left join unit as home on home.unit_id = piece.home_id
    cross join lateral unnest(coalesce(home.within, '{0}') || piece.block_id) as within (unit_id)
    where within.unit_id in (select unit_id from asked)
    group by piece.name, within.unit_id
  ) as whole
  join attribute on attribute.layer_id = dataset.layer_id and attribute.name = whole.name
  where dataset.kind = 'frames'
), stored as (  -- the same as table unit_total has it
  select dataset.layer_id, dataset.version, attribute as name, unit_id, recorded, number, total
  from unit_total
  join dataset using (version)
  join asked using (unit_id)
  where dataset.kind = 'frames'
), differing as (  -- the totals that differ
  select layer_id, name from summed
  full join stored using (layer_id, version, name, unit_id)
  where summed.recorded is distinct from stored.recorded or summed.number is distinct from stored.number
    or summed.total is distinct from stored.total
)
select 'wrong' as severity, 'Totals of ' || layer_id || ' that differ from their frames: ' || count(*) || ', such as of ' || min(name) || '.' as what,
  format(E'begin;\nselect totals_keep(%L);\nupdate index_generation set generation = generation + 1;\ncommit;', layer_id) as fix
from differing
group by layer_id
order by layer_id
