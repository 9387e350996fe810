-- classes_kept: categories whose rows have a value that is not among the classes that were kept.
--   $1 percent  float8  of the pages of baselines and features, looked at; 100 for all
-- An attribute without any class is left out: it may have more than 200 values.
with listed as (  -- categories with classes
  select distinct layer_id, name from class
), valued as (  -- their values on the rows looked at
  select layer_id, listed.name, btrim(recorded ->> listed.name) as value
  from baseline_row tablesample system ($1::float8)
  join dataset using (version)
  join listed using (layer_id)
  where kind = 'frames'
  union
  select layer_id, listed.name, btrim(readable_json(properties) ->> listed.name)
  from feature tablesample system ($1::float8)
  join dataset using (version)
  join listed using (layer_id)
  where kind <> 'frames'
)
select 'wrong' as severity,
  layer_id || ' has ' || count(*) || ' values of ' || name || ' that are not among its classes, such as "' || min(value collate "C") || '".' as what,
  format('select classes_keep(%L);', layer_id) as fix
from valued
where value <> '' and not exists (
  select from class where class.layer_id = valued.layer_id and class.name = valued.name and class.value = valued.value
)
group by layer_id, name
order by layer_id, name
