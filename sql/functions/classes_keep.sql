-- classes_keep: keeps the properties of a dataset's features, and the distinct values of its categories.
--   layer  the dataset
-- An import calls it in the transaction that serves the rows. An attribute without a summary, such as a code, has no
-- classes, and so has one of more than 200 values, such as a name, or with a value of more than 250 characters, such as
-- a remark: its values do not sort frames into classes. An entry of an index has at most 2,704 bytes.
create or replace function classes_keep(layer text) returns void
  language plpgsql set work_mem = '64MB' set jit = off as $$
declare
  list record;
begin
  perform repeated_units_keep(layer);
  delete from class where layer_id = layer;
  delete from property where layer_id = layer;
  -- The JSON of each row is read once for 300 attributes. A name of over 63 bytes cannot name a column.
  for list in
    select string_agg(format('%I text', name), ', ') filter (where octet_length(name) <= 63) as columns,
      string_agg(format(case when octet_length(name) <= 63 then '(%1$L, cell.%1$I, %2$L::text[], %3$L)' else '(%1$L, recorded ->> %1$L, %2$L::text[], %3$L)' end, name, shared, repeats), ', ') as cells
    from (
      select name, shared, repeats, row_number() over (order by name) as n from attribute where layer_id = layer and type = 'category' and summary <> 'none'
    ) as listed
    group by (n - 1) / 300
  loop
    execute format($q$
      insert into class (layer_id, name, value, items)
      select %1$L, name, value, items
      from (
        select classed.name, classed.value, count(*) as items, count(*) over (partition by classed.name) as classes,
          max(length(classed.value)) over (partition by classed.name) as longest
        from dataset
        join baseline_row using (version)
        %2$s
        cross join lateral (values %3$s) as named (name, value, shared, level)
        cross join lateral (
          select named.name, class_of_value(btrim(named.value), named.shared, named.level, frame_id) as value
        ) as classed
        where dataset.layer_id = %1$L and classed.value <> ''
        group by classed.name, classed.value
      ) as counted
      where classes <= 200 and longest <= 250$q$,
      layer, 'cross join lateral json_to_record(recorded) as cell (' || list.columns || ')', list.cells);
  end loop;
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
  insert into class (layer_id, name, value, items)
  select layer, name, value, items
  from (
    select property.name, btrim(readable_json(properties) ->> property.name) as value, count(*) as items,
      count(*) over (partition by property.name) as classes,
      max(length(btrim(readable_json(properties) ->> property.name))) over (partition by property.name) as longest
    from dataset
    join property using (layer_id)
    join feature using (version)
    where layer_id = layer and type = 'category' and btrim(readable_json(properties) ->> property.name) <> ''
    group by property.name, btrim(readable_json(properties) ->> property.name)
  ) as counted
  where classes <= 200 and longest <= 250;
end $$;
comment on function classes_keep(text) is
  'Keeps the properties of a dataset''s features and the distinct values of its categories, as tables property and class have them.';
revoke execute on function classes_keep from public;
