-- repeated_units_keep: keeps which attributes of a baseline repeat the names of units, and those that several units share.
--   layer  the dataset
-- Returns whether other names are shared than before. classes_keep calls it, and a new index does. Some 2,000 rows show
-- which attributes are copies.
create or replace function repeated_units_keep(layer text) returns boolean
  language plpgsql as $$
declare
  one_in int := greatest(1, (select items / 2000 from dataset where layer_id = layer));
  before text := (select json_object_agg(name, shared order by name)::text from attribute where layer_id = layer and shared <> '{}');
begin
  update attribute set repeats = null, shared = '{}' where layer_id = layer and (repeats is not null or shared is distinct from '{}');
  with counted as materialized (  -- one row for each category, with how many of its values are the names of the units
    select cell.key as name, count(*) as items,
      count(*) filter (where fold_name(cell.value) = frame.ward) as wards, count(*) filter (where fold_name(cell.value) = frame.lga) as lgas
    from dataset
    join baseline_row using (version)
    join frame using (frame_id)
    cross join lateral json_each_text(recorded) as cell
    join attribute on attribute.layer_id = dataset.layer_id and attribute.name = cell.key and attribute.type = 'category'
    where dataset.layer_id = layer and abs(hashint8(frame_id)::bigint) % one_in = 0 and btrim(cell.value) <> ''
    group by cell.key
  ), copy as (  -- the attributes that repeat a unit
    select name, case when wards >= lgas then 'ward' else 'lga' end as level from counted where 2 * greatest(wards, lgas) > items
  ), named as (  -- the names of several units of a level
    select 'lga' as level, lga as name from lga group by lga having count(*) > 1
    union all
    select 'ward', ward from ward group by ward having count(*) > 1
  ), written as (  -- each value of the copies
    select distinct copy.name, copy.level, btrim(recorded ->> copy.name) as value
    from dataset
    join baseline_row using (version)
    cross join copy
    where dataset.layer_id = layer
  ), found as (  -- one row for each copy whose names are shared
    select written.name, written.level, array_agg(value order by value collate "C") as shared
    from written
    join named on named.level = written.level and named.name = fold_name(written.value)
    group by written.name, written.level
  )
  update attribute set repeats = found.level, shared = found.shared
  from found
  where attribute.layer_id = layer and attribute.name = found.name;
  return before is distinct from (select json_object_agg(name, shared order by name)::text from attribute where layer_id = layer and shared <> '{}');
end $$;
comment on function repeated_units_keep(text) is 'Keeps which attributes of a baseline repeat the LGA or the ward of each frame, and the names that several of these units share.';
revoke execute on function repeated_units_keep from public;
