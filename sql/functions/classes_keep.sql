-- classes_keep: keeps the properties of a dataset's features, and the distinct values of its categories.
--   layer  the dataset
-- An import calls it in the transaction that serves the rows. An attribute without a summary, such as a code, has no
-- classes, and so has one of more than 200 values, such as a name: its values do not sort frames into classes.
create or replace function classes_keep(layer text) returns void
  language sql set work_mem = '64MB' set jit = off as $$
  delete from class where layer_id = layer;
  delete from property where layer_id = layer;
  -- The forty commonest properties, as in schema analyst.
  insert into property (layer_id, name, type, items)
  select layer, key, case when bool_and(plain_number(value) is not null) then 'number' else 'category' end, count(*)
  from dataset
  join feature using (version)
  cross join lateral json_each_text(readable_json(properties))
  where layer_id = layer and kind <> 'frames' and btrim(value) <> '' and btrim(key) <> ''
  group by key
  order by count(*) desc, key collate "C"
  limit 40;
  with valued as (  -- one row for each value of a category, on a frame or of a feature
    select attribute.name, btrim(recorded ->> attribute.name) as value
    from dataset
    join attribute using (layer_id)
    join baseline_row using (version)
    where layer_id = layer and type = 'category' and summary <> 'none'
    union all
    select property.name, btrim(readable_json(properties) ->> property.name)
    from dataset
    join property using (layer_id)
    join feature using (version)
    where layer_id = layer and type = 'category'
  ), counted as (  -- one row for each distinct value, with the number of distinct values
    select name, value, count(*) as items, count(*) over (partition by name) as classes
    from valued
    where value <> ''
    group by name, value
  )
  insert into class (layer_id, name, value, items)
  select layer, name, value, items from counted where classes <= 200;
$$;
comment on function classes_keep(text) is
  'Keeps the properties of a dataset''s features and the distinct values of its categories, as tables property and class have them.';
revoke execute on function classes_keep from public;
