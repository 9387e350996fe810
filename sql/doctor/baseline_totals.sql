-- baseline_totals: totals of baselines that differ from the sum of their frames.
--   $1 percent  float8  of the wards and blocks, looked at; 100 for all units
-- index: baseline_row_pkey
-- The sums are made in another way than totals_keep makes them: from a row for each value.
with asked as (  -- the units looked at
  select unit_id from unit
  where $1::float8 >= 100 or level in ('ward', 'block') and abs(hashint8(unit_id)) % 10000 < 100 * $1::float8
), member as materialized (  -- one row per frame and unit looked at
  select frame.frame_id, frame.area_km2, within.unit_id
  from frame
  left join unit as home on home.state = frame.state and home.lga = frame.lga and coalesce(home.ward, '') = coalesce(frame.ward, '')
  cross join lateral unnest(coalesce(home.within, '{0}')
    || (10000000 + block_at((ST_XMin(geom) + ST_XMax(geom)) / 2, (ST_YMin(geom) + ST_YMax(geom)) / 2))) as within (unit_id)
  join asked on asked.unit_id = within.unit_id
), valued as (  -- one row per value
  select dataset.layer_id, dataset.version, attribute.name, attribute.type, attribute.summary, member.unit_id, btrim(cell.value) as value,
    plain_number(cell.value) as number,
    case attribute.weight when 'area' then member.area_km2 else plain_number(baseline_row.recorded ->> attribute.weight) end as share
  from dataset
  cross join member
  join baseline_row on baseline_row.version = dataset.version and baseline_row.frame_id = member.frame_id
  cross join lateral json_each_text(baseline_row.recorded) as cell
  join attribute on attribute.layer_id = dataset.layer_id and attribute.name = cell.key
  where dataset.kind = 'frames' and btrim(cell.value) <> ''
), summed as (  -- one row per attribute and unit
  select layer_id, version, name, unit_id,
    count(*) filter (where type = 'category' or number is not null) as recorded,
    case summary
      when 'sum' then sum(number) filter (where type = 'number')
      when 'mean' then avg(number) filter (where type = 'number')
      when 'weighted_mean' then sum(number * share) filter (where share > 0) / sum(share) filter (where share > 0 and number is not null)
    end as number
  from valued
  group by layer_id, version, name, summary, unit_id
), stored as (  -- the same as table unit_total has it
  select dataset.layer_id, dataset.version, attribute as name, unit_id, recorded, number
  from unit_total
  join dataset using (version)
  join asked using (unit_id)
  where dataset.kind = 'frames'
), differing as (  -- the totals that differ
  select layer_id, name from (select * from summed where recorded > 0) as summed
  full join stored using (layer_id, version, name, unit_id)
  where summed.recorded is distinct from stored.recorded or summed.number is distinct from stored.number
)
select 'wrong' as severity, layer_id || ' has ' || count(*) || ' totals that differ from their frames, such as of ' || min(name) || '.' as what,
  format(E'begin;\nselect totals_keep(%L);\nupdate index_generation set generation = generation + 1;\ncommit;', layer_id) as fix
from differing
group by layer_id
order by layer_id
