-- classes_kept: categories whose rows have other values than the classes that were kept, and categories without any.
--   $1 percent  float8  of the pages of baselines and features, looked at; 100 for all, which counts the rows of each too
-- A category of more than 200 values, or with one of more than 250 characters, has no classes. The commonest class of a baseline shows that there were some;
-- values of features are counted.
with listed as (  -- categories with classes
  select distinct layer_id, name from class
), valued as (  -- their values on the rows looked at
  select listed.layer_id, listed.name, class_of_value(btrim(recorded ->> listed.name), shared, repeats, frame_id) as value, count(*) as items
  from baseline_row tablesample system ($1::float8)
  join dataset using (version)
  join listed using (layer_id)
  join attribute on attribute.layer_id = listed.layer_id and attribute.name = listed.name
  where kind = 'frames'
  group by 1, 2, 3
  union all
  select layer_id, listed.name, btrim(readable_json(properties) ->> listed.name), count(*)
  from feature tablesample system ($1::float8)
  join dataset using (version)
  join listed using (layer_id)
  where kind <> 'frames'
  group by 1, 2, 3
), differing (layer_id, what) as (  -- one row per category whose classes are not its values
  select layer_id, 'values of ' || name || ' that are not among its classes, or not as often: ' || count(*) || ', such as "' || min(value collate "C") || '"'
  from (select * from valued where value <> '') as valued
  full join (select * from class where $1::float8 >= 100) as kept using (layer_id, name, value)
  where valued.items is null or kept.items is distinct from valued.items and ($1::float8 >= 100 or not exists (
    select from class where class.layer_id = valued.layer_id and class.name = valued.name and class.value = valued.value
  ))
  group by layer_id, name
  union all
  select distinct layer_id, 'no classes of ' || attribute
  from unit_total
  join dataset using (version)
  where unit_id = 0 and class is not null and (layer_id, attribute) not in (select layer_id, name from listed)
  union all
  select layer_id, 'no classes of ' || name
  from (
    select layer_id, property.name, btrim(readable_json(properties) ->> property.name) as value
    from property
    join dataset using (layer_id)
    join feature using (version)
    where type = 'category' and (layer_id, property.name) not in (select layer_id, name from listed)
    group by 1, 2, 3
  ) as unlisted
  where value <> ''
  group by layer_id, name
  having count(*) <= 200 and max(length(value)) <= 250
)
select 'wrong' as severity, layer_id || ' has ' || string_agg(what, '; ' order by what) || '.' as what,
  format('select classes_keep(%L);', layer_id) as fix
from differing
group by layer_id
order by layer_id
